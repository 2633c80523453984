import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { PyFloat } from '../../src/io/pyjson.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import type { ExportRow } from '../../src/transfer/export-row.js';
import { proveControl } from '../../src/transfer/format-control.js';
import { leakageProof } from '../../src/transfer/leakage.js';
import { LAB_V3, type Split, splitPool } from '../../src/transfer/split.js';
import { trainingCard } from '../../src/transfer/training-card.js';
import { buildDataset, type Dataset, datasetManifest, rowsParquet } from '../../src/transfer/training-dataset.js';
import { type RowTask, readRowTasks, trainingPool, underMaps } from '../../src/transfer/training-pool.js';

const RULE = { ...LAB_V3, name: 'small', evaluation: 2, validation: 2 };
const { tasks, sources } = readRowTasks(['fixtures/tasks-small.json']);
const pool = trainingPool(tasks, undefined);
const split = splitPool(pool, RULE);
const core = {
  strata: [],
  ids: [tasks[0]!.task.id],
  seed: '',
  artifactSha256: '',
  physicalSha256: '',
  selectedSha256: new Map<string, string>(),
};
const rowsOf = ({ files }: Dataset, name: string) => files.find((file) => file.name === name)!.rows;

describe('a split of panels of one’s own', () => {
  it('divides every stratum by anchor and keeps every task once', () => {
    expect([split.train.length, split.validation.length, split.evaluation.length]).toEqual([12, 12, 12]);
    const ids = [...split.train, ...split.validation, ...split.evaluation].map((t) => t.task.id);
    expect(new Set(ids).size).toBe(36);
  });

  it('leaves the core and every task on its anchors out', () => {
    const twin: RowTask = {
      row: tasks[1]!.row,
      task: { ...tasks[1]!.task, anchor: tasks[0]!.task.anchor },
    };
    const left = trainingPool([tasks[0]!, twin, ...tasks.slice(2)], core).primary;
    expect(left).toHaveLength(34);
    expect(() => trainingPool(tasks.slice(1), core)).toThrow(/in none of the task files/);
    expect(() => trainingPool([...tasks, tasks[0]!], undefined)).toThrow(/given twice/);
  });

  it('says so when a stratum is too small to train on', () => {
    expect(() => splitPool(pool, { ...RULE, evaluation: 4 })).toThrow(/has 6 tasks outside/);
  });

  it('takes all families of a world that has none of the published three', () => {
    const world = tasks.map(({ row, task }) => ({ row, task: { ...task, family: 'packing' } }));
    expect(trainingPool(world, undefined).primary).toHaveLength(36);
    const mixed = trainingPool([...world.slice(0, 3), ...tasks.slice(3)], undefined);
    expect([mixed.primary.length, mixed.supplemental.length]).toEqual([33, 3]);
  });
});

describe('the leakage proof', () => {
  it('names every task with anchor, prompt and candidates, and counts no overlap', () => {
    const proof = leakageProof(pool, split);
    expect(proof.splits.map(({ members }) => members.length)).toEqual([12, 12, 12]);
    expect(Object.keys(proof.splits[0]!.members[0]!)).toEqual([
      'task_id',
      'anchor',
      'prompt_sha256',
      'candidates_sha256',
    ]);
    for (const { left: _l, right: _r, ...counts } of proof.overlaps)
      expect(Object.values(counts)).toEqual([0, 0, 0, 0]);
  });

  const source = split.train[0]!.task;
  it.each([
    ['task ids', { id: source.id }],
    ['anchors', { anchor: source.anchor }],
    ['prompts', { prompt: source.prompt }],
    ['candidate sets', { choices: [...source.choices].reverse() }],
  ])('fails on a shared %s', (what, change) => {
    const [first, ...rest] = split.evaluation;
    const leaking: Split = {
      ...split,
      evaluation: [{ ...first!, task: { ...first!.task, ...change } }, ...rest],
    };
    expect(() => leakageProof(pool, leaking)).toThrow(new RegExp(`train and evaluation share 1 ${what}, first`));
  });

  it.each([
    ['its map is the same', (name: string) => `other ${name}`],
    ['it has the same eight candidates', (name: string) => `${name} `],
  ])('fails on a task in other words, with labels moved by one: %s', (by, rename) => {
    const [evaluated, ...rest] = split.evaluation;
    const moved = (key: string) =>
      [...key]
        .map((label) => 'BCDEFGHA'['ABCDEFGH'.indexOf(label)]!)
        .sort()
        .join('');
    const scores = Uint16Array.from(source.scores);
    PORTFOLIOS.forEach((key, action) => {
      scores[PORTFOLIOS.indexOf(moved(key))] = source.scores[action]!;
    });
    const choices = [source.choices[7]!, ...source.choices.slice(0, 7)].map(rename);
    const copy = { ...evaluated!.task, choices, scores };
    const leaking: Split = { ...split, evaluation: [{ ...evaluated!, task: copy }, ...rest] };
    expect(() => leakageProof(pool, leaking)).toThrow(
      new RegExp(`train task ${source.id} is a task of evaluation under another name, order or wording: ${by}`),
    );
  });

  it('keeps supplemental rows apart from the core and counts what they share with the rest', () => {
    const entry: RowTask = {
      row: tasks[0]!.row,
      task: { ...tasks[0]!.task, id: 'extra', prompt: 'p', choices: ['a'], anchor: source.anchor },
    };
    const more: Split = { ...split, supplemental: [{ entry, split: 'train' }] };
    expect(leakageProof(pool, more).supplemental_overlaps[0]).toMatchObject({
      left: 'supplemental train',
      right: 'train',
      anchors: 1,
    });
    const ranked = { ...entry, task: { ...entry.task, anchor: 'elsewhere' } };
    expect(() => leakageProof({ ...pool, coreTasks: [ranked] }, more)).toThrow(
      /supplemental train and core share 1 task ids/,
    );
  });
});

