import { fail, shown } from '../util/error.js';
import type { ClusterDesign } from './design.js';
import type { BootstrapRequest, FlipRequest, RandomSource } from './engine.js';
import { philoxKey } from './philox.js';

/** Most clusters whose sign vectors are enumerated. */
export const MAX_ENUMERATED_CLUSTERS = 30;

function checkDraws(draws: number): void {
  if (!Number.isSafeInteger(draws) || draws < 1)
    fail('USAGE', null, `${shown(draws)} draws; a whole number of at least 1 is needed`, 'Give a number of draws.');
}

function checkRandom(random: RandomSource): void {
  if (random.kind === 'philox') {
    philoxKey(random.seed);
    if (!Number.isInteger(random.stream) || random.stream < 0 || random.stream >= 2 ** 32)
      fail(
        'USAGE',
        null,
        `stream ${shown(random.stream)} is not an unsigned 32-bit integer`,
        'Give a whole number from 0 to 4294967295; docs/generators.md lists the streams in use.',
      );
  } else {
    if (random.seed < 0n) fail('USAGE', null, `seed ${shown(random.seed)} is negative`, 'Give a whole number.');
    if (!Number.isInteger(random.batch) || random.batch < 1)
      fail(
        'USAGE',
        null,
        `batch ${shown(random.batch)} is not a positive whole number`,
        'Give the number of draws of a batch.',
      );
  }
}

/**
 * Checks a bootstrap request.
 *
 * Errors: USAGE where draws, seed, stream, batch or probabilities cannot be, or where a replay is not joint.
 */
export function checkBootstrap({ draws, random, scheme, probabilities, bandProbability }: BootstrapRequest): void {
  checkDraws(draws);
  checkRandom(random);
  if (random.kind === 'numpy' && scheme === 'stratified')
    fail(
      'USAGE',
      null,
      'the replayed NumPy streams know the joint scheme only',
      'Use --rng philox with --scheme stratified.',
    );
  for (const q of bandProbability === undefined ? probabilities : [...probabilities, bandProbability])
    if (!(q >= 0 && q <= 1)) fail('USAGE', null, `probability ${shown(q)} is outside [0, 1]`, 'Give one from 0 to 1.');
  for (let k = 1; k < probabilities.length; k++)
    if (probabilities[k]! < probabilities[k - 1]!)
      fail('USAGE', null, 'the probabilities are not ascending', 'Sort them.');
}

/**
 * Checks a request for sign flips.
 *
 * Errors: USAGE where draws, seed, stream or batch cannot be.
 */
export function checkFlips({ draws, random }: FlipRequest): void {
  checkDraws(draws);
  checkRandom(random);
}

/**
 * Checks that all sign vectors of a design can be gone through.
 *
 * Errors: BOUND_EXCEEDED where it has more than 30 clusters.
 */
export function checkExactFlips({ clusters }: ClusterDesign): void {
  if (clusters > MAX_ENUMERATED_CLUSTERS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `2^${clusters} sign vectors; at most 2^${MAX_ENUMERATED_CLUSTERS} are enumerated`,
      'Draw sign vectors at random instead.',
    );
}
