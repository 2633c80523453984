import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { FlipPlan } from '../plan.js';
import type { Arena } from './arena.js';
import type { Kernels } from './kernels.js';
import { digit, type Planes, planesFor } from './planes.js';

/** Where the inputs of sign flips lie in kernel memory. */
export interface FlipTables extends Planes {
  readonly clusters: number;
  readonly rows: number;
  readonly ranked: number;
  /** Sums past i32: compared as i64. */
  readonly wide: boolean;
  /** Lanes of a plane, and of the joined sums. */
  readonly width: number;
  /** planes x width, padded to a multiple of 4. */
  readonly lanes: number;
  /** C x lanes i32. */
  readonly totals: number;
  /** All byte tables, a tile of lanes after the other, or 0 when they are built piece by piece. */
  readonly table: number;
  /** rows x width absolute differences, then width absolute sums; i32 or i64. */
  readonly observedPairs: number;
  readonly observedRows: number;
  /** Max-T inputs (assembly/maxt.ts); 0 levels when not asked for. */
  readonly inverse: number;
  /** `inverse` in f32. */
  readonly coarse: number;
  readonly levels: number;
  readonly levelCount: number;
}

export interface PreparedFlips {
  readonly tables: FlipTables;
  /** Pairs of ranked rows by ascending statistic, one a level; null without max-T. */
  readonly order: Uint32Array | null;
  /** Pairs of ranked rows that never differ. */
  readonly flat: Uint8Array;
}

/** Lanes of a tile: its rows of a byte table are two cache lines. */
export const TILE_LANES = 32;
/** Byte tables up to this size are built once and shared. */
const TABLE_LIMIT = 32 * 2 ** 20;

const padded = (n: number, to: number): number => Math.ceil(n / to) * to;

type Integers = Float64Array | BigInt64Array;

const absolute = <T extends number | bigint>(x: T): T => (x < 0 ? (-x as T) : x);

/** Observed sums: every sign +. */
function observedSums(totals: Integers, rows: number): Integers {
  const sums = totals instanceof Float64Array ? new Float64Array(rows) : new BigInt64Array(rows);
  for (let at = 0; at < totals.length; at += rows)
    for (let m = 0; m < rows; m++) (sums[m] as number) += totals[at + m] as number;
  return sums;
}

/** Absolute difference of two observed sums. */
function distance(observed: Integers, i: number, j: number): number | bigint {
  return observed instanceof Float64Array
    ? absolute(observed[i]! - observed[j]!)
    : absolute(observed[i]! - observed[j]!);
}

function putTotals(
  arena: Arena<Kernels>,
  plan: FlipPlan,
  rows: number,
  tables: Planes & { width: number; lanes: number },
): number {
  const { totals } = plan;
  const clusters = totals.length / rows;
  const cells = new Int32Array(clusters * tables.lanes);
  if (tables.planes === 1) {
    for (let c = 0; c < clusters; c++)
      for (let m = 0; m < rows; m++) cells[c * tables.lanes + m] = Number(totals[c * rows + m]!);
    return arena.put(cells);
  }
  for (let c = 0; c < clusters; c++)
    for (let plane = 0; plane < tables.planes; plane++)
      for (let m = 0; m < rows; m++)
        cells[c * tables.lanes + plane * tables.width + m] = digit(
          totals[c * rows + m]!,
          plane,
          tables,
        );
  return arena.put(cells);
}

/** Absolute differences and sums, as wide as the comparisons are. */
function putObserved(arena: Arena<Kernels>, observed: Integers, width: number, wide: boolean) {
  const rows = observed.length;
  const pairs = wide ? new BigInt64Array(rows * width) : new Int32Array(rows * width);
  const single = wide ? new BigInt64Array(width) : new Int32Array(width);
  const set = (array: BigInt64Array | Int32Array, at: number, value: number | bigint): void => {
    if (array instanceof BigInt64Array) array[at] = BigInt(value);
    else array[at] = Number(value);
  };
  for (let i = 0; i < rows; i++) {
    set(single, i, absolute(observed[i]!));
    for (let j = i + 1; j < rows; j++) set(pairs, i * width + j, distance(observed, i, j));
  }
  return { observedPairs: arena.put(pairs), observedRows: arena.put(single) };
}

