import { type ArrowColumn, arrowFile, type ColumnSpecs, columnsOf } from '../io/arrow.js';
import type { ModelNames } from './document.js';
import type { Inference, ModelResult, PairResult, TestResult } from './result.js';

export interface InferenceTables {
  readonly models: Uint8Array;
  readonly pairs: Uint8Array;
  /** No rows where panels are not two. */
  readonly replication: Uint8Array;
}

/** The three Arrow twins of a result document. `resultsSha256` names the document in their metadata. */
export async function inferenceTables(
  inference: Inference,
  resultsSha256: string,
  names?: readonly ModelNames[],
): Promise<InferenceTables> {
  const metadata = { results_sha256: resultsSha256, alpha: String(inference.plan.alpha) };
  const table = (columns: readonly ArrowColumn[]) => arrowFile({ columns, metadata });
  const { models, pairs, replication } = inferenceColumns(inference, names);
  return {
    models: await table(models),
    pairs: await table(pairs),
    replication: await table(replication),
  };
}

/** The columns of the three tables. */
export function inferenceColumns(
  inference: Inference,
  names?: readonly ModelNames[],
): Readonly<Record<keyof InferenceTables, ArrowColumn[]>> {
  return {
    models: columnsOf(inference.models, modelSpecs(inference, names)),
    pairs: columnsOf(inference.pairs, pairSpecs(inference)),
    replication: columnsOf(...replicationTable(inference)),
  };
}

function testSpecs<Row>(prefix: string, test: (row: Row) => TestResult | null): ColumnSpecs<Row> {
  return {
    [`${prefix}sign_flip_p`]: ['float64', (row) => test(row)?.p ?? null],
    [`${prefix}holm_p`]: ['float64', (row) => test(row)?.holm ?? null],
    [`${prefix}p_low_99`]: ['float64', (row) => test(row)?.pInterval99[0] ?? null],
    [`${prefix}p_high_99`]: ['float64', (row) => test(row)?.pInterval99[1] ?? null],
    [`${prefix}exact_p`]: ['float64', (row) => test(row)?.exactP ?? null],
    [`${prefix}holm_could_flip`]: ['bool', (row) => test(row)?.holmCouldFlip ?? null],
  };
}

function scoreSpecs(
  prefix: string,
  labels: readonly string[],
  scores: (row: ModelResult) => Readonly<Record<string, number>>,
): ColumnSpecs<ModelResult> {
  return Object.fromEntries(
    labels.map((label) => [`${prefix}:${label}`, ['float64', (row: ModelResult) => scores(row)[label]!] as const]),
  );
}

function modelSpecs({ models }: Inference, names?: readonly ModelNames[]): ColumnSpecs<ModelResult> {
  return {
    model_id: ['text', (row) => row.modelId],
    model_name: ['text', (row) => names?.[row.index]?.name ?? row.modelId],
    score: ['float64', (row) => row.score],
    standard_error: ['float64', (row) => row.standardError],
    pointwise_low: ['float64', (row) => row.pointwise[0]],
    pointwise_high: ['float64', (row) => row.pointwise[1]],
    simultaneous_low: ['float64', (row) => row.simultaneous[0]],
    simultaneous_high: ['float64', (row) => row.simultaneous[1]],
    rank: ['int32', (row) => row.rank],
    rank_low: ['int32', (row) => row.rankInterval[0]],
    rank_high: ['int32', (row) => row.rankInterval[1]],
    group: ['int32', (row) => row.group],
    degenerate: ['bool', (row) => row.degenerate],
    ...scoreSpecs('family', Object.keys(models[0]?.familyScores ?? {}), (row) => row.familyScores),
    ...scoreSpecs('stratum', Object.keys(models[0]?.stratumScores ?? {}), (r) => r.stratumScores),
    chance_score: ['float64', (row) => row.chance?.score ?? null],
    chance_difference: ['float64', (row) => row.chance?.meanDifference ?? null],
    chance_low: ['float64', (row) => row.chance?.interval[0] ?? null],
    chance_high: ['float64', (row) => row.chance?.interval[1] ?? null],
    above_chance: ['bool', (row) => row.chance?.aboveChance ?? null],
    ...testSpecs<ModelResult>('chance_', (row) => row.chance),
  };
}

function pairSpecs({ models }: Inference): ColumnSpecs<PairResult> {
  return {
    left: ['int32', (row) => row.left],
    right: ['int32', (row) => row.right],
    left_model_id: ['text', (row) => models[row.left]?.modelId ?? null],
    right_model_id: ['text', (row) => models[row.right]?.modelId ?? null],
    mean_difference: ['float64', (row) => row.meanDifference],
    low: ['float64', (row) => row.interval[0]],
    high: ['float64', (row) => row.interval[1]],
    cohen_dz: ['float64', (row) => row.dz],
    ...testSpecs<PairResult>('', (row) => row),
    max_t_p: ['float64', (row) => row.maxTP],
    holm_significant: ['bool', (row) => row.significant],
    direction: ['text', (row) => row.direction],
    degenerate: ['bool', (row) => row.degenerate],
  };
}

function replicationTable({ models, replication }: Inference): [readonly ModelResult[], ColumnSpecs<ModelResult>] {
  const score = (m: number, side: 0 | 1) => replication?.scores[2 * m + side] ?? null;
  return [
    replication === null ? [] : models,
    {
      model_id: ['text', (row) => row.modelId],
      first_panel: ['float64', (_, m) => score(m, 0)],
      second_panel: ['float64', (_, m) => score(m, 1)],
      difference: ['float64', (_, m) => Number(score(m, 1)) - Number(score(m, 0))],
    },
  ];
}
