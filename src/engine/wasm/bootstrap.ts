import { fail } from '../../util/error.js';
import { bootstrapBound } from '../bounds.js';
import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { BootstrapRequest, BootstrapSummary, RankSets } from '../engine.js';
import { type Layout, layoutOf, pointValues } from '../layout.js';
import type { Arena } from './arena.js';
import { bootstrapRankSets } from './bootstrap-rank-sets.js';
import { type Drawn, type DrawSession, rowBytes, type ValueMaker } from './draws.js';
import { givenValues } from './given-values.js';
import { type QuantileRanks, quantileRanks, SCRATCH_PER_DRAW } from './order-job.js';
import { rankCountsOf } from './rank-counts.js';
import type { Runner } from './runner.js';
import { moments, pairItems, quantiles, raiseBand, span } from './statistics.js';
import type { ValueMatrix } from './value-matrix.js';

/** How a bootstrap makes its values, and how many it keeps. */
export interface BootstrapHow {
  /** Bytes of values kept at once. */
  readonly valueBytes: number;
  readonly make: ValueMaker;
}

/** A bootstrap under way: what it works with, and the results that fill up. */
interface Pass extends DrawSession {
  readonly layout: Layout;
  readonly make: ValueMaker;
  /** Rows whose values are kept at once. */
  readonly capacity: number;
  readonly valueBytes: number;
  readonly quantile: QuantileRanks;
  /** Zeros, one a draw. */
  readonly zeros: number;
  /** Largest standardised distance of each draw so far; 0 without a band. */
  readonly maxima: number;
  readonly points: Float64Array;
  readonly standardErrors: Float64Array;
  readonly rowQuantiles: Float64Array;
  readonly pairQuantiles: Float64Array | null;
  /** rows: means over draws. */
  readonly means: Float64Array;
  rankSets: RankSets | null;
}

/** Errors, quantiles and band of rows `from` to `to` - 1; where these are all rows, ranks and pairs as well. */
async function summariseRows(pass: Pass, from: number, to: number): Promise<Drawn> {
  const { arena, design, request, quantile, zeros, pairQuantiles } = pass;
  const each = request.probabilities.length;
  const here = span(from, to);
  const whole = here.length === design.rows;
  const ranked = whole && request.ranks ? design.ranked : 0;
  // Pairs are gone through as values, each many times.
  const drawn = await pass.make(pass, pass.layout, here, { keep: true, ranked, formed: pairQuantiles === null });
  const { matrix } = drawn;
  const { means, errors } = await moments(pass, matrix, here.length);
  pass.standardErrors.set(errors, from);
  pass.means.set(arena.get(means, new Float64Array(here.length)), from);
  const rows = Int32Array.from(here.flatMap((_, k) => [k, -1]));
  await quantiles(pass, matrix, means, rows, quantile, zeros, (statistics, k) =>
    quantile.write(statistics, k, pass.rowQuantiles, (from + k) * each),
  );
  if (pass.maxima) await raiseBand(pass, matrix, here, pass.points, pass.standardErrors, pass.maxima);
  if (whole && pairQuantiles) {
    const pairs = pairItems(here, here, 0);
    await quantiles(pass, matrix, means, pairs, quantile, zeros, (statistics, k) =>
      quantile.write(statistics, k, pairQuantiles, k * each),
    );
  }
  if (whole) pass.rankSets = await rankSetsOf(pass, matrix);
  return drawn;
}

/** Rank sets where they are asked for; from values in memory, or made again. */
async function rankSetsOf(pass: Pass, matrix: ValueMatrix | null): Promise<RankSets | null> {
  const { rankSets } = pass.request;
  return rankSets ? bootstrapRankSets({ ...pass, rankSets, matrix }) : null;
}

/** Quantiles of the pairs between two blocks of rows, or within one. */
async function summarisePairs(
  pass: Pass,
  left: readonly number[],
  right: readonly number[],
  out: Float64Array,
): Promise<void> {
  const { design, request, quantile, zeros } = pass;
  const one = left[0] === right[0];
  const rows = one ? left : [...left, ...right];
  const items = pairItems(left, right, one ? 0 : left.length);
  const { matrix } = await pass.make(pass, pass.layout, rows, { keep: true, ranked: 0 });
  const { means } = await moments(pass, matrix, rows.length);
  await quantiles(pass, matrix, means, items, quantile, zeros, (statistics, k) => {
    const pair = pairIndex(rows[items[k * 2]!]!, rows[items[k * 2 + 1]!]!, design.rows);
    quantile.write(statistics, k, out, pair * request.probabilities.length);
  });
}

