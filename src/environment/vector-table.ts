import type { FloatTable } from '../io/floats.js';
import { fail } from '../util/error.js';

/** A matrix file: the numbers, and the row names or ids where the file has them. */
export interface VectorFile extends FloatTable {
  readonly names: readonly string[] | null;
  /** `node_id` column of a runtime table (compiler a.2). */
  readonly ids: readonly string[] | null;
}

/** Whether a row is needed, by its name. */
export type KeepName = (name: string) => boolean;

/** Most numbers of a matrix that is held: a gibibyte, and twice as much for its rows of length 1. */
const MOST_NUMBERS = 2 ** 28;
const FIRST = 2 ** 16;

const LESS = 'Name those that are needed: `--keep FILE`, a list of names or the tag table.';

/** Refuses a matrix of more numbers than are held. Errors: BOUND_EXCEEDED. */
export function assertHeld(file: string, numbers: number): void {
  if (numbers > MOST_NUMBERS)
    fail('BOUND_EXCEEDED', { file }, `${numbers} numbers; at most ${MOST_NUMBERS} are held`, LESS);
}

/** A table that grows as rows come, so that memory follows what is there. */
interface GrowingTable {
  push(value: number): void;
  values(): Float32Array;
}

/** Makes an empty table of rows of a width. Pushing more than is held: BOUND_EXCEEDED. */
export function growingTable(file: string, width: number): GrowingTable {
  let values = new Float32Array(Math.max(FIRST, width));
  let count = 0;
  return {
    push(value) {
      if (count === values.length) {
        assertHeld(file, count + 1);
        const larger = new Float32Array(Math.min(2 * count, MOST_NUMBERS));
        larger.set(values);
        values = larger;
      }
      values[count] = value;
      count += 1;
    },
    values: () => values.slice(0, count),
  };
}
