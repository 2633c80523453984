import type { FlipTotals, Integers } from '../bounds.js';
import type { ClusterDesign } from '../design.js';
import type { Arena } from './arena.js';
import { absolute, distance, type MaxTLevels, type MaxTPlaces, prepareMaxT } from './max-t.js';
import { pairCells } from './pair-cells.js';
import { digitReader, type Planes, planesFor } from './planes.js';
import { type SmallSums, smallLimits, smallSums, smallTotal } from './small-sums.js';
import { areTiny, putTiny, type TinyShape, type TinyTables } from './tiny-sums.js';

/** Where the inputs of sign flips lie in kernel memory. */
export interface FlipTables extends Planes, MaxTPlaces {
  readonly clusters: number;
  readonly rows: number;
  readonly ranked: number;
  /** Sums past i32: compared as i64. */
  readonly wide: boolean;
  /** Sums below 2^24, which an f32 holds exactly. */
  readonly narrow: boolean;
  /** Sums of 16 bits (assembly/small.ts); null where they do not fit, or are not wanted. */
  readonly small: SmallSums | null;
  /** What flips are gone through sixteen at a time with, class after class of pairs (assembly/tiny.ts); null where sums do not fit, or are not wanted. */
  readonly tiny: TinyTables | null;
  /** Lanes of a plane, and of the joined sums. */
  readonly width: number;
  /** Words of a draw: planes x width, padded to a multiple of 4; half the width where sums are small. */
  readonly lanes: number;
  /** C x lanes i32. */
  readonly totals: number;
  /** All tables of signed sums, a tile of lanes after the other, or 0 when they are built piece by piece. */
  readonly table: number;
  /** Absolute differences by `pairCells`, and width absolute sums, as wide as the comparisons are; of small ones what is below them. */
  readonly observedPairs: number;
  /** The same in f32, as `coarse` is laid out; 0 where comparisons are not wide. */
  readonly observedEstimates: number;
  readonly observedRows: number;
}

/** Sign flips that are ready to run. */
export interface PreparedFlips {
  readonly tables: FlipTables;
  /** Null when max-T is not asked for. */
  readonly levels: MaxTLevels | null;
  /** Null where sums are not tiny. */
  readonly tiny: TinyShape | null;
}

/** Lanes of a tile: its rows of a table are two cache lines. */
export const TILE_LANES = 32;
/** Rows of the table of 8 clusters (assembly/signflip.ts). */
export const GROUP_ROWS = 32;
/** Tables up to this size are built once and shared. */
const TABLE_LIMIT = 32 * 2 ** 20;

const NARROW = 2 ** 24;

const padded = (n: number, to: number): number => Math.ceil(n / to) * to;

function putTotals(
  arena: Arena,
  weighted: FlipTotals,
  rows: number,
  tables: Planes & Pick<FlipTables, 'width' | 'lanes' | 'small'>,
): number {
  const { totals } = weighted;
  const clusters = totals.length / rows;
  const cells = new Int32Array(clusters * tables.lanes);
  const { small } = tables;
  if (small) {
    for (let c = 0; c < clusters; c++)
      for (let m = 0; m < rows; m++)
        cells[c * tables.lanes + (m >> 1)]! += smallTotal(small, Number(totals[c * rows + m]!), m % 2 === 1);
    return arena.put(cells);
  }
  const digit = digitReader(tables, totals instanceof Float64Array ? 'number' : 'bigint');
  if (tables.planes === 1) {
    for (let c = 0; c < clusters; c++)
      for (let m = 0; m < rows; m++) cells[c * tables.lanes + m] = Number(totals[c * rows + m]!);
    return arena.put(cells);
  }
  for (let c = 0; c < clusters; c++)
    for (let plane = 0; plane < tables.planes; plane++)
      for (let m = 0; m < rows; m++)
        cells[c * tables.lanes + plane * tables.width + m] = digit(totals[c * rows + m]!, plane);
  return arena.put(cells);
}

/** Finds the bytes of a sum as it is compared. */
export function sumBytes({ wide, small }: Pick<FlipTables, 'wide' | 'small'>): 8 | 4 | 2 {
  if (wide) return 8;
  return small ? 2 : 4;
}

/** Counts the cells of exceedances of pairs, by `pairCells`. */
export function pairCellCount(tables: Pick<FlipTables, 'rows' | 'width' | 'wide' | 'small'>): number {
  return pairCells(tables.rows, tables.width, sumBytes(tables)).length;
}

