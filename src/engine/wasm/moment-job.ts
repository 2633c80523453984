import { BLOCK_DRAWS } from '../moments.js';
import type { Kernels } from './kernels.js';
import { rowValues, type ValueMatrix } from './value-matrix.js';

/** Means and standard deviations of rows first .. first + count - 1, written to `means` and `errors`. */
export interface MomentJob extends ValueMatrix {
  readonly kind: 'moments';
  readonly first: number;
  readonly count: number;
  readonly means: number;
  readonly errors: number;
}

/** Runs a moment job: sums in blocks of 1,024 draws (statistics 5.3). */
export function runMomentJob(kernels: Kernels, memory: WebAssembly.Memory, job: MomentJob, scratch: number): void {
  const { draws, first, count } = job;
  const means = new Float64Array(memory.buffer, job.means, first + count);
  const errors = new Float64Array(memory.buffer, job.errors, first + count);
  for (let row = first; row < first + count; row++) {
    const values = rowValues(kernels, job, row, 0, draws, scratch);
    const sum = (centre: number, squared: boolean): number =>
      kernels.blockedSum({ values, n: draws, block: BLOCK_DRAWS, centre, squared });
    const mean = sum(0, false) / draws;
    means[row] = mean;
    errors[row] = draws < 2 ? 0 : Math.sqrt(sum(mean, true) / (draws - 1));
  }
}

/** Raises the maxima of draws first .. first + count - 1 to the standardised distances of some rows. */
export interface BandJob extends ValueMatrix {
  readonly kind: 'band';
  readonly first: number;
  readonly count: number;
  /** Rows of the matrix that take part, the first ones. */
  readonly rows: number;
  /** f64 a row: point value, and standard error or 1. */
  readonly points: number;
  readonly units: number;
  /** f64 a draw. */
  readonly maxima: number;
}

/** Runs a band job (statistics 5.4). */
export function runBandJob(kernels: Kernels, memory: WebAssembly.Memory, job: BandJob, scratch: number): void {
  const points = new Float64Array(memory.buffer, job.points, job.rows);
  const units = new Float64Array(memory.buffer, job.units, job.rows);
  for (let row = 0; row < job.rows; row++)
    kernels.raiseMaxima({
      values: rowValues(kernels, job, row, job.first, job.count, scratch),
      n: job.count,
      point: points[row]!,
      error: units[row]!,
      maxima: job.maxima + job.first * 8,
    });
}
