import { join } from 'node:path';
import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import type { Engine } from '../engine/engine.js';
import { runInference } from '../inference/infer.js';
import { inferenceResults } from '../inference/inference-document.js';
import { replayPlan } from '../inference/plan.js';
import { sha256 } from '../io/digest.js';
import { type JsonObject, parseObject } from '../io/json.js';
import { jsonDifferences } from '../release/proofs/differences.js';
import { missing } from '../release/proofs/file-proof.js';
import type { Findings } from '../release/proofs/findings.js';
import { AS_BUILT, type Inventory, textOf } from '../release/release-files.js';
import type { Task } from '../tasks/task.js';
import { readTaskSet, verifyCorePlan } from '../tasks/task-files.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';
import { proveAnswers } from './dataset-answers.js';
import { TOLERANCE } from './leaderboard-proof.js';
import { type PublishedDocument, publishedPart } from './published-document.js';
import { PUBLISHED_PROCEDURE } from './published-view.js';

/** Files of the published data set (collection 3.8). */
export const DATASET_FILES = {
  manifest: 'DATA_MANIFEST.json',
  release: 'release.json',
  plan: 'analysis_plan.json',
  models: 'models.jsonl',
  tasks: 'tasks.jsonl',
  observations: 'primary_observations.jsonl',
  leaderboard: 'leaderboard.jsonl',
  pairs: 'pairwise_comparisons.jsonl',
} as const;

/** A manifest as far as it must be readable: what it says of each file is held against the file. */
const manifestSchema = z.looseObject({ files: z.array(z.looseObject({ name: z.string() })) });

/** Rows of a file with one JSON object a line. */
function jsonRows(files: Inventory, name: string): JsonObject[] {
  return (textOf(files, name) ?? '')
    .split('\n')
    .flatMap((text, i) => (text === '' ? [] : [parseObject(text, { file: name, line: i + 1 })]));
}

/**
 * Proves the published data set: inventory, every answer against its digest, parsed and scored anew, and the whole published analysis run
 * again with its own generator streams.
 */
export async function proveDataset(options: {
  readonly dir: string;
  readonly files: Inventory;
  readonly published: PublishedDocument;
  readonly engine: Engine;
  readonly findings: Findings;
}): Promise<void> {
  const { dir, files, published, engine, findings } = options;
  proveInventory(files, findings);
  const tasks = findings.attempt(DATASET_FILES.tasks, () => proveTasks(dir, published, findings));
  if (!tasks) return;
  const matrix = findings.attempt(DATASET_FILES.observations, () =>
    proveAnswers({ files, published, tasks, findings }),
  );
  findings.attempt(DATASET_FILES.models, () => proveRows(files, published, findings));
  if (!matrix) return;
  await findings.attemptAsync(DATASET_FILES.release, () => proveAnalysis(matrix, published, engine, findings));
}

function proveInventory(files: Inventory, findings: Findings): void {
  const name = DATASET_FILES.manifest;
  findings.attempt(name, () => {
    const value = parseObject(textOf(files, name) ?? '', { file: name });
    const manifest = checked(manifestSchema, value, { file: name }, AS_BUILT);
    const listed = new Map(manifest.files.map((entry) => [entry.name, entry]));
    for (const [file, entry] of listed) {
      const bytes = files.get(file);
      if (!bytes) {
        missing(findings, file);
        continue;
      }
      findings.same(file, 'size in bytes', entry.bytes, bytes.length);
      findings.same(file, 'sha256', entry.sha256, sha256(bytes));
      if (entry.rows !== undefined) findings.same(file, 'rows', entry.rows, jsonRows(files, file).length);
    }
    for (const required of Object.values(DATASET_FILES))
      if (required !== name && !listed.has(required)) missing(findings, required);
    for (const found of files.keys())
      if (found !== name && found !== 'README.md' && !listed.has(found))
        findings.add({ file: found, at: 'the file', expected: 'no such file', found: 'a file' });
    findings.done('files against the manifest', listed.size);
  });
}

