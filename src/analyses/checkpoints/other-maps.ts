import type { ScoreMatrix } from '../../core/matrix.js';
import type { Engine } from '../../engine/engine.js';
import { integers } from '../../engine/numpy.js';
import { sortedQuantile } from '../../engine/quantile.js';
import { openWasmListedTotals } from '../../engine/wasm/listed.js';
import { pcgWordSource } from '../../engine/wasm/numpy.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import {
  descending,
  equalSize,
  type LeadRule,
  leadersOf,
  ordinalRanksDescending,
  pairAgreement,
  panelMajor,
  rankCorrelation,
  type Stratum,
  sameLead,
  stratifiedScores,
} from '../../inference/rank-agreement.js';
import { strataOf } from '../../inference/strata.js';
import { type AgreementSummary, compareMaps } from '../../tasks/maps-compare.js';
import type { MapRow } from '../../tasks/maps-read.js';
import { averageSpearman } from '../../util/correlation.js';
import { fail } from '../../util/error.js';
import type { OtherMaps } from '../inputs.js';
import { leadRuleOf, type ModelOrder, pointRanksOf } from '../model-order.js';

/** Philox stream of the anchor bootstrap. */
export const CHECKPOINT_STREAM = 4;

interface CheckpointsOptions {
  /** The leaderboard as released: scores of the selections on the released maps. */
  readonly matrix: ScoreMatrix;
  /** Released maps, in task order. */
  readonly maps: readonly MapRow[];
  /** models x tasks: action number of every selection. */
  readonly actions: Int32Array;
  readonly checkpoints: readonly OtherMaps[];
  /** Whether equal scores share a rank, or follow the order of rows. */
  readonly order: ModelOrder;
  readonly draws: number;
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
  readonly engine: Engine;
}

export interface CheckpointResult {
  readonly checkpoint: string;
  /** Agreement of the maps, task by task. */
  readonly task_maps: AgreementSummary;
  /** models: score, rank and family means under the other maps. */
  readonly board: readonly {
    readonly model_id: string;
    readonly score: number;
    readonly rank: number;
    readonly original_score: number;
    readonly original_rank: number;
    readonly families: Readonly<Record<string, number>>;
  }[];
  readonly rank_spearman: number | null;
  readonly pair_order_agreement: number;
  readonly mean_absolute_shift: number;
  readonly maximum_absolute_shift: number;
  readonly leader: string;
  readonly leader_kept: boolean;
  readonly bootstrap: {
    readonly draws: number;
    readonly rank_spearman: Spread;
    readonly pair_order_agreement: Spread;
    /** Share of draws in which some model leads under both maps, alone or tied. */
    readonly same_leader: number;
    /** Share of draws in which one that leads as released leads, alone or tied: under the other maps and under the released ones. */
    readonly released_leader_alternative: number;
    readonly released_leader_original: number;
  };
}

interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Reads the same selections off other maps: does the leaderboard survive another reward model (analyses 7)? One stratified
 * bootstrap of anchors serves the released maps and every checkpoint. Errors: TASK_UNKNOWN for a task without a map;
 * STRATUM_UNEQUAL.
 */
export async function checkpointAgreement(options: CheckpointsOptions): Promise<CheckpointResult[]> {
  const { matrix, checkpoints } = options;
  const strata = panelMajor(matrix);
  equalSize(strata);
  const alternatives = checkpoints.map((checkpoint) => rescored(options, checkpoint));
  const draws = await scoreDraws([matrix, ...alternatives], strata, options);
  return checkpoints.map((checkpoint, k) => compared(options, strata, checkpoint, alternatives[k]!, draws, k + 1));
}

function rescored(options: CheckpointsOptions, checkpoint: OtherMaps): ScoreMatrix {
  const { matrix, actions } = options;
  const byId = new Map(checkpoint.maps.map((row) => [row.id, row]));
  const maps = matrix.tasks.map((id) => {
    const row = byId.get(id);
    if (row !== undefined) return row.scores;
    return fail(
      'TASK_UNKNOWN',
      null,
      `checkpoint ${checkpoint.name} has no map of ${id}`,
      'Recompute the maps of every ranked task with `flavourbench maps`.',
    );
  });
  const T = maps.length;
  return {
    ...matrix,
    scale: 100,
    values: Float64Array.from(actions, (action, at) => maps[at % T]![action]!),
  };
}

/** Makes the scores of every draw (draws x matrices x models): equal anchors for all matrices, points. */
async function scoreDraws(
  matrices: readonly ScoreMatrix[],
  strata: readonly Stratum[],
  { draws, random, engine }: CheckpointsOptions,
): Promise<Float64Array> {
  const first = matrices[0]!;
  const stacked: ScoreMatrix = {
    models: matrices.flatMap(({ models }, b) => models.map((model) => `${b}:${model}`)),
    tasks: first.tasks,
    panels: first.panels,
    families: first.families,
    clusters: first.tasks,
    scale: 100,
    values: Float64Array.from(matrices.flatMap(({ values }) => [...values])),
  };
  if (random.kind === 'numpy') return replayedDraws(stacked, strata, draws, random.seed);
  const drawn = await engine.bootstrapValues(clusterDesign(stacked, strataOf(stacked, 'panel-family')), {
    draws,
    scheme: 'stratified',
    probabilities: [],
    random: { kind: 'philox', seed: random.seed, stream: CHECKPOINT_STREAM },
  });
  return drawn.values;
}

