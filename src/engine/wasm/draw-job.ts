import { fail } from '../../util/error.js';
import type { RankKind } from '../engine.js';
import { emptyStratumError, MAX_ATTEMPTS } from '../reference/weights.js';
import type { BootstrapTables, CountTables } from './bootstrap-tables.js';
import type { Kernels } from './kernels.js';
import { rankCells } from './rank-counts.js';
import { cellBytes, type FormedValues } from './value-matrix.js';

/** Where the part counts of a draw come from. */
export type CountSource =
  | {
      readonly kind: 'joint' | 'stratified';
      readonly seedLow: number;
      readonly seedHigh: number;
      readonly stream: number;
    }
  | {
      /** Cluster counts that stand in memory, u16, a row a draw. */
      readonly kind: 'given';
      readonly counts: number;
    }
  | {
      /** Sums that stand in memory, draw after draw: nothing is left to count. */
      readonly kind: 'sums';
      readonly sums: number;
      /** How those of the job are picked out of them (assembly/kept.ts); null: they are these. */
      readonly pick: { readonly from: number; readonly sources: number; readonly factors: number } | null;
    }
  | {
      /** Values stand in memory already, and are ranked alone. */
      readonly kind: 'values';
    };

/** Makes the values of draws first .. first + count - 1, and ranks their rows. */
export interface DrawJob {
  readonly kind: 'draws';
  readonly tables: BootstrapTables;
  readonly source: CountSource;
  readonly first: number;
  readonly count: number;
  /** Values of draw `first`, row-major, or where they are `formed` the sums of them; 0 keeps none. */
  readonly values: number;
  readonly formed: FormedValues | null;
  readonly valueStride: number;
  /** Where the sums of draw `first` stay, strata x lanes i32, those of the next draws behind them; 0 keeps none. */
  readonly sums: number;
  /** Rows that are ranked, the first ones; 0 for none. */
  readonly ranked: number;
  readonly rankKind: RankKind;
}

/** What a draw job counted. */
export interface DrawResult {
  readonly redraws: number;
  /** See RankCells in rank-counts.ts. */
  readonly rankCells: Uint32Array;
  /** Offset in scratch of the sums of the last draws. */
  readonly sums: number;
}

/** Comparing every pair of rows beats sorting up to here. */
const PAIRWISE_RANKS = 40;
/** Part counts that are worked on together. */
const TILE_BYTES = 65_536;

const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/** Where a draw job keeps what, in bytes from its scratch, and how many draws it works on together. */
function scratchPlaces(tables: BootstrapTables, ranked: number) {
  const { countStride, strata, lanes, rows } = tables;
  const perDraw = countStride + strata * lanes * 4;
  const draws = Math.max(4, Math.min(64, Math.floor(TILE_BYTES / perDraw / 4) * 4));
  const counts = 0;
  const sums = counts + aligned(draws * countStride);
  const local = sums + aligned(draws * strata * lanes * 4);
  const localStride = draws * 8 + 64;
  const scratch = local + aligned(rows * localStride);
  const rank = scratch + aligned(wordScratch(tables));
  const rankScratch = rank + aligned(rankCells(ranked, 'shared') * 4);
  const bytes = rankScratch + aligned(ranked * 32);
  return { draws, counts, sums, local, localStride, scratch, rank, rankScratch, bytes };
}

/** Finds the bytes of scratch that a draw job needs. */
export function drawScratch(tables: BootstrapTables, ranked: number): number {
  return scratchPlaces(tables, ranked).bytes;
}

/** Which draws are counted: those from `draw` on, which are number `done` of the source where that gives counts. */
export interface CountedDraws {
  readonly tables: CountTables;
  readonly source: Exclude<CountSource, { kind: 'sums' | 'values' }>;
  readonly draw: number;
  readonly done: number;
}

/** Finds the bytes of scratch that counting needs: the words and the cluster counts of a draw. */
export function wordScratch({ clusters, parts }: CountTables): number {
  return Math.ceil(Math.max(clusters, parts) / 32) * 128 + clusters * 2 + 64;
}

/**
 * Makes the part counts of `now` draws; returns the number of redraws.
 *
 * Errors: STRATUM_EMPTY where no attempt of a draw fills every stratum; BOUND_EXCEEDED where a count leaves 16 bits.
 */
