import type { Engine } from '../../engine/engine.js';
import type { CompletionGrid, Run } from '../../transfer/completion.js';
import {
  BASE,
  CONTROL,
  type ConditionSummary,
  conditionSummary,
  runsOf,
  type Stage,
  TREATMENT,
} from '../../transfer/condition.js';
import type { StudyRandom } from '../../transfer/stream.js';
import { stratumMean, transferStrata } from '../../transfer/transfer-strata.js';
import { fail, shown } from '../../util/error.js';
import { nearestHint } from '../../util/spelling.js';
import { type Contrast, estimateContrast } from './estimate.js';

export interface StudySettings {
  readonly stage: Stage;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  /** Points the estimate must reach to count as practical. */
  readonly threshold: number;
  readonly random: StudyRandom;
}

type Interpretation =
  | 'positive_and_meets_preregistered_practical_threshold'
  | 'positive_but_below_preregistered_practical_threshold'
  | 'negative_difference_detected'
  | 'inconclusive_at_preregistered_alpha';

export interface StudyResults {
  readonly stage: Stage;
  readonly tasks: number;
  readonly training_seeds: readonly number[];
  readonly chance: number;
  readonly conditions: readonly ConditionSummary[];
  /** Treatment minus control: the one confirmatory contrast (primary), or its replication (secondary). */
  readonly contrast: Contrast;
  readonly interpretation: Interpretation;
  /** Against the untrained model, where it was evaluated. */
  readonly base_contrasts: readonly Contrast[];
  readonly per_task: readonly TaskEffect[];
}

interface TaskEffect {
  readonly task_id: string;
  readonly anchor: string;
  readonly family: string;
  readonly panel: string;
  readonly base: number | null;
  readonly control: number;
  readonly treatment: number;
  readonly difference: number;
}

/** Labels of the published streams. */
const LABELS = {
  primary: { main: 'primary', base: 'primary:secondary' },
  secondary: { main: 'public_replication', base: 'public:secondary' },
} as const;

/** Every run belongs to a condition of the study: one under another name would be left out without a word. */
function assertConditions({ runs, tasks }: CompletionGrid): void {
  const known = [BASE, CONTROL, TREATMENT];
  const other = runs.filter(({ condition }) => !known.includes(condition));
  const [first] = other;
  if (first === undefined) return;
  const names = new Set(other.map(({ condition }) => condition));
  const near = nearestHint(first.condition, known);
  fail(
    'SCHEMA_INVALID',
    null,
    `condition ${shown(first.condition)} is none of the study: ${other.length} of ${runs.length} runs, ${other.length * tasks.length} generations, have ${names.size === 1 ? 'it' : `it or one of ${names.size - 1} others`}`,
    `The conditions are ${known.join(', ')}${near === undefined ? '' : `. ${near.slice(0, -1)}`}. Correct the name, or leave those rows out.`,
  );
}

/**
 * Analyses one evaluation (analyses 9.6-9.7). Errors: SCHEMA_INVALID for a condition that is none of the study,
 * CELL_MISSING when arms or their seeds do not match.
 */
export async function transferStudy(grid: CompletionGrid, plan: StudySettings, engine: Engine): Promise<StudyResults> {
  assertConditions(grid);
  const strata = transferStrata(grid.tasks);
  const control = runsOf(grid, CONTROL);
  const treatment = runsOf(grid, TREATMENT);
  const base = runsOf(grid, BASE)[0];
  const seeds = matchedSeeds(control, treatment);
  const one = (label: string, upper: readonly Run[], lower: readonly Run[]) =>
    estimateContrast({
      label,
      differences: upper.map((run, k) => {
        const other = lower[k]!;
        return run.scores.map((score, t) => score - other.scores[t]!);
      }),
      clusters: grid.tasks.map((task) => task.cluster),
      strata,
      draws: plan.draws,
      flips: plan.flips,
      alpha: plan.alpha,
      random: plan.random,
      engine,
    });
  const label = LABELS[plan.stage];
  const main = await one(`${label.main}:${TREATMENT}_minus_${CONTROL}`, treatment, control);
  const baseContrasts: Contrast[] = [];
  if (base !== undefined) {
    const same = seeds.map(() => base);
    for (const [name, runs] of [
      [TREATMENT, treatment],
      [CONTROL, control],
    ] as const) {
      baseContrasts.push(await one(`${label.base}:${name}_minus_${BASE}`, runs, same));
    }
  }
  return {
    stage: plan.stage,
    tasks: grid.tasks.length,
    training_seeds: seeds,
    chance: stratumMean(
      grid.tasks.map((task) => task.chance),
      strata,
    ),
    conditions: [BASE, CONTROL, TREATMENT].flatMap((name) => {
      const summary = conditionSummary(grid, name, strata);
      return summary === undefined ? [] : [summary];
    }),
    contrast: main,
    interpretation: interpret(main, plan),
    base_contrasts: baseContrasts,
    per_task: taskEffects(grid, base, control, treatment),
  };
}

function matchedSeeds(control: readonly Run[], treatment: readonly Run[]): number[] {
  const seeds = (runs: readonly Run[]) => runs.map(({ seed }) => seed ?? 'none').join(', ');
  if (control.length === 0 || seeds(control) !== seeds(treatment)) {
    fail(
      'CELL_MISSING',
      null,
      `control seeds [${seeds(control)}] and treatment seeds [${seeds(treatment)}] must be the same, and at least one`,
      `Conditions are named ${CONTROL} and ${TREATMENT}; seeds are matched pairs.`,
    );
  }
  return control.map(({ seed }) => seed!);
}

/** Interprets the confirmatory contrast by the rule that was fixed before it was made (analyses 9.7). */
export function interpret(
  { estimate, interval, sign_flip_p: p }: Pick<Contrast, 'estimate' | 'interval' | 'sign_flip_p'>,
  { alpha, threshold }: Pick<StudySettings, 'alpha' | 'threshold'>,
): Interpretation {
  const significant = p < alpha;
  if (significant && interval[0] > 0) {
    return estimate >= threshold
      ? 'positive_and_meets_preregistered_practical_threshold'
      : 'positive_but_below_preregistered_practical_threshold';
  }
  if (significant && interval[1] < 0) return 'negative_difference_detected';
  return 'inconclusive_at_preregistered_alpha';
}

function taskEffects(
  grid: CompletionGrid,
  base: Run | undefined,
  control: readonly Run[],
  treatment: readonly Run[],
): TaskEffect[] {
  const mean = (runs: readonly Run[], t: number) =>
    runs.reduce((sum, run) => sum + run.scores[t]!, 0) / (100 * runs.length);
  return grid.tasks.map((task, t) => {
    const lower = mean(control, t);
    const upper = mean(treatment, t);
    return {
      task_id: task.id,
      anchor: task.anchor,
      family: task.family,
      panel: task.panel,
      base: base === undefined ? null : base.scores[t]! / 100,
      control: lower,
      treatment: upper,
      difference: upper - lower,
    };
  });
}
