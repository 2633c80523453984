import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTable, writeTasks } from './scale/answers.js';
import { projection } from './scale/projection.js';
import { openRedisWorkers } from './scale/redis-workers.js';
import { median, timed, together } from './scale/timed.js';

/*
 * node bench/scale.js [--rows 10000000] [--folder DIR] [--runs 3] [--docs]
 *
 * Generates answers of 200 bytes in ten forms and runs the built command line on them (`npm run build` first), start-up, reading and writing in the time:
 * 27 models x 534 tasks on one thread and two, beside `cat` and a regular expression in DuckDB; a thousand models x 10,000 tasks through two shards,
 * a merge, and two workers over Redis; a wide table of as many through two shards of `rank-audit`; then what follows for a cluster. `--docs` writes it
 * into docs/scale.md. With 10,000,000 rows it takes about five minutes on two idle processors, 9 GB of disk until it ends, redis-server, and GNU time
 * in /usr/bin.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    folder: { type: 'string', default: tmpdir() },
    runs: { type: 'string', default: '3' },
    docs: { type: 'boolean' },
  },
});
const rows = Number(values.rows);
const runs = Number(values.runs);
/** Models and tasks of the large set, as many cells as there are rows. */
const wide = { tasks: Math.round(10_000 * Math.sqrt(rows / 1e7)), models: Math.round(1_000 * Math.sqrt(rows / 1e7)) };
const SHARDS = [1, 2];
const SHARES = [0.01, 0.1, 0.3];

const load = loadavg()[0];
const bars = JSON.parse(readFileSync(new URL('bars.json', import.meta.url), 'utf8'));
const folder = mkdtempSync(join(values.folder, 'scale-'));
const at = (name) => join(folder, name);
const node = (script, ...args) => [process.execPath, script, ...args];
const program = (...args) => node(resolve('dist/bundle/run.cjs'), ...args);
const generate = (options) => timed(node('bench/scale/answers.js', 'answers', JSON.stringify(options)));
const count = (value) => Math.round(value).toLocaleString('en');
const seconds = ({ wall, processor }) => `${wall.toFixed(2)} | ${processor.toFixed(2)}`;

/** A figure beside its bar, where it has one and all rows were there. */
function judged(name, value) {
  const bar = rows === 10_000_000 ? bars[name] : undefined;
  if (bar === undefined) return '';
  const met = bar.most === undefined ? value >= bar.least : value <= bar.most;
  return `${bar.says}: ${met ? 'met' : '**not met**'}`;
}

const lines = [];
function say(...text) {
  lines.push(...text);
  console.log(text.join('\n'));
}

async function plainRows(input, size) {
  const call = (...more) => program('rescore', input, '--tasks', at('tasks.jsonl'), ...more);
  const out = at('rescored');
  const fresh = (words) => () => {
    rmSync(out, { recursive: true, force: true });
    return timed(words);
  };
  const works = {
    'cat, the same bytes': () => timed(['cat', input]),
    'DuckDB, the marker alone, one thread': () => timed(node('bench/scale/duckdb.js', input, '1')),
    'DuckDB, the marker alone, two threads': () => timed(node('bench/scale/duckdb.js', input, '2')),
    'rescore, one thread': () => median(runs, () => timed(call('--threads', '1'))),
    'rescore, two threads': () => median(runs, () => timed(call('--threads', '2'))),
    'rescore into Parquet, one thread': fresh(call('--out', out, '--threads', '1')),
    'rescore into Parquet, two threads': () => median(runs, fresh(call('--out', out, '--threads', '2'))),
    'the same again, every part done before': () => timed(call('--out', out, '--threads', '2')),
  };
  say('| work | seconds | processor seconds | rows/s | MB/s | peak MB | bar |', '|---|---:|---:|---:|---:|---:|---|');
  const figures = {};
  for (const [name, run] of Object.entries(works)) {
    const found = await run();
    figures[name] = found;
    const rate = name.startsWith('cat') ? '' : count(rows / found.wall);
    const bar = judged(`${name}, 10,000,000 rows`, found.wall);
    say(
      `| ${name} | ${seconds(found)} | ${rate} | ${count(size / 1e6 / Math.max(0.01, found.wall))} | ${found.megabytes} | ${bar} |`,
    );
  }
  rmSync(out, { recursive: true, force: true });
  const faster = figures['rescore, one thread'].wall / figures['rescore, two threads'].wall;
  const most = Math.max(
    ...Object.entries(figures).map(([name, { megabytes }]) => (/rescore|again/.test(name) ? megabytes : 0)),
  );
  const ratio = judged('rescore, two threads over one, 10,000,000 rows', faster);
  const memory = judged('rescore, peak memory, 10,000,000 rows', most);
  say(
    '',
    `Two threads are ${faster.toFixed(2)} times as fast as one${ratio && ` (bar: ${ratio})`}; no call of \`rescore\` held more than ${most} MB${memory && ` (bar: ${memory})`}.`,
    'The reference, in Python on one core of another machine, over rows that are in memory already: 130,000 rows/s.',
  );
  return figures;
}

/** Where the line ends that a place in a file lies in. */
function lineEnd(path, from) {
  const handle = openSync(path, 'r');
  const bytes = Buffer.alloc(4096);
  readSync(handle, bytes, 0, bytes.length, from);
  closeSync(handle);
  return from + bytes.indexOf(10) + 1;
}

