import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/*
 * npm run fuzz -- [--minutes N | --cases N] [--seed S] [--from I] [--only TARGET] [--out FOLDER] [--json] [--report]
 *
 * Reads files of every format that were damaged at random, in a process with a bounded heap, and looks for what no file may cause: an error
 * that is none of ours, a hang, memory past the bound. A case follows from the seed and its number alone: `--seed S --from I --cases 1`
 * makes it again. What was not held is kept in FOLDER with the file of the case. Exit 1 where anything was not held.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});

/** No case may take longer, milliseconds; the heap and the memory of the process stay below, bytes. */
const BOUNDS = { watchdog: 30_000, heap: 512 * 2 ** 20, memory: 2 ** 30 };

const source = new URL('./', import.meta.url);
const built = new URL('../build/fuzz/', import.meta.url);

/** The cases are TypeScript over src/; they run as modules over dist/, which is the code that is shipped. */
function transpile() {
  mkdirSync(built, { recursive: true });
  for (const file of readdirSync(source).filter((name) => name.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(new URL(file, source), 'utf8'), {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    writeFileSync(
      new URL(file.replace(/\.ts$/, '.js'), built),
      outputText.replaceAll("from '../src/", "from '../../dist/"),
    );
  }
}

/** Starts the process that reads. Gives what it said, and how it ended: by itself, killed, out of memory. */
function runWorker(args, at) {
  return new Promise((resolve) => {
    const heap = `--max-old-space-size=${BOUNDS.heap / 2 ** 20}`;
    const child = spawn(process.execPath, [heap, fileURLToPath(new URL('worker.js', built)), ...args]);
    let said = '';
    let errors = '';
    let last = '';
    let hung = false;
    child.stdout.on('data', (data) => {
      said += data;
    });
    child.stderr.on('data', (data) => {
      errors = `${errors}${data}`.slice(-2000);
    });
    const watch = setInterval(() => {
      let now = '';
      try {
        now = readFileSync(at, 'utf8');
      } catch {}
      if (now !== last || now === '') last = now;
      else {
        hung = true;
        child.kill('SIGKILL');
      }
    }, BOUNDS.watchdog);
    child.on('close', (code) => {
      clearInterval(watch);
      const lines = said
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
      resolve({ lines, code, hung, errors });
    });
  });
}

const out = options.out ?? mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fuzz-'));
mkdirSync(out, { recursive: true });
const at = join(out, 'at');
const from = Number(options.from);
const seed = options.seed ?? (options.cases === undefined ? String(Date.now()) : '1');
const cases =
  options.cases === undefined
    ? options.minutes === undefined
      ? 10_000
      : Number.MAX_SAFE_INTEGER
    : Number(options.cases);
const until = options.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(options.minutes) * 60_000;
const common = ['--seed', seed, '--out', out, ...(options.only === undefined ? [] : ['--only', options.only])];

transpile();
const began = Date.now();
const report = {
  seed,
  from,
  cases: 0,
  refused: 0,
  not_held: [],
  targets: {},
  slowest: { ms: 0 },
  memory: 0,
  bounds: BOUNDS,
};
for (let next = from; next < from + cases && Date.now() < until; ) {
  rmSync(at, { force: true });
  const { lines, code, hung, errors } = await runWorker(
    [...common, '--from', String(next), '--to', String(from + cases), '--until', String(until)],
    at,
  );
  const end = lines.find((line) => 'done' in line);
  report.not_held.push(...lines.filter((line) => 'wrong' in line));
  if (end !== undefined) {
    next = end.done;
    report.memory = Math.max(report.memory, end.memory);
    if (end.slowest.ms > report.slowest.ms) report.slowest = { ...end.slowest, ms: Math.round(end.slowest.ms) };
    for (const [name, { cases: tried, refused, ms }] of Object.entries(end.counts)) {
      const sum = (report.targets[name] ??= { cases: 0, refused: 0, ms: 0 });
      sum.cases += tried;
      sum.refused += refused;
      sum.ms += Math.round(ms);
    }
    break;
  }
  const index = Number.parseInt(readFileSync(at, 'utf8'), 10);
  const wrong = hung ? `took longer than ${BOUNDS.watchdog / 1000} s` : `the process ended with ${code}: ${errors}`;
  report.not_held.push({ case: index, wrong });
  next = index + 1;
  report.cases = next - from;
}
for (const { case: index } of report.not_held) await runWorker([...common, '--from', String(index), '--save'], at);
const sums = Object.values(report.targets);
report.cases = Math.max(
  report.cases,
  sums.reduce((sum, { cases: tried }) => sum + tried, 0),
);
report.refused = sums.reduce((sum, { refused }) => sum + refused, 0);
report.seconds = Math.round((Date.now() - began) / 1000);
if (report.memory > BOUNDS.memory) report.not_held.push({ case: null, wrong: `${report.memory} bytes of memory` });

/** The cases as Markdown: a row a reader. */
function markdown({ seed: of, cases: tried, seconds, memory, not_held, targets, slowest }) {
  const wrong = (name) => not_held.filter(({ target }) => target === name).length;
  return [
    `Seed ${of}, ${tried} cases in ${Math.ceil(seconds / 60)} minutes: ${not_held.length} not held. The slowest took ${slowest.ms} ms, the process ${Math.round(memory / 2 ** 20)} MB.`,
    '',
    '| files | cases | refused | not held |',
    '|---|---:|---:|---:|',
    ...Object.entries(targets)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { cases: own, refused }]) => `| ${name} | ${own} | ${refused} | ${wrong(name)} |`),
  ].join('\n');
}

/** Puts the cases between the two marks of docs/reliability.md. */
function writeReport() {
  const page = new URL('../docs/reliability.md', source);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- cases -->');
  const after = rest.split('<!-- end of cases -->')[1];
  writeFileSync(page, `${before}<!-- cases -->\n${markdown(report)}\n<!-- end of cases -->${after}`);
}

if (options.report) writeReport();
if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  const mb = Math.round(report.memory / 2 ** 20);
  process.stdout.write(
    `seed ${seed}: ${report.cases} cases from ${from} in ${report.seconds} s, ${report.refused} refused, ${report.not_held.length} not held; slowest ${report.slowest.ms} ms (case ${report.slowest.case}, ${report.slowest.of}), ${mb} MB\n`,
  );
  for (const { case: index, wrong, ...more } of report.not_held)
    process.stdout.write(
      `not held: case ${index} (again: npm run fuzz -- --seed ${seed} --from ${index} --cases 1) ${JSON.stringify(more)}\n  ${wrong}\n`,
    );
  if (report.not_held.length > 0) process.stdout.write(`files are in ${out}\n`);
}
if (report.not_held.length === 0 && options.out === undefined) rmSync(out, { recursive: true });
process.exitCode = report.not_held.length === 0 ? 0 : 1;
