import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../io/digest.js';
import { documentDigest } from '../io/document.js';
import { decodeText, readInput } from '../io/file.js';
import { parseObject } from '../io/json.js';
import { type Board, Fields, readBoard } from '../release/board.js';
import { PUBLISHED_SCHEMA } from '../release/layout.js';
import { csvDifferences } from '../release/proofs/differences.js';
import type { Findings } from '../release/proofs/findings.js';
import { coreTasks, verifyCorePlan } from '../tasks/coreplan.js';
import { readTaskFiles } from '../tasks/taskset.js';
import { verifyTaskFile } from '../tasks/verify-tasks.js';
import { boardTables, proveBoard, TOLERANCE } from './leaderboard-proof.js';

/** Files that the published document names and that a user may have. */
export interface PublishedCompanions {
  readonly core?: string;
  readonly tasks?: readonly string[];
  /** The tables stand beside the document; true unless said otherwise. */
  readonly beside?: boolean;
}

export interface PublishedDocument {
  readonly fields: Fields;
  readonly board: Board;
  readonly sha256: string;
}

/**
 * Proves the published release document by its own numbers (collection 3.6, and more): digests, flags, counts, ranks, Holm, groups,
 * directions, bands, panel correlations, and every cell of the CSV tables beside it. Without answers neither scores nor intervals
 * can be computed anew.
 */
export function provePublished(
  path: string,
  companions: PublishedCompanions,
  findings: Findings,
): PublishedDocument | undefined {
  const file = basename(path);
  const bytes = readInput(path);
  const document = findings.attempt(file, () => {
    const text = decodeText(path, bytes);
    const value = parseObject(text, { file });
    const digest = documentDigest(text, value, file);
    findings.same(file, 'artifact_sha256', digest, value.artifact_sha256);
    const named = /[0-9a-f]{64}/.exec(file)?.[0];
    if (named !== undefined) findings.same(file, 'digest in the file name', digest, named);
    const fields = new Fields(file, '', value);
    return { fields, board: readBoard(fields.object('analysis')), sha256: digest };
  });
  if (!document) return undefined;
  const { fields, board } = document;
  findings.attempt(file, () => proveFrame(fields, board, findings));
  proveBoard(board, file, findings);
  if (companions.beside !== false) proveTables(path, fields, board, findings);
  proveCompanions(fields, board, companions, findings);
  return document;
}

function proveFrame(fields: Fields, board: Board, findings: Findings): void {
  const { file, value } = fields;
  const same = (at: string, expected: unknown, found: unknown) => findings.same(file, at, expected, found);
  same('schema_version', PUBLISHED_SCHEMA, value.schema_version);
  same('status', 'final_complete_common_core', value.status);
  same('all_ranked_models_have_identical_task_count', true, value.all_ranked_models_have_identical_task_count);
  same('failed_or_unparseable_cells_scored_as_zero', false, value.failed_or_unparseable_cells_scored_as_zero);
  same('dnf_rows_emitted', false, value.dnf_rows_emitted);
  const design = fields.object('design');
  const models = board.models.length;
  same('design.ranked_models', models, design.number('ranked_models'));
  same('design.primary_tasks_per_model', board.tasks, design.number('primary_tasks_per_model'));
  same('design.primary_model_task_cells', models * board.tasks, design.number('primary_model_task_cells'));
  same('design.unique_anchor_clusters', board.clusters, design.number('unique_anchor_clusters'));
  for (const pair of fields.object('analysis').objects('pairwise_comparisons'))
    same(pair.at('shared_valid_tasks'), board.tasks, pair.number('shared_valid_tasks'));
  const inference = fields.object('analysis').object('inference');
  same('analysis.inference.pairwise_hypotheses', board.pairs.length, inference.number('pairwise_hypotheses'));
  const replication = fields.object('analysis').optional('panel_replication');
  const panels = board.replication?.panels;
  replication?.objects('models').forEach((row, m) => {
    same(row.at('model_id'), board.models[m]?.id, row.text('model_id'));
    const [a, b] = [row.number(panels![0]), row.number(panels![1])];
    if (Math.abs(b - a - row.number('difference')) > TOLERANCE)
      same(row.at('difference'), b - a, row.number('difference'));
    const mean = (a + b) / 2;
    const score = board.models[m]!.score;
    if (design.number('primary_tasks_per_panel') * 2 === board.tasks && Math.abs(mean - score) > TOLERANCE)
      same(row.at('mean of the panels'), score, mean);
  });
}

