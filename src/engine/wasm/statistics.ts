import type { BootstrapRequest } from '../engine.js';
import type { DrawSession } from './draws.js';
import type { BandJob, MomentJob } from './moment-job.js';
import { type OrderJob, orderScratch, type QuantileRanks } from './order-job.js';
import { ranges } from './runner.js';
import type { ValueMatrix } from './value-matrix.js';

/** Lists from, from + 1, ..., to - 1. */
export const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);

/** Runs jobs that go through rows of values, each with room for one that is formed. */
async function withRows(
  { arena, runner, request }: DrawSession,
  { draws, formed }: ValueMatrix,
  jobs: readonly (MomentJob | BandJob)[],
): Promise<void> {
  const mark = arena.mark();
  const bytes = formed ? draws * 8 : 0;
  const scratch = span(0, runner.lanes).map(() => arena.take(bytes));
  await runner.run(jobs, scratch, { signal: request.signal });
  arena.reset(mark);
}

/** Forms means (kept in memory) and standard deviations of the rows of a matrix. */
export async function moments(session: DrawSession, matrix: ValueMatrix, rows: number) {
  const { arena, runner } = session;
  const means = arena.take(rows * 8);
  const errors = arena.take(rows * 8);
  const jobs = ranges(rows, matrix.draws * 3, runner.lanes).map(
    (range): MomentJob => ({ kind: 'moments', ...matrix, ...range, means, errors }),
  );
  await withRows(session, matrix, jobs);
  return { means, errors: arena.get(errors, new Float64Array(rows)) };
}

/** What order statistics are found with. */
export interface OrderSession extends Pick<DrawSession, 'arena' | 'runner'> {
  readonly request: Pick<BootstrapRequest, 'signal'>;
}

/** Finds the order statistics of items (pairs of rows, right -1 for a plain row) and hands them over, item by item. */
export async function quantiles(
  session: OrderSession,
  matrix: ValueMatrix,
  means: number,
  items: Int32Array,
  quantile: QuantileRanks,
  zeros: number,
  emit: (statistics: Float64Array, item: number) => void,
): Promise<void> {
  const { arena, runner, request } = session;
  const mark = arena.mark();
  const count = items.length / 2;
  const itemsAt = arena.put(items);
  const out = arena.take(count * quantile.order.count * 8);
  const bytes = orderScratch(matrix.draws, matrix.formed);
  const scratch = span(0, runner.lanes).map(() => arena.take(bytes));
  const jobs = ranges(count, matrix.draws * 1.2 + 100, runner.lanes).map(
    (range): OrderJob => ({
      kind: 'order',
      ...matrix,
      ...range,
      order: quantile.order,
      zeros,
      items: itemsAt,
      means,
      out,
    }),
  );
  await runner.run(jobs, scratch, { signal: request.signal });
  const statistics = arena.get(out, new Float64Array(count * quantile.order.count));
  for (let item = 0; item < count; item++) emit(statistics, item);
  arena.reset(mark);
}

/** Raises the largest standardised distance of each draw by a block of rows (statistics 5.4). */
export async function raiseBand(
  session: DrawSession,
  matrix: ValueMatrix,
  rows: readonly number[],
  points: Float64Array,
  errors: Float64Array,
  maxima: number,
): Promise<void> {
  const { arena, runner, design } = session;
  const taking = rows.filter((row) => row < design.ranked);
  const pointsAt = arena.put(Float64Array.from(taking, (row) => points[row]!));
  const units = arena.put(Float64Array.from(taking, (row) => (errors[row]! > 0 ? errors[row]! : 1)));
  const jobs = ranges(matrix.draws, taking.length * 2 + 1, runner.lanes).map(
    ({ first, count }): BandJob => ({
      kind: 'band',
      ...matrix,
      first,
      count,
      rows: taking.length,
      points: pointsAt,
      units,
      maxima,
    }),
  );
  await withRows(session, matrix, jobs);
}

/** Lists the pairs of a row of `left` and a later row of `right`, whose first row stands at `offset` in the matrix. */
export function pairItems(left: readonly number[], right: readonly number[], offset: number): Int32Array {
  const items: number[] = [];
  left.forEach((a, i) => {
    right.forEach((b, j) => {
      if (a < b) items.push(i, offset + j);
    });
  });
  return Int32Array.from(items);
}
