import { yieldToEvents } from '../engine/signals.js';
import type { Environment } from '../environment/environment.js';
import { familyOrder } from '../inference/strata.js';
import { parseSelection } from '../responses/parser.js';
import { PORTFOLIOS } from '../tasks/task.js';
import { dataText } from '../util/text.js';
import type { Completion } from './completion.js';
import { BASE, CONTROL, TREATMENT } from './condition.js';
import { completionOf, type ExportRow, sftRow } from './export-row.js';
import { portfolioFeatures } from './features.js';
import { formatControl, proveControl } from './format-control.js';
import { choose, type LearnerRow, type Policy, train, untrained } from './learner.js';
import type { Split } from './split.js';
import type { RowTask } from './training-pool.js';

interface ProbeOptions {
  readonly split: Split;
  /** The embedding the learner sees; the maps are those of the tasks. */
  readonly features: Environment;
  readonly seeds: readonly number[];
  readonly controlSalt: string;
}

export interface ProbeRun {
  /** Untrained, then control and treatment, seeds in order: rows as `transfer evaluate` writes them. */
  readonly completions: readonly Completion[];
  readonly training: readonly {
    readonly condition: string;
    readonly seed: number;
    readonly first_loss: number;
    readonly last_loss: number;
  }[];
}

/** Fixed before any outcome, the same for both arms. */
const TRAINING = { epochs: 40, rate: 0.3, batch: 16 };

/**
 * Trains the built-in learner on the SFT rows and on the format-control rows of a split, seed by seed, and lets every
 * policy answer the evaluation tasks in the answer format. Errors: TASK_UNKNOWN for an ingredient the embedding lacks.
 */
export async function runProbe(options: ProbeOptions): Promise<ProbeRun> {
  const { split, features, seeds, controlSalt } = options;
  const rowOf = new Map(features.names.map((name, i) => [name, i]));
  const families = familyOrder(split.train.map(({ task }) => task.family));
  const shown = ({ task }: RowTask) => ({
    family: families.indexOf(task.family),
    features: portfolioFeatures(task, features, rowOf),
  });
  const inputs = split.train.map(shown);
  const treatment = split.train.map((entry) => sftRow(entry, 'train'));
  const control = formatControl(split.train, 'train', controlSalt).rows;
  proveControl({ tasks: split.train, treatment, control });
  const rowsOf = (rows: readonly ExportRow[]): LearnerRow[] =>
    split.train.map(({ task }, i) => ({
      ...inputs[i]!,
      target: parseSelection(dataText(rows[i]?.completion), task.choices).action,
    }));
  const exam = split.evaluation.map((entry) => ({ id: entry.task.id, ...shown(entry) }));
  const answers = (policy: Policy, condition: string, seed: number | null): Completion[] =>
    exam.map(({ id, family, features: table }) => ({
      condition,
      seed,
      taskId: id,
      text: completionOf(PORTFOLIOS[choose(policy, family, table)]!),
    }));
  const base = untrained(families.length);
  const completions = answers(base, BASE, null);
  const training: ProbeRun['training'][number][] = [];
  for (const [condition, rows] of [
    [CONTROL, rowsOf(control)],
    [TREATMENT, rowsOf(treatment)],
  ] as const) {
    for (const seed of seeds) {
      await yieldToEvents();
      const policy = train(rows, { families: families.length, seed: BigInt(seed), ...TRAINING });
      const { losses } = policy;
      training.push({
        condition,
        seed,
        first_loss: losses[0]!,
        last_loss: losses.at(-1)!,
      });
      completions.push(...answers(policy, condition, seed));
    }
  }
  return { completions, training };
}
