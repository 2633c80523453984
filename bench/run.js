import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from 'tinybench';
import ts from 'typescript';

/*
 * npm run bench [-- NAME... --json --out FILE --readme --time MS]
 * node bench/run.js --tables FOLDER
 *
 * Runs every bench/NAME.bench.ts, or those named. A bench file exports `register(bench)`, which adds tasks to a tinybench
 * and may return a function that closes what it opened; or `measure()`, which gives finished rows {name, value, unit}.
 * Rows whose name stands in bench/bars.json are compared with their bar; a bar without a row is named at the end of a full
 * run. `--readme` writes the figures into bench/README.md. Medians of at least five runs after a warm-up.
 */
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    out: { type: 'string' },
    readme: { type: 'boolean' },
    tables: { type: 'string' },
    time: { type: 'string', default: '400' },
  },
});

const built = new URL('../build/bench/', import.meta.url);
const source = new URL('./', import.meta.url);

/** Bench files are TypeScript over src/; they run as modules over dist/, which is the code that is shipped. */
function transpile() {
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  for (const file of readdirSync(source).filter((name) => name.endsWith('.ts'))) {
    if (file.endsWith('.d.ts')) {
      // What plain scripts share with bench files is JavaScript, with its types beside it.
      const shared = file.replace(/\.d\.ts$/, '.js');
      copyFileSync(new URL(shared, source), new URL(shared, built));
      continue;
    }
    const text = readFileSync(new URL(file, source), 'utf8');
    const { outputText } = ts.transpileModule(text, {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ES2022,
        verbatimModuleSyntax: true,
      },
    });
    const placed = outputText.replaceAll("from '../src/", "from '../../dist/");
    writeFileSync(new URL(file.replace(/\.ts$/, '.js'), built), placed);
  }
}

function machine() {
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim(),
    processors: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    commit: git.stdout.trim() || null,
    load_before: loadavg().map((value) => Number(value.toFixed(2))),
  };
}

async function runFile(name) {
  const module = await import(new URL(`${name}.bench.js`, built).href);
  if (module.measure) return module.measure();
  const bench = new Bench({
    name,
    time: Number(options.time),
    iterations: 5,
    warmupTime: 0,
    warmupIterations: 1,
  });
  const close = await module.register(bench);
  await bench.run();
  await close?.();
  return bench.tasks.map(({ name: task, result }) => {
    if (result.error) throw result.error;
    return {
      name: task,
      value: result.latency.p50,
      best: result.latency.min,
      unit: 'ms',
      samples: result.latency.samplesCount,
    };
  });
}

const three = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** A bar is a largest or smallest value; the row states whether it was met. */
function judged(row, bars) {
  const bar = bars[row.name];
  if (!bar) return row;
  const met = bar.most === undefined ? row.value >= bar.least : row.value <= bar.most;
  return { ...row, bar: bar.says, met };
}

/** The figures as Markdown: a table a file, bars where there are any. */
function markdown({ machine: m, files }) {
  const load = m.load_before[0];
  const lines = [
    `${m.date}, commit ${m.commit}: ${m.processor}, ${m.processors} processors, ${m.memory_gb} GB, ${m.platform}, Node ${m.node};`,
    `load average ${load} on ${m.processors} processors when the run began${load > m.processors / 2 ? ', so wall times are too long' : ''}.`,
  ];
  for (const [name, rows] of Object.entries(files)) {
    lines.push('', `### ${name}`, '', '| | median | best | bar |', '|---|---:|---:|---|');
    for (const row of rows) {
      const best = row.best === undefined ? '' : three(row.best);
      const bar = row.bar === undefined ? '' : `${row.bar}: ${row.met ? 'met' : '**not met**'}`;
      lines.push(`| ${row.name} | ${three(row.value)} ${row.unit} | ${best} | ${bar} |`);
    }
  }
  return lines.join('\n');
}

/** Puts the figures between the two marks of bench/README.md. */
function writeReadme(report) {
  const file = new URL('README.md', source);
  const [before, rest] = readFileSync(file, 'utf8').split('<!-- figures -->');
  const after = rest.split('<!-- end of figures -->')[1];
  const text = `<!-- figures -->\n${markdown(report)}\n<!-- end of figures -->`;
  writeFileSync(file, `${before}${text}${after}`);
}

transpile();
if (options.tables !== undefined) {
  const { writeWideTables } = await import(new URL('wide-tables.js', built).href);
  writeWideTables(options.tables);
  process.exit();
}
const bars = JSON.parse(readFileSync(new URL('bars.json', source), 'utf8'));
const names = readdirSync(source)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => basename(name, '.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const report = { schema: 'flavourbench-benchmarks/1', machine: machine(), files: {} };
for (const name of names) {
  const rows = (await runFile(name)).map((row) => judged(row, bars));
  report.files[name] = rows;
  if (options.json) continue;
  console.log(`\n${name}`);
  for (const row of rows) {
    const bar = row.bar === undefined ? '' : `   bar ${row.bar}: ${row.met ? 'met' : 'NOT MET'}`;
    const best = row.best === undefined ? '' : ` (best ${three(row.best)})`;
    console.log(`  ${`${three(row.value)} ${row.unit}`.padStart(14)}${best.padEnd(16)}${row.name}${bar}`);
  }
}
const measured = new Set(
  Object.values(report.files)
    .flat()
    .map((row) => row.name),
);
// Bars of other scripts name theirs.
const unmeasured = Object.keys(bars).filter((name) => !measured.has(name) && bars[name].by === undefined);
if (wanted.length === 0 && unmeasured.length > 0)
  console.error(`bars that no figure was measured for: ${unmeasured.join('; ')}`);
const text = `${JSON.stringify(report, null, 2)}\n`;
if (options.out !== undefined) writeFileSync(options.out, text);
if (options.json) process.stdout.write(text);
if (options.readme) writeReadme(report);
