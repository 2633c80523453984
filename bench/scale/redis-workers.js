import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

async function started(command, args, sign) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes(sign) && resolve());
    child.once('exit', () => reject(new Error(`${command} ended before it was ready`)));
  });
  return child;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return String(port);
}

const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);

/** Processor seconds of a process and its children so far. */
function processorOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return (
    (Number(fields[11]) + Number(fields[12])) / ticks + children.reduce((sum, child) => sum + processorOf(child), 0)
  );
}

/**
 * Starts a Redis of its own with its files in `folder`, and workers of one thread; returns once all stand ready. `processor` gives the processor
 * seconds of all of them so far. Needs redis-server.
 */
export async function openRedisWorkers({ program, workers, folder, store }) {
  const running = [];
  const close = async () => {
    for (const child of running.toReversed()) child.kill('SIGTERM');
    await Promise.all(running.map((child) => child.exitCode ?? once(child, 'exit')));
  };
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  try {
    const words = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    running.push(await started('redis-server', words, 'Ready to accept'));
    const work = [program, 'worker', '--redis', url, '--threads', '1', ...(store ? ['--store', store] : [])];
    for (let k = 0; k < workers; k += 1) running.push(await started(process.execPath, work, 'ready'));
  } catch (error) {
    await close();
    throw error;
  }
  return { url, processor: () => running.reduce((sum, { pid }) => sum + processorOf(pid), 0), close };
}
