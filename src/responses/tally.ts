import type { Task } from '../tasks/task.js';
import { type AnswerCode, OUTCOMES, type Outcome } from './outcome.js';
import type { SetParser } from './parser.js';

/** Counts and totals of many scored rows, integers throughout; memory grows with models, not with rows. */
export interface Tally {
  /** Adds a row: numbers of its model and task, what became of its answer, and whether reasoning in it was passed over. */
  add(model: number, task: number, code: AnswerCode, reasoned?: boolean): void;
  /** Results by model; `names` in the order of the model numbers. */
  results(names: readonly string[]): readonly ModelTally[];
}

interface FamilyTally {
  readonly family: string;
  readonly rows: number;
  /** Rows with a readable answer. */
  readonly ok: number;
  /** Sum of their scores, basis points. */
  readonly totalBps: number;
}

export interface ModelTally {
  readonly model: string;
  readonly rows: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly optimal: number;
  /** Answers with reasoning in them, which parser v4 passed over. */
  readonly reasoned: number;
  readonly families: readonly FamilyTally[];
  /** Mean over families of the mean score of readable answers, points; null where a family has none. */
  readonly meanReadable: number | null;
  /** The same with every unreadable answer counted as 0; null where a family has no row. */
  readonly meanAll: number | null;
}

/** Opens a tally of answers to a list of tasks, whose numbers are their places in it. Scores are basis points. */
export function tallyOf(tasks: readonly Task[]): Tally {
  const families = [...new Set(tasks.map((task) => task.family))];
  const F = families.length;
  const optima = OUTCOMES.length;
  const reasoners = optima + 1;
  const width = reasoners + 1 + 3 * F;
  const familyOf = Uint8Array.from(tasks, (task) => families.indexOf(task.family));
  const scores = new Uint16Array(tasks.length * 56);
  tasks.forEach((task, t) => {
    scores.set(task.scores, t * 56);
  });
  let counts = new Float64Array(width * 64);

  function add(model: number, task: number, code: AnswerCode, reasoned = false): void {
    const base = model * width;
    if (base + width > counts.length) {
      const larger = new Float64Array(Math.max(counts.length * 2, base + width));
      larger.set(counts);
      counts = larger;
    }
    const family = base + reasoners + 1 + 3 * familyOf[task]!;
    counts[family] = counts[family]! + 1;
    if (reasoned) counts[base + reasoners] = counts[base + reasoners]! + 1;
    if (code < 0) {
      counts[base - code] = counts[base - code]! + 1;
      return;
    }
    const score = scores[task * 56 + code]!;
    counts[base] = counts[base]! + 1;
    if (score === 10_000) {
      counts[base + optima] = counts[base + optima]! + 1;
    }
    counts[family + 1] = counts[family + 1]! + 1;
    counts[family + 2] = counts[family + 2]! + score;
  }

  function results(names: readonly string[]): readonly ModelTally[] {
    return names.map((model, m): ModelTally => {
      const at = (k: number) => counts[m * width + k] ?? 0;
      const list = families.map((family, f): FamilyTally => {
        const base = reasoners + 1 + 3 * f;
        return { family, rows: at(base), ok: at(base + 1), totalBps: at(base + 2) };
      });
      const mean = (count: (family: FamilyTally) => number) =>
        list.some((family) => count(family) === 0)
          ? null
          : list.reduce((sum, family) => sum + family.totalBps / (100 * count(family)), 0) / F;
      return {
        model,
        rows: list.reduce((sum, family) => sum + family.rows, 0),
        outcomes: Object.fromEntries(OUTCOMES.map((name, k) => [name, at(k)])) as Record<Outcome, number>,
        optimal: at(optima),
        reasoned: at(reasoners),
        families: list,
        meanReadable: mean((family) => family.ok),
        meanAll: mean((family) => family.rows),
      };
    });
  }

  return { add, results };
}

/** Gives a model's tally the form that documents have: results of v3 do not know of reasoning. */
export function talliedModel(
  { meanReadable, meanAll, families, outcomes, reasoned, ...rest }: ModelTally,
  parser: SetParser,
) {
  return {
    ...rest,
    ...(parser === 'v3'
      ? { outcomes: { ...outcomes, open_reasoning: undefined } }
      : { outcomes, inline_reasoning_answers: reasoned }),
    mean_of_readable: meanReadable,
    mean_unreadable_as_zero: meanAll,
    families: families.map(({ family, rows, ok, totalBps }) => ({
      family,
      rows,
      ok,
      total_bps: totalBps,
    })),
  };
}
