import { fail, shown } from '../util/error.js';
import { type ClusterDesign, pairCount } from './design.js';
import type {
  BootstrapRequest,
  ExactFlipRequest,
  FlipRequest,
  RandomSource,
  RankSetRequest,
  StudentisedRequest,
} from './engine.js';
import { philoxKey } from './philox.js';

/** Most clusters whose sign vectors are enumerated. */
export const MAX_ENUMERATED_CLUSTERS = 30;

/** Most draws of a request: counts of draws are held in 32 bits. */
const MOST_DRAWS = 2 ** 31 - 1;

/** Errors: USAGE; BOUND_EXCEEDED for more than 2^31 - 1. */
function checkDraws(draws: number): void {
  if (!Number.isSafeInteger(draws) || draws < 1)
    fail('USAGE', null, `${shown(draws)} draws; a whole number of at least 1 is needed`, 'Give a number of draws.');
  if (draws > MOST_DRAWS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${draws} draws; at most ${MOST_DRAWS} are counted`,
      'A p-value of a million draws is known to a thousandth of itself or so; give fewer.',
    );
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

/** Errors: USAGE where a range begins at no draw, or in the middle of a replay, or is asked for what all draws decide. */
function checkFirst({ first = 0, random }: Pick<FlipRequest, 'first' | 'random'>, steps: object | undefined): void {
  if (!Number.isSafeInteger(first) || first < 0)
    fail('USAGE', null, `a range from draw ${shown(first)} on`, 'Give a whole number from 0.');
  refuseReplay(random, { 'range of draws': first > 0 });
  if (first > 0 && steps) fail('USAGE', null, 'steps over a range of draws', 'Ask for them over all draws.');
}

function checkLevel(alpha: number): void {
  if (!(alpha > 0 && alpha < 1)) fail('USAGE', null, `alpha ${shown(alpha)} is outside (0, 1)`, 'Give 0.05 for 5 %.');
}

function checkRankSets({ alpha, excluded }: RankSetRequest, { ranked }: ClusterDesign): void {
  checkLevel(alpha);
  if (excluded.length !== pairCount(ranked))
    fail(
      'USAGE',
      { path: 'excluded' },
      `${excluded.length} entries for ${pairCount(ranked)} pairs of ranked rows`,
      'Give one entry a pair.',
    );
}

/** Errors: USAGE where a replay of the published analysis is asked for something that it does not know. */
function refuseReplay(random: RandomSource, asked: Readonly<Record<string, unknown>>): void {
  if (random.kind !== 'numpy') return;
  for (const [what, value] of Object.entries(asked))
    if (value) fail('USAGE', null, `the replayed NumPy streams know no ${what}`, 'Use --rng philox.');
}

/**
 * Checks a bootstrap request.
 *
 * Errors: USAGE where draws, seed, stream, batch, probabilities or what rank sets need cannot be, where a replay is not joint
 * or has rank sets, or where ordinal ranks are asked of an enumeration.
 */
export function checkBootstrap(request: BootstrapRequest, design: ClusterDesign): void {
  const { draws, random, scheme, probabilities, bandProbability, rankSets, ranks, enumerate } = request;
  checkDraws(draws);
  checkRandom(random);
  checkFirst(request, rankSets);
  refuseReplay(random, { 'rank sets': rankSets, 'enumerated bootstraps': enumerate });
  if (rankSets) checkRankSets(rankSets, design);
  if (random.kind === 'numpy' && scheme === 'stratified')
    fail(
      'USAGE',
      null,
      'the replayed NumPy streams know the joint scheme only',
      'Use --rng philox with --scheme stratified.',
    );
  if (enumerate && ranks === 'ordinal')
    fail('USAGE', null, 'enumerated bootstraps count shared ranks only', "Ask for ranks: 'shared'.");
  for (const q of bandProbability === undefined ? probabilities : [...probabilities, bandProbability])
    if (!(q >= 0 && q <= 1)) fail('USAGE', null, `probability ${shown(q)} is outside [0, 1]`, 'Give one from 0 to 1.');
  for (let k = 1; k < probabilities.length; k++)
    if (probabilities[k]! < probabilities[k - 1]!)
      fail('USAGE', null, 'the probabilities are not ascending', 'Sort them.');
}

/**
 * Checks a request for studentised draws.
 *
 * Errors: USAGE where draws, seed, stream or tail cannot be, or where a replay of the published analysis is asked for.
 */
export function checkStudentised({ draws, random, tail }: StudentisedRequest): void {
  checkDraws(draws);
  checkRandom(random);
  refuseReplay(random, { 'studentised draws': true });
  checkLevel(2 * tail);
}

/**
 * Checks that bootstrap values are asked for draw by draw: multisets come with weights, which values alone do not tell.
 *
 * Errors: USAGE where an enumeration is asked for.
 */
export function checkDrawn({ enumerate }: BootstrapRequest): void {
  if (enumerate) fail('USAGE', null, 'values are made of draws, not of multisets', 'Ask for `bootstrap` instead.');
}

function checkStepDown({ stepDown, rankSets }: ExactFlipRequest, design: ClusterDesign): void {
  if (stepDown) checkLevel(stepDown.alpha);
  if (rankSets) checkRankSets(rankSets, design);
}

/**
 * Checks a request for sign flips.
 *
 * Errors: USAGE where draws, seed, stream, batch or what step-down needs cannot be, or where a replay has step-down or the
 * centred test.
 */
export function checkFlips(request: FlipRequest, design: ClusterDesign): void {
  const { draws, random, test, stepDown, rankSets } = request;
  checkDraws(draws);
  checkRandom(random);
  checkFirst(request, stepDown ?? rankSets);
  refuseReplay(random, { 'step-down': stepDown, 'rank sets': rankSets, 'centred test': test === 'centred' });
  checkStepDown(request, design);
}

/**
 * Checks a request for all sign vectors of a design.
 *
 * Errors: BOUND_EXCEEDED where it has more than 30 clusters; USAGE where what step-down needs cannot be.
 */
export function checkExactFlips(request: ExactFlipRequest, design: ClusterDesign): void {
  const { clusters } = design;
  checkStepDown(request, design);
  if (clusters > MAX_ENUMERATED_CLUSTERS)
    fail(
      'BOUND_EXCEEDED',
      null,
      `2^${clusters} sign vectors; at most 2^${MAX_ENUMERATED_CLUSTERS} are enumerated`,
      'Draw sign vectors at random instead.',
    );
}
