import type { FlipJob, FlipResult } from './flip-job.js';
import { type FlipRange, keepReaching, makeBits, type Reach, type SignSource, stepSize } from './flip-sums.js';
import type { FlipTables } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { COLUMN_BYTES, type PairList } from './tiny-sums.js';

/** Draws that columns hold (assembly/tiny.ts), and draws whose signs are made together. */
export const COLUMN_DRAWS = 192;
const STEP_DRAWS = 8 * COLUMN_DRAWS;

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** Where flips that are tiny keep what, in bytes from their scratch. */
export function tinyPlaces({ clusters, rows, levelCount, tiny }: FlipTables, source: SignSource) {
  const bitStride = Math.ceil(clusters / 128) * 16;
  const bits = 0;
  const rest = bits + aligned(STEP_DRAWS * bitStride);
  const signs = rest + aligned(2 * COLUMN_DRAWS * bitStride);
  const columns = signs + aligned(tiny!.halves * COLUMN_BYTES);
  const best = columns + aligned((rows + 1) * COLUMN_BYTES);
  const pairs = best + aligned(2 * COLUMN_BYTES);
  const levels = pairs + aligned(tiny!.list.count * 4);
  const state = levels + aligned((levelCount + 1) * 4);
  const drawn = state + 64;
  const bytes = drawn + (source.kind === 'numpy' ? aligned(STEP_DRAWS * clusters + 64) : 0);
  return { draws: STEP_DRAWS, bitStride, bits, rest, signs, columns, best, pairs, levels, state, drawn, bytes };
}

/** Finds the bytes of scratch that a job of flips that are tiny needs. */
export const tinyScratch = (tables: FlipTables, source: SignSource): number => tinyPlaces(tables, source).bytes;

/** Makes the columns of some draws from their signs. */
export function makeColumns(
  kernels: Kernels,
  { rows, tiny }: FlipTables,
  at: ReturnType<typeof tinyPlaces>,
  base: number,
  bits: number,
  draws: number,
): number {
  const { halves, tables } = tiny!;
  const columns = base + at.columns;
  const { bitStride } = at;
  kernels.tinyColumns({ bits, bitStride, draws, halves, rows, tables, signs: base + at.signs, columns });
  return columns;
}

/** Goes through the signs of a range: `work` is given where they lie, and the number of the first draw. */
export function eachSigns(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  range: FlipRange,
  scratch: number,
  work: (bits: number, first: number, draws: number) => void,
): void {
  const { source } = range;
  const at = tinyPlaces(range.tables, source);
  if (source.kind === 'numpy') new BigUint64Array(memory.buffer, scratch + at.state, 5).set(source.state);
  const { draws, bits, bitStride, drawn: signs, state } = at;
  for (let done = 0; done < range.count; ) {
    const now = stepSize(range, { draws }, done);
    makeBits(kernels, range, { bits, bitStride, signs, state }, scratch, range.first + done, now);
    work(scratch + bits, range.first + done, now);
    done += now;
  }
}

/** Makes the columns of the draws of a range, or of those whose places reach what is asked for. */
export function eachColumns(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  range: FlipRange & { readonly reach: Reach | null },
  scratch: number,
  work: (columns: number, draws: number) => void,
): void {
  const { tables, source, reach } = range;
  const at = tinyPlaces(tables, source);
  const { bitStride: stride } = at;
  eachSigns(kernels, memory, range, scratch, (bits, first, count) => {
    const draws = reach ? keepReaching(memory, reach, { at: bits, to: bits, stride }, first, count) : count;
    for (let from = 0; from < draws; from += COLUMN_DRAWS) {
      const now = Math.min(COLUMN_DRAWS, draws - from);
      work(makeColumns(kernels, tables, at, scratch, bits + from * stride, now), now);
    }
  });
}

