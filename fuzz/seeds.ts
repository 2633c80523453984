import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freezeAnalysisPlan } from '../src/inference/analysis-plan.js';
import { arrowFile } from '../src/io/arrow/write-arrow.js';
import { columnsOf } from '../src/io/arrow.js';
import { pyStored } from '../src/io/pyjson.js';
import { parquetFile } from '../src/io/write-parquet.js';
import { PUBLISHED_SCHEMA } from '../src/published/published-view.js';
import { scoreFiles } from '../src/responses/score-files.js';
import { taskSetOf } from '../src/tasks/taskset.js';
import type { Seed } from './targets.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

const pathOf = (name: string) => fileURLToPath(new URL(name, FIXTURES));
const fixture = (name: string): Seed => ({ name, bytes: readFileSync(new URL(name, FIXTURES)) });

/** Files below a folder of the fixtures that are small enough to be read a thousand times. */
function below(folder: string, pattern = /./, most = 9000): Seed[] {
  return readdirSync(new URL(`${folder}/`, FIXTURES), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && pattern.test(item.name) && !item.name.startsWith('make-'))
    .map((item) => fixture(`${item.parentPath.replace(fileURLToPath(FIXTURES), '').replace(/\/$/, '')}/${item.name}`))
    .filter(({ bytes }) => bytes.length <= most)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const written = (name: string, content: string | Uint8Array): Seed => ({ name, bytes: Buffer.from(content) });
const json = (name: string, value: unknown): Seed => written(name, JSON.stringify(value));

interface Rows {
  readonly tasks: readonly unknown[];
}

const small = JSON.parse(fixture('tasks-small.json').bytes.toString()) as Rows;
const few = json('tasks.json', { ...small, tasks: small.tasks.slice(0, 2) });

/** Two tasks, which the answers below answer. */
export const TASKS = taskSetOf('tasks.json', few.bytes).tasks;

export const tables = [
  ...below('tables'),
  ...below('cases/tables'),
  ...below('cases/clusters'),
  ...below('cases/ranks'),
];
export const logs = [...below('logs', /\.(json|jsonl|eval)$/), ...below('cases/logs', /\.(json|jsonl|eval)$/)];

const rows = TASKS.flatMap(({ id }) =>
  ['alpha', 'beta'].map((model) => ({
    task_id: id,
    model,
    response: `Well.\n\nFINAL_SELECTION: A,B,${model[0] === 'a' ? 'C' : 'D'}`,
  })),
);
const columns = columnsOf(rows, {
  task_id: ['text', (row) => row.task_id],
  model: ['text', (row) => row.model],
  response: ['text', (row) => row.response],
});

const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

export const answerLines = [
  written('answers.jsonl', lines(rows)),
  json('answers.json', { responses: rows }),
  written('selections.jsonl', lines(rows.map(({ task_id, model }) => ({ task_id, model, selection: 'ABC' })))),
  written('failed.jsonl', lines(rows.map((row) => ({ ...row, status: 'failed' })))),
];
export const answers = [
  ...answerLines,
  written('answers.arrow', await arrowFile({ columns })),
  written('answers.parquet', await parquetFile({ columns })),
  fixture('cases/tables/answers.arrow'),
];
const [first] = fixture('responses-small.jsonl').bytes.toString().split('\n');
const { model_id: model } = JSON.parse(first!) as { readonly model_id: string };
const scored = scoreFiles({ responses: pathOf('responses-small.jsonl'), tasks: [pathOf('tasks-small.json')], model });
export const reports = [written('report.json', pyStored(scored.report.document))];
export const completions = [
  written(
    'completions.jsonl',
    lines(
      TASKS.map(({ id }) => ({
        condition: 'sft',
        training_seed: 1,
        task_id: id,
        completion: 'FINAL_SELECTION: A,B,C',
      })),
    ),
  ),
];

/** An array of numpy. */
function npy(shape: readonly number[], type: string, data: Uint8Array): Buffer {
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = `${words.padEnd(117)}\n`;
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'), Buffer.from(header), data]);
}

const floats = Buffer.from(Float32Array.from({ length: 24 }, (_, i) => Math.sin(i + 1)).buffer);
const binary = Buffer.concat([
  Buffer.from('3 4\n'),
  ...['salt', 'pepper', 'mace'].flatMap((name, i) => [
    Buffer.from(`${name} `),
    floats.subarray(16 * i, 16 * i + 16),
    Buffer.from('\n'),
  ]),
]);

export const vectors = [
  written('v.npy', npy([6, 4], '<f4', floats)),
  written('v.f32', floats),
  written('v.bin', binary),
  written('v.json', '{"salt":[1,0,0.5,2],"pepper":[0,1,1,1],"mace":[0,0,1,3]}'),
  fixture('cases/embeddings/bf16-embeddings/embeddings.safetensors'),
  fixture('cases/embeddings/model.vec'),
  fixture('cases/embeddings/no-header.txt'),
  fixture('cases/embeddings/vectors.txt'),
  fixture('cases/embeddings/category-only/vectors.csv'),
  fixture('space/glove.txt'),
  fixture('tables/pandas-runs.npz'),
];
export const names = [
  fixture('cases/embeddings/zero-vector/names.json'),
  fixture('cases/embeddings/bf16-embeddings/vocab.json'),
  fixture('cases/embeddings/names-asked.txt'),
  written('names.csv', 'node_id,name\n1,salt\n2,pepper\n'),
];
export const tags = [fixture('space/tags.csv'), fixture('cases/embeddings/dummy-region/tags.csv')];
export const directions = [
  json('directions.json', { cf_sweet: [1, 0, 0, 0.5], cf_sour: [0, 1, 0, 0.25] }),
  written('factors.npy', npy([6, 4], '<f4', floats)),
];

/** A pickle of a list of a dictionary, as the released pairs are written. */
const pickle = Buffer.from(
  '\x80\x04\x95\x2a\x00\x00\x00\x00\x00\x00\x00]\x94}\x94\x8c\x04subs\x94\x8c\x04salt\x94\x8c\x06pepper\x94\x86\x94sa.',
  'latin1',
);

export const substitutions = [
  written('pairs.pkl', pickle),
  written('pairs.csv', 'source,target\nsalt,pepper\nmace,salt\n'),
  written('pairs.jsonl', '{"subs":["salt","pepper"]}\n{"subs":["mace","salt"]}\n'),
  written('pairs.json', '[["salt","pepper"],["mace","salt"]]'),
];
export const worlds = [fixture('worlds/packing.json')];
export const designs = [fixture('space/design.json'), fixture('cases/embeddings/design.json')];
export const taskSets = [few, written('tasks.jsonl', lines(small.tasks.slice(0, 2)))];
export const cores = [fixture('version-1/collection/core.json'), fixture('version-1/collection/core-mixed.json')];
export const labels = [written('clusters.csv', 'task,cluster\nt1,a\nt2,b\n')];
export const candidates = [
  written(
    'pool.csv',
    'task_id,panel,family,primary_category,valid:m,bps:m,valid:n,bps:n\nt,p,f,c,1,5000,1,10000\nu,p,g,c,0,,1,3333\n',
  ),
];
export const rosters = [
  fixture('version-1/collection/roster.txt'),
  written('roster.csv', 'model_id,model_name,slot_id\na,A,1\nb,B,2\n'),
  json('roster.json', { models: [{ model_id: 'a', model_name: 'A' }, { model_id: 'b' }] }),
  written('roster.yaml', 'models:\n  - id: a\n  - id: b\n'),
];
export const plans = [...below('plans', /yaml$/, 20_000), fixture('cases/route-burns-block/plan.yaml')];
export const analysisPlans = [
  json(
    'plan.json',
    freezeAnalysisPlan({ core: null, models: ['a', 'b'], plan: {}, parser: 'v4', at: '2026-08-20T00:00:00.000Z' }),
  ),
];
export const retries = [
  written('retry.txt', `# cells\n${'a'.repeat(64)}\n{"cell":"${'b'.repeat(64)}"}\n`),
  json('retry.json', ['c'.repeat(64)]),
];
export const replies = [
  json('reply.json', {
    id: 'gen-1',
    object: 'chat.completion',
    model: 'lab/one',
    provider: 'Lab',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        native_finish_reason: 'stop',
        message: { role: 'assistant', content: 'FINAL_SELECTION: A,B,C' },
      },
    ],
    usage: {
      prompt_tokens: 200,
      completion_tokens: 9,
      cost: 0.0001,
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  }),
  json('error.json', {
    error: { message: 'no credit', code: 402, metadata: { provider_name: 'Lab', raw: '{}' } },
    user_id: 'u',
  }),
];
export const messages = [
  json('message.json', {
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    model: 'lab-one',
    content: [{ type: 'text', text: 'FINAL_SELECTION: A,B,C' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 200, output_tokens: 9 },
  }),
];
export const records = below('version-1/collection/ledger/records', /json$/).slice(0, 6);

const journal = fixture('version-1/collection/ledger/attempts.jsonl').bytes.toString().split('\n').slice(0, 24);

export const journals = [written('attempts.jsonl', `${journal.join('\n')}\n`)];
export const events = [
  written('events.jsonl', lines(journal.map((line) => (JSON.parse(line) as { readonly event: unknown }).event))),
];
export const results = [written('inference.json', fixture('version-1/release/inference.json').bytes)];
const leaderboard = JSON.parse(results[0]!.bytes.toString()) as { readonly results: object };
export const published = [
  json('release.json', {
    ...{ schema_version: PUBLISHED_SCHEMA, benchmark: 'b', track: 't', claim_boundary: 'c', artifact_sha256: 'a' },
    analysis: leaderboard.results,
  }),
];
