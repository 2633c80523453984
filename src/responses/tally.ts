import type { Task } from '../tasks/task.js';
import { type AnswerCode, OUTCOMES, type Outcome } from './outcome.js';
import type { SetParser } from './parser.js';

/** Counts of each family of a model: an answer each of OUTCOMES, then these three. */
const OPTIMAL = OUTCOMES.length;
const REASONED = OPTIMAL + 1;
const TOTAL = REASONED + 1;
const WIDTH = TOTAL + 1;

/** Counts and totals of scored rows as plain data: those of parts of a work add up to those of the whole. */
export interface TallyCounts {
  readonly families: readonly string[];
  /** In the order in which they first appear. */
  readonly models: readonly string[];
  /** Of each model, family after family: rows of each outcome, optimal rows, rows with reasoning, total score in basis points. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts and totals of many scored rows, integers throughout; memory grows with models, not with rows. */
export interface Tally {
  /** Adds a row: numbers of its model and task, what became of its answer, and whether reasoning in it was passed over. */
  add(model: number, task: number, code: AnswerCode, reasoned?: boolean): void;
  /** Gives the counts since the last call, and begins anew; `names` in the order of the model numbers. */
  take(names: readonly string[]): TallyCounts;
}

interface FamilyTally {
  readonly family: string;
  readonly rows: number;
  /** Rows with a readable answer. */
  readonly ok: number;
  /** Sum of their scores, basis points. */
  readonly totalBps: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
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
  const width = families.length * WIDTH;
  const familyAt = Int32Array.from(tasks, (task) => families.indexOf(task.family) * WIDTH);
  const scores = new Uint16Array(tasks.length * 56);
  tasks.forEach((task, t) => {
    scores.set(task.scores, t * 56);
  });
  let counts = new Float64Array(width * 64);
  let met = new Uint8Array(64);
  let order: number[] = [];

  function meet(model: number): void {
    if (model >= met.length) {
      const size = Math.max(met.length * 2, model + 1);
      const larger = new Float64Array(size * width);
      larger.set(counts);
      counts = larger;
      const more = new Uint8Array(size);
      more.set(met);
      met = more;
    }
    met[model] = 1;
    order.push(model);
  }

  return {
    add(model, task, code, reasoned = false) {
      if (met[model] !== 1) meet(model);
      const base = model * width + familyAt[task]!;
      if (reasoned) counts[base + REASONED]! += 1;
      if (code < 0) {
        counts[base - code]! += 1;
        return;
      }
      const score = scores[task * 56 + code]!;
      counts[base]! += 1;
      if (score === 10_000) counts[base + OPTIMAL]! += 1;
      counts[base + TOTAL]! += score;
    },
    take(names) {
      const taken: TallyCounts = {
        families,
        models: order.map((model) => names[model]!),
        counts: order.map((model) => Array.from(counts.subarray(model * width, (model + 1) * width))),
      };
      for (const model of order) counts.fill(0, model * width, (model + 1) * width);
      met.fill(0);
      order = [];
      return taken;
    },
  };
}

/** Adds up the counts of parts of one work, given in their order. All are of the same tasks. */
export function addTallies(parts: Iterable<TallyCounts>): TallyCounts {
  const sums = new Map<string, number[]>();
  let families: readonly string[] = [];
  for (const part of parts) {
    if (part.families.length > 0) families = part.families;
    part.models.forEach((model, m) => {
      const sum = sums.get(model);
      const more = part.counts[m]!;
      if (sum === undefined) sums.set(model, [...more]);
      else for (let k = 0; k < sum.length; k += 1) sum[k]! += more[k]!;
    });
  }
  return { families, models: [...sums.keys()], counts: [...sums.values()] };
}

/** Tells whether counts that were read have a row for each model, and in it the counts of each family. */
export function isTally({ families, models, counts }: TallyCounts): boolean {
  return counts.length === models.length && counts.every((row) => row.length === families.length * WIDTH);
}

/** Forms the results of each model from its counts. */
export function modelTallies({ families, models, counts }: TallyCounts): readonly ModelTally[] {
  return models.map((model, m): ModelTally => {
    const at = (family: number, k: number) => counts[m]![family * WIDTH + k]!;
    const total = (k: number) => families.reduce((sum, _, f) => sum + at(f, k), 0);
    const byOutcome = (count: (k: number) => number) =>
      Object.fromEntries(OUTCOMES.map((name, k) => [name, count(k)])) as Record<Outcome, number>;
    const list = families.map((family, f): FamilyTally => {
      const outcomes = byOutcome((k) => at(f, k));
      const rows = Object.values(outcomes).reduce((sum, n) => sum + n, 0);
      return { family, rows, ok: outcomes.ok, totalBps: at(f, TOTAL), outcomes };
    });
    const mean = (count: (family: FamilyTally) => number) =>
      list.some((family) => count(family) === 0)
        ? null
        : list.reduce((sum, family) => sum + family.totalBps / (100 * count(family)), 0) / families.length;
    return {
      model,
      rows: list.reduce((sum, family) => sum + family.rows, 0),
      outcomes: byOutcome(total),
      optimal: total(OPTIMAL),
      reasoned: total(REASONED),
      families: list,
      meanReadable: mean((family) => family.ok),
      meanAll: mean((family) => family.rows),
    };
  });
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
