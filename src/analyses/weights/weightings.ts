/** Shares of an equal weight between which the weight of a family is varied: 20 and 50 percent of three families (analyses 6). */
const LEAST = 0.6;
const MOST = 1.5;
/** Most weightings that are compared. */
const MOST_WEIGHTINGS = 10_000;
/** Parts that a weighting is made of at most: one percent each. */
const MOST_PARTS = 100;
/** Steps of a transfer, tenths of an equal weight. */
const STEPS = [1, 2, 3, 4] as const;

/** Weightings of families, in whole parts of their sum. */
export interface Weightings {
  /** `simplex`: every one between two bounds; `transfers`: one family gives to another; `single`: one family against the rest. */
  readonly grid: 'simplex' | 'transfers' | 'single';
  /** Sum of the weights of each weighting. */
  readonly parts: number;
  readonly least: number;
  readonly most: number;
  /** In a fixed order; each has one weight a family. */
  readonly list: readonly (readonly number[])[];
}

/**
 * Lists the weightings under which an order is examined (decisions 5.4): all multiples of 1/N between .6 and 1.5 equal weights, for the
 * largest N up to 100 that gives no more than `limit` of them and reaches from two thirds to four thirds of an equal weight; where there is none,
 * what one family can give another in tenths of an equal weight up to four; where that is too many, the largest transfers alone; else each family at
 * .6 and at 1.5 of its weight, the others sharing the rest.
 */
export function weightings(families: number, limit = MOST_WEIGHTINGS): Weightings {
  for (let parts = MOST_PARTS; parts >= families; parts -= 1) {
    const [least, most] = bounds(families, parts);
    const wide = 3 * families * least <= 2 * parts && 3 * families * most >= 4 * parts;
    if (!wide || countOf(families, parts, least, most) > limit) continue;
    const list = simplex(families, parts, [least, most]);
    if (list.length > 1) return { grid: 'simplex', parts, least, most, list };
  }
  const pairs = families * (families - 1);
  const steps = pairs * STEPS.length <= limit ? STEPS : pairs <= limit ? [STEPS.at(-1)!] : [];
  return steps.length > 0 ? transfers(families, steps) : single(families);
}

/** Least and greatest number of parts of a family. */
function bounds(families: number, parts: number): readonly [number, number] {
  return [Math.ceil((LEAST * parts) / families - 1e-9), Math.floor((MOST * parts) / families + 1e-9)];
}

/** Counts the weightings of a grid without listing them. */
function countOf(families: number, parts: number, least: number, most: number): number {
  const free = parts - families * least;
  if (free < 0) return 0;
  let ways = new Float64Array(free + 1);
  ways[0] = 1;
  for (let f = 0; f < families; f += 1) {
    const next = new Float64Array(free + 1);
    for (let sum = 0; sum <= free; sum += 1)
      for (let more = 0; more <= Math.min(sum, most - least); more += 1) next[sum]! += ways[sum - more]!;
    ways = next;
  }
  return ways[free]!;
}

/** Lists the weightings of a grid: the weight of the first family changes slowest, ascending. */
function simplex(families: number, parts: number, [least, most]: readonly [number, number]): number[][] {
  const list: number[][] = [];
  const add = (before: readonly number[], left: number): void => {
    const after = families - before.length - 1;
    if (after === 0) {
      if (left >= least && left <= most) list.push([...before, left]);
      return;
    }
    for (let own = Math.max(least, left - after * most); own <= Math.min(most, left - after * least); own += 1)
      add([...before, own], left - own);
  };
  add([], parts);
  return list;
}

function transfers(families: number, steps: readonly number[]): Weightings {
  const list: number[][] = [];
  for (let from = 0; from < families; from += 1)
    for (let to = 0; to < families; to += 1) {
      if (from === to) continue;
      for (const step of steps) {
        const weights = new Array<number>(families).fill(10);
        weights[from] = 10 - step;
        weights[to] = 10 + step;
        list.push(weights);
      }
    }
  const most = steps.at(-1)!;
  return { grid: 'transfers', parts: 10 * families, least: 10 - most, most: 10 + most, list };
}

function single(families: number): Weightings {
  const others = families - 1;
  const list: number[][] = [];
  for (let f = 0; f < families; f += 1)
    for (const [own, rest] of [
      [6 * others, 10 * others + 4],
      [15 * others, 10 * others - 5],
    ] as const) {
      const weights = new Array<number>(families).fill(rest);
      weights[f] = own;
      list.push(weights);
    }
  return { grid: 'single', parts: 10 * families * others, least: 6 * others, most: 15 * others, list };
}
