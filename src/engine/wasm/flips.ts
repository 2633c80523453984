import type { FlipTotals } from '../bounds.js';
import { testTotals } from '../centred.js';
import { type ClusterDesign, pairCount } from '../design.js';
import type { ExactFlipRequest, FlipCounts, FlipRequest } from '../engine.js';
import { layoutOf } from '../layout.js';
import { advance } from '../pcg64.js';
import type { Arena } from './arena.js';
import type { FlipJob, FlipResult } from './flip-job.js';
import { flipSteps } from './flip-steps.js';
import { flipScratch, keptBytes, keptSums, scratchPlaces, signSource } from './flip-sums.js';
import { type PreparedFlips, pairCellCount, prepareFlips, sumBytes } from './flip-tables.js';
import type { FlipKeeper } from './kept-flips.js';
import { maxTCounts } from './max-t.js';
import { pairCells } from './pair-cells.js';
import { NANOSECONDS_A_RESULT, type Runner, ranges } from './runner.js';
import { tinyScratch } from './tiny-job.js';

/** A sign source, and where ranges of draws may begin. */
export type FlipDraws =
  | ({ readonly kind: 'random' } & Pick<FlipRequest, 'random' | 'first' | 'given'>)
  | { readonly kind: 'all' };

/** Nanoseconds a draw takes, roughly: row additions, comparisons, signs. */
function drawCost({ tables }: PreparedFlips): number {
  const { clusters, lanes, rows, ranked, tiny } = tables;
  if (tiny) return 20 + clusters * (0.2 + rows * 0.01) + tiny.list.count * 0.05;
  return 20 + clusters * (lanes * 0.004 + 0.05) + rows * rows * 0.06 + ranked * ranked * 0.08;
}

/** Nanoseconds a job takes besides its draws, roughly: results cleared, copied and added; tables that are not kept. */
function besidesDraws({ tables }: PreparedFlips): number {
  const { clusters, lanes, rows, width, levelCount, table } = tables;
  return (rows * width + levelCount) * NANOSECONDS_A_RESULT + (table === 0 ? clusters * lanes * 16 : 0);
}

function makeJobs(
  prepared: PreparedFlips,
  draws: number,
  how: FlipDraws,
  lanes: number,
  kept: Pick<FlipJob, 'bounds' | 'kept' | 'sums'>,
): FlipJob[] {
  const { tables } = prepared;
  const cost = drawCost(prepared);
  if (how.kind === 'random' && how.random.kind === 'numpy') {
    const { seed, batch } = how.random;
    const words = Math.ceil((batch * tables.clusters) / 4);
    return ranges(Math.ceil(draws / batch), cost * batch, lanes).map(({ first, count }) => ({
      kind: 'flips',
      tables,
      source: { kind: 'numpy', state: advance(seed, first * words), batch },
      first: first * batch,
      count: Math.min(draws, (first + count) * batch) - first * batch,
      maximaOnly: false,
      bounds: 0,
      kept: 0,
      sums: 'made',
    }));
  }
  const source = signSource(how.kind === 'random' ? how.random : null);
  const start = how.kind === 'random' ? (how.first ?? 0) : 0;
  return ranges(draws, cost, lanes, besidesDraws(prepared)).map(({ first, count }) => ({
    kind: 'flips',
    tables,
    source,
    first: start + first,
    count,
    maximaOnly: false,
    ...kept,
  }));
}

/** Totals over jobs, laid out as the kernels do. */
export interface FlipTally {
  readonly pairs: Float64Array;
  readonly rows: Float64Array;
  readonly levels: Float64Array;
}

/** Adds what a job counted; `first`: nothing was counted before. */
function add(total: Float64Array, part: Uint32Array | Float64Array, first: boolean): void {
  if (first) total.set(part);
  else if (part instanceof Uint32Array) for (let k = 0; k < part.length; k++) total[k]! += part[k]!;
  else for (let k = 0; k < part.length; k++) total[k]! += part[k]!;
}

const weightsOf = ({ weights: { kind, relativeError } }: FlipTotals): FlipCounts['weights'] => ({
  kind,
  relativeError,
});

