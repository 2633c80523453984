import { pairIndex } from '../engine/design.js';

export interface GroupOptions {
  /** Models by point rank, best first. */
  readonly order: ArrayLike<number>;
  /** Per pair (`pairIndex` order): Holm-significant. */
  readonly significant: ArrayLike<boolean | number>;
}

function differ(options: GroupOptions, a: number, b: number): boolean {
  const n = options.order.length;
  return Boolean(options.significant[a < b ? pairIndex(a, b, n) : pairIndex(b, a, n)]);
}

/**
 * Forms contiguous statistical groups, 1 for the best, per model index (statistics 10): a model joins the current group unless
 * it differs significantly from any member. Two models of different groups may still be unresolved.
 */
export function groups(options: GroupOptions): Int32Array {
  const { order } = options;
  const group = new Int32Array(order.length);
  let members: number[] = [];
  let number = 0;
  for (let k = 0; k < order.length; k += 1) {
    const model = order[k]!;
    if (k === 0 || members.some((member) => differ(options, member, model))) {
      number += 1;
      members = [];
    }
    members.push(model);
    group[model] = number;
  }
  return group;
}

/**
 * Names the point leader if it beats every other model significantly, else undefined (statistics 11). A lone model has beaten
 * nobody and leads nothing.
 */
export function uniqueTop(options: GroupOptions): number | undefined {
  const { order } = options;
  if (order.length < 2) return undefined;
  const leader = order[0]!;
  for (let k = 1; k < order.length; k += 1) if (!differ(options, leader, order[k]!)) return undefined;
  return leader;
}
