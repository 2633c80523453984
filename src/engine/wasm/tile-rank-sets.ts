import { pairIndex } from '../design.js';
import type { RankSets } from '../engine.js';
import type { DrawTotal } from '../step-down.js';
import {
  boundAll,
  boundBytes,
  leastRejected,
  pairFamilies,
  rowFamilies,
  type StepSession,
  type StepStatistics,
} from './step-families.js';
import { stepDownFamilies } from './step-rounds.js';

/** Most bytes of the bounds of marginal families that are stepped down together. */
const BOUND_BYTES = 128 * 2 ** 20;

/** Forms the rank sets of studentised differences over tiles of draws (decisions 1.3). */
export async function rankSetsOver(
  session: StepSession,
  statistics: StepStatistics,
  total: DrawTotal,
  alpha: number,
): Promise<RankSets> {
  const { arena, tiles, valueBytes } = session;
  const { ranked, draws } = tiles;
  const { observed, inverse } = statistics;
  const empty = () => new Uint8Array(ranked * ranked);
  const sets = { simultaneous: empty(), marginalAbove: empty(), marginalBelow: empty() };
  const all = pairFamilies(session, statistics, { ordered: true, sizes: [observed.map(Math.abs)] });
  const most = all.bounds;
  new Uint8Array(arena.memory.buffer, most, boundBytes(draws)).fill(0);
  const together = Math.max(1, Math.floor(Math.min(BOUND_BYTES, valueBytes) / boundBytes(draws)));
  const start = arena.mark();
  for (let from = 0; from < ranked; from += together) {
    const to = Math.min(ranked, from + together);
    arena.reset(start);
    const rows = rowFamilies(session, statistics, from, to);
    const boundStride = boundBytes(draws);
    await boundAll(session, inverse, { from, to, rowBounds: rows.bounds, boundStride, most, later: false });
    await stepDownFamilies(rows, total, alpha);
    rows.families.forEach((family, f) => {
      const j = from + f;
      const least = leastRejected(family);
      for (let k = 0; k < ranked; k++) {
        if (k === j) continue;
        const t = j < k ? observed[pairIndex(j, k, ranked)]! : -observed[pairIndex(k, j, ranked)]!;
        if (t >= least) sets.marginalAbove[j * ranked + k] = 1;
        else if (-t >= least) sets.marginalBelow[j * ranked + k] = 1;
      }
    });
  }
  arena.reset(start);
  await stepDownFamilies(all, total, alpha);
  const least = leastRejected(all.families[0]!);
  for (let pair = 0, j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++, pair++) {
      if (observed[pair]! >= least) sets.simultaneous[j * ranked + k] = 1;
      else if (-observed[pair]! >= least) sets.simultaneous[k * ranked + j] = 1;
    }
  return sets;
}
