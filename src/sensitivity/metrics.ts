import { FlavourError } from '../util/error.js';
import { type BoardAgreement, boardAgreement, type Stratum } from './board.js';

/** The alternative summaries of one answer (analyses 5). */
export const METRICS = [
  'flavourbench_score',
  'chance_adjusted_gain',
  'action_percentile',
  'exact_optimum_rate',
] as const;
export type Metric = (typeof METRICS)[number];

export interface MetricBoard {
  readonly metric: Metric;
  /** models: mean over strata of stratum means, 0..100. */
  readonly values: Float64Array;
  readonly agreement: BoardAgreement;
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
}

function cellValue(metric: Metric, map: Uint16Array, chance: number, action: number): number {
  const score = map[action] as number;
  switch (metric) {
    case 'flavourbench_score':
      return score / 100;
    case 'chance_adjusted_gain':
      return (100 * (score - chance)) / (10_000 - chance);
    case 'action_percentile': {
      let less = 0;
      let equal = 0;
      for (const other of map) {
        if (other < score) less += 1;
        else if (other === score) equal += 1;
      }
      return (100 * (less + 0.5 * (equal - 1))) / (map.length - 1);
    }
    case 'exact_optimum_rate':
      return score === 10_000 ? 100 : 0;
  }
}

/**
 * Values of every metric for every model, strata added in the order given, and how the boards agree with the primary one.
 * The optimum rate is compared by exact counts, so equal counts are ties. Errors: SCHEMA_INVALID when a task's chance is
 * the maximum.
 */
export function metricBoards(selections: Selections): MetricBoard[] {
  const { models, strata, maps, chance, actions } = selections;
  const T = maps.length;
  const certain = maps.findIndex((_, t) => (chance[t] as number) >= 10_000);
  if (certain >= 0) {
    throw new FlavourError('SCHEMA_INVALID', `task ${certain}: chance is the maximum score`, {
      hint: 'A gain over chance is not defined there.',
    });
  }
  const boards = METRICS.map((metric) => ({
    metric,
    values: Float64Array.from(models, (_, m) => {
      let value = 0;
      for (const { tasks } of strata) {
        let sum = 0;
        for (const t of tasks) {
          sum += cellValue(
            metric,
            maps[t] as Uint16Array,
            chance[t] as number,
            actions[m * T + t] as number,
          );
        }
        value += metric === 'exact_optimum_rate' ? sum : sum / tasks.length / strata.length;
      }
      return metric === 'exact_optimum_rate' ? optimumRate(value, strata) : value;
    }),
  }));
  const primary = boards[0]?.values as Float64Array;
  return boards.map((board) => ({
    ...board,
    agreement: boardAgreement(models, board.values, primary),
  }));
}

/** Equal strata: one exact count, one division. */
function optimumRate(sum: number, strata: readonly Stratum[]): number {
  return sum / strata.reduce((n, { tasks }) => n + tasks.length, 0);
}
