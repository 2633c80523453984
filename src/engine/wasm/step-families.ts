import type { Arena } from './arena.js';
import type { BoundTables, FamilyTables, StepJob, Tile } from './step-job.js';
import { type FamilySet, type FamilyTally, type OpenFamily, openFamily } from './step-rounds.js';

/** Draws that matter to a family in a sweep: those whose bound reaches a threshold. */
export interface Reach {
  /** Address of the bounds, f32, from draw 0 on. */
  readonly bounds: number;
  /** A number of f32. */
  readonly threshold: number;
}

/** Tiles of all draws, made one after another; the last one stays. */
export interface Tiles {
  readonly draws: number;
  readonly ranked: number;
  readonly lanes: number;
  /** Draws of the largest tile. */
  readonly together: number;
  /** Goes through all tiles. With `reach` a tile may hold anything where all bounds stay below their thresholds. */
  each(work: (tile: Tile) => Promise<void>, reach?: readonly Reach[]): Promise<void>;
}

/** Studentised differences of ranked rows: what is observed, in `pairIndex` order, and the inverse errors. */
export interface StepStatistics {
  /** Row j minus row k, j before k, over its error; 0 where the pair takes no part. */
  readonly observed: Float64Array;
  /** ranked x lanes, symmetric; 0 where the pair takes no part. */
  readonly inverse: Float64Array;
}

/** Part of n units of work. */
interface Range {
  readonly first: number;
  readonly count: number;
}

/** What families are tallied with. */
export interface StepSession {
  readonly arena: Arena;
  readonly tiles: Tiles;
  /** Bytes that draws may fill at once. */
  readonly valueBytes: number;
  /** Splits n units that take `cost` nanoseconds each. */
  split(n: number, cost: number): readonly Range[];
  run(jobs: readonly StepJob[]): Promise<void>;
}

/** Share of the draws that reach a threshold, roughly. */
const REACHING = 0.08;

/** Bytes of the bounds of a row: room for the vector that the last draw ends in. */
export const boundBytes = (draws: number): number => Math.ceil((draws + 4) / 16) * 64;

/** Bounds the maxima of some rows, and of each draw, over all draws (assembly/stepdown.ts). */
export async function boundAll(
  { arena, run, split, tiles }: StepSession,
  inverse: Float64Array,
  where: Omit<BoundTables, 'inverse' | 'largestInverse'>,
): Promise<void> {
  const { ranked, lanes } = tiles;
  const cost = (where.to - where.from) * lanes * 0.2;
  const largest = Float64Array.from({ length: ranked }, (_, j) =>
    inverse.subarray(j * lanes, (j + 1) * lanes).reduce((a, b) => Math.max(a, b), 0),
  );
  const tables = { ...where, inverse: arena.put(Float32Array.from(inverse)), largestInverse: arena.put(largest) };
  await tiles.each((tile) => run(split(tile.draws, cost).map((range) => ({ kind: 'bounds', tile, ...range, tables }))));
}

/** Tables that all kinds of families have; thresholds and counts are read back from them. */
function takeFamilies(arena: Arena, families: readonly OpenFamily[], draws: number) {
  const most = families.reduce((a, { levels }) => Math.max(a, levels.length), 0);
  const n = families.length;
  const levelStride = most * 8;
  const tables = {
    draws,
    boundStride: boundBytes(draws),
    wanted: arena.take(n * 4),
    thresholds: arena.take(n * 8),
    levels: arena.take(n * levelStride),
    levelStride,
    levelCounts: arena.take(n * 4),
    countStride: (most + 1) * 4,
    above: arena.take(n * 4),
  };
  const { buffer } = arena.memory;
  families.forEach(({ levels }, f) => {
    new Float64Array(buffer, tables.levels + f * levelStride, levels.length).set(levels);
  });
  return tables;
}

function announce(arena: Arena, tables: FamilyTables, families: readonly OpenFamily[], wanted: Int32Array): void {
  const { buffer } = arena.memory;
  new Int32Array(buffer, tables.wanted, wanted.length).set(wanted);
  const counts = new Int32Array(buffer, tables.levelCounts, families.length);
  families.forEach(({ open }, f) => {
    counts[f] = open;
  });
}

