import type { BootstrapSummary, RankKind } from '../engine.js';

/**
 * Counts the u32 cells that the rank kernels fill for some rows: ranked x ranked counts, and as many shifts where ranks are shared
 * (assembly/rank.ts).
 */
export function rankCells(ranked: number, kind: RankKind): number {
  return ranked * ranked * (kind === 'shared' ? 2 : 1);
}

/** Adds the cells of some draws to those of others, modulo 2^32. */
export function addRankCells(total: Uint32Array, part: Uint32Array): void {
  for (let k = 0; k < total.length; k++) total[k]! += part[k]!;
}

/** The rank counts of a summary. */
export type RankCounts = Pick<BootstrapSummary, 'rankCounts' | 'bestRankCounts' | 'worstRankCounts'>;

/** Reads the cells of all draws: counts of ordinal ranks, or of best and of worst ones; nothing where `kind` is undefined. */
export function rankCountsOf(cells: Uint32Array, kind: RankKind | undefined): RankCounts {
  if (kind === undefined) return { rankCounts: null, bestRankCounts: null, worstRankCounts: null };
  if (kind === 'ordinal') return { rankCounts: cells, bestRankCounts: null, worstRankCounts: null };
  const best = cells.slice(0, cells.length / 2);
  const worst = cells.slice(cells.length / 2);
  addRankCells(worst, best);
  return { rankCounts: null, bestRankCounts: best, worstRankCounts: worst };
}
