import { largestTotal } from '../bounds.js';
import type { ClusterDesign } from '../design.js';
import type { Layout } from '../layout.js';
import type { Arena } from './arena.js';
import { digitReader, type Planes, planesFor } from './planes.js';

/** Where lies in kernel memory what the part counts of draws are made with. */
export interface CountTables {
  readonly parts: number;
  readonly clusters: number;
  readonly strata: number;
  /** u32 a part, or 0 where part p is cluster p. */
  readonly clusterOf: number;
  /** S + 1 i32. */
  readonly starts: number;
  /** Bytes of the part counts of a draw. */
  readonly countStride: number;
}

/** Where a bootstrap's inputs lie in kernel memory, for some rows of a design. */
export interface BootstrapTables extends Planes, CountTables {
  readonly scale: number;
  /** Rows in the table; the tasks of each part follow as one more. */
  readonly rows: number;
  /** rows + 1, the rows of a plane. */
  readonly width: number;
  /** planes x width, padded to a multiple of 8. */
  readonly lanes: number;
  /** See assembly/bootstrap.ts. */
  readonly table: number;
}

const padded = (n: number, to: number): number => Math.ceil(n / to) * to;

function isIdentity(clusterOf: Int32Array, clusters: number): boolean {
  return clusterOf.length === clusters && clusterOf.every((c, p) => c === p);
}

/** Reads the digit that lane `lane` of a table holds for part p. */
export type LaneTotal = (lane: number, p: number) => number;

/** Opens a reader of the lanes of some rows: plane after plane, in each the rows and then the tasks of the part. */
export function laneTotals(design: ClusterDesign, rows: readonly number[], cut: Planes): LaneTotal {
  const { partTasks, partTotals } = design;
  const width = rows.length + 1;
  const digit = digitReader(cut, 'number');
  return (lane, p) => {
    const row = lane % width;
    const plane = (lane - row) / width;
    if (plane >= cut.planes) return 0;
    const total = row === rows.length ? partTasks[p]! : partTotals[p * design.rows + rows[row]!]!;
    return cut.planes === 1 ? total : digit(total, plane);
  };
}

/** Puts into kernel memory what part counts are made with. */
export function putCountTables(arena: Arena, design: ClusterDesign, layout: Layout): CountTables {
  const { strata, clusters, partCluster } = design;
  const { parts, stratumStart } = layout;
  return {
    parts,
    clusters,
    strata,
    clusterOf: isIdentity(partCluster, clusters) ? 0 : arena.put(partCluster),
    starts: arena.put(stratumStart),
    countStride: padded((parts + 1) * 2, 16) + 16,
  };
}

/** Puts the tables of the given rows into kernel memory: tiles of 8 rows, in a tile the pairs of parts of stratum after stratum. */
export function putBootstrapTables(
  arena: Arena,
  design: ClusterDesign,
  layout: Layout,
  rows: readonly number[],
): BootstrapTables {
  const { strata, clusters, scale } = design;
  const { stratumStart } = layout;
  const cut = planesFor(largestTotal(design), clusters, 16);
  const width = rows.length + 1;
  const lanes = padded(cut.planes * width, 8);
  const pairs = Array.from({ length: strata }, (_, s) => Math.ceil((stratumStart[s + 1]! - stratumStart[s]!) / 2));
  const tilePairs = pairs.reduce((a, b) => a + b, 0);
  const cells = new Int16Array(lanes * tilePairs * 2);
  const total = laneTotals(design, rows, cut);
  for (let lane = 0; lane < cut.planes * width; lane++) {
    let pair = (lane >> 3) * tilePairs;
    for (let s = 0; s < strata; s++) {
      const start = stratumStart[s]!;
      for (let p = start; p < stratumStart[s + 1]!; p++) {
        const half = p - start;
        cells[(pair + (half >> 1)) * 16 + (lane & 7) * 2 + (half & 1)] = total(lane, p);
      }
      pair += pairs[s]!;
    }
  }
  return {
    ...cut,
    ...putCountTables(arena, design, layout),
    scale,
    rows: rows.length,
    width,
    lanes,
    table: arena.put(cells),
  };
}