/** Adds counts that lie in memory. */
function addCounts(arena: Arena, at: number, to: Float64Array): void {
  const counts = new Uint32Array(arena.memory.buffer, at, to.length);
  for (let k = 0; k < to.length; k++) to[k]! += counts[k]!;
}

/** A set of families, and which of their hypotheses are active. */
export interface TalliedFamilies extends FamilySet {
  /** Bounds of all families, to be filled before the first tally. */
  readonly bounds: number;
}

/**
 * Makes families of all pairs: `ordered`, where a rejected hypothesis leaves and its reverse stays, or unordered, where both leave. Each
 * is tested at `sizes` of its own. Families share the bounds that they begin with.
 */
export function pairFamilies(
  session: StepSession,
  { observed, inverse }: StepStatistics,
  { ordered, sizes }: { readonly ordered: boolean; readonly sizes: readonly Float64Array[] },
): TalliedFamilies {
  const { arena, run, split, tiles } = session;
  const { ranked, lanes, draws } = tiles;
  const cost = 1 + REACHING * ranked * lanes * (ordered ? 0.4 : 0.25);
  const families = sizes.map(openFamily);
  const boundStride = boundBytes(draws);
  const bounds = arena.take(families.length * boundStride);
  const tables = families.map((family, f): FamilyTables => {
    const own = takeFamilies(arena, [family], draws);
    return { ...own, up: arena.put(inverse), down: 0, bounds: bounds + f * boundStride, counts: 0 };
  });
  const pieces = split(tiles.together, cost).map(() =>
    tables.map(({ countStride }) => ({ counts: arena.take(countStride), above: arena.take(4) })),
  );
  return {
    families,
    draws,
    bounds,
    async tally(wanted): Promise<FamilyTally[]> {
      const pending = tables.flatMap((_, f) => (wanted[f]! > 0 ? [f] : []));
      for (const f of pending) announce(arena, tables[f]!, [families[f]!], wanted.subarray(f, f + 1));
      await run(pending.map((f) => ({ kind: 'thresholds', families: tables[f]!, first: 0, count: 1 })));
      const counts = families.map(({ open }) => new Float64Array(open + 1));
      const above = families.map(() => 0);
      const reach = pending.map((f) => ({
        bounds: tables[f]!.bounds,
        threshold: Math.fround(new Float64Array(arena.memory.buffer, tables[f]!.thresholds, 1)[0]!),
      }));
      await tiles.each(async (tile) => {
        const parts = split(tile.draws, cost);
        await run(
          parts.flatMap((range, k) =>
            pending.map((f) => ({
              kind: 'tally-pairs',
              tile,
              ordered,
              families: { ...tables[f]!, ...pieces[k]![f]! },
              ...range,
            })),
          ),
        );
        parts.forEach((_, k) => {
          for (const f of pending) {
            above[f]! += new Int32Array(arena.memory.buffer, pieces[k]![f]!.above, 1)[0]!;
            addCounts(arena, pieces[k]![f]!.counts, counts[f]!);
          }
        });
      }, reach);
      return families.map((_, f) => ({ counts: counts[f]!, above: above[f]! }));
    },
    leave(f, cut) {
      const up = new Float64Array(arena.memory.buffer, tables[f]!.up, ranked * lanes);
      for (let pair = 0, j = 0; j < ranked; j++)
        for (let k = j + 1; k < ranked; k++, pair++) {
          if (sizes[f]![pair]! < cut) continue;
          if (!ordered || observed[pair]! > 0) up[j * lanes + k] = 0;
          if (!ordered || observed[pair]! < 0) up[k * lanes + j] = 0;
        }
    },
  };
}

/** Puts the pairs of ranked rows into a symmetric table of `lanes` a row. */
export function squareTable(ranked: number, lanes: number, of: (j: number, k: number) => number): Float64Array {
  const table = new Float64Array(ranked * lanes);
  for (let j = 0; j < ranked; j++)
    for (let k = j + 1; k < ranked; k++) table[j * lanes + k] = table[k * lanes + j] = of(j, k);
  return table;
}

/** Lists the sizes of pairs that a family rejected: those that reach the least rejected level. */
export function leastRejected({ levels, open }: OpenFamily): number {
  return levels[open] ?? Number.POSITIVE_INFINITY;
}
