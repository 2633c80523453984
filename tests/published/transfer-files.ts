import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { type PyValue, parsePyJson, pyCanonical, pyFloat } from '../../src/io/pyjson.js';
import { parseSelection } from '../../src/responses/parser.js';
import { coreTasks } from '../../src/tasks/coreplan.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { readCompletions } from '../../src/transfer/completion.js';
import { leakageProof } from '../../src/transfer/leakage.js';
import { LAB_V3, splitPool } from '../../src/transfer/split.js';
import { buildDataset, datasetManifest, jsonlText } from '../../src/transfer/training-dataset.js';
import { readRowTasks, trainingPool } from '../../src/transfer/training-pool.js';
import { stratumMean, transferStrata } from '../../src/transfer/transfer-strata.js';
import { RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { type PublicInputs, primaryCompletions } from './inputs.js';
import type { PublishedValues } from './values.js';

type Row = { readonly [key: string]: PyValue };
const lines = (rows: readonly Row[]) => rows.map((row) => `${pyCanonical(row)}\n`).join('');
const facts = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: sha256(text) });
const tree = (path: string) => parsePyJson(readFileSync(path, 'utf8')) as Row;

/** Published files that public inputs give byte for byte, and what the data audit counts. */
export function fileValues(published: PublishedValues, inputs: PublicInputs): void {
  const near = (found: number, key: string) => published.near(found, key, 'inputs', 1e-12);

  it('files: tasks and pairs of the released data set, by digest', () => {
    const { core } = inputs;
    const rows = new Map<string, Row>();
    TASK_SETS().forEach((path, panel) => {
      for (const task of tree(path).tasks as readonly Row[]) {
        rows.set(task.task_id as string, { ...task, release_panel: `panel_${panel + 1}` });
      }
    });
    const tasks = sha256(lines(core.ids.map((id) => rows.get(id)!)));
    published.equal(tasks, 'stability.input_sha256.tasks');
    published.equal(tasks, 'transfer.sha256.public_tasks');
    const { pairwise_comparisons: pairs } = tree(RELEASE_JSON()).analysis as Row;
    published.equal(sha256(lines(pairs as readonly Row[])), 'stability.input_sha256.pairwise');
  });

  it('files: training and evaluation rows by digest, and the audited means and vocabularies', () => {
    const { core } = inputs;
    const { tasks, sources } = readRowTasks(TASK_SETS());
    const pool = trainingPool(tasks, core);
    const split = splitPool(pool, LAB_V3);
    const dataset = buildDataset(split, LAB_V3);
    for (const [name, key] of [
      ['evaluation_tasks.jsonl', 'primary_tasks'],
      ['sft_train.jsonl', 'sft_reward_train'],
      ['sft_format_control_train.jsonl', 'sft_control_train'],
    ]) {
      const { rows } = dataset.files.find((file) => file.name === name)!;
      published.equal(sha256(jsonlText(rows)), `transfer.sha256.${key}`);
    }
    const manifest = JSON.parse(datasetManifest(dataset, { rule: LAB_V3, core, pool, sources }).toString());
    published.equal(manifest.artifact_sha256, 'transfer.sha256.lab_dataset');
    for (const { split: name, control_mean, chance_mean } of dataset.controls) {
      const at = `transfer.audit.${name}`;
      near(control_mean, `${at}.control_mean_score`);
      near(chance_mean, `${at}.exact_chance_mean_score`);
      near(control_mean - chance_mean, `${at}.control_minus_chance`);
    }
    const { splits, shared_ingredients } = leakageProof(pool, split);
    for (const part of ['train', 'validation', 'evaluation']) {
      const { ingredients } = splits.find(({ name }) => name === part)!;
      published.equal(ingredients, `transfer.audit.vocabulary.${part}`);
    }
    const shared = shared_ingredients.find(({ left, right }) => left === 'train' && right === 'evaluation');
    published.equal(shared?.count, 'transfer.audit.vocabulary.train_evaluation_shared');
  });

  it('files: the responses of the primary evaluation, all seven runs and the whole', () => {
    const { files } = inputs;
    const path = primaryCompletions();
    const runs = new Map<string, Row[]>();
    for (const row of readCompletions(readFileSync(path, 'utf8'), path)) {
      const task = files.byId.get(row.taskId)!;
      const { action } = parseSelection(row.text, task.choices);
      const bps = action < 0 ? 0 : task.scores[action]!;
      const key = `${row.condition}.${row.seed ?? 'none'}`;
      const own = runs.get(key) ?? [];
      runs.set(key, own);
      own.push({
        ...{ task_id: row.taskId, family: task.family, panel: task.panel },
        anchor_ingredient: task.anchor,
        condition: row.condition,
        training_seed: row.seed,
        completion: row.text,
        observed_selection: action < 0 ? null : PORTFOLIOS[action]!,
        optimal: bps === 10_000,
        optimal_selection: PORTFOLIOS[task.scores.indexOf(10_000)]!,
        parseable: action >= 0,
        score: pyFloat(bps / 100),
        score_bps: bps,
      });
    }
    expect(runs.size).toBe(7);
    for (const [key, rows] of runs) {
      published.equal(facts(lines(rows)), `transfer.primary.output.${key}`);
    }
    const whole = [...runs.values()].flat().map((row) => ({ ...row, evaluation_split: 'primary' }));
    published.equal({ ...facts(lines(whole)), rows: whole.length }, 'transfer.primary_responses');
  });

  it('files: the chance and the anchors of the public maps', () => {
    const { files, core } = inputs;
    const tasks = coreTasks(core, files);
    const chance = tasks.map((task) => task.chance);
    near(stratumMean(chance, transferStrata(tasks)), 'transfer.public.chance');
    const anchors = new Set(tasks.map(({ anchor }) => anchor)).size;
    for (const contrast of ['', 'treatment_minus_base.', 'control_minus_base.'])
      published.equal(anchors, `transfer.public.${contrast}anchors`);
  });
}
