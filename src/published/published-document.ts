import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { leaderboardCsv, pairwiseCsv } from '../inference/columns.js';
import { type Analysis, analysisSchema, leaderboardOf } from '../inference/read-leaderboard.js';
import type { Leaderboard } from '../inference/result.js';
import { sha256 } from '../io/digest.js';
import { documentDigest } from '../io/document.js';
import { readInput, storedFile } from '../io/file.js';
import { type JsonObject, parseObject } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { csvDifferences } from '../release/proofs/differences.js';
import type { Findings } from '../release/proofs/findings.js';
import { AS_BUILT } from '../release/release-files.js';
import { coreTasks } from '../tasks/coreplan.js';
import { readTaskFiles, verifyCorePlan, verifyTaskFile } from '../tasks/task-files.js';
import { checked } from '../util/schema.js';
import { proveLeaderboard, TOLERANCE } from './leaderboard-proof.js';
import { PUBLISHED_SCHEMA } from './published-view.js';

/** Files that the published document names and that a user may have. */
export interface PublishedCompanions {
  readonly core?: string;
  readonly tasks?: readonly string[];
  /** The tables stand beside the document; true unless said otherwise. */
  readonly beside?: boolean;
}

export interface PublishedDocument {
  readonly file: string;
  readonly value: JsonObject;
  readonly analysis: Analysis;
  readonly leaderboard: Leaderboard;
  readonly sha256: string;
}

/** What the published document states of its design and of each pair and panel. */
const frameSchema = z.looseObject({
  design: z.looseObject({
    ranked_models: z.number(),
    primary_tasks_per_model: z.number(),
    primary_model_task_cells: z.number(),
    unique_anchor_clusters: z.number(),
    primary_tasks_per_panel: z.number(),
  }),
  analysis: z.looseObject({
    pairwise_comparisons: z.array(z.looseObject({ shared_valid_tasks: z.number() })),
    inference: z.looseObject({ pairwise_hypotheses: z.number() }),
    panel_replication: z
      .looseObject({ models: z.array(z.looseObject({ model_id: z.string(), difference: z.number() })) })
      .nullish(),
  }),
});

const tableSchema = z.looseObject({ filename: z.string(), sha256: z.string() });

/** What the published document states of a file that it was made from. */
const pinSchema = z.looseObject({ semantic_sha256: z.string(), physical_sha256: z.string() });

/** Reads one of the parts under `inputs` or `tables` of the published document. Errors: SCHEMA_INVALID with the field. */
export function publishedPart<S extends z.ZodType>(
  { file, value }: PublishedDocument,
  group: 'inputs' | 'tables',
  name: string,
  schema: S,
): z.output<S> {
  const parts = checked(z.record(z.string(), z.unknown()), value[group], { file, path: group }, AS_BUILT);
  return checked(schema, parts[name], { file, path: `${group}.${name}` }, AS_BUILT);
}

/**
 * Proves the published release document by its own numbers (collection 3.6, and more): digests, flags, counts, ranks, Holm, groups,
 * directions, bands, panel correlations, and every cell of the CSV tables beside it. Without answers neither scores nor intervals
 * can be computed anew. Undefined where it is no such document: the findings say why.
 */
export function provePublished(
  path: string,
  companions: PublishedCompanions,
  findings: Findings,
): PublishedDocument | undefined {
  const file = basename(path);
  const bytes = readInput(path);
  const document = findings.attempt(file, (): PublishedDocument => {
    const text = decodeText(path, bytes);
    const value = parseObject(text, { file });
    const digest = documentDigest(text, value, file);
    findings.same(file, 'artifact_sha256', digest, value.artifact_sha256);
    const named = /[0-9a-f]{64}/.exec(file)?.[0];
    if (named !== undefined) findings.same(file, 'digest in the file name', digest, named);
    const place = { file, path: 'analysis' };
    const analysis = checked(analysisSchema, value.analysis, place, AS_BUILT);
    return { file, value, analysis, leaderboard: leaderboardOf(analysis, place, AS_BUILT), sha256: digest };
  });
  if (!document) return undefined;
  findings.attempt(file, () => proveFrame(document, findings));
  proveLeaderboard(document.leaderboard, document.analysis, file, findings);
  if (companions.beside !== false) proveTables(path, document, findings);
  proveCompanions(document, companions, findings);
  return document;
}

