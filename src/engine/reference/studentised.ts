import type { ClusterDesign } from '../design.js';
import type { StudentisedRequest, StudentisedSummary } from '../engine.js';
import { layoutOf } from '../layout.js';
import { drawnUnits, linearisation } from '../linearised.js';
import { partCounts } from '../part-counts.js';
import { checkSignal, yieldToEvents } from '../signals.js';
import { tailQuantiles } from '../studentised.js';

/** Values of t that are kept at a time; rows past it are drawn again from the same addresses. */
const KEPT = 2 ** 23;

/**
 * Studentises the bootstrap values of all rows (decisions 2.4): in each draw t = (value - score) / error, the error linearised and
 * leverage-scaled on the drawn counts, each copy a unit of its own. A zero error counts as infinite, on the side of the value, on both
 * where the value is the score. Enumerated multisets count by their weights. Under the scheme `stratified` parts are drawn
 * alone, so that they are the units there. Plain arithmetic in one order: the same digits everywhere.
 *
 * Errors: STRATUM_EMPTY as the draws; BOUND_EXCEEDED as multisets; ABORTED once the signal is raised; those of `layoutOf`.
 */
export async function studentisedBootstrap(
  design: ClusterDesign,
  request: StudentisedRequest,
): Promise<StudentisedSummary> {
  const { rows } = design;
  const { draws, scheme, enumerate, tail, signal } = request;
  const layout = layoutOf(design);
  const { measure } = linearisation(design, layout, drawnUnits(design, scheme));
  const observed = measure(new Uint8Array(layout.parts).fill(1));
  const scores = observed.values.slice();
  const errors = observed.squares.map(Math.sqrt);
  const quantiles = new Float64Array(2 * rows);
  const block = Math.max(1, Math.floor(KEPT / draws));
  const weights = new Float64Array(draws);
  for (let first = 0; first < rows; first += block) {
    const kept = Array.from({ length: Math.min(block, rows - first) }, () => new Float64Array(draws));
    let draw = 0;
    for (const { counts, weight } of partCounts(design, layout, request)) {
      if (draw % 256 === 0) {
        await yieldToEvents();
        checkSignal(signal);
      }
      const drawn = measure(counts);
      weights[draw] = weight;
      kept.forEach((t, i) => {
        const distance = drawn.values[first + i]! - scores[first + i]!;
        const error = Math.sqrt(drawn.squares[first + i]!);
        t[draw] = error === 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / error;
      });
      draw += 1;
    }
    for (const [i, t] of kept.entries())
      quantiles.set(
        tailQuantiles(t.subarray(0, draw), enumerate ? weights.subarray(0, draw) : null, tail),
        2 * (first + i),
      );
  }
  return { scores, errors, quantiles };
}
