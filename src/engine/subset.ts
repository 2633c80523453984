import { fail } from '../util/error.js';

/** Random subsets without replacement, and the totals of rows over each. */
export interface SubsetRequest {
  /** columns x rows integers, column-major: what a member adds to each row. */
  readonly columns: Int32Array;
  readonly rows: number;
  /** Per stratum: its columns. */
  readonly members: readonly Int32Array[];
  /** Per stratum: how many are taken. */
  readonly takes: readonly number[];
  readonly draws: number;
  /** Number of the first draw, 0 unless given. */
  readonly first?: number;
  readonly seed: bigint;
  readonly stream: number;
}

/** Makes subset totals: draws x rows. The same integers on every backend. */
export type SubsetTotals = (request: SubsetRequest) => Int32Array;

/**
 * Proves that no total can leave 32 bits, and that every stratum can give what is taken.
 *
 * Errors: BOUND_EXCEEDED where totals may not fit; USAGE where there is no row or too few members.
 */
export function checkSubsets({ columns, rows, members, takes }: SubsetRequest): void {
  let largest = 0;
  for (const value of columns) largest = Math.max(largest, Math.abs(value));
  const taken = takes.reduce((sum, take) => sum + take, 0);
  if (largest * taken >= 2 ** 31) {
    fail(
      'BOUND_EXCEEDED',
      null,
      `totals of ${taken} values up to ${largest} do not fit 32 bits`,
      'Use a smaller scale.',
    );
  }
  members.forEach((list, s) => {
    const take = takes[s]!;
    if (take >= 0 && take <= list.length) return;
    fail('USAGE', null, `${take} of ${list.length} members cannot be taken`);
  });
  if (rows < 1) fail('USAGE', null, 'no row to total');
}