/** Draws listed at once, so that memory does not grow with them. */
const BATCH = 4096;

/** The published stream: strata by text order of panel:family, all draws of a stratum at once (analyses 7). */
function replayedDraws(
  { models, tasks, values }: ScoreMatrix,
  strata: readonly Stratum[],
  draws: number,
  seed: bigint,
): Float64Array {
  const rows = models.length;
  const columns = new Int32Array(tasks.length * rows);
  for (let m = 0; m < rows; m += 1)
    for (let t = 0; t < tasks.length; t += 1) {
      columns[t * rows + m] = values[m * tasks.length + t]!;
    }
  const add = openWasmListedTotals({ columns, rows });
  const source = pcgWordSource(seed);
  const sums = new Int32Array(draws * rows);
  const text = ({ panel, family }: Stratum) => `${panel}:${family}`;
  const ordered = [...strata].sort(
    (a, b) => Number(text(a) > text(b)) - Number(text(a) < text(b)) || (a.panel < b.panel ? -1 : 1),
  );
  for (const { tasks: members } of ordered) {
    const n = members.length;
    for (let first = 0; first < draws; first += BATCH) {
      const drawn = integers(source, n, Math.min(BATCH, draws - first) * n);
      const lists = drawn.map((position) => members[position]!);
      add(sums, first, lists, n);
    }
  }
  return Float64Array.from(sums, (sum) => sum / (tasks.length * 100));
}

function compared(
  options: CheckpointsOptions,
  strata: readonly Stratum[],
  checkpoint: OtherMaps,
  alternative: ScoreMatrix,
  draws: Float64Array,
  place: number,
): CheckpointResult {
  const { matrix } = options;
  const models = matrix.models;
  const scores = stratifiedScores(alternative, strata);
  const original = stratifiedScores(matrix, strata);
  const ranks = pointRanksOf(scores, options.order);
  const originalRanks = pointRanksOf(original, options.order);
  const shifts = models.map((_, m) => Math.abs(scores[m]! - original[m]!));
  const leader = descending(scores)[0]!;
  const rule = leadRuleOf(options.order);
  const families = [...new Set(strata.map(({ family }) => family))];
  const familyScores = families.map((family) =>
    stratifiedScores(
      alternative,
      strata.filter((stratum) => stratum.family === family),
    ),
  );
  return {
    checkpoint: checkpoint.name,
    task_maps: compareMaps(options.maps, checkpoint.maps).summary,
    board: models.map((model_id, m) => ({
      model_id,
      score: scores[m]!,
      rank: ranks[m]!,
      original_score: original[m]!,
      original_rank: originalRanks[m]!,
      families: Object.fromEntries(families.map((family, f) => [family, familyScores[f]![m]!])),
    })),
    rank_spearman: averageSpearman(scores, original),
    pair_order_agreement: pairAgreement(scores, original),
    mean_absolute_shift: shifts.reduce((a, b) => a + b, 0) / shifts.length,
    maximum_absolute_shift: Math.max(...shifts),
    leader: models[leader]!,
    leader_kept: sameLead(scores, original, rule),
    bootstrap: bootstrapAgreement(draws, {
      rows: models.length * (options.checkpoints.length + 1),
      models: models.length,
      place,
      released: leadersOf(original, rule),
      rule,
    }),
  };
}

/** What one bootstrap of the released maps and of all others is compared by. */
interface DrawnRows {
  /** Rows of a draw: models of all maps, the released ones first. */
  readonly rows: number;
  readonly models: number;
  /** Number of the other maps, from 1. */
  readonly place: number;
  /** Numbers of the models that lead as released. */
  readonly released: readonly number[];
  readonly rule: LeadRule;
}

function bootstrapAgreement(
  values: Float64Array,
  { rows, models, place, released, rule }: DrawnRows,
): CheckpointResult['bootstrap'] {
  const draws = values.length / rows;
  const rho = new Float64Array(draws);
  const pairs = new Float64Array(draws);
  let same = 0;
  let alternative = 0;
  let original = 0;
  for (let d = 0; d < draws; d += 1) {
    const first = values.subarray(d * rows, d * rows + models);
    const from = d * rows + place * models;
    const other = values.subarray(from, from + models);
    rho[d] = rankCorrelation(ordinalRanksDescending(other), ordinalRanksDescending(first));
    pairs[d] = pairAgreement(other, first);
    const a = leadersOf(first, rule);
    const b = leadersOf(other, rule);
    if (a.some((m) => b.includes(m))) same += 1;
    if (released.some((m) => b.includes(m))) alternative += 1;
    if (released.some((m) => a.includes(m))) original += 1;
  }
  return {
    draws,
    rank_spearman: spread(rho),
    pair_order_agreement: spread(pairs),
    same_leader: same / draws,
    released_leader_alternative: alternative / draws,
    released_leader_original: original / draws,
  };
}

function spread(values: Float64Array): Spread {
  const sorted = values.slice().sort();
  return {
    median: sortedQuantile(sorted, 0.5),
    low: sortedQuantile(sorted, 0.025),
    high: sortedQuantile(sorted, 0.975),
  };
}
