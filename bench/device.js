import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchDesign, measure, milliseconds, runWork } from '../dist/cli/throughput.js';
import { bootstrapMilliseconds, flipMilliseconds } from '../dist/engine/auto.js';
import { createEngine } from '../dist/engine/index.js';

/*
 * bench/device.sh [--software] [--draws 20000] [--most 6400000] [--seconds 240] [--out FILE]
 *
 * What a hardware WebGPU adapter does, in under five minutes: whether its digits are those of WebAssembly (digests of bootstraps and flips over three
 * designs), draws a second beside one thread and all of them, and from which size on it is faster with its opening in the time, beside what `auto`
 * assumes. A software adapter is refused unless `--software` says that only the script is tried. Exit code 1 where a digit differs, 3 without a device.
 */
const { values } = parseArgs({
  options: {
    software: { type: 'boolean' },
    draws: { type: 'string', default: '20000' },
    most: { type: 'string', default: '6400000' },
    seconds: { type: 'string', default: '240' },
    out: { type: 'string' },
  },
});
const [draws, most] = [Number(values.draws), Number(values.most)];
const end = performance.now() + 1000 * Number(values.seconds);
/** Whether there is no time left for something that takes as many milliseconds. */
const isLate = (needed = 0) => performance.now() + needed > end;
const WORKS = ['bootstrap', 'flips'];
const SIZES = [
  { models: 5, clusters: 40 },
  { models: 27, clusters: 534 },
  { models: 138, clusters: 534 },
];

const device = await createEngine({ backend: 'webgpu' }).catch((error) => {
  console.error(`${error.message}. ${error.hint}`);
  process.exit(3);
});
if (device.software && !values.software) {
  console.error(
    `${device.reason}: a software adapter, which says nothing of a device; --software tries the script on it`,
  );
  process.exit(3);
}
const wasm = await createEngine({ backend: 'wasm' });
const pool = await createEngine({ backend: 'pool', threads: availableParallelism() });
const report = {
  schema: 'flavourbench-device/1',
  adapter: device.reason,
  software: device.software === true,
  machine: { processor: cpus()[0]?.model.trim(), processors: availableParallelism(), node: process.version },
  parity: [],
  throughput: [],
  crossover: [],
};
console.log(
  `adapter: ${report.adapter}${report.software ? ' (software)' : ''}; ${report.machine.processors} processors`,
);

/** Results as text that is equal where they are: keys in order, lists of any kind as lists. */
const text = (value) =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return `${part}n`;
    if (ArrayBuffer.isView(part)) return Array.from(part, (one) => (Number.isNaN(one) ? 'NaN' : one));
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
const random = (stream) => ({ kind: 'philox', seed: 20260820n, stream });
const requests = (count) => ({
  bootstrap: {
    ...{ draws: count, random: random(0), scheme: 'joint', probabilities: [0.025, 0.975], bandProbability: 0.95 },
    ...{ ranks: 'ordinal', pairs: true },
  },
  flips: { draws: count, random: random(1), maxT: true },
});

for (const size of SIZES) {
  const design = benchDesign(size);
  for (const work of WORKS) {
    const digests = [];
    for (const engine of [wasm, device]) {
      const found = text(await engine[work](design, requests(Math.min(2000, draws))[work]));
      digests.push(createHash('sha256').update(found).digest('hex'));
    }
    const equal = digests[0] === digests[1];
    report.parity.push({ ...size, work, wasm: digests[0], webgpu: digests[1], equal });
    console.log(`parity ${size.models} x ${size.clusters} ${work}: ${equal ? 'equal' : 'DIFFERS'} ${digests[0]}`);
  }
}

for (const size of SIZES.slice(1))
  for (const work of WORKS)
    for (const engine of [wasm, pool, device]) {
      if (isLate()) continue;
      const row = await measure(engine, size, work, draws, engine === wasm ? 1 : 3);
      report.throughput.push(row);
      const { backend, threads, milliseconds: time, draws_per_second: rate } = row;
      console.log(
        `${size.models} x ${size.clusters} ${work} ${backend}, ${threads} threads: ${time} ms, ${rate.toLocaleString('en')} draws/s`,
      );
    }
await Promise.all([wasm.close(), pool.close(), device.close()]);

/** Engines opened afresh: their start is part of what `auto` weighs. */
const once = (options, design, count) =>
  milliseconds(async () => {
    const engine = await createEngine(options);
    for (const work of WORKS) await runWork(engine, design, work, count);
    await engine.close();
  });
for (const size of SIZES.slice(1)) {
  const design = benchDesign(size);
  let last = 0;
  for (let count = draws; count <= most && !isLate(4 * last); count *= 4) {
    const { bootstrap, flips } = requests(count);
    const estimate = bootstrapMilliseconds(design, bootstrap) + flipMilliseconds(design, flips);
    const threads = await once({ backend: 'pool', threads: availableParallelism() }, design, count);
    const webgpu = await once({ backend: 'webgpu' }, design, count);
    last = threads + webgpu;
    const row = {
      ...size,
      draws: count,
      one_thread_estimate: estimate,
      pool: threads,
      webgpu,
      faster: webgpu < threads,
    };
    report.crossover.push(row);
    console.log(
      `${size.models} x ${size.clusters}, ${count.toLocaleString('en')} of each, about ${(estimate / 1000).toFixed(1)} s on one thread: threads ${(threads / 1000).toFixed(2)} s, device ${(webgpu / 1000).toFixed(2)} s`,
    );
  }
}
const crossing = report.crossover.find(({ faster }) => faster);
console.log(
  crossing
    ? `the device is faster from about ${(crossing.one_thread_estimate / report.machine.processors / 1000).toFixed(1)} s of work a thread; \`auto\` looks for one from 20 s on`
    : 'the device was not faster at any size tried',
);
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
if (report.parity.some(({ equal }) => !equal)) process.exit(1);