/** Quantile of the largest standardised distances. */
async function criticalValue(pass: Pass, probability: number): Promise<number> {
  const { arena, request, maxima, zeros } = pass;
  const { draws } = request;
  const quantile = quantileRanks(arena, draws, [probability]);
  const matrix = { values: maxima, stride: 0, draws, formed: null };
  const { means } = await moments(pass, matrix, 1);
  const out = new Float64Array(1);
  await quantiles(pass, matrix, means, Int32Array.of(0, -1), quantile, zeros, (statistics) =>
    quantile.write(statistics, 0, out, 0),
  );
  return out[0]!;
}

/** Bytes of kernel memory that draws may fill; the rest is for tables and counts. */
const DRAW_BYTES = 15 * 2 ** 28;

/** Rows whose values fit at once. Errors: BOUND_EXCEEDED where two do not, with the largest number of draws. */
function rowsAtOnce(draws: number, lanes: number, valueBytes: number): number {
  // Two arrays of a double a draw stay for the whole run, and every lane orders in scratch of its own.
  const fixed = 16 + lanes * SCRATCH_PER_DRAW;
  const most = Math.floor(DRAW_BYTES / (fixed + 16));
  if (draws > most)
    fail(
      'BOUND_EXCEEDED',
      null,
      `${draws} bootstrap draws: at most ${most} fit in memory with ${lanes} thread${lanes === 1 ? '' : 's'}`,
      `Give ${most} draws or fewer; a million settle every digit that is shown.`,
    );
  const room = Math.floor((DRAW_BYTES - draws * fixed) / rowBytes(draws));
  return Math.max(2, Math.min(room, Math.floor(valueBytes / rowBytes(draws))));
}

function openPass(session: DrawSession, layout: Layout, { valueBytes, make }: BootstrapHow): Pass {
  const { arena, design, request } = session;
  const { rows } = design;
  const { draws, probabilities, bandProbability, pairs } = request;
  const perDraw = () => arena.put(new Float64Array(draws + 8));
  return {
    ...session,
    layout,
    make,
    valueBytes,
    capacity: rowsAtOnce(draws, session.runner.lanes, valueBytes),
    quantile: quantileRanks(arena, draws, probabilities),
    zeros: perDraw(),
    maxima: bandProbability === undefined ? 0 : perDraw(),
    points: pointValues(design, layout),
    standardErrors: new Float64Array(rows),
    rowQuantiles: new Float64Array(rows * probabilities.length),
    means: new Float64Array(rows),
    rankSets: null,
    pairQuantiles: pairs ? new Float64Array(pairCount(rows) * probabilities.length) : null,
  };
}

/**
 * Answers a bootstrap request; values are kept in memory, or made again in passes where they do not fit.
 *
 * Errors: BOUND_EXCEEDED where totals or draws do not fit; STRATUM_EMPTY as the draws; ABORTED once the signal is raised.
 */
export async function runBootstrap(
  arena: Arena,
  runner: Runner,
  design: ClusterDesign,
  request: BootstrapRequest,
  how: BootstrapHow,
): Promise<BootstrapSummary> {
  arena.reset();
  bootstrapBound(design);
  const layout = layoutOf(design);
  const { rows, ranked } = design;
  const made = request.given ? { ...how, make: givenValues(request.given) } : how;
  const pass = openPass({ arena, runner, design, request }, layout, made);
  const start = arena.mark();
  const whole = rows <= pass.capacity;

  let drawn: Drawn | undefined;
  if (request.ranks && !whole) drawn = await pass.make(pass, layout, span(0, ranked), { keep: false, ranked });
  for (let from = 0; from < rows; from += pass.capacity) {
    arena.reset(start);
    const made = await summariseRows(pass, from, Math.min(rows, from + pass.capacity));
    drawn ??= made;
  }
  if (pass.pairQuantiles && !whole) {
    const size = Math.floor(pass.capacity / 2);
    const block = (from: number) => span(from, Math.min(rows, from + size));
    for (let a = 0; a < rows; a += size)
      for (let b = a; b < rows; b += size) {
        arena.reset(start);
        await summarisePairs(pass, block(a), block(b), pass.pairQuantiles);
      }
  }
  arena.reset(start);
  const { bandProbability } = request;
  return {
    draws: request.draws,
    redraws: drawn!.redraws,
    points: pass.points,
    standardErrors: pass.standardErrors,
    quantiles: pass.rowQuantiles,
    bandCritical: bandProbability === undefined ? null : await criticalValue(pass, bandProbability),
    ...rankCountsOf(drawn!.rankCells, request.ranks),
    pairQuantiles: pass.pairQuantiles,
    rankSets: whole ? pass.rankSets : await rankSetsOf(pass, null),
  };
}
