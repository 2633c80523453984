import type { BootstrapTables } from './bootstrap-tables.js';
import { type CountSource, makeCounts, wordScratch } from './draw-job.js';
import type { Kernels } from './kernels.js';
import { TILE_ROWS, type UnitTables } from './studentised-tables.js';

/** Writes t of draws first .. first + count - 1. */
export interface StudentisedJob {
  readonly kind: 'studentised';
  /** Of the rows whose t is formed. */
  readonly tables: BootstrapTables;
  readonly units: UnitTables;
  readonly source: Exclude<CountSource, { kind: 'sums' | 'values' }>;
  readonly first: number;
  readonly count: number;
  /** Tiles of totals, and the bytes of one. */
  readonly table: number;
  readonly tileBytes: number;
  /** f64 a row, padded to whole tiles. */
  readonly scores: number;
  /** t of draw `first`, row-major. */
  readonly values: number;
  readonly valueStride: number;
}

/** By row: draws of the job without distance and error, whose t is NaN. */
export interface StudentisedResult {
  readonly undefinedDraws: Uint32Array;
}

/** Lists of drawn parts that are worked on together. */
const BLOCK_BYTES = 262_144;
const ENTRY_BYTES = 32;
const SHARE_BYTES = 96;

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** Where a job keeps what, in bytes from its scratch, and how many draws it works on together, a multiple of 4. */
function scratchPlaces(tables: BootstrapTables, units: UnitTables) {
  const { countStride, parts, strata, lanes, rows } = tables;
  const { spanned, partClassCount, unitClassCount } = units;
  const rowBytes = Math.ceil(rows / TILE_ROWS) * TILE_ROWS * 8;
  const perDraw = countStride + parts * ENTRY_BYTES + strata * (lanes * 4 + rowBytes + 16) + 4;
  const draws = Math.max(4, Math.min(64, Math.floor(BLOCK_BYTES / perDraw / 4) * 4));
  const counts = 0;
  const entries = counts + aligned(draws * countStride);
  const ends = entries + aligned((draws * parts + 1) * ENTRY_BYTES);
  const sizes = ends + aligned(draws * 4);
  const digits = sizes + aligned(draws * strata * 16);
  const sums = digits + aligned(draws * strata * lanes * 4);
  const words = sums + aligned(draws * strata * rowBytes);
  const classes = words + aligned(wordScratch(tables));
  const tile = classes + aligned((partClassCount + strata * Math.max(1, spanned) + unitClassCount) * 8);
  const undefinedDraws = tile + 192 + partClassCount * SHARE_BYTES;
  const bytes = undefinedDraws + aligned(rows * 4);
  return { draws, rowBytes, counts, entries, ends, sizes, digits, sums, words, classes, tile, undefinedDraws, bytes };
}

/** Finds the bytes of scratch that a job needs. */
export function studentisedScratch(tables: BootstrapTables, units: UnitTables): number {
  return scratchPlaces(tables, units).bytes;
}

/** Runs a job in the given scratch. Errors: those of `makeCounts`. */
export function runStudentisedJob(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  job: StudentisedJob,
  scratch: number,
): StudentisedResult {
  const { tables, units, source } = job;
  const { countStride, parts, strata, scale, rows, lanes, planes, bits, starts } = tables;
  const at = scratchPlaces(tables, units);
  const { rowBytes } = at;
  const counts = scratch + at.counts;
  const digits = scratch + at.digits;
  const sums = scratch + at.sums;
  const entries = scratch + at.entries;
  const ends = scratch + at.ends;
  const sizes = scratch + at.sizes;
  const undefinedDraws = scratch + at.undefinedDraws;
  new Uint32Array(memory.buffer, undefinedDraws, rows).fill(0);
  // Rows that only fill a tile.
  new Uint8Array(memory.buffer, sums, at.words - at.sums).fill(0);
  for (let done = 0; done < job.count; done += at.draws) {
    const now = Math.min(at.draws, job.count - done);
    const padded = Math.ceil(now / 4) * 4;
    makeCounts(kernels, { tables, source, draw: job.first + done, done }, now, counts, scratch + at.words);
    const { table } = tables;
    kernels.stratumSums({ counts, stride: countStride, draws: padded, starts, strata, table, lanes, sums: digits });
    kernels.doubleSums({ digits, draws: now, strata, lanes, rows, planes, bits, scale, sums, sizes });
    kernels.drawnUnits({
      counts,
      stride: countStride,
      draws: now,
      slots: units.slots,
      slotCount: parts,
      parts: units.partClasses,
      partCount: units.partClassCount,
      starts: units.unitStarts,
      members: units.unitMembers,
      unitCount: units.unitClassCount,
      strata,
      width: units.spanned,
      sizes,
      scratch: scratch + at.classes,
      entries,
      ends,
    });
    for (let row = 0; row < rows; row += TILE_ROWS)
      kernels.studentiseRows({
        table: job.table + (row / TILE_ROWS) * job.tileBytes,
        entries,
        slotCount: parts,
        ends,
        sums: sums + row * 8,
        rowBytes,
        sizes,
        parts: units.partClasses,
        partCount: units.partClassCount,
        draws: now,
        strata,
        scale,
        scores: job.scores + row * 8,
        rows: Math.min(TILE_ROWS, rows - row),
        out: job.values + row * job.valueStride + done * 8,
        outStride: job.valueStride,
        undefinedDraws: undefinedDraws + row * 4,
        scratch: scratch + at.tile,
      });
  }
  return { undefinedDraws: new Uint32Array(memory.buffer, undefinedDraws, rows).slice() };
}
