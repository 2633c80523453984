import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalDigest, canonicalJson, sealed } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from './cli-inline.js';

const TASKS = resolve('fixtures/tasks-small.json');
const ANSWERS = resolve('fixtures/responses-small.jsonl');

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Files of a small world: ledger, core, matrix and inference of six simulated responders and 24 of 36 tasks. */
export interface SmallWorld {
  readonly dir: string;
  /** Arguments of `release build` but for the output. */
  readonly build: readonly string[];
}

export async function smallWorld(): Promise<SmallWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'release-'));
  const at = (name: string) => join(dir, name);
  const from = ['--ledger', at('ledger'), '--tasks', TASKS];
  await run('ledger', 'import', at('ledger'), ANSWERS, '--tasks', TASKS, '--label', 'small');
  const freeze = ['--seed', 'small-core', '--per-stratum', '4', '--allow-unpinned'];
  await run('core', 'freeze', ...from, ...freeze, '--out', at('core.json'));
  await run('core', 'matrix', ...from, '--core', at('core.json'), '--out', at('m.arrow'));
  const draws = ['--draws', '200', '--flips', '300', '--quiet'];
  await run('infer', '--scores', at('m.arrow'), ...draws, '--out', at('inference'));
  return {
    dir,
    build: [
      ...['release', 'build', ...from, '--core', at('core.json')],
      ...['--inference', at('inference/inference.json')],
    ],
  };
}

export async function buildSmall(world: SmallWorld, out: string, ...more: string[]) {
  await run(...world.build, ...more, '--out', out);
}

/** Names of all files below a folder. */
export function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name).slice(dir.length + 1))
    .sort();
}

type Json = Record<string, unknown>;

export function readDocument(dir: string, name: string): Json {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as Json;
}

export function writeDocument(dir: string, name: string, document: object): void {
  writeFileSync(join(dir, name), `${canonicalJson(document)}\n`);
}

/** Every digest that a forger can put right without touching an answer: results, documents, inputs, tables, manifest. */
export function reseal(dir: string): void {
  const bytes = (name: string) => readFileSync(join(dir, name));
  for (const name of ['models.json', 'cases.json', 'inference.json']) {
    const document = readDocument(dir, name);
    if (document.results !== undefined) document.results_sha256 = canonicalDigest(document.results);
    writeDocument(dir, name, sealed(document));
  }
  const release = readDocument(dir, 'release.json') as Json & {
    inputs: { role: string; sha256: string; bytes: number }[];
    results: Json & { tables: Record<string, Json>; cases: Json; inference: Json };
  };
  const inputs = { observations: 'observations.jsonl', models: 'models.json', core: 'core.json' };
  for (const input of release.inputs) {
    const name = inputs[input.role as keyof typeof inputs];
    if (name === undefined) continue;
    input.sha256 = sha256(bytes(name));
    input.bytes = bytes(name).length;
  }
  for (const entry of [...Object.values(release.results.tables), release.results.cases])
    entry.sha256 = sha256(bytes(entry.filename as string));
  release.results.inference.results_sha256 = readDocument(dir, 'inference.json').results_sha256;
  release.results_sha256 = canonicalDigest(release.results);
  writeDocument(dir, 'release.json', sealed(release));
  const manifest = readDocument(dir, 'MANIFEST.json');
  writeDocument(
    dir,
    'MANIFEST.json',
    sealed({
      ...manifest,
      release_sha256: readDocument(dir, 'release.json').artifact_sha256,
      files: filesOf(dir)
        .filter((name) => name !== 'MANIFEST.json')
        .map((path) => ({ path, bytes: bytes(path).length, sha256: sha256(bytes(path)) })),
    }),
  );
}
