import { familyOrder } from '../inference/strata.js';
import type { Task } from '../tasks/task.js';
import type { CompletionGrid, Run } from './completion.js';
import { stratumMean, type TransferStrata } from './transfer-strata.js';

/** The three conditions of the study, as its files name them. */
export const BASE = 'pretrained_base';
export const CONTROL = 'sft_format_control';
export const TREATMENT = 'sft_epicure_optimum';

/** Schema of the frozen plan of a study. */
export const STUDY_PLAN_SCHEMAS = ['flavourbench-transfer-plan/1', 'flavourbench-transfer-plan/2'] as const;

/** Schema of the document of `transfer demo`. */
export const PROBE_SCHEMA = 'flavourbench-transfer-demo/1';

/** `primary` is the held-out evaluation; `secondary` repeats it on the public maps after the primary is sealed. */
export type Stage = 'primary' | 'secondary';

interface Rates {
  /** Mean with unparseable answers as 0. */
  readonly score: number;
  /** Plain mean over the parseable answers; null where there is none. */
  readonly score_if_parsed: number | null;
  readonly parse_rate: number;
  readonly exact_optimum_rate: number;
}

export interface RunSummary extends Rates {
  readonly seed: number | null;
  readonly families: Readonly<Record<string, Rates>>;
}

export interface ConditionSummary {
  readonly condition: string;
  readonly score: number;
  /** Over training seeds, divisor n - 1; null for one run. */
  readonly score_sd: number | null;
  readonly score_min: number;
  readonly score_max: number;
  readonly score_if_parsed: number | null;
  readonly parse_rate: number;
  readonly exact_optimum_rate: number;
  /** Family means over runs. */
  readonly families: Readonly<Record<string, Rates>>;
  readonly runs: readonly RunSummary[];
}

function rates(run: Run, positions: readonly number[]): Rates {
  const parsed = positions.filter((t) => run.outcomes[t] === 'ok');
  const sum = (list: readonly number[]) => list.reduce((total, t) => total + run.scores[t]!, 0);
  const n = positions.length;
  return {
    score: sum(positions) / (100 * n),
    score_if_parsed: parsed.length === 0 ? null : sum(parsed) / (100 * parsed.length),
    parse_rate: parsed.length / n,
    exact_optimum_rate: parsed.filter((t) => run.scores[t] === 10_000).length / n,
  };
}

function runSummary(run: Run, tasks: readonly Task[], strata: TransferStrata): RunSummary {
  const all = tasks.map((_, t) => t);
  return {
    seed: run.seed,
    ...rates(run, all),
    score: stratumMean(run.scores, strata),
    families: Object.fromEntries(
      familyOrder(tasks.map(({ family }) => family)).map((family) => [
        family,
        rates(
          run,
          all.filter((t) => tasks[t]?.family === family),
        ),
      ]),
    ),
  };
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

function meanRates(list: readonly Rates[]): Rates {
  const parsed = list.flatMap(({ score_if_parsed: x }) => (x === null ? [] : [x]));
  return {
    score: mean(list.map(({ score }) => score)),
    score_if_parsed: parsed.length === 0 ? null : mean(parsed),
    parse_rate: mean(list.map(({ parse_rate }) => parse_rate)),
    exact_optimum_rate: mean(list.map(({ exact_optimum_rate }) => exact_optimum_rate)),
  };
}

/** Lists the runs of a condition, training seeds ascending. */
export function runsOf(grid: CompletionGrid, condition: string): Run[] {
  return grid.runs.filter((run) => run.condition === condition).sort((a, b) => (a.seed ?? -1) - (b.seed ?? -1));
}

/** Summarises scores, parse rates and optimum rates of one condition (analyses 9.6); undefined when it has no run. */
export function conditionSummary(
  grid: CompletionGrid,
  condition: string,
  strata: TransferStrata,
): ConditionSummary | undefined {
  const runs = runsOf(grid, condition).map((run) => runSummary(run, grid.tasks, strata));
  if (runs.length === 0) return undefined;
  const scores = runs.map(({ score }) => score);
  const centre = mean(scores);
  const squares = scores.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  return {
    condition,
    ...meanRates(runs),
    score_sd: scores.length > 1 ? Math.sqrt(squares / (scores.length - 1)) : null,
    score_min: Math.min(...scores),
    score_max: Math.max(...scores),
    families: Object.fromEntries(
      familyOrder(grid.tasks.map(({ family }) => family)).map((family) => [
        family,
        meanRates(runs.map((run) => run.families[family]!)),
      ]),
    ),
    runs,
  };
}
