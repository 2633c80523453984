import { fail, shown } from '../util/error.js';
import type { ClusterDesign } from './design.js';
import type { BootstrapRequest, FlipRequest, RandomSource } from './engine.js';
import { philoxKey } from './philox.js';

/** Most clusters whose sign vectors are enumerated. */
export const MAX_ENUMERATED_CLUSTERS = 30;

function refuse(message: string, hint: string): never {
  fail('USAGE', null, message, hint);
}

function checkDraws(draws: number): void {
  if (!Number.isSafeInteger(draws) || draws < 1)
    refuse(`${shown(draws)} draws; a whole number of at least 1 is needed`, 'give a draw count');
}

function checkRandom(random: RandomSource): void {
  if (random.kind === 'philox') {
    philoxKey(random.seed);
    if (!Number.isInteger(random.stream) || random.stream < 0 || random.stream >= 2 ** 32)
      refuse(`stream ${shown(random.stream)} is not an unsigned 32-bit integer`, 'see streams');
  } else {
    if (random.seed < 0n) refuse(`seed ${shown(random.seed)} is negative`, 'give a whole number');
    if (!Number.isInteger(random.batch) || random.batch < 1)
      refuse(`batch ${shown(random.batch)} is not a positive whole number`, 'give a batch size');
  }
}

export function checkBootstrap(request: BootstrapRequest): void {
  checkDraws(request.draws);
  checkRandom(request.random);
  if (request.random.kind === 'numpy' && request.scheme === 'stratified')
    refuse('the replayed NumPy streams know the joint scheme only', 'use --rng philox with --scheme stratified');
  const asked = [...request.probabilities];
  if (request.bandProbability !== undefined) asked.push(request.bandProbability);
  for (const q of asked) if (!(q >= 0 && q <= 1)) refuse(`probability ${shown(q)} is outside [0, 1]`, 'give 0 to 1');
  for (let k = 1; k < request.probabilities.length; k++)
    if (request.probabilities[k]! < request.probabilities[k - 1]!)
      refuse('probabilities are not ascending', 'sort them');
}

export function checkFlips(request: FlipRequest): void {
  checkDraws(request.draws);
  checkRandom(request.random);
}

export function checkExactFlips(design: ClusterDesign): void {
  if (design.clusters > MAX_ENUMERATED_CLUSTERS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `2^${design.clusters} sign vectors; at most 2^${MAX_ENUMERATED_CLUSTERS} are enumerated`,
      'Draw sign vectors at random instead.',
    );
}