/** Puts counts into pair order and forms those of max-T. */
export function finishFlips(
  design: ClusterDesign,
  weighted: FlipTotals,
  prepared: PreparedFlips,
  draws: number,
  tally: FlipTally,
): Omit<FlipCounts, 'maxTStep' | 'rankSets'> {
  const { rows: m } = design;
  const pairs = new Float64Array(pairCount(m));
  const cells = pairCells(m, prepared.tables.width, sumBytes(prepared.tables));
  const rows = tally.rows.slice(0, m);
  if (prepared.tiny)
    prepared.tiny.order.forEach((cell, k) => {
      // What stands past the last draw reaches only what all draws reach.
      const count = Math.min(draws, tally.pairs[k]!);
      if (cell < pairs.length) pairs[cell] = count;
      else rows[cell - pairs.length] = count;
    });
  else
    for (let pair = 0, i = 0; i < m; i++)
      for (let j = i + 1; j < m; ) {
        const end = Math.min(m, cells.end(j));
        const at = cells.at(i, j);
        pairs.set(tally.pairs.subarray(at, at + end - j), pair);
        pair += end - j;
        j = end;
      }
  const counts = {
    draws,
    weights: weightsOf(weighted),
    pairs,
    rows,
  };
  const { levels } = prepared;
  return { ...counts, maxT: levels && maxTCounts(levels, tally.levels, draws) };
}

/**
 * Counts exceedances over sign flips on kernel memory (statistics 6.3).
 *
 * Errors: BOUND_EXCEEDED where totals do not fit; ABORTED once the signal is raised.
 */
export async function runFlips(
  arena: Arena,
  runner: Runner,
  design: ClusterDesign,
  draws: number,
  how: FlipDraws,
  request: ExactFlipRequest,
  keep?: FlipKeeper,
): Promise<FlipCounts> {
  const weighted = testTotals(design, layoutOf(design), request.test);
  const random = how.kind === 'random' ? how.random : null;
  const given = how.kind === 'random' ? how.given : undefined;
  const whole = how.kind === 'random' && !given && !how.first;
  const asked = { arena, runner, design, weighted, draws, random, signal: request.signal };
  const strata = whole && keep ? await keep(asked) : null;
  arena.reset();
  const prepared = prepareFlips(arena, design, weighted, request.maxT === true || request.stepDown !== undefined, {
    tables: true,
    draws,
  });
  // No statistic of a draw is above its bound, whichever pairs take part; where few do, bounds over all say little.
  const bounds = !given && request.stepDown && !request.stepDown.excluded ? arena.take((draws + 8) * 4) : 0;
  const again = !given && (strata ?? request.stepDown ?? request.rankSets ?? null) !== null;
  const bytes = again && !prepared.tiny ? keptBytes(prepared.tables, signSource(random), draws) : 0;
  const kept = bytes > 0 ? arena.take(bytes) : 0;
  const weighs = strata !== null && kept > 0;
  const jobs = makeJobs(prepared, draws, how, runner.lanes, { bounds, kept, sums: weighs ? 'given' : 'made' });
  const each = (prepared.tiny ? tinyScratch : flipScratch)(prepared.tables, jobs[0]!.source);
  if (weighs) await strata.weigh(keptSums(kept, prepared.tables, scratchPlaces(prepared.tables, jobs[0]!.source), 0));
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(each));
  const counts = given ? { draws, weights: weightsOf(weighted), ...given } : await counted();
  if (!request.stepDown && !request.rankSets) return { ...counts, maxTStep: null, rankSets: null };
  const options = { arena, runner, design, weighted, draws, prepared, jobs, scratch, bounds, request };
  const steps = await flipSteps({ ...options, all: how.kind === 'all', counts: counts.maxT });
  return { ...counts, maxT: request.maxT ? counts.maxT : null, ...steps };

  async function counted() {
    const { width, levelCount } = prepared.tables;
    const tally: FlipTally = {
      pairs: new Float64Array(prepared.tiny?.order.length ?? pairCellCount(prepared.tables)),
      rows: new Float64Array(width),
      levels: new Float64Array(levelCount + 1),
    };
    let first = true;
    await runner.run(jobs, scratch, {
      signal: request.signal,
      take(result) {
        const part = result as FlipResult;
        add(tally.pairs, part.pairs, first);
        add(tally.rows, part.rows, first);
        add(tally.levels, part.levels, first);
        first = false;
      },
    });
    return finishFlips(design, weighted, prepared, draws, tally);
  }
}
