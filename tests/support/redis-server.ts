import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether a Redis can be started here; Debian's is installed by .ci/run. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A Redis of a test: it keeps what it holds in `folder` and can be ended and started again on its port. */
export interface TestRedis {
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Redis on a free port of 127.0.0.1, appending to a file each write before it is answered. */
export async function startRedis(folder: string, options: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const redis: TestRedis = {
    port,
    async start() {
      const words = [
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'yes',
        '--appendfsync',
        'always',
      ];
      const started = spawn('redis-server', ['--port', `${port}`, ...words, ...options]);
      server = started;
      // A test that fails on its way leaves none behind.
      process.once('exit', () => started.kill('SIGKILL'));
      let log = '';
      await new Promise<void>((resolve, reject) => {
        started.stdout.on('data', (text) => {
          log += text;
          if (log.includes('Ready to accept connections')) resolve();
        });
        started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${log}`)));
      });
    },
    async stop() {
      const running = server;
      server = undefined;
      if (running === undefined || running.exitCode !== null) return;
      running.kill('SIGTERM');
      await once(running, 'exit');
    },
  };
  await redis.start();
  return redis;
}
