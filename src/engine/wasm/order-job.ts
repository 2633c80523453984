import type { Kernels } from './kernels.js';

/** The matrix of values in kernel memory: row-major f64. */
export interface ValueMatrix {
  readonly values: number;
  /** Bytes of a row. */
  readonly stride: number;
  readonly draws: number;
}

/** Which order statistics are wanted, and cuts that should enclose their tails (assembly/select.ts). */
export interface OrderPlan {
  /** Ascending ranks, i32. */
  readonly ranks: number;
  readonly rankCount: number;
  /** Ranks of the lower tail; -1 when some rank lies in neither tail. */
  readonly lowCount: number;
  readonly lowInner: number;
  readonly lowOuter: number;
  readonly highInner: number;
  readonly highOuter: number;
}

/** Order statistics of rows or of differences of rows. */
export interface OrderJob extends ValueMatrix {
  readonly kind: 'order';
  readonly plan: OrderPlan;
  /** Zeros, one a draw: what a plain row is compared with. */
  readonly zeros: number;
  /** Left and right row of each item, i32 pairs, from item `first` on; right -1 is zero. */
  readonly items: number;
  readonly first: number;
  readonly count: number;
  /** Mean of each row, f64. */
  readonly means: number;
  /** items x rankCount f64. */
  readonly out: number;
}

/** Bytes that ordering a value takes. */
export const SCRATCH_PER_DRAW = 24;

export function orderScratch(draws: number): number {
  return draws * SCRATCH_PER_DRAW + 64;
}

export function runOrderJob(kernels: Kernels, memory: WebAssembly.Memory, job: OrderJob, scratch: number): void {
  const { plan, values, stride, draws, first, count, zeros } = job;
  const items = new Int32Array(memory.buffer, job.items, (first + count) * 2);
  const means = new Float64Array(memory.buffer, job.means);
  for (let item = first; item < first + count; item++) {
    const left = items[item * 2]!;
    const right = items[item * 2 + 1]!;
    kernels.orderStatistics(
      values + left * stride,
      right < 0 ? zeros : values + right * stride,
      draws,
      means[left]! - (right < 0 ? 0 : means[right]!),
      plan.lowInner,
      plan.lowOuter,
      plan.highInner,
      plan.highOuter,
      plan.ranks,
      plan.rankCount,
      plan.lowCount,
      scratch,
      job.out + item * plan.rankCount * 8,
    );
  }
}
