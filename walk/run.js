import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/*
 * npm run walk -- [--workers N] [--only TEXT] [--page] [--report] [--json]
 *
 * Forges every leaf of the files of two releases, at least two values each, with every digest put right, and verifies each forgery, in N
 * processes (one a core). Exit 1 where a value passes that is not exempt, or where one that is exempt is found. `--only` takes the files whose
 * release and name hold a text, as `collected attempts`. `--page` verifies in the page of the explorer, in a browser of each process. `--report` writes the numbers into docs/release.md.
 */
const { values: options } = parseArgs({
  options: {
    workers: { type: 'string' },
    only: { type: 'string', default: '' },
    report: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});

const here = new URL('./', import.meta.url);
const built = new URL('../build/walk/', import.meta.url);

/** The walk is TypeScript of the tests over src/; it runs as modules over dist/, which is the code that is shipped. */
function transpile(from, to, renamed) {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(new URL(file, from), 'utf8'), {
      fileName: file,
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, verbatimModuleSyntax: true },
    });
    writeFileSync(new URL(file.replace(/\.ts$/, '.js'), to), renamed(outputText));
  }
}

transpile(here, built, (text) =>
  text.replaceAll("'../tests/support/", "'./support/").replaceAll("'../src/", "'../../dist/"),
);
transpile(new URL('../tests/support/', here), new URL('support/', built), (text) =>
  text.replaceAll("'../../src/", "'../../../dist/"),
);

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'walk-'));
const { writeWorlds } = await import(new URL('worlds.js', built).href);
await writeWorlds(folder);

const sum = { leaves: 0, values: 0, caught: 0, exempt: 0, sealed: 0, verifications: 0, passed: [], stale: [] };
let next = 0;

/** Gives one process jobs until none is left. */
function work() {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('worker.js', built)), [folder, options.only, options.page ? 'page' : '']);
    child.on('message', ({ jobs, done }) => {
      for (const name of done?.passed ?? []) process.stderr.write(`passed: ${name}\n`);
      for (const name of done?.stale ?? []) process.stderr.write(`exempt and found: ${name}\n`);
      if (done)
        for (const [name, value] of Object.entries(done))
          Array.isArray(value) ? sum[name].push(...value) : (sum[name] += value);
      if (next < jobs) {
        process.stderr.write(
          `job ${next + 1} of ${jobs}; ${sum.caught} caught, ${sum.exempt} exempt, ${sum.passed.length} passed\n`,
        );
        child.send(next);
        next += 1;
      } else child.disconnect();
    });
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a process of the walk ended with ${code}`)),
    );
  });
}

await Promise.all(Array.from({ length: Number(options.workers ?? availableParallelism()) }, work));
rmSync(folder, { recursive: true });
const seconds = Math.round((Date.now() - began) / 1000);

const line = `Of ${sum.values} values of ${sum.leaves} leaves ${sum.caught} were caught, ${sum.exempt} are exempt and ${sum.sealed} are digests and sizes that follow from the rest; ${sum.passed.length} passed.`;

/** Puts the numbers between the two marks of docs/release.md. */
function writeReport() {
  const page = new URL('../docs/release.md', here);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- walk -->');
  const after = rest.split('<!-- end of walk -->')[1];
  writeFileSync(page, `${before}<!-- walk -->\n${line}\n<!-- end of walk -->${after}`);
}

if (options.report) writeReport();
if (options.json) process.stdout.write(`${JSON.stringify({ ...sum, seconds })}\n`);
else {
  process.stdout.write(`${line} ${sum.verifications} verifications in ${seconds} s.\n`);
  for (const name of sum.passed) process.stdout.write(`passed: ${name}\n`);
  for (const name of sum.stale) process.stdout.write(`exempt and found: ${name}\n`);
}
process.exitCode = sum.passed.length + sum.stale.length === 0 ? 0 : 1;
