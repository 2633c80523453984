import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { pyStored } from '../../src/io/pyjson.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { encodeTables } from '../../src/release/encode.js';
import { proveOnThread } from '../../src/release/proof-thread.js';
import { Findings } from '../../src/release/proofs/findings.js';
import { NO_THREAD, proveAnswers, provedDigests, type ThreadProofs } from '../../src/release/proofs/line-proof.js';
import { proveObservations } from '../../src/release/proofs/observation-proof.js';
import { proveSealedTasks } from '../../src/release/proofs/sealed-tasks.js';
import { readTasks } from '../../src/release/proofs/task-proof.js';
import { buildSmall, type SmallWorld, smallWorld } from '../support/release-world.js';
import { sealedTaskSet } from '../support/sealed-task-set.js';

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

const tasks = new Map([['tasks/panel_1.json', Buffer.from(pyStored(sealedTaskSet()))]]);

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
    ...tasks,
    ['tasks/changed.json', Buffer.from(String([...tasks.values()][0]).replace('"prompt": "', '"prompt": "x'))],
    ['tasks/no-tasks.json', Buffer.from('[')],
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
  const proved = await apart.tasks;
  expect([...proved.keys()]).toEqual([...tasks.keys()]);
  for (const [name, bytes] of tasks) expect(proved.get(name)).toBe(JSON.parse(String(bytes)).tasks.length);
  const none = proveOnThread(new Map([['observations.jsonl', Buffer.from(answers)]]));
  expect([await none.answers, (await none.journals).size, (await none.tasks).size]).toEqual([null, 0, 0]);
  expect(await none.parquet([])).toBeNull();
  const columns = [{ name: 'a', kind: 'text' as const, values: ['x', null, 'y'] }];
  expect(await apart.parquet(columns)).toEqual(await parquetFile({ columns }));
  apart.close();
});

it('a proving thread that dies proves nothing', async () => {
  const files = new Map([['observations.jsonl', shared(answers)]]);
  for (const script of ['throw new Error()', 'process.exit()']) {
    const apart = proveOnThread(files, new URL(`data:text/javascript,${script}`));
    expect([await apart.answers, (await apart.journals).size, (await apart.tasks).size]).toEqual([null, 0, 0]);
    expect(await apart.parquet([])).toBeNull();
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

it.each([
  ['as they were sealed', (text: string) => text],
  ['one prompt changed', (text: string) => text.replace('"prompt": "', '"prompt": "x')],
  ['without digests', (text: string) => text.replace(/"(?:task_set_sha256|artifact_sha256)": "\w+",?/g, '')],
  ['no tasks', (text: string) => text.replaceAll('"task_id"', '"id"')],
])(
  'tasks proved on a thread are those proved in this one, said before what was found meanwhile: %s',
  async (what, change) => {
    const files = new Map([...tasks].map(([name, bytes]) => [name, Buffer.from(change(String(bytes)))]));
    const said = [];
    for (const thread of [Promise.resolve(proveSealedTasks(files)), NO_THREAD.tasks]) {
      const findings = new Findings();
      const read = readTasks(files, findings);
      const place = findings.place();
      findings.done('answers', 3);
      findings.add({ file: 'observations.jsonl', at: 'line 1', expected: 'a', found: 'b' });
      place.put(await read.prove(thread));
      said.push(findings.verdict({ kind: 'release', sha256: null, release_sha256: null, rules: 2 }));
    }
    const [there, here] = said;
    expect(there).toEqual(here);
    const differ = what === 'one prompt changed' || what === 'no tasks';
    expect(there!.differences[0]!.file.startsWith('tasks/')).toBe(differ);
    expect(there!.difference_count).toBe(there!.differences.length);
    expect(there!.checked.map(({ what: checked }) => checked.split(':')[0])).toEqual([
      ...(differ ? [] : [what === 'without digests' ? 'tasks without digests' : 'tasks']),
      'answers',
    ]);
  },
);

it('what is put in its place later leaves no more differences than are kept', () => {
  const difference = (file: string) => ({ file, at: '', expected: '', found: '' });
  const findings = new Findings('', 4);
  findings.add(difference('a'));
  const place = findings.place();
  findings.addAll(['c', 'd', 'e'].map(difference));
  const later = new Findings();
  later.addAll(['b', 'b', 'b'].map(difference));
  place.put(later);
  expect(findings.differences.map(({ file }) => file)).toEqual(['a', 'b', 'b', 'b']);
  expect(findings.count).toBe(7);
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
