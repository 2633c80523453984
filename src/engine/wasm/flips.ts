import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { FlipCounts, FlipRequest } from '../engine.js';
import { layoutOf } from '../layout.js';
import { advance } from '../pcg64.js';
import { philoxKey } from '../philox.js';
import { type FlipPlan, planFlips } from '../plan.js';
import type { Arena } from './arena.js';
import { type FlipJob, type FlipResult, flipScratch, type SignSource } from './flip-job.js';
import { type PreparedFlips, prepareFlips } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { type Runner, ranges } from './runner.js';

/** A sign source, and where ranges of draws may begin. */
export type FlipDraws =
  | { readonly kind: 'random'; readonly random: FlipRequest['random'] }
  | { readonly kind: 'all' };

/** Nanoseconds a draw takes, roughly: row additions, comparisons, signs. */
function drawCost({ tables }: PreparedFlips): number {
  const { clusters, lanes, rows, ranked } = tables;
  return 20 + clusters * (lanes * 0.004 + 0.05) + rows * rows * 0.08 + ranked * ranked * 0.12;
}

function makeJobs(
  prepared: PreparedFlips,
  draws: number,
  how: FlipDraws,
  lanes: number,
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
    }));
  }
  let source: SignSource = { kind: 'all' };
  if (how.kind === 'random' && how.random.kind === 'philox') {
    const [seedLow, seedHigh] = philoxKey(how.random.seed);
    source = { kind: 'philox', seedLow, seedHigh, stream: how.random.stream };
  }
  return ranges(draws, cost, lanes).map((range) => ({ kind: 'flips', tables, source, ...range }));
}

/** Adds job results and puts them in pair order. */
function merge(
  design: ClusterDesign,
  plan: FlipPlan,
  prepared: PreparedFlips,
  draws: number,
  results: readonly FlipResult[],
): FlipCounts {
  const { rows: m } = design;
  const { width, ranked } = prepared.tables;
  const pairs = new Float64Array(pairCount(m));
  const rows = new Float64Array(m);
  const levels = new Float64Array(prepared.tables.levelCount + 1);
  for (const result of results) {
    for (let i = 0; i < m; i++) {
      rows[i]! += result.rows[i]!;
      for (let j = i + 1; j < m; j++) pairs[pairIndex(i, j, m)]! += result.pairs[i * width + j]!;
    }
    result.levels.forEach((count, k) => {
      levels[k]! += count;
    });
  }
  const notes = { kind: plan.weights.kind, relativeError: plan.weights.relativeError };
  if (!prepared.order) return { draws, weights: notes, pairs, rows, maxT: null };
  const maxT = new Float64Array(pairCount(ranked));
  let reached = 0;
  for (let k = prepared.order.length - 1; k >= 0; k--) {
    reached += levels[k + 1]!;
    const at = prepared.order[k]!;
    maxT[at] = prepared.flat[at] ? draws : reached;
  }
  return { draws, weights: notes, pairs, rows, maxT };
}

/** Sign flips on kernel memory. */
export async function runFlips(
  arena: Arena<Kernels>,
  runner: Runner,
  design: ClusterDesign,
  draws: number,
  how: FlipDraws,
  request: { readonly maxT?: boolean; readonly signal?: AbortSignal },
): Promise<FlipCounts> {
  arena.reset();
  const plan = planFlips(design, layoutOf(design));
  const prepared = prepareFlips(arena, design, plan, request.maxT === true);
  const jobs = makeJobs(prepared, draws, how, runner.lanes);
  const bytes = flipScratch(prepared.tables, jobs[0]!.source);
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(bytes));
  const results = (await runner.run(jobs, scratch, request.signal)) as FlipResult[];
  return merge(design, plan, prepared, draws, results);
}