/** Reciprocal root sums of squares, ranked x width f64, computed in place. */
function putInverse(
  arena: Arena<Kernels>,
  plan: FlipPlan,
  rows: number,
  ranked: number,
  width: number,
): number {
  const { totals } = plan;
  const clusters = totals.length / rows;
  const inverse = arena.take(ranked * width * 8);
  const mark = arena.mark();
  const exact = totals instanceof Float64Array;
  const cells = exact ? new Float64Array(clusters * width) : new BigInt64Array(clusters * width);
  for (let c = 0; c < clusters; c++)
    for (let m = 0; m < rows; m++)
      (cells[c * width + m] as number) = totals[c * rows + m] as number;
  const at = arena.put(cells);
  if (exact) arena.kernels.inverseRootSquares(at, clusters, ranked, width, inverse);
  else arena.kernels.inverseWideRootSquares(at, clusters, ranked, width, inverse);
  arena.reset(mark);
  return inverse;
}

/** Copies a flip plan into kernel memory and, where they fit, builds its byte tables. */
export function prepareFlips(
  arena: Arena<Kernels>,
  design: ClusterDesign,
  plan: FlipPlan,
  maxT: boolean,
  make: { readonly tables: boolean } = { tables: true },
): PreparedFlips {
  const { rows, clusters } = design;
  const ranked = maxT ? design.ranked : 0;
  const wide = plan.accumulator === 'i64';
  let largest = 0;
  for (const total of plan.totals) largest = Math.max(largest, Math.abs(Number(total)));
  const cut = wide ? planesFor(largest, clusters, 32) : { planes: 1, bits: 0 };
  const width = padded(rows, 4);
  const lanes = cut.planes * width;
  const totals = putTotals(arena, plan, rows, { ...cut, width, lanes });
  const observed = observedSums(plan.totals, rows);
  const where = putObserved(arena, observed, width, wide);

  const inverse = ranked > 0 ? putInverse(arena, plan, rows, ranked, width) : 0;
  const pairs = pairCount(ranked);
  const flat = new Uint8Array(pairs);
  const statistics = new Float64Array(pairs);
  const reciprocals = arena.get(inverse, new Float64Array(ranked * width));
  for (let i = 0; i < ranked; i++)
    for (let j = i + 1; j < ranked; j++) {
      const at = pairIndex(i, j, ranked);
      const reciprocal = reciprocals[i * width + j]!;
      flat[at] = reciprocal === 0 ? 1 : 0;
      statistics[at] = Number(distance(observed, i, j)) * reciprocal;
    }
  const order = ranked > 0 ? Uint32Array.from(statistics.keys()) : null;
  order?.sort((a, b) => statistics[a]! - statistics[b]!);
  const levels = arena.put(Float64Array.from(order ?? [], (at) => statistics[at]!));

  const groups = Math.ceil(clusters / 8);
  const bytes = groups * 256 * lanes * 4;
  let table = 0;
  if (make.tables && bytes <= TABLE_LIMIT) {
    table = arena.take(bytes);
    for (let lane = 0; lane < lanes; lane += TILE_LANES) {
      const here = Math.min(TILE_LANES, lanes - lane);
      const at = table + groups * 256 * lane * 4;
      arena.kernels.signTables(totals + lane * 4, lanes * 4, clusters, here, at);
    }
  }
  const tables: FlipTables = {
    ...cut,
    ...where,
    clusters,
    rows,
    ranked,
    wide,
    width,
    lanes,
    totals,
    table,
    inverse,
    coarse: arena.put(Float32Array.from(reciprocals)),
    levels,
    levelCount: pairs,
  };
  return { tables, order, flat };
}
