/*
 * Load on `flavourbench serve`, beside an empty Hono handler in the same run, and a soak. It needs a build (`npm run build`), and wrk or, where
 * that is not installed, autocannon through npx. Beside requests a second it gives those of a processor second of each server, whose ratio means
 * something on a loaded machine too. Bars stand in bars.json; ends with 1 where one is not met.
 *
 *   node bench/serve.js [--seconds 10] [--rounds 5] [--connections 32] [--batch 1000]
 *   node bench/serve.js --soak 600
 *   node bench/serve.js --flood 10000
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    batch: { type: 'string', default: '1000' },
    soak: { type: 'string' },
    flood: { type: 'string' },
  },
});
const bars = JSON.parse(readFileSync(new URL('bars.json', import.meta.url), 'utf8'));
const run = promisify(execFile);
const TASKS = resolve('fixtures/tasks-small.json');
const folder = mkdtempSync(join(tmpdir(), 'flavourbench-load-'));

const EMPTY = `
import { serve } from ${JSON.stringify(import.meta.resolve('@hono/node-server'))};
import { Hono } from ${JSON.stringify(import.meta.resolve('hono'))};
const app = new Hono().post('/', (c) => c.body('{"rewards":[1]}', 200, { 'content-type': 'application/json' }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('http://127.0.0.1:' + port + '/'));
`;

/** Starts a program that prints its address. */
async function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const address = String((await once(child.stdout, 'data'))[0]).trim();
  return { address, pid: child.pid, stop: () => child.kill('SIGTERM') };
}

const { tasks } = JSON.parse(readFileSync(TASKS, 'utf8'));
const text = 'The pairs share their aroma, so I choose these three.\nFINAL_SELECTION: A,C,F';
const bodyOf = (count) =>
  JSON.stringify({
    completions: Array.from({ length: count }, () => text),
    task_ids: Array.from({ length: count }, (_, i) => tasks[Math.floor(i / 8) % tasks.length].task_id),
  });

const hasWrk = await run('wrk', ['-v']).then(
  () => true,
  ({ code }) => code !== 'ENOENT',
);

/** Sends a body over and over: requests a second, and milliseconds of the 50th and the 99th percentile. */
async function load({ url, body, seconds, connections, rate }) {
  if (hasWrk && rate === undefined) {
    const script = join(folder, 'post.lua');
    writeFileSync(
      script,
      `wrk.method="POST"\nwrk.headers["content-type"]="application/json"\nwrk.body=[==[${body}]==]\n`,
    );
    const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url]);
    const milliseconds = (share) => {
      const [, number, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout);
      return Number(number) * { us: 0.001, ms: 1, s: 1000 }[unit];
    };
    if (/Non-2xx/.test(stdout)) throw new Error(stdout);
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]),
      p50: milliseconds(50),
      p99: milliseconds(99),
    };
  }
  const file = join(folder, 'body.json');
  writeFileSync(file, body);
  const args = ['--yes', 'autocannon@9.0.0', '-j', '-m', 'POST', '-H', 'content-type=application/json', '-i', file];
  const bounded = rate === undefined ? [] : ['-R', `${Math.max(1, Math.round(rate))}`];
  const { stdout } = await run('npx', [...args, ...bounded, '-c', `${connections}`, '-d', `${seconds}`, url], {
    maxBuffer: 1 << 24,
  });
  const { requests, latency, non2xx } = JSON.parse(stdout);
  if (non2xx > 0) throw new Error(`${non2xx} requests were refused`);
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 };
}

