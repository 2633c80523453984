import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openRedisWorkers } from './scale/redis-workers.js';

/*
 * node bench/queue.js [--seconds 60] [--runs 1]
 *
 * What the queue costs: `coverage` of a small table over Redis with two workers, beside the same two halves as two plain processes (`--shard 1/2`
 * and `2/2`, then `merge`), in turn, with the built command line (`npm run build` first) and a Redis that it starts. A short run first tells how many
 * data sets two processes do in so many seconds. Workers stand ready. Seconds mean something on a quiet machine only; processor seconds of all
 * processes, Redis too, mean something on any. The bar stands in bars.json; ends with 1 where it is not met. Needs redis-server and GNU time.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, runs: { type: 'string', default: '1' } },
});
const BAR = 'coverage over Redis, two workers, over two processes';
const bar = JSON.parse(readFileSync(new URL('bars.json', import.meta.url), 'utf8'))[BAR];
/** Data sets of the run that tells how long one takes. */
const FEW = 400;
const program = resolve('dist/bundle/run.cjs');
const folder = mkdtempSync(join(tmpdir(), 'bench-queue-'));
const at = (name) => join(folder, name);

/** Seconds and processor seconds of the command line. */
async function timed(args) {
  const words = [
    '-f',
    '%e %U %S',
    '-o',
    at(`time-${args.length}-${Math.random()}`),
    process.execPath,
    program,
    ...args,
  ];
  const run = spawn('/usr/bin/time', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  run.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(run, 'close');
  if (code !== 0) throw new Error(said);
  const [wall, user, system] = readFileSync(words[3], 'utf8').trim().split(' ').map(Number);
  return { wall, processor: user + system };
}

const queue = await openRedisWorkers({ program, workers: 2, folder });
try {
  const rows = Array.from({ length: 120 }, (_, k) => [k, k % 3, (k * 7) % 5, (k * 11) % 4, (k * 13) % 6].join(','));
  writeFileSync(at('scores.csv'), `task,a,b,c,d\n${rows.join('\n')}\n`);
  const calling = (datasets) => ['coverage', at('scores.csv'), '--datasets', String(datasets)];
  /** The two halves as two processes, and what puts them together. */
  async function halved(call) {
    const begun = performance.now();
    const halves = await Promise.all(
      [1, 2].map((i) => timed([...call, '--threads', '1', '--out', at(`half-${i}`), '--shard', `${i}/2`, '--force'])),
    );
    const merged = await timed(['merge', at('half-1'), at('half-2'), '--out', at('merged.json'), '--force']);
    return {
      wall: (performance.now() - begun) / 1000,
      processor: [...halves, merged].reduce((sum, { processor }) => sum + processor, 0),
    };
  }
  const few = await halved(calling(FEW));
  const twice = await halved(calling(2 * FEW));
  const each = Math.max((twice.wall - few.wall) / FEW, few.wall / FEW / 10);
  const datasets = Math.max(2, Math.round((Number(values.seconds) - few.wall) / each) + FEW);
  const call = calling(datasets);
  const ratios = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    const plain = await halved(call);
    const before = queue.processor();
    const called = await timed([...call, '--out', at('queued.json'), '--force', '--redis', queue.url]);
    const queued = { wall: called.wall, processor: called.processor + queue.processor() - before };
    const digest = (file) => JSON.parse(readFileSync(at(file), 'utf8')).results_sha256;
    if (digest('merged.json') !== digest('queued.json')) throw new Error('the two differ');
    ratios.push(queued.wall / plain.wall);
    const shown = ({ wall, processor }) => `${wall.toFixed(1)} s, ${processor.toFixed(1)} processor seconds`;
    const more = (of) => `${(100 * (queued[of] / plain[of] - 1)).toFixed(1)} %`;
    console.log(
      `${datasets} data sets, two processes: ${shown(plain)}; two workers: ${shown(queued)}; more: ${more('wall')}, ${more('processor')}`,
    );
  }
  const ratio = ratios.sort((a, b) => a - b)[ratios.length >> 1];
  const met = ratio <= bar.most;
  if (!met) process.exitCode = 1;
  console.log(`${ratio.toFixed(3)} x  ${BAR}   bar ${bar.says}: ${met ? 'met' : 'NOT MET'}`);
  console.log(
    `${cpus()[0].model.trim()}, ${availableParallelism()} processors, Node ${process.version}; load ${loadavg()[0].toFixed(1)}`,
  );
} finally {
  await queue.close();
  rmSync(folder, { recursive: true, force: true });
}
