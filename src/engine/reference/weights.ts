import { type FlavourError, failure } from '../../util/error.js';
import type { ClusterDesign } from '../design.js';
import type { BootstrapRequest } from '../engine.js';
import type { Layout } from '../layout.js';
import { conditionalProbabilities, multinomialRow } from '../numpy.js';
import { pcg64 } from '../pcg64.js';
import { philoxDraw } from '../philox.js';

/** A redraw starts this many words further on (statistics 5.6). */
const ATTEMPT_WORDS = 2 ** 24;
/** At most this many attempts follow the first. */
export const MAX_ATTEMPTS = 100;

/** How often each part was drawn, and how many draws were thrown away for an empty stratum. */
export interface DrawnParts {
  readonly counts: Int32Array;
  readonly redraws: number;
}

/** Makes the error STRATUM_EMPTY. It does not name the draw: threads meet different ones first. */
export function emptyStratumError(): FlavourError {
  return failure(
    'STRATUM_EMPTY',
    null,
    `a bootstrap draw left a stratum without tasks in ${MAX_ATTEMPTS} attempts`,
    'A stratum has too few clusters to be drawn jointly: use `infer --scheme stratified`, and give its inference.json where --inference is taken.',
  );
}

/** Does some stratum have no task when cluster c is taken `counts[c]` times? */
function leavesEmptyStratum(design: ClusterDesign, counts: Int32Array): boolean {
  const filled = new Uint8Array(design.strata);
  design.partCluster.forEach((c, p) => {
    if (counts[c]! > 0) filled[design.partStratum[p]!] = 1;
  });
  return filled.includes(0);
}

function tally(indices: Int32Array, size: number): Int32Array {
  const counts = new Int32Array(size);
  for (const index of indices) counts[index]!++;
  return counts;
}

/**
 * Draws the cluster counts of one joint Philox draw, again until every stratum holds a task (statistics 5.6).
 *
 * Errors: STRATUM_EMPTY after 100 more attempts.
 */
export function jointCounts(design: ClusterDesign, seed: bigint, stream: number, draw: number): DrawnParts {
  for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) {
    const words = philoxDraw({ seed, stream, draw, offset: attempt * ATTEMPT_WORDS });
    const counts = tally(words.indices(design.clusters, design.clusters), design.clusters);
    if (!leavesEmptyStratum(design, counts)) return { counts, redraws: attempt };
  }
  throw emptyStratumError();
}

/** Draws the part counts of one stratified Philox draw: each stratum draws its parts among themselves (statistics 5.7). */
export function stratifiedCounts(layout: Layout, seed: bigint, stream: number, draw: number): DrawnParts {
  const words = philoxDraw({ seed, stream, draw });
  const counts = new Int32Array(layout.parts);
  for (let s = 0; s + 1 < layout.stratumStart.length; s++) {
    const start = layout.stratumStart[s]!;
    const parts = layout.stratumStart[s + 1]! - start;
    counts.set(tally(words.indices(parts, parts), parts), start);
  }
  return { counts, redraws: 0 };
}

/**
 * Draws the cluster counts of all draws of the published procedure: multinomial rows in batches, those that leave a stratum
 * empty drawn again (statistics 5.2).
 *
 * Errors: STRATUM_EMPTY at the hundredth check.
 */
export function* numpyCounts(design: ClusterDesign, seed: bigint, batch: number, draws: number): Generator<DrawnParts> {
  const source = pcg64(seed);
  const probabilities = conditionalProbabilities(design.clusters);
  for (let start = 0; start < draws; start += batch) {
    const rows = Array.from({ length: Math.min(batch, draws - start) }, () => ({
      counts: new Int32Array(design.clusters),
      redraws: 0,
    }));
    let marked = rows;
    for (let check = 0; marked.length > 0; check++) {
      if (check === MAX_ATTEMPTS) throw emptyStratumError();
      for (const row of marked) {
        if (check > 0) row.redraws++;
        multinomialRow(source, design.clusters, probabilities, row.counts);
      }
      marked = marked.filter((row) => leavesEmptyStratum(design, row.counts));
    }
    yield* rows;
  }
}

/** Draws the part counts of draws 0, 1, ... of a bootstrap request. */
export function* bootstrapCounts(
  design: ClusterDesign,
  layout: Layout,
  request: BootstrapRequest,
): Generator<DrawnParts> {
  const { draws, first = 0, random, scheme } = request;
  const toParts = ({ counts, redraws }: DrawnParts): DrawnParts => ({
    counts: design.partCluster.map((c) => counts[c]!),
    redraws,
  });
  if (random.kind === 'numpy') {
    for (const drawn of numpyCounts(design, random.seed, random.batch, draws)) yield toParts(drawn);
    return;
  }
  for (let draw = first; draw < first + draws; draw++)
    yield scheme === 'joint'
      ? toParts(jointCounts(design, random.seed, random.stream, draw))
      : stratifiedCounts(layout, random.seed, random.stream, draw);
}