/** Opens connections at once, each asks for its health: how many heard what, and whether the server answers after them. */
async function flood({ address, count }) {
  const { port } = new URL(address);
  const heard = { answered: 0, 'told to come later': 0, closed: 0 };
  const one = () =>
    new Promise((done) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1');
      socket.setTimeout(60_000, () => socket.destroy());
      socket.on('connect', () => socket.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`));
      socket.on('data', (data) => {
        text += data;
        // Stays open for the others to come: a connection is one until it is closed.
        if (text.includes('"status"') || text.includes('SERVER_BUSY')) done({ text, socket });
      });
      socket.on('error', () => {});
      socket.on('close', () => done({ text, socket }));
    });
  const began = performance.now();
  const all = await Promise.all(Array.from({ length: count }, one));
  for (const { text, socket } of all) {
    heard[/^HTTP\S+ 200/.test(text) ? 'answered' : /^HTTP\S+ 503/.test(text) ? 'told to come later' : 'closed'] += 1;
    socket.destroy();
  }
  const words = Object.entries(heard).map(([what, n]) => `${n} ${what}`);
  console.log(`${count} connections: ${words.join(', ')}, in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await new Promise((done) => setTimeout(done, 500));
  const after = await fetch(`${address}healthz`);
  console.log(`afterwards: ${after.status} ${await after.text()}`);
}

const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout);

/** Processor seconds of a process so far. */
function processorOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** What a load came to, and requests of a processor second of the server that answered them. */
async function loaded(server, options) {
  const before = processorOf(server.pid);
  const found = await load(options);
  return { ...found, perProcessor: (found.perSecond * options.seconds) / (processorOf(server.pid) - before) };
}

function judged(name, value, text) {
  const met = value >= bars[name].least;
  if (!met) process.exitCode = 1;
  return `${text} ${name}   bar ${bars[name].says}: ${met ? 'met' : 'NOT MET'}`;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const batch = Number(values.batch);

const empty = join(folder, 'empty.mjs');
writeFileSync(empty, EMPTY);
const bare = await start([empty]);
const server = await start([resolve('dist/bundle/run.cjs'), 'serve', '--tasks', TASKS, '--port', '0', '--no-log']);
try {
  const single = { url: `${server.address}v1/reward`, body: bodyOf(1), connections };
  if (values.flood === undefined)
    console.log(
      `load tool: ${hasWrk ? 'wrk' : 'autocannon'}, ${connections} connections, ${seconds} s a round, load and server on one machine`,
    );
  if (values.flood !== undefined) await flood({ address: server.address, count: Number(values.flood) });
  else if (values.soak === undefined) {
    const rounds = Array.from({ length: Number(values.rounds) });
    const found = { empty: [], single: [], batch: [], ratio: [], processor: [] };
    for (const _ of rounds) {
      const none = await loaded(bare, { ...single, url: bare.address, seconds });
      const one = await loaded(server, { ...single, seconds });
      const many = await load({ ...single, body: bodyOf(batch), connections: 4, seconds });
      found.empty.push(none.perSecond);
      found.single.push(one.perSecond);
      found.batch.push(many.perSecond * batch);
      found.ratio.push(one.perSecond / none.perSecond);
      found.processor.push(one.perProcessor / none.perProcessor);
      console.log(
        `empty ${none.perSecond.toFixed(0)}/s; single ${one.perSecond.toFixed(0)}/s (p50 ${one.p50} ms, p99 ${one.p99} ms); batches of ${batch}: ${(many.perSecond * batch).toFixed(0)} rewards/s (p99 ${many.p99} ms)`,
      );
    }
    console.log(
      `medians: empty ${median(found.empty).toFixed(0)}/s, single ${median(found.single).toFixed(0)}/s; ratio of requests of a processor second ${median(found.processor).toFixed(3)}`,
    );
    const ratio = median(found.ratio);
    console.log(judged('single rewards over requests of an empty Hono handler', ratio, ratio.toFixed(3)));
    const rewards = median(found.batch);
    console.log(judged('rewards a second in batches of 1,000', rewards, rewards.toFixed(0)));
  } else {
    const { perSecond } = await load({ ...single, seconds });
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
    console.log(`soak at ${(perSecond / 2).toFixed(0)}/s for ${values.soak} s; resident memory in MiB every 10 s:`);
    const began = performance.now();
    const timer = setInterval(
      () => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s  ${memory().toFixed(1)}`),
      10_000,
    );
    const { p99 } = await load({ ...single, seconds: Number(values.soak), rate: perSecond / 2 });
    clearInterval(timer);
    console.log(`end ${memory().toFixed(1)} MiB, p99 ${p99} ms`);
  }
} finally {
  bare.stop();
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
