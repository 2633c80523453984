import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/responses/parser.js';
import { coreTasks, readCorePlan } from '../../src/tasks/coreplan.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { readTaskFiles } from '../../src/tasks/taskset.js';
import { readCompletions } from '../../src/transfer/completion.js';
import { buildDataset, type Dataset, jsonlText } from '../../src/transfer/dataset.js';
import { leakageProof } from '../../src/transfer/leakage.js';
import { readPoolTasks, trainingPool } from '../../src/transfer/pool.js';
import { type Split, splitPool } from '../../src/transfer/split.js';
import { LAB_V3 } from '../../src/transfer/split-rule.js';
import { stratumMean, transferStrata } from '../../src/transfer/strata.js';
import { sha256 } from '../../src/util/digest.js';
import { pyCanonical, pyFloat } from '../../src/util/pyjson.js';
import { noShared, shared } from '../support/shared.js';

const SETS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
];
const PLAN = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';

describe.skipIf(noShared)('files of the published study (released data needed)', () => {
  const sets = SETS.map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`));
  let published: Record<string, unknown>;
  let split: Split;
  let dataset: Dataset;
  let pool: ReturnType<typeof trainingPool>;
  let core: ReturnType<typeof readCorePlan>;

  beforeAll(() => {
    published = JSON.parse(readFileSync(shared('published/values.json'), 'utf8'));
    core = readCorePlan(shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`));
    pool = trainingPool(readPoolTasks(sets).tasks, core);
    split = splitPool(pool, LAB_V3);
    dataset = buildDataset(split, LAB_V3);
  });

  const near = (found: number, key: string) =>
    expect(Math.abs(found - (published[key] as number)), key).toBeLessThan(1e-12);

  it('are the training and evaluation files, by digest', () => {
    const digest = (name: string) =>
      sha256(jsonlText(dataset.files.find((file) => file.name === name)!.rows));
    expect(digest('evaluation_tasks.jsonl')).toBe(published['transfer.sha256.primary_tasks']);
    expect(digest('sft_train.jsonl')).toBe(published['transfer.sha256.sft_reward_train']);
    expect(digest('sft_format_control_train.jsonl')).toBe(
      published['transfer.sha256.sft_control_train'],
    );
  });

  it('have the audited control means, chances and vocabularies', () => {
    for (const { split: name, control_mean, chance_mean } of dataset.controls) {
      const at = `transfer.audit.${name}`;
      near(control_mean, `${at}.control_mean_score`);
      near(chance_mean, `${at}.exact_chance_mean_score`);
      near(control_mean - chance_mean, `${at}.control_minus_chance`);
    }
    const names = (part: Split['train']) => new Set(part.flatMap(({ task }) => task.choices));
    for (const part of ['train', 'validation', 'evaluation'] as const) {
      expect(names(split[part]).size).toBe(published[`transfer.audit.vocabulary.${part}`]);
    }
    expect(
      leakageProof(pool, split).shared_ingredients.find(
        ({ left, right }) => left === 'train' && right === 'evaluation',
      )?.count,
    ).toBe(published['transfer.audit.vocabulary.train_evaluation_shared']);
  });

  it('are the response files, all seven runs and the whole, byte for byte', () => {
    const { byId } = readTaskFiles(sets);
    const path = shared('published/transfer-primary-responses.jsonl');
    const runs = new Map<string, string>();
    let whole = '';
    for (const { condition, seed, taskId, text } of readCompletions(
      readFileSync(path, 'utf8'),
      path,
    )) {
      const task = byId.get(taskId)!;
      const { action } = parseSelection(text, task.choices);
      const bps = action < 0 ? 0 : task.scores[action]!;
      const row = {
        ...{ task_id: taskId, family: task.family, panel: task.panel, condition },
        anchor_ingredient: task.anchor,
        training_seed: seed,
        completion: text,
        observed_selection: action < 0 ? null : PORTFOLIOS[action]!,
        optimal: bps === 10_000,
        optimal_selection: PORTFOLIOS[task.scores.indexOf(10_000)]!,
        parseable: action >= 0,
        score: pyFloat(bps / 100),
        score_bps: bps,
      };
      const key = `${condition}.${seed ?? 'none'}`;
      runs.set(key, `${runs.get(key) ?? ''}${pyCanonical(row)}\n`);
      whole += `${pyCanonical({ ...row, evaluation_split: 'primary' })}\n`;
    }
    const facts = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: sha256(text) });
    expect(runs.size).toBe(7);
    for (const [key, text] of runs) {
      expect(facts(text), key).toEqual(published[`transfer.primary.output.${key}`]);
    }
    expect({ ...facts(whole), rows: 588 }).toEqual(published['transfer.primary_responses']);
  });

  it('have the chance of the public maps', () => {
    const tasks = coreTasks(core, readTaskFiles(sets));
    const chance = tasks.map((task) => task.chance);
    near(stratumMean(chance, transferStrata(tasks)), 'transfer.public.chance');
  });
});