/** Absolute differences in f32, by `pairCells`. */
function estimatesOf(observed: Integers, width: number): Float32Array {
  const rows = observed.length;
  const cells = pairCells(rows, width, 4);
  const estimates = new Float32Array(cells.length);
  for (let i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++) estimates[cells.at(i, j)] = Number(distance(observed, i, j));
  return estimates;
}

/** Absolute differences and sums, as wide as the comparisons are. */
function putObserved(
  arena: Arena,
  observed: Integers,
  { width, wide, small }: Pick<FlipTables, 'width' | 'wide' | 'small'>,
) {
  const rows = observed.length;
  const cells = pairCells(rows, width, sumBytes({ wide, small }));
  const make = (length: number) => {
    if (wide) return new BigInt64Array(length);
    return small ? new Int16Array(length) : new Int32Array(length);
  };
  const pairs = make(cells.length);
  const single = make(width);
  const limit = small ? smallLimits(small) : (value: number) => value;
  const set = (array: ReturnType<typeof make>, at: number, value: number | bigint): void => {
    if (array instanceof BigInt64Array) array[at] = BigInt(value);
    else array[at] = limit(Number(value));
  };
  for (let i = 0; i < rows; i++) set(single, i, absolute(observed[i]!));
  if (pairs instanceof BigInt64Array || !(observed instanceof Float64Array)) {
    for (let i = 0; i < rows; i++)
      for (let j = i + 1; j < rows; j++) set(pairs, cells.at(i, j), distance(observed, i, j));
  } else
    for (let i = 0; i < rows; i++)
      for (let j = i + 1; j < rows; j++) pairs[cells.at(i, j)] = limit(Math.abs(observed[i]! - observed[j]!));
  return {
    observedPairs: arena.put(pairs),
    observedEstimates: wide ? arena.put(estimatesOf(observed, width)) : 0,
    observedRows: arena.put(single),
  };
}

/** Copies weighted totals into kernel memory and, where they fit, builds their tables (assembly/signflip.ts). */
export function prepareFlips(
  arena: Arena,
  design: ClusterDesign,
  weighted: FlipTotals,
  maxT: boolean,
  { draws = 0, ...make }: { readonly tables: boolean; readonly small?: boolean; readonly draws?: number } = {
    tables: true,
  },
): PreparedFlips {
  const { rows, clusters } = design;
  const ranked = maxT ? design.ranked : 0;
  const wide = weighted.accumulator === 'i64';
  let largest = 0;
  for (const total of weighted.totals) largest = Math.max(largest, Math.abs(Number(total)));
  const cut = wide ? planesFor(largest, clusters, 32) : { planes: 1, bits: 0 };
  const small = make.tables && make.small !== false && !wide ? smallSums(weighted) : null;
  const width = padded(rows, small ? 8 : 4);
  const lanes = small ? width / 2 : cut.planes * width;
  const totals = putTotals(arena, weighted, rows, { ...cut, width, lanes, small });
  const { observed } = weighted;
  const where = putObserved(arena, observed, { width, wide, small });

  const { places, levels } = prepareMaxT(arena, weighted.totals, observed, { ranked, width, small });
  const tiny =
    small && ranked > 0 && areTiny(weighted, rows, small, draws)
      ? putTiny(arena, weighted, levels.ascending, {
          unit: small.divisor,
          ...{ rows, ranked, width, reciprocals: arena.get(places.inverse, new Float64Array(ranked * width)) },
        })
      : null;
  const groups = Math.ceil(clusters / 8);
  const bytes = groups * GROUP_ROWS * lanes * 4;
  let table = 0;
  if (make.tables && bytes <= TABLE_LIMIT) {
    table = arena.take(bytes);
    for (let lane = 0; lane < lanes; lane += TILE_LANES) {
      const here = Math.min(TILE_LANES, lanes - lane);
      const at = table + groups * GROUP_ROWS * lane * 4;
      arena.kernels.signTables({ totals: totals + lane * 4, rowBytes: lanes * 4, clusters, lanes: here, table: at });
    }
  }
  const tables: FlipTables = {
    ...cut,
    ...where,
    clusters,
    rows,
    ranked,
    wide,
    narrow: weighted.bound < NARROW,
    small,
    tiny: tiny?.tables ?? null,
    width,
    lanes,
    totals,
    table,
    ...places,
  };
  return { tables, levels: maxT ? levels : null, tiny: tiny?.shape ?? null };
}
