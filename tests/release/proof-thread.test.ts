import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { encodeTables } from '../../src/release/encode.js';
import { proveOnThread } from '../../src/release/proof-thread.js';
import { Findings } from '../../src/release/proofs/findings.js';
import { proveAnswers, provedDigests, type ThreadProofs } from '../../src/release/proofs/line-proof.js';
import { proveObservations } from '../../src/release/proofs/observation-proof.js';
import { buildSmall, type SmallWorld, smallWorld } from '../support/release-world.js';

let world: SmallWorld;
let answers: string;
let journal: string;
beforeAll(async () => {
  world = await smallWorld();
  const dir = join(world.dir, 'release');
  await buildSmall(world, dir, '--no-figures');
  answers = readFileSync(join(dir, 'observations.jsonl'), 'utf8');
  journal = readFileSync(join(dir, 'attempts.jsonl'), 'utf8');
});
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

function shared(text: string): Buffer {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}

async function found(file: Buffer, answers: ThreadProofs['answers']) {
  const findings = new Findings();
  // Texts, for a matcher compares bytes one by one.
  const observations = (await proveObservations(file, answers, findings)).map((observation) => ({
    ...observation,
    bytes: observation.bytes.toString(),
  }));
  return { observations, differences: findings.differences, checked: findings.checked };
}

it('a proving thread proves files in shared memory, and nothing else', async () => {
  const files = new Map([
    ['observations.jsonl', shared(answers)],
    ['attempts.jsonl', shared(journal)],
    ['attempts-2.jsonl', shared(journal.replace('"type"', '"kind"'))],
    ['matrix.arrow', Buffer.from('x')],
  ]);
  const apart = proveOnThread(files);
  expect((await apart.answers)?.unsound).toEqual(new Set());
  const journals = await apart.journals;
  expect([...journals.keys()]).toEqual(['attempts.jsonl']);
  expect(journals.get('attempts.jsonl')?.journal.lines).toBe(journal.split('\n').length - 1);
  expect(journals.get('attempts.jsonl')?.journal).not.toHaveProperty('state');
  expect(await provedDigests(apart)).toEqual(
    new Map([
      ['observations.jsonl', sha256(answers)],
      ['attempts.jsonl', sha256(journal)],
    ]),
  );
  const none = proveOnThread(new Map([['observations.jsonl', Buffer.from(answers)]]));
  expect([await none.answers, (await none.journals).size, await none.parquet([])]).toEqual([null, 0, null]);
  const columns = [{ name: 'a', kind: 'text' as const, values: ['x', null, 'y'] }];
  expect(await apart.parquet(columns)).toEqual(await parquetFile({ columns }));
  apart.close();
});

it('a proving thread that dies proves nothing', async () => {
  const files = new Map([['observations.jsonl', shared(answers)]]);
  for (const script of ['throw new Error()', 'process.exit()']) {
    const apart = proveOnThread(files, new URL(`data:text/javascript,${script}`));
    expect([await apart.answers, (await apart.journals).size, await apart.parquet([])]).toEqual([null, 0, null]);
  }
});

it.each([
  ['as they were sealed', (text: string) => text],
  ['one changed', (text: string) => text.replace('FINAL_SELECTION', 'FINAL_SELECTIONS')],
  ['one of another form', (text: string) => text.replace('"schema":', '"schema": ')],
  [
    'one whose members stand in another order',
    (text: string) => {
      const [line, ...others] = text.split('\n');
      const [, head, members] = /^(.*,"response":\{)(.*)\}\}$/.exec(line!)!;
      const first = /^"artifact_sha256":"[0-9a-f]{64}",/.exec(members!)![0];
      const last = members!.lastIndexOf(',"');
      const moved = `${first}${members!.slice(last + 1)},${members!.slice(first.length, last)}`;
      return [`${head}${moved}}}`, ...others].join('\n');
    },
  ],
  ['one without an answer', (text: string) => text.replace(/"response":.*/, '"response":null}')],
  ['one without a record', (text: string) => text.replace(/("response":\{"artifact_sha256":"[0-9a-f]{64}").*/, '$1}}')],
  ['one cut', (text: string) => text.replace(/.{9}\n/, '\n')],
  ['the last line cut', (text: string) => text.slice(0, -9)],
])('answers proved on a thread are those proved in this one: %s', async (what, change) => {
  const text = change(answers);
  const file = shared(text);
  const there = await found(file, Promise.resolve(proveAnswers(file)));
  const here = await found(Buffer.from(text), Promise.resolve(null));
  expect(there).toEqual(here);
  expect(there.differences.length).toBe(what === 'as they were sealed' ? 0 : 1);
});

it('a long table has its Parquet twin made elsewhere, or here where nobody does', async () => {
  const values = Array.from({ length: 3000 }, (_, i) => i);
  const tables = new Map([['matrix', { columns: [{ name: 'n', kind: 'int32' as const, values }], metadata: {} }]]);
  const here = await encodeTables(tables);
  expect([here.encoded.map(({ name }) => name), await here.late]).toEqual([['matrix.arrow', 'matrix.parquet'], []]);
  for (const bytes of [null, Uint8Array.of(1)]) {
    const { encoded, late } = await encodeTables(tables, { parquet: async () => bytes });
    expect(encoded).toEqual(here.encoded.slice(0, 1));
    expect(await late).toEqual([bytes === null ? here.encoded[1] : { name: 'matrix.parquet', bytes }]);
  }
});