describe('the format control', () => {
  const dataset = buildDataset(split, RULE);
  const arms = {
    tasks: split.train,
    treatment: rowsOf(dataset, 'sft_train.jsonl'),
    control: rowsOf(dataset, 'sft_format_control_train.jsonl'),
  };
  const changed = (i: number, change: ExportRow) => ({
    ...arms,
    control: arms.control.map((row, k) => (k === i ? { ...row, ...change } : row)),
  });

  it('is proved on its rows', () => {
    expect(proveControl(arms)).toMatchObject({
      rows: 12,
      other_prompts: 0,
      accidental_optima: 0,
      unequal_histograms: 0,
      unequal_lengths: 0,
      misstated_rewards: 0,
    });
  });

  it('is refused after any change of it', () => {
    const own = arms.treatment[0]!.completion!;
    expect(() => proveControl(changed(0, { completion: own }))).toThrow(
      /1 accidental optima, 1 unequal histograms, 1 misstated rewards/,
    );
    const used = arms.control[0]!.completion;
    const other = used === 'FINAL_SELECTION: F,G,H' ? 'A,B,C' : 'F,G,H';
    expect(() => proveControl(changed(0, { completion: `FINAL_SELECTION: ${other}` }))).toThrow(/unequal histograms/);
    expect(() => proveControl(changed(1, { completion: `${used} ` }))).toThrow(/unequal lengths/);
    expect(() => proveControl(changed(2, { prompt: 'another' }))).toThrow(/1 other prompts/);
    expect(() => proveControl(changed(3, { control_reward_bps: 1 }))).toThrow(/1 misstated rewards/);
    expect(() => proveControl({ ...arms, control: arms.control.slice(1) })).toThrow(/other prompts/);
  });

  it('rotates past equal optima, and says when no rotation does', () => {
    const same = split.train.map(({ row, task }) => ({
      row,
      task: { ...task, optimal: 5 },
    }));
    expect(() => buildDataset({ ...split, train: same }, RULE)).toThrow(/no rotation of 2 optima/);
  });
});

describe('the exports', () => {
  const dataset = buildDataset(split, RULE);

  it('have four preferences a task, from the widest gap to the narrowest, none under 500', () => {
    const rows = rowsOf(dataset, 'dpo_train.jsonl');
    expect(rows).toHaveLength(48);
    const margins = rows.map((row) => (row.reward_margin as PyFloat).value);
    expect(Math.min(...margins)).toBeGreaterThanOrEqual(0.05);
    for (let i = 0; i < 48; i += 4)
      expect(margins.slice(i, i + 4)).toEqual([...margins.slice(i, i + 4)].sort((a, b) => b - a));
  });

  it('have Parquet twins with the same rows', async () => {
    for (const name of ['sft_train.jsonl', 'dpo_train.jsonl', 'grpo_train.jsonl']) {
      const rows = rowsOf(dataset, name);
      const bytes = rowsParquet(rows);
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      const read = await parquetReadObjects({ file: file as ArrayBuffer });
      expect(read).toHaveLength(rows.length);
      rows.forEach((row, i) => {
        for (const [key, value] of Object.entries(row)) {
          const found = read[i]?.[key];
          if (value instanceof PyFloat) expect(found).toBe(value.value);
          else if (typeof value === 'object') expect(JSON.parse(found as string)).toEqual(value);
          else expect(found).toBe(value);
        }
      });
    }
  });

  it('come with a card that lists every file, and a manifest with every digest', () => {
    const card = trainingCard(dataset, leakageProof(pool, split), RULE);
    for (const { name, rows } of dataset.files) expect(card).toContain(`| \`${name}\` | ${rows.length} |`);
    expect(card.startsWith('---\nconfigs:\n- config_name: sft\n')).toBe(true);
    const manifest = JSON.parse(datasetManifest(dataset, { rule: RULE, core: undefined, pool, sources }));
    expect(manifest.schema_version).toBe('flavourbench-training-data/1');
    expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual(dataset.files.map(({ name }) => name));
  });
});

describe('tasks under other maps', () => {
  it('take optimum and chance from the map, and leave maps without one optimum out', () => {
    const [a, b, c] = tasks as [RowTask, RowTask, RowTask];
    const scores = a.task.scores.map((_, i) => (i === 7 ? 10_000 : 100));
    const tied = scores.map((score, i) => (i === 8 ? 10_000 : score));
    const found = underMaps(
      [a, b, c],
      new Map([
        [a.task.id, scores],
        [b.task.id, tied],
      ]),
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.task).toMatchObject({ id: a.task.id, optimal: 7, chance: 277, margin: 9900 });
  });
});
