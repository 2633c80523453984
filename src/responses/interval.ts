import { boundedInteger, signBits } from '../engine/numpy-integers.js';
import { pcg64 } from '../engine/pcg64.js';
import { sortedQuantile } from '../engine/quantile.js';
import { pairwiseMean, pairwiseSum } from '../util/mean.js';

const BOOTSTRAP_BATCH = 1000;
const FLIP_BATCH = 2000;

export interface SingleModelOptions {
  /** Scores in points, one list a family. */
  readonly scores: readonly Float64Array[];
  /** Score minus exact chance in points, families likewise. */
  readonly differences: readonly Float64Array[];
  readonly resamples: number;
  readonly flips: number;
  readonly seed: number;
}

export interface SingleModelInference {
  /** 95% percentile interval of the score. */
  readonly interval: readonly [number, number];
  readonly meanDifference: number;
  readonly p: number;
}

/**
 * Interval and chance test of one submission as the laboratory kit makes them, from the same NumPy streams (statistics
 * 14.1): tasks drawn within each family, and one sign a task under the next seed.
 */
export function singleModelInference(options: SingleModelOptions): SingleModelInference {
  const { scores, differences, resamples, flips, seed } = options;
  const meanDifference = pairwiseMean(differences.map(pairwiseMean));
  return {
    interval: bootstrapInterval(scores, resamples, seed),
    meanDifference,
    p: flipTest(differences, meanDifference, flips, seed + 1),
  };
}

function bootstrapInterval(
  scores: readonly Float64Array[],
  resamples: number,
  seed: number,
): readonly [number, number] {
  const source = pcg64(BigInt(seed));
  const values = new Float64Array(resamples);
  const drawn = scores.map((family) => new Float64Array(family.length));
  for (let start = 0; start < resamples; start += BOOTSTRAP_BATCH) {
    const end = Math.min(start + BOOTSTRAP_BATCH, resamples);
    scores.forEach((family, f) => {
      const sample = drawn[f] as Float64Array;
      for (let draw = start; draw < end; draw += 1) {
        for (let i = 0; i < sample.length; i += 1) {
          sample[i] = family[boundedInteger(source, family.length)] as number;
        }
        values[draw] = (values[draw] as number) + pairwiseMean(sample) / scores.length;
      }
    });
  }
  values.sort();
  return [sortedQuantile(values, 0.025), sortedQuantile(values, 0.975)];
}

function flipTest(
  differences: readonly Float64Array[],
  observed: number,
  flips: number,
  seed: number,
): number {
  const source = pcg64(BigInt(seed));
  const tasks = differences.reduce((sum, family) => sum + family.length, 0);
  const threshold = Math.abs(observed) - 1e-12;
  const flipped = differences.map((family) => new Float64Array(family.length));
  let exceeding = 0;
  for (let start = 0; start < flips; start += FLIP_BATCH) {
    const width = Math.min(FLIP_BATCH, flips - start);
    const bits = signBits(source, width * tasks);
    let bit = 0;
    for (let draw = 0; draw < width; draw += 1) {
      let value = 0;
      differences.forEach((family, f) => {
        const signed = flipped[f] as Float64Array;
        for (let i = 0; i < family.length; i += 1) {
          signed[i] = bits[bit++] === 1 ? (family[i] as number) : -(family[i] as number);
        }
        value += pairwiseSum(signed) / family.length / differences.length;
      });
      if (Math.abs(value) >= threshold) exceeding += 1;
    }
  }
  return (exceeding + 1) / (flips + 1);
}