export function makeCounts(
  kernels: Kernels,
  { tables, source, draw, done }: CountedDraws,
  now: number,
  counts: number,
  scratch: number,
): number {
  const { countStride, parts, clusters, clusterOf, starts, strata } = tables;
  const low = draw >>> 0;
  const high = Math.floor(draw / 2 ** 32);
  if (source.kind === 'given') {
    const from = source.counts + done * clusters * 2;
    kernels.gatherCounts({ counts, stride: countStride, draws: now, parts, clusters, clusterOf, given: from });
    return 0;
  }
  const { stream, seedLow, seedHigh } = source;
  const made =
    source.kind === 'joint'
      ? kernels.jointCounts({
          counts,
          stride: countStride,
          draws: now,
          parts,
          clusters,
          clusterOf,
          starts,
          strata,
          firstLow: low,
          firstHigh: high,
          stream,
          seedLow,
          seedHigh,
          attempts: MAX_ATTEMPTS,
          scratch,
        })
      : kernels.stratifiedCounts({
          counts,
          stride: countStride,
          draws: now,
          parts,
          starts,
          strata,
          firstLow: low,
          firstHigh: high,
          stream,
          seedLow,
          seedHigh,
          scratch,
        });
  if (made >= 0) return made;
  if (made === -(2 ** 30))
    fail('BOUND_EXCEEDED', null, 'a cluster was drawn more than 32,767 times', 'Use the reference backend.');
  throw emptyStratumError();
}

/**
 * Runs a draw job in the given scratch. Errors: those of `makeCounts`.
 */
export function runDrawJob(kernels: Kernels, memory: WebAssembly.Memory, job: DrawJob, scratch: number): DrawResult {
  const { tables, source, ranked, rankKind } = job;
  const { starts, strata, lanes, rows, scale, width, planes, bits, table, countStride } = tables;
  const { formed } = job;
  const at = scratchPlaces(tables, ranked);
  const counts = scratch + at.counts;
  const ranks = scratch + at.rank;
  const bytes = strata * lanes * 4;
  const stride = job.values && !formed ? job.valueStride : at.localStride;
  const cells = rankCells(ranked, rankKind);
  const shifts = rankKind === 'shared' ? ranks + ranked * ranked * 4 : 0;
  new Uint32Array(memory.buffer, ranks, cells).fill(0);
  const rank = ranked <= PAIRWISE_RANKS ? kernels.rankByPairs : kernels.rankBySorting;
  let redraws = 0;
  for (let done = 0; done < job.count; done += at.draws) {
    const now = Math.min(at.draws, job.count - done);
    const padded = Math.ceil(now / 4) * 4;
    // What follows a job's own sums is another's.
    let sums = job.sums && padded === now ? job.sums + done * bytes : scratch + at.sums;
    if (source.kind === 'sums') {
      const { sums: kept, pick } = source;
      if (!pick) sums = kept + done * bytes;
      else kernels.pickSums({ ...pick, kept: kept + done * strata * pick.from * 4, draws: now, strata, lanes, sums });
    } else if (source.kind !== 'values') {
      redraws += makeCounts(
        kernels,
        { tables, source, draw: job.first + done, done },
        now,
        counts,
        scratch + at.scratch,
      );
      kernels.stratumSums({ counts, stride: countStride, draws: padded, starts, strata, table, lanes, sums });
      if (job.sums && padded !== now)
        new Uint8Array(memory.buffer).copyWithin(job.sums + done * bytes, sums, sums + now * bytes);
    }
    const kept = job.values && job.values + done * cellBytes(formed);
    const to = kept && !formed ? kept : scratch + at.local;
    if (kept && formed) kernels.sumRows({ sums, draws: now, lanes, rows, out: kept, rowStride: job.valueStride });
    const ratios = {
      sums,
      draws: now,
      strata,
      lanes,
      rows,
      scale,
      values: to,
      valueStride: stride,
      width,
      planes,
      bits,
    };
    if (source.kind !== 'values' && (ranked > 0 || !formed)) {
      if (planes === 1) kernels.ratios(ratios);
      else kernels.wideRatios(ratios);
    }
    const order = scratch + at.rankScratch;
    if (ranked > 0) rank({ values: to, stride, draws: now, ranked, counts: ranks, shifts, scratch: order });
  }
  return { redraws, rankCells: new Uint32Array(memory.buffer, ranks, cells).slice(), sums: at.sums };
}
