import type { ClusterDesign } from '../design.js';
import type { BootstrapTables } from './bootstrap-tables.js';
import type { Kernels } from './kernels.js';

/** How values are formed that stand as sums, i32, half the room of f64: sum / tasks / scale, as the kernel `ratios` forms them. */
export interface FormedValues {
  /** Tasks of every draw. */
  readonly tasks: number;
  readonly scale: number;
}

/** The matrix of values in kernel memory: row-major f64, or i32 where they are formed from sums. */
export interface ValueMatrix {
  readonly values: number;
  readonly formed: FormedValues | null;
  /** Bytes of a row. */
  readonly stride: number;
  readonly draws: number;
}

/** Rows of values, or of the sums that they are formed from. */
export type ValueRows = Pick<ValueMatrix, 'values' | 'stride' | 'formed'>;

/** Finds how values are formed from sums where every draw has as many tasks: in one stratum whose parts are of one size; null elsewhere. */
export function formedValues({ partTasks }: ClusterDesign, tables: BootstrapTables): FormedValues | null {
  const { strata, planes, parts, scale } = tables;
  if (strata !== 1 || planes !== 1 || partTasks.some((tasks) => tasks !== partTasks[0])) return null;
  return { tasks: parts * partTasks[0]!, scale };
}

/** Finds the bytes of a value where it stands. */
export const cellBytes = (formed: FormedValues | null): number => (formed ? 4 : 8);

/** Gives the address of `n` values of a row, f64, from draw `first` on; those that are formed lie in `scratch`, 8 bytes each. */
export function rowValues(
  kernels: Kernels,
  { values, stride, formed }: ValueRows,
  row: number,
  first: number,
  n: number,
  scratch: number,
): number {
  const at = values + row * stride + first * cellBytes(formed);
  if (!formed) return at;
  kernels.rowValues({ sums: at, n, ...formed, values: scratch });
  return scratch;
}

/** Turns the values of `draws` draws from number `first` on into a tile, each row less its centre (assembly/stepdown.ts). */
export function centreValues(
  kernels: Kernels,
  { values, stride, formed }: ValueRows,
  first: number,
  to: {
    readonly draws: number;
    readonly rows: number;
    readonly centres: number;
    readonly exact: number;
    readonly exactStride: number;
  },
): void {
  const at = values + first * cellBytes(formed);
  if (formed) kernels.centreSums({ sums: at, stride, ...to, ...formed });
  else kernels.centreRows({ values: at, stride, ...to });
}