function proveTables(path: string, fields: Fields, board: Board, findings: Findings): void {
  const tables = boardTables(board);
  for (const name of ['leaderboard', 'pairwise'] as const) {
    findings.attempt(fields.file, () => {
      const entry = fields.object('tables').object(name);
      const file = entry.text('filename');
      if (file !== basename(file)) {
        findings.add({
          file: fields.file,
          at: entry.at('filename'),
          expected: 'a file name',
          found: file,
        });
        return;
      }
      const beside = join(dirname(path), file);
      if (!existsSync(beside) && !lstatSync(beside, { throwIfNoEntry: false })) {
        findings.add({
          file,
          at: 'the file',
          expected: 'a table beside the document',
          found: 'none',
        });
        return;
      }
      findings.attempt(file, () => {
        const bytes = readInput(beside);
        findings.addAll(csvDifferences(file, tables[name], decodeText(file, bytes)));
        findings.same(file, 'sha256', entry.text('sha256'), sha256(bytes));
        const named = /[0-9a-f]{64}/.exec(file)?.[0];
        if (named !== undefined) findings.same(file, 'digest in the file name', sha256(bytes), named);
        findings.done(`${name} table cell by cell, rows`, tables[name].split('\n').length - 2);
      });
    });
  }
}

function proveCompanions(
  fields: Fields,
  board: Board,
  { core, tasks = [] }: PublishedCompanions,
  findings: Findings,
): void {
  const pins = (name: string) => fields.object('inputs').object(name);
  if (core !== undefined)
    findings.attempt(basename(core), () => {
      const plan = verifyCorePlan(core);
      const pin = pins('complete_core_plan');
      findings.same(fields.file, pin.at('semantic_sha256'), plan.artifactSha256, pin.text('semantic_sha256'));
      findings.same(fields.file, pin.at('physical_sha256'), plan.physicalSha256, pin.text('physical_sha256'));
      findings.done('ranked tasks in the hash order of the core plan', plan.ids.length);
      if (tasks.length === 0) return;
      const columns = coreTasks(plan, readTaskFiles(tasks));
      findings.same(fields.file, 'tasks', columns.length, board.tasks);
      const anchors = new Set(columns.map(({ cluster }) => cluster)).size;
      findings.same(fields.file, 'independent_cluster_count', anchors, board.clusters);
      const strata = new Map<string, number[]>();
      for (const { family, chance } of columns) {
        const list = strata.get(family);
        if (list) list.push(chance);
        else strata.set(family, [chance]);
      }
      const means = [...strata.values()].map((list) => list.reduce((a, b) => a + b, 0) / list.length);
      const chance = means.reduce((a, b) => a + b, 0) / means.length / 100;
      const stated = board.models[0]?.chance?.score ?? Number.NaN;
      if (Math.abs(chance - stated) > TOLERANCE) findings.same(fields.file, 'exact_chance_score', chance, stated);
    });
  else findings.note('the core plan is not at hand: give it with --core');
  for (const path of tasks)
    findings.attempt(basename(path), () => {
      const { tasks: list, semanticSha256, physicalSha256 } = verifyTaskFile(path);
      const panel = list[0]!.panel;
      const pin = pins(`${panel}_taskset`);
      findings.same(fields.file, pin.at('semantic_sha256'), semanticSha256, pin.text('semantic_sha256'));
      findings.same(fields.file, pin.at('physical_sha256'), physicalSha256, pin.text('physical_sha256'));
      findings.done(`tasks of ${panel}: prompt, choices, map, optimum, digests`, list.length);
    });
  if (tasks.length === 0 && core === undefined) findings.note('the task sets are not at hand: give them with --tasks');
}