/** Seconds by rows, one thread: what grows with them, and what does not. */
async function curve(input, size, whole) {
  const points = [];
  for (const share of SHARES) {
    copyFileSync(input, at('some.jsonl'));
    truncateSync(at('some.jsonl'), lineEnd(input, Math.floor(size * share)));
    const found = await median(runs, () =>
      timed(program('rescore', at('some.jsonl'), '--tasks', at('tasks.jsonl'), '--threads', '1')),
    );
    points.push({ n: rows * share, ...found });
  }
  rmSync(at('some.jsonl'));
  points.push({ n: rows, ...whole });
  const [first, last] = [points[0], points.at(-1)];
  const slope = (last.processor - first.processor) / (last.n - first.n);
  const start = Math.max(0, first.processor - slope * first.n);
  say('', '| rows | seconds | processor seconds | us a row, start taken off | peak MB |', '|---:|---:|---:|---:|---:|');
  for (const { n, ...found } of points)
    say(
      `| ${count(n)} | ${seconds(found)} | ${((1e6 * (found.processor - start)) / n).toFixed(3)} | ${found.megabytes} |`,
    );
  return start;
}

async function sharedRows(input) {
  const call = (...more) => program('rescore', input, '--tasks', at('wide-tasks.jsonl'), ...more);
  const one = await timed(call('--out', at('one'), '--threads', '2'));
  const shards = await together(
    SHARDS.map((i) => call('--out', at(`shard-${i}`), '--threads', '1', '--shard', `${i}/${SHARDS.length}`)),
  );
  const merge = await timed(program('merge', ...SHARDS.map((i) => at(`shard-${i}`)), '--out', at('joined')));
  const queued = await queuedRows(call);
  const totals = (name) => JSON.stringify(JSON.parse(readFileSync(join(at(name), 'summary.json'), 'utf8')).results);
  if (totals('one') !== totals('joined')) throw new Error('shards give other results than one call');
  if (totals('one') !== totals('queued')) throw new Error('workers give other results than one call');
  for (const name of ['one', 'joined', 'queued', ...SHARDS.map((i) => `shard-${i}`)])
    rmSync(at(name), { recursive: true, force: true });
  return {
    'rescore into Parquet, two threads': one,
    'two shards of one thread, side by side': shards,
    'merge of the two, equal digit for digit': merge,
    'two workers of one thread over Redis, equal digit for digit': queued,
  };
}

/** The same through a Redis and two workers that stand ready: the clock of the call, processor time of all of them, and the peak of the call. */
async function queuedRows(call) {
  const store = at('store');
  mkdirSync(store);
  const queue = await openRedisWorkers({ program: resolve('dist/bundle/run.cjs'), workers: 2, folder, store });
  try {
    const before = queue.processor();
    const called = await timed(call('--out', at('queued'), '--redis', queue.url, '--store', store));
    return { ...called, processor: called.processor + queue.processor() - before };
  } finally {
    await queue.close();
    rmSync(store, { recursive: true });
  }
}

async function sharedAudit() {
  writeTable({ path: at('table.csv'), ...wide });
  const call = (...more) =>
    program('rank-audit', at('table.csv'), '--draws', '1000', '--flips', '2000', '--quiet', '--threads', '1', ...more);
  const shards = await together(
    SHARDS.map((i) => call('--shard', `${i}/${SHARDS.length}`, '--out', at(`part-${i}.json`))),
  );
  const merge = await timed(program('merge', ...SHARDS.map((i) => at(`part-${i}.json`)), '--out', at('audit.json')));
  return {
    'rank-audit, 1,000 draws and 2,000 flips, two shards side by side': shards,
    'merge of the two, with everything that is not drawn': merge,
  };
}

try {
  const [input, large] = [at('answers.jsonl'), at('wide.jsonl')];
  await Promise.all([
    generate({ path: input, rows, models: 27, tasks: 534 }),
    generate({ path: large, rows: wide.models * wide.tasks, ...wide }),
  ]);
  writeTasks({ path: at('tasks.jsonl'), tasks: 534 });
  writeTasks({ path: at('wide-tasks.jsonl'), tasks: wide.tasks });
  const { size } = statSync(input);
  say(
    `${rows.toLocaleString('en')} answers of 27 models to 534 tasks, ${(size / 1e9).toFixed(2)} GB; ${cpus()[0].model.trim()}, ${availableParallelism()} processors, Node ${process.version}; load of the machine ${load.toFixed(1)} at the beginning. Start-up, reading and writing are in the times; the median of ${runs} where there is a bar and in the curve, one run elsewhere.`,
    '',
  );
  const figures = await plainRows(input, size);
  const start = await curve(input, size, figures['rescore, one thread']);
  rmSync(input);
  say(
    '',
    `${count(wide.models)} models x ${count(wide.tasks)} tasks, ${count(wide.models * wide.tasks)} answers and a table of as many scores, through two processes:`,
  );
  say('', '| work | seconds | processor seconds | peak MB |', '|---|---:|---:|---:|');
  const shared = await sharedRows(large);
  rmSync(large);
  const print = (works) => {
    for (const [name, found] of Object.entries(works)) say(`| ${name} | ${seconds(found)} | ${found.megabytes} |`);
  };
  print(shared);
  print(await sharedAudit());
  const cells = wide.models * wide.tasks;
  const [, shards, merge] = Object.values(shared);
  say(
    '',
    ...projection({
      perRow: (shards.processor - 2 * start) / cells,
      start,
      mergePerRow: Math.max(0, merge.wall - start) / cells,
      bytesPerRow: size / rows,
    }),
  );
  if (values.docs) {
    const page = readFileSync('docs/scale.md', 'utf8');
    const text = lines.join('\n');
    writeFileSync(
      'docs/scale.md',
      page.replace(/(<!-- figures -->\n)[\s\S]*(<!-- end -->)/, (_, open, end) => `${open}${text}\n${end}`),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