/** Tallies draws by the largest statistics of the pairs that take part, those that the others do not decide at once. */
function tallyRest(kernels: Kernels, memory: WebAssembly.Memory, job: FlipJob, scratch: number): void {
  const { tables, source } = job;
  const { gone, list, steps, unit: one } = tables.tiny!;
  const { ranked, width: lanes, inverse, levels, levelCount } = tables;
  const at = tinyPlaces(tables, source);
  const { bitStride } = at;
  const best = scratch + at.best;
  const counts = scratch + at.levels;
  const find = ({ pairs, classes, classCount, places }: PairList, columns: number, draws: number): void =>
    kernels.tinyPlaces({ columns, draws, pairs, classes, classCount, places, best, limits: 0, pairCounts: 0 });
  const tally = (bits: number, draws: number): void => {
    const columns = makeColumns(kernels, tables, at, scratch, bits, draws);
    find(list, columns, draws);
    const own = { best, draws, steps, columns, ranked, lanes, inverse, unit: one, levels, levelCount, counts };
    kernels.tallyTinyPlaces(own);
  };
  const rest = scratch + at.rest;
  let waiting = 0;
  eachSigns(kernels, memory, job, scratch, (signs, first, count) => {
    for (let from = 0; from < count; from += COLUMN_DRAWS) {
      const draws = Math.min(COLUMN_DRAWS, count - from);
      const bits = signs + from * bitStride;
      if (!gone) {
        tally(bits, draws);
        continue;
      }
      find(gone.list, makeColumns(kernels, tables, at, scratch, bits, draws), draws);
      const to = rest + waiting * bitStride;
      const before = job.bounds + first + from;
      waiting += kernels.tallyTinyRest({ before, best, draws, steps: gone.steps, counts, bits, bitStride, rest: to });
      if (waiting < COLUMN_DRAWS) continue;
      tally(rest, COLUMN_DRAWS);
      waiting -= COLUMN_DRAWS;
      const left = rest + COLUMN_DRAWS * bitStride;
      new Uint8Array(memory.buffer).copyWithin(rest, left, left + waiting * bitStride);
    }
  });
  if (waiting > 0) tally(rest, waiting);
}

/** Counts what the draws of a job reach, and leaves their largest places where they are wanted. */
function countAll(kernels: Kernels, memory: WebAssembly.Memory, job: FlipJob, scratch: number): void {
  const { tables, source, bounds } = job;
  const { list, limits, steps, unit } = tables.tiny!;
  const { ranked, width: lanes, inverse, levels, levelCount } = tables;
  const at = tinyPlaces(tables, source);
  const best = scratch + at.best;
  const { pairs, classes, classCount, places } = list;
  const counts = scratch + at.levels;
  const pairCounts = scratch + at.pairs;
  eachSigns(kernels, memory, job, scratch, (signs, first, count) => {
    for (let from = 0; from < count; from += COLUMN_DRAWS) {
      const draws = Math.min(COLUMN_DRAWS, count - from);
      const columns = makeColumns(kernels, tables, at, scratch, signs + from * at.bitStride, draws);
      kernels.tinyPlaces({ columns, draws, pairs, classes, classCount, places, best, limits, pairCounts });
      kernels.tallyTinyPlaces({
        ...{ best, draws, steps, columns, ranked, lanes, inverse, unit, levels, levelCount, counts },
      });
      if (bounds) new Uint8Array(memory.buffer).copyWithin(bounds + first + from, best, best + draws);
    }
  });
}

/** Runs a job of flips that are tiny: `pairs` of its result are in the order of their list, rows behind them. */
export function runTinyFlips(kernels: Kernels, memory: WebAssembly.Memory, job: FlipJob, scratch: number): FlipResult {
  const { tables, source, maximaOnly } = job;
  const at = tinyPlaces(tables, source);
  new Uint8Array(memory.buffer, scratch + at.pairs, at.state - at.pairs).fill(0);
  (maximaOnly ? tallyRest : countAll)(kernels, memory, job, scratch);
  const counted = maximaOnly ? 0 : tables.tiny!.list.count;
  return {
    pairs: new Uint32Array(memory.buffer, scratch + at.pairs, counted).slice(),
    rows: new Uint32Array(0),
    levels: new Uint32Array(memory.buffer, scratch + at.levels, tables.levelCount + 1).slice(),
  };
}