function proveTasks(dir: string, published: PublishedDocument, findings: Findings): readonly Task[] {
  const plan = verifyCorePlan(join(dir, DATASET_FILES.plan));
  const pin = publishedPart(published, 'inputs', 'complete_core_plan', z.looseObject({ semantic_sha256: z.string() }));
  findings.same(DATASET_FILES.plan, 'artifact_sha256', pin.semantic_sha256, plan.artifactSha256);
  const { tasks } = readTaskSet(join(dir, DATASET_FILES.tasks));
  const place = plan.strata.flatMap(({ panel, family, ids }) => ids.map((id) => `${panel} ${family} ${id}`));
  const found = tasks.map(({ panel, family, id }) => `${panel} ${family} ${id}`);
  for (let t = 0; t < Math.max(place.length, found.length); t += 1)
    findings.same(DATASET_FILES.tasks, `line ${t + 1}`, place[t], found[t]);
  findings.done('tasks: map, optimum, chance, order of the plan', tasks.length);
  return tasks;
}

/** models, leaderboard and pairs: the rows of the analysis, in their order, wherever they say the same thing. */
function proveRows(files: Inventory, published: PublishedDocument, findings: Findings): void {
  const { models, pairwise_comparisons: pairs } = published.analysis;
  const ranked = [...models].sort((a, b) => a.point_estimate_rank - b.point_estimate_rank);
  const shared = (name: string, expected: readonly JsonObject[]) => {
    const rows = jsonRows(files, name);
    findings.same(name, 'rows', expected.length, rows.length);
    rows.forEach((row, i) => {
      const want = Object.fromEntries(Object.entries(expected[i] ?? {}).filter(([key]) => key in row));
      const is = Object.fromEntries(Object.entries(row).filter(([key]) => key in want));
      const who = dataText(row.model_id ?? `${dataText(row.left_model_id)} : ${dataText(row.right_model_id)}`);
      findings.addAll(jsonDifferences(name, want, is, {}, `line ${i + 1} (${who})`));
      if (Object.keys(want).length === 0)
        findings.add({
          file: name,
          at: `line ${i + 1}`,
          expected: 'fields of the analysis',
          found: 'none',
        });
    });
  };
  shared(DATASET_FILES.models, models);
  shared(DATASET_FILES.leaderboard, ranked);
  shared(DATASET_FILES.pairs, pairs);
}

/** Keys that say something in the published analysis and cannot be computed. */
const STATED = new Set([
  'schema_version',
  'status',
  'plan_sha256',
  'estimand',
  'quality_scope',
  'failure_handling',
  'model_name',
  'slot_id',
  'response_artifact_count',
  'response_artifact_set_sha256',
  'seed',
  'independence_unit',
]);

/** The whole published analysis again: same seeds, same generator, same batches. */
async function proveAnalysis(
  matrix: ScoreMatrix,
  { file, analysis, leaderboard }: PublishedDocument,
  engine: Engine,
  findings: Findings,
): Promise<void> {
  const plan = replayPlan({ ...leaderboard.plan, ...PUBLISHED_PROCEDURE });
  const inference = await runInference({ matrix, plan, engine });
  const own = inferenceResults({ matrix, inference, fromAnswers: true });
  const keep = (value: unknown, like: unknown): unknown => {
    if (Array.isArray(value) && Array.isArray(like)) return value.map((item, i) => keep(item, like[i]));
    if (typeof value !== 'object' || value === null || typeof like !== 'object' || like === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key in like)
        .map(([key, item]) => [key, keep(item, (like as JsonObject)[key])]),
    );
  };
  findings.addAll(
    jsonDifferences(
      file,
      keep(own, analysis),
      keep(analysis, own),
      {
        tolerance: TOLERANCE,
        ignore: (key) => STATED.has(key),
      },
      'analysis',
    ),
  );
  findings.done('published models, intervals and tests run again', inference.models.length);
  findings.done('published pairs run again', inference.pairs.length);
}
