import {
  equalWeights,
  type LeadRule,
  type RankAgreement,
  rankAgreement,
  type Stratum,
  stratifiedTotal,
} from '../../inference/rank-agreement.js';
import { fail } from '../../util/error.js';
import type { Agreement, Led } from '../agreement.js';
import type { ModelOrder } from '../model-order.js';

/** The alternative summaries of one answer (analyses 5). */
export const METRICS = [
  'flavourbench_score',
  'chance_adjusted_gain',
  'action_percentile',
  'exact_optimum_rate',
] as const;
export type Metric = (typeof METRICS)[number];

/** What the document says of one metric. */
export interface MetricResult extends RankAgreement {
  readonly metric: Metric;
  /** Mean over strata of stratum means by model, 0..100. */
  readonly values: Readonly<Record<string, number>>;
}

interface MetricScores {
  readonly metric: Metric;
  /** models: mean over strata of stratum means, 0..100. */
  readonly values: Float64Array;
  readonly agreement: RankAgreement;
}

/** Selections of models on tasks with their maps: what alternative summaries are read from. */
export interface Selections {
  readonly models: readonly string[];
  readonly strata: readonly Stratum[];
  /** Per task: 56 scores, basis points. */
  readonly maps: readonly Uint16Array[];
  /** Per task: rounded chance, basis points. */
  readonly chance: ArrayLike<number>;
  /** models x tasks: action number. */
  readonly actions: Int32Array;
  /** What a shared lead is; all that share it unless given. */
  readonly lead?: LeadRule;
}

/** What a cell counts, as [points, counts]: so many counts are so many points. */
const UNITS: Readonly<Record<Metric, readonly [points: number, counts: number]>> = {
  flavourbench_score: [1, 100],
  chance_adjusted_gain: [100, 1],
  action_percentile: [100, 2],
  exact_optimum_rate: [100, 1],
};

/** Integers for all but the gain, so that ties are ties. */
function cellValue(metric: Metric, map: Uint16Array, chance: number, action: number): number {
  const score = map[action]!;
  switch (metric) {
    case 'flavourbench_score':
      return score;
    case 'chance_adjusted_gain':
      return (score - chance) / (10_000 - chance);
    case 'action_percentile': {
      let less = 0;
      let equal = 0;
      for (const other of map) {
        if (other < score) less += 1;
        else if (other === score) equal += 1;
      }
      return 2 * less + equal - 1;
    }
    case 'exact_optimum_rate':
      return score === 10_000 ? 1 : 0;
  }
}

/**
 * Computes every metric for every model, strata weighing alike, and how its scores agree with the primary ones. Scores are
 * compared by exact counts, so equal counts are ties. Errors: SCHEMA_INVALID when a task's chance is the maximum.
 */
export function metricScores(selections: Selections): MetricScores[] {
  const { models, strata, maps, chance, actions, lead } = selections;
  const T = maps.length;
  const certain = maps.findIndex((_, t) => chance[t]! >= 10_000);
  if (certain >= 0) {
    fail(
      'SCHEMA_INVALID',
      null,
      `task ${certain}: chance is the maximum score`,
      'A gain over chance is not defined there.',
    );
  }
  const others = maps[0]!.length - 1;
  const { weights, divisor } = equalWeights(strata.map(({ tasks }) => tasks.length));
  const boards = METRICS.map((metric) => {
    const [points, counts] = UNITS[metric];
    const whole = divisor * counts * (metric === 'action_percentile' ? others : 1);
    return {
      metric,
      values: Float64Array.from(models, (_, m) => {
        const value = (t: number) => cellValue(metric, maps[t]!, chance[t]!, actions[m * T + t]!);
        return (points * stratifiedTotal(value, strata, weights)) / whole;
      }),
    };
  });
  const primary = boards[0]?.values as Float64Array;
  return boards.map((board) => ({
    ...board,
    agreement: rankAgreement(models, board.values, primary, lead),
  }));
}

/** The summaries that are compared with the score, as sentences call them. */
export const METRIC_LABEL: Readonly<Record<string, string>> = {
  chance_adjusted_gain: 'gain over chance',
  action_percentile: 'action percentile',
  exact_optimum_rate: 'exact optimum',
};

/** The primary score, as tables call it. */
export const SCORE_NAME = 'FlavourBench Score';

const NAME: Readonly<Record<Metric, string>> = {
  flavourbench_score: SCORE_NAME,
  chance_adjusted_gain: 'Chance-adjusted gain',
  action_percentile: 'Action percentile',
  exact_optimum_rate: 'Exact-optimum rate',
};

/** Finds who leads under a summary: all of the highest value, or by the rules of version 1 the first of them. */
export function metricLeaders(
  { values, leader }: Pick<MetricResult, 'values' | 'leader'>,
  order: ModelOrder,
): string[] {
  const most = Math.max(...Object.values(values));
  return order === 'rows' ? [leader] : Object.keys(values).filter((id) => values[id] === most);
}

/** Lists how each summary of the answers agrees with the score, and who leads under it. */
export function metricRows(metrics: readonly MetricResult[], order: ModelOrder): (Agreement & Led)[] {
  return metrics.map((result) => ({
    label: NAME[result.metric],
    correlation: result.rank_spearman,
    pairOrder: result.pair_order_agreement,
    leaders: metricLeaders(result, order),
  }));
}
