import { boundedInteger, signBits } from '../engine/numpy.js';
import { sortedQuantile } from '../engine/quantile.js';
import { pcgWordSource } from '../engine/wasm/numpy.js';
import { pairwiseMean } from '../util/mean.js';

const BOOTSTRAP_BATCH = 1000;
const FLIP_BATCH = 2000;

interface SingleModelOptions {
  /** Scores in points, one list a family. */
  readonly scores: readonly Float64Array[];
  /** Score minus exact chance in points, families likewise. */
  readonly differences: readonly Float64Array[];
  readonly resamples: number;
  readonly flips: number;
  readonly seed: bigint;
}

interface SingleModelInference {
  /** 95% percentile interval of the score. */
  readonly interval: readonly [number, number];
  readonly meanDifference: number;
  readonly p: number;
}

/**
 * Computes the interval and chance test of one submission as the laboratory kit makes them, from the same NumPy streams (statistics
 * 14.1): tasks drawn within each family, and one sign a task, family after family, under the next seed.
 */
export function singleModelInference(options: SingleModelOptions): SingleModelInference {
  const { scores, differences, resamples, flips, seed } = options;
  const meanDifference = pairwiseMean(differences.map(pairwiseMean));
  return {
    interval: bootstrapInterval(scores, resamples, seed),
    meanDifference,
    p: flipTest(differences, meanDifference, flips, seed + 1n),
  };
}

function bootstrapInterval(
  scores: readonly Float64Array[],
  resamples: number,
  seed: bigint,
): readonly [number, number] {
  const source = pcgWordSource(seed);
  const values = new Float64Array(resamples);
  const drawn = scores.map((family) => new Float64Array(family.length));
  for (let start = 0; start < resamples; start += BOOTSTRAP_BATCH) {
    const end = Math.min(start + BOOTSTRAP_BATCH, resamples);
    scores.forEach((family, f) => {
      const sample = drawn[f] as Float64Array;
      for (let draw = start; draw < end; draw += 1) {
        for (let i = 0; i < sample.length; i += 1) {
          sample[i] = family[boundedInteger(source, family.length)]!;
        }
        values[draw] = values[draw]! + pairwiseMean(sample) / scores.length;
      }
    });
  }
  values.sort();
  return [sortedQuantile(values, 0.025), sortedQuantile(values, 0.975)];
}

/** Sums of flipped differences are formed in whole basis points, so that rounding decides nothing. */
function flipTest(differences: readonly Float64Array[], observed: number, flips: number, seed: bigint): number {
  const source = pcgWordSource(seed);
  const units = differences.map((family) => Int32Array.from(family, (d) => Math.round(d * 100)));
  const totals = units.map((family) => family.reduce((sum, d) => sum + d, 0));
  const tasks = units.reduce((sum, family) => sum + family.length, 0);
  const threshold = Math.abs(observed) - 1e-12;
  let exceeding = 0;
  for (let start = 0; start < flips; start += FLIP_BATCH) {
    const width = Math.min(FLIP_BATCH, flips - start);
    const bits = signBits(source, width * tasks);
    let bit = 0;
    for (let draw = 0; draw < width; draw += 1) {
      let value = 0;
      for (let f = 0; f < units.length; f += 1) {
        const family = units[f] as Int32Array;
        let positive = 0;
        for (let i = 0; i < family.length; i += 1) {
          positive += family[i]! & -bits[bit + i]!;
        }
        bit += family.length;
        value += (2 * positive - totals[f]!) / (100 * family.length * units.length);
      }
      if (Math.abs(value) >= threshold) exceeding += 1;
    }
  }
  return (exceeding + 1) / (flips + 1);
}
