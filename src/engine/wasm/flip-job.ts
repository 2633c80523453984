import {
  addSums,
  copySums,
  type FlipRange,
  joinedSums,
  keptSums,
  makeBits,
  type ScratchPlaces,
  scratchPlaces,
  stepSize,
} from './flip-sums.js';
import { pairCellCount } from './flip-tables.js';
import type { Kernels } from './kernels.js';
import { smallUnit } from './small-sums.js';

/** Counts exceedances over draws first .. first + count - 1. */
export interface FlipJob extends FlipRange {
  readonly kind: 'flips';
  /** Tally maxima alone. */
  readonly maximaOnly: boolean;
  /** Address of a bound of the largest statistic of each draw, f32, or where sums are tiny of its place, u8, from draw 0 on; 0: not wanted. */
  readonly bounds: number;
  /** Address of the sums of all draws, from draw 0 on: left there, or, where maxima alone are tallied, taken from there; 0: not kept. */
  readonly kept: number;
  /** `given`: the sums that are kept stand there already. `only`: they are left there, and nothing is counted. */
  readonly sums: 'made' | 'given' | 'only';
}

/** Exceedances as the kernels lay them out. */
export interface FlipResult {
  /** By `pairCells`, and width; of tiny sums in the order of their list, rows behind the pairs. */
  readonly pairs: Uint32Array | Float64Array;
  readonly rows: Uint32Array | Float64Array;
  /** Draws by number of max-T levels reached. */
  readonly levels: Uint32Array;
}

/** Counts the draws `from` to `from` + `draws` - 1 of a step that begins with draw `first`. */
function count(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  job: FlipJob,
  at: ScratchPlaces,
  base: number,
  first: number,
  from: number,
  draws: number,
): void {
  const { wide, width, rows, narrow, small, observedPairs, observedEstimates, observedRows, ranked } = job.tables;
  const kept = job.kept > 0 ? keptSums(job.kept, job.tables, at, first + from) : null;
  const own = { sums: base + (wide ? at.joined : at.sums), sumStride: wide ? at.joinedStride : at.sumStride };
  const taken = kept !== null && (job.maximaOnly || job.sums === 'given');
  // Where sums are turned into f32 below, those that were kept stay as they are.
  const copied = taken && narrow && !small;
  const where = taken ? (copied ? own : kept) : joinedSums(kernels, job.tables, at, base, from, draws);
  if (copied) copySums(memory, kept, own, draws);
  else if (kept && !taken) copySums(memory, where, kept, draws);
  if (job.sums === 'only') return;
  const { sums, sumStride } = where;
  const lanes = width;
  const { inverse, coarse: estimates, levels, levelCount } = job.tables;
  const pairs = base + at.pairs;
  const best = base + at.best;
  const together = (wide || narrow || small !== null) && ranked > 0;
  if (!job.maximaOnly) {
    const own = { sums, sumStride, draws, lanes };
    const single = wide ? kernels.countWideRows : small ? kernels.countSmallRows : kernels.countRows;
    single({ ...own, observed: observedRows, counts: base + at.single });
    const pairsToo = { ...own, rows, observed: observedPairs };
    if (!together) {
      if (wide) kernels.countWidePairs({ ...pairsToo, counts: pairs });
      else if (small) kernels.countSmallPairs({ ...pairsToo, pairs });
      else kernels.countPairs({ ...pairsToo, counts: pairs });
    }
  }
  if (ranked === 0) return;
  const tally = {
    ...{ sums, sumStride, draws, lanes, inverse, levels },
    counts: base + at.levels,
    bounds: job.bounds && job.bounds + (first + from) * 4,
  };
  const counted = together && !job.maximaOnly ? pairs : 0;
  if (wide) {
    const near = { observed: observedPairs, estimates: observedEstimates, coarse: estimates };
    kernels.tallyWide({ ...tally, ...near, levelCount, rows, ranked, room: best, pairs: counted });
    return;
  }
  const both = { ...tally, rows, best, observed: observedPairs, pairs: counted };
  if (small) {
    const { statistic, steps } = job.tables;
    kernels.tallySmallMaxima({ ...both, ranked, shares: estimates, unit: smallUnit(small), statistic, steps });
    return;
  }
  if (narrow) kernels.narrowSums({ sums, sumStride, draws, lanes });
  kernels.tallyMaxima({ ...both, levelCount, coarse: estimates, narrow });
}

/** Runs a flip job in the given scratch. */
export function runFlipJob(kernels: Kernels, memory: WebAssembly.Memory, job: FlipJob, scratch: number): FlipResult {
  const { tables, source } = job;
  const { width, wide, levelCount } = tables;
  const at = scratchPlaces(tables, source);
  const cell = wide ? 8 : 4;
  new Uint8Array(memory.buffer, scratch + at.pairs, at.table - at.pairs).fill(0);
  if (source.kind === 'numpy') new BigUint64Array(memory.buffer, scratch + at.state, 5).set(source.state);
  for (let done = 0; done < job.count; ) {
    const now = stepSize(job, at, done);
    if (job.sums !== 'given' && !(job.maximaOnly && job.kept)) {
      makeBits(kernels, job, at, scratch, job.first + done, now);
      addSums(kernels, tables, at, scratch, now);
    }
    for (let from = 0; from < now; from += at.counted)
      count(kernels, memory, job, at, scratch, job.first + done, from, Math.min(at.counted, now - from));
    done += now;
  }
  const read = (address: number, length: number): Uint32Array | Float64Array =>
    cell === 8
      ? Float64Array.from(new BigUint64Array(memory.buffer, address, length), Number)
      : new Uint32Array(memory.buffer, address, length).slice();
  const levels = new Uint32Array(levelCount + 1);
  levels.set(new Uint32Array(memory.buffer, scratch + at.levels, levelCount + 1));
  return {
    pairs: read(scratch + at.pairs, pairCellCount(tables)),
    rows: read(scratch + at.single, width),
    levels,
  };
}
