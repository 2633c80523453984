import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KEYS, madeAnswer, NAMES } from './made-answer.js';

/*
 * node bench/scale.js [--rows 10000000] [--folder DIR] [--runs 3] [--docs]
 *
 * Generates answers of 200 bytes in ten forms, of 27 models to 534 tasks, and rescores them with the built command line (`npm run build` first):
 * alone and into a folder of Parquet, on one thread and on two, beside `cat` of the same bytes. The median of the runs counts; start-up,
 * reading and writing are in the time. `--docs` writes the table into docs/scale.md. Needs GNU time in /usr/bin.
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
const FAMILIES = ['substitution', 'pairing', 'constraint'];
const LABELS = 'ABCDEFGH';
const taskIds = Array.from({ length: 534 }, (_, i) => `scale-${FAMILIES[i % 3]}-${String(i).padStart(3, '0')}`);

const PADDING = 'The dish wants acid and a soft crumb, so a grain with body suits it well here. '.repeat(3);

function generate(path) {
  const handle = openSync(path, 'w');
  let text = '';
  for (let i = 0; i < rows; i++) {
    const head = `{"model":"scale/model-${Math.floor(i / 534) % 27}","task_id":"${taskIds[i % 534]}","status":"completed","response":`;
    const said = JSON.stringify(madeAnswer(i)).slice(1);
    text += `${head}"${PADDING.slice(0, Math.max(0, 197 - head.length - said.length))}${said}}\n`;
    if (text.length > 1 << 23) {
      writeSync(handle, text);
      text = '';
    }
  }
  writeSync(handle, text);
  closeSync(handle);
}

function taskFile(path) {
  const scores = Object.fromEntries(KEYS.map((key, i) => [key, i === 55 ? 10_000 : i * 100]));
  const total = Object.values(scores).reduce((sum, score) => sum + score, 0);
  const task = (task_id, i) => ({
    task_id,
    family: FAMILIES[i % 3],
    anchor_ingredient: `anchor_${i}`,
    choices: Object.fromEntries(NAMES.map((name, k) => [LABELS[k], name])),
    prompt: 'Pick three.',
    selection_scores_bps: scores,
    optimal_selection: 'FGH',
    chance_score_bps: Math.round(total / 56),
  });
  writeFileSync(path, taskIds.map((id, i) => JSON.stringify(task(id, i))).join('\n'));
}

/** Seconds, seconds of processors, and peak megabytes of a program, by GNU time. */
function timed(command, args) {
  const run = spawnSync('/usr/bin/time', ['-f', '%e %U %S %M', command, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', command === 'cat' ? openSync('/dev/null', 'w') : 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  const [wall, user, system, kilobytes] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, processor: user + system, megabytes: Math.round(kilobytes / 1024) };
}

const folder = mkdtempSync(join(values.folder, 'scale-'));
try {
  const input = join(folder, 'answers.jsonl');
  const tasks = join(folder, 'tasks.jsonl');
  const out = join(folder, 'rescored');
  generate(input);
  taskFile(tasks);
  const { size } = statSync(input);
  const program = resolve('dist/cli/main.js');
  const rescore = (...more) => [process.execPath, [program, 'rescore', input, '--tasks', tasks, ...more]];
  const works = {
    'cat, the same bytes': ['cat', [input]],
    'rescore, one thread': rescore('--threads', '1'),
    'rescore, two threads': rescore('--threads', '2'),
    'rescore into Parquet, one thread': rescore('--out', out, '--threads', '1'),
    'rescore into Parquet, two threads': rescore('--out', out, '--threads', '2'),
    'the same again, every part done before': rescore('--out', out, '--threads', '2'),
  };
  const lines = Object.entries(works).map(([name, [command, args]]) => {
    const runs = Array.from({ length: Number(values.runs) }, () => {
      if (name.includes('Parquet')) rmSync(out, { recursive: true, force: true });
      return timed(command, args);
    }).sort((a, b) => a.wall - b.wall);
    const { wall, processor, megabytes } = runs[runs.length >> 1];
    const rate = command === 'cat' ? '' : Math.round(rows / wall).toLocaleString('en');
    const line = `| ${name} | ${wall.toFixed(2)} | ${processor.toFixed(2)} | ${rate} | ${(size / 1e6 / wall).toFixed(0)} | ${megabytes} |`;
    console.log(line);
    return line;
  });
  const table = [
    `${rows.toLocaleString('en')} answers, ${(size / 1e9).toFixed(2)} GB; ${cpus()[0].model.trim()}, ${availableParallelism()} processors, Node ${process.version}; load of the machine ${loadavg()[0].toFixed(1)} at the end; the median of ${values.runs}.`,
    '',
    '| work | seconds | processor seconds | rows/s | MB/s | peak MB |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    'The reference, in Python on one core of another machine, over rows that are in memory already: 130,000 rows/s.',
  ].join('\n');
  console.log(`\n${table}`);
  if (values.docs) {
    const page = readFileSync('docs/scale.md', 'utf8');
    writeFileSync(
      'docs/scale.md',
      page.replace(/(<!-- figures -->\n)[\s\S]*(<!-- end -->)/, (_, start, end) => `${start}${table}\n${end}`),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
