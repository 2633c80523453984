import type { ClusterDesign } from '../design.js';
import type { BootstrapRequest, BootstrapValues } from '../engine.js';
import type { Layout } from '../layout.js';
import { philoxKey } from '../philox.js';
import type { Arena } from './arena.js';
import { type BootstrapTables, putBootstrapTables } from './bootstrap-tables.js';
import { type CountSource, type DrawJob, type DrawResult, drawScratch } from './draw-job.js';
import { openReplay } from './numpy.js';
import { addRankCells, rankCells } from './rank-counts.js';
import { type JobResult, NANOSECONDS_A_RESULT, type Runner, ranges } from './runner.js';
import { cellBytes, formedValues, type ValueMatrix } from './value-matrix.js';

/** What draws are made with and for. */
export interface DrawSession {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly design: ClusterDesign;
  readonly request: BootstrapRequest;
}

/** Values that were made, and what was counted meanwhile. */
export interface Drawn {
  readonly matrix: ValueMatrix;
  readonly redraws: number;
  /** See rank-counts.ts. */
  readonly rankCells: Uint32Array;
  /** Where the sums of all draws were left: how they lie there, strata x lanes i32 a draw. */
  readonly sums?: BootstrapTables;
}

/** What is kept of the values. */
export interface MakeOptions {
  /** Leave the values in memory, row-major, in the order of the rows. */
  readonly keep: boolean;
  /** Count ranks among the first so many rows; 0 for none. */
  readonly ranked: number;
  /** Leave the sums as well, if they fit. */
  readonly sums?: { readonly address: number; readonly bytes: number };
  /** Values may stand as the sums that they are formed from, where these say as much. */
  readonly formed?: boolean;
}

/** Makes the values of some rows over all draws of a request. */
export type ValueMaker = (
  session: DrawSession,
  layout: Layout,
  rows: readonly number[],
  options: MakeOptions,
) => Promise<Drawn>;

/** Finds the bytes of a row of values of `cell` bytes: whole cache lines, an odd number of them, so that rows do not share cache sets. */
export function rowBytes(draws: number, cell = 8): number {
  const lines = Math.ceil(((draws + 2) * cell) / 64);
  return (lines + 1 - (lines % 2)) * 64;
}

/** Nanoseconds a draw takes, roughly: words and counts, sums, ratios, ranks. */
function drawCost(tables: BootstrapTables, ranked: number): number {
  const { clusters, parts, lanes, strata, rows } = tables;
  const ranks = ranked * Math.min(ranked, 60) * 0.3;
  return 50 + clusters * 3 + parts * lanes * 0.03 + strata * rows * 1.5 + ranks;
}

/** Makes values with the kernels: counts, sums and ratios in one job a range of draws. */
export const drawValues: ValueMaker = async (session, layout, rows, { keep, ranked, sums: room, formed: may }) => {
  const { arena, runner, design, request } = session;
  const { draws, first: start = 0, random, scheme, ranks = 'ordinal', signal } = request;
  const tables = putBootstrapTables(arena, design, layout, rows);
  const formed = keep && may ? formedValues(design, tables) : null;
  const valueStride = keep ? rowBytes(draws, cellBytes(formed)) : 0;
  const values = keep ? arena.take(rows.length * valueStride) : 0;
  const sumBytes = tables.strata * tables.lanes * 4;
  const sums = room && draws * sumBytes <= room.bytes ? room.address : 0;
  const bytes = drawScratch(tables, ranked);
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(bytes));
  const cost = drawCost(tables, ranked);
  const job = (source: CountSource, first: number, count: number): DrawJob => ({
    kind: 'draws',
    tables,
    source,
    first: start + first,
    count,
    values: keep ? values + first * cellBytes(formed) : 0,
    formed,
    valueStride,
    sums: sums && sums + first * sumBytes,
    ranked,
    rankKind: ranks,
  });
  const cells = new Uint32Array(ranked > 0 ? rankCells(ranked, ranks) : 0);
  let redraws = 0;
  const take = (result: JobResult): void => {
    const drawn = result as DrawResult;
    redraws += drawn.redraws;
    addRankCells(cells, drawn.rankCells);
  };
  if (random.kind === 'philox') {
    const [seedLow, seedHigh] = philoxKey(random.seed);
    const source: CountSource = { kind: scheme, seedLow, seedHigh, stream: random.stream };
    const besides = cells.length * NANOSECONDS_A_RESULT;
    const jobs = ranges(draws, cost, runner.lanes, besides).map((r) => job(source, r.first, r.count));
    await runner.run(jobs, scratch, { signal, take });
  } else {
    const replay = openReplay(arena, tables, random.seed, Math.min(random.batch, draws));
    for (let first = 0; first < draws; first += random.batch) {
      const count = Math.min(random.batch, draws - first);
      redraws += replay.batch(count);
      const jobs = [job({ kind: 'given', counts: replay.counts }, first, count)];
      await runner.run(jobs, scratch, { signal, take });
    }
  }
  const matrix = { values, stride: valueStride, draws, formed };
  return { matrix, redraws, rankCells: cells, ...(sums ? { sums: tables } : {}) };
};

/** Makes bootstrap values draw-major, draws x rows, in points, in blocks of rows that fit the memory. */
export async function valueTable(
  arena: Arena,
  runner: Runner,
  design: ClusterDesign,
  layout: Layout,
  request: BootstrapRequest,
  how: { readonly valueBytes: number; readonly make: ValueMaker },
): Promise<BootstrapValues> {
  const { rows } = design;
  const { draws } = request;
  const out = new Float64Array(draws * rows);
  let redraws = 0;
  const capacity = Math.max(1, Math.floor(how.valueBytes / rowBytes(draws)));
  for (let from = 0; from < rows; from += capacity) {
    arena.reset();
    const here = Array.from({ length: Math.min(capacity, rows - from) }, (_, k) => from + k);
    const session = { arena, runner, design, request };
    const { matrix, redraws: anew } = await how.make(session, layout, here, { keep: true, ranked: 0 });
    // Every block is made of the same draws.
    redraws = anew;
    for (const [k, row] of here.entries()) {
      const values = new Float64Array(arena.memory.buffer, matrix.values + k * matrix.stride, draws);
      for (let draw = 0; draw < draws; draw++) out[draw * rows + row] = values[draw]!;
    }
  }
  return { values: out, redraws };
}