function proveFrame({ file, value, leaderboard }: PublishedDocument, findings: Findings): void {
  const same = (at: string, expected: unknown, found: unknown) => findings.same(file, at, expected, found);
  same('schema_version', PUBLISHED_SCHEMA, value.schema_version);
  same('status', 'final_complete_common_core', value.status);
  same('all_ranked_models_have_identical_task_count', true, value.all_ranked_models_have_identical_task_count);
  same('failed_or_unparseable_cells_scored_as_zero', false, value.failed_or_unparseable_cells_scored_as_zero);
  same('dnf_rows_emitted', false, value.dnf_rows_emitted);
  const { design, analysis } = checked(frameSchema, value, { file }, AS_BUILT);
  const { tasks, clusters, pairs, replication, models } = leaderboard;
  same('design.ranked_models', models.length, design.ranked_models);
  same('design.primary_tasks_per_model', tasks, design.primary_tasks_per_model);
  same('design.primary_model_task_cells', models.length * tasks, design.primary_model_task_cells);
  same('design.unique_anchor_clusters', clusters, design.unique_anchor_clusters);
  analysis.pairwise_comparisons.forEach((pair, k) => {
    same(`analysis.pairwise_comparisons[${k}].shared_valid_tasks`, tasks, pair.shared_valid_tasks);
  });
  same('analysis.inference.pairwise_hypotheses', pairs.length, analysis.inference.pairwise_hypotheses);
  analysis.panel_replication?.models.forEach((row, m) => {
    const at = (field: string) => `analysis.panel_replication.models[${m}].${field}`;
    same(at('model_id'), models[m]?.modelId, row.model_id);
    const [a, b] = replication!.scores[m]!;
    if (Math.abs(b - a - row.difference) > TOLERANCE) same(at('difference'), b - a, row.difference);
    const mean = (a + b) / 2;
    const { score } = models[m]!;
    if (design.primary_tasks_per_panel * 2 === tasks && Math.abs(mean - score) > TOLERANCE)
      same(at('mean of the panels'), score, mean);
  });
}

function proveTables(path: string, document: PublishedDocument, findings: Findings): void {
  const { leaderboard } = document;
  const tables = { leaderboard: leaderboardCsv(leaderboard), pairwise: pairwiseCsv(leaderboard) };
  for (const name of ['leaderboard', 'pairwise'] as const) {
    findings.attempt(document.file, () => {
      const entry = publishedPart(document, 'tables', name, tableSchema);
      const file = entry.filename;
      if (file !== basename(file)) {
        findings.add({
          file: document.file,
          at: `tables.${name}.filename`,
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
        const bytes = readInput(storedFile(beside));
        findings.addAll(csvDifferences(file, tables[name], decodeText(file, bytes)));
        findings.same(file, 'sha256', entry.sha256, sha256(bytes));
        const named = /[0-9a-f]{64}/.exec(file)?.[0];
        if (named !== undefined) findings.same(file, 'digest in the file name', sha256(bytes), named);
        findings.done(`${name} table cell by cell, rows`, tables[name].split('\n').length - 2);
      });
    });
  }
}

function proveCompanions(
  document: PublishedDocument,
  { core, tasks = [] }: PublishedCompanions,
  findings: Findings,
): void {
  const { file, leaderboard } = document;
  const provePin = (name: string, semantic: string | null | undefined, physical: string) => {
    const pin = publishedPart(document, 'inputs', name, pinSchema);
    findings.same(file, `inputs.${name}.semantic_sha256`, semantic, pin.semantic_sha256);
    findings.same(file, `inputs.${name}.physical_sha256`, physical, pin.physical_sha256);
  };
  if (core !== undefined)
    findings.attempt(basename(core), () => {
      const plan = verifyCorePlan(core);
      provePin('complete_core_plan', plan.artifactSha256, plan.physicalSha256);
      findings.done('ranked tasks in the hash order of the core plan', plan.ids.length);
      if (tasks.length === 0) return;
      const columns = coreTasks(plan, readTaskFiles(tasks));
      findings.same(file, 'tasks', columns.length, leaderboard.tasks);
      const anchors = new Set(columns.map(({ cluster }) => cluster)).size;
      findings.same(file, 'independent_cluster_count', anchors, leaderboard.clusters);
      const strata = new Map<string, number[]>();
      for (const { family, chance } of columns) {
        const list = strata.get(family);
        if (list) list.push(chance);
        else strata.set(family, [chance]);
      }
      const means = [...strata.values()].map((list) => list.reduce((a, b) => a + b, 0) / list.length);
      const chance = means.reduce((a, b) => a + b, 0) / means.length / 100;
      const stated = leaderboard.models[0]?.chance?.score ?? Number.NaN;
      if (Math.abs(chance - stated) > TOLERANCE) findings.same(file, 'exact_chance_score', chance, stated);
    });
  else findings.note('the core plan is not at hand: give it with --core');
  for (const path of tasks)
    findings.attempt(basename(path), () => {
      const { tasks: list, semanticSha256, physicalSha256 } = verifyTaskFile(path);
      const panel = list[0]!.panel;
      provePin(`${panel}_taskset`, semanticSha256, physicalSha256);
      findings.done(`tasks of ${panel}: prompt, choices, map, optimum, digests`, list.length);
    });
  if (tasks.length === 0 && core === undefined) findings.note('the task sets are not at hand: give them with --tasks');
}
