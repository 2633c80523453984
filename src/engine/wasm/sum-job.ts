import {
  addSums,
  type FlipRange,
  joinedSums,
  keepSums,
  makeBits,
  type ScratchPlaces,
  scratchPlaces,
  stepSize,
} from './flip-sums.js';
import type { Kernels } from './kernels.js';
import type { Reach } from './step-families.js';
import type { Tile } from './step-job.js';

/** Makes the flipped sums of draws first .. first + count - 1 of a tile (assembly/stepdown.ts). */
export interface SumJob extends FlipRange {
  readonly kind: 'sums';
  readonly tile: Tile;
  /** The draws that some family wants; null: all. */
  readonly reach: readonly Reach[] | null;
}

/** Runs a sum job in the given scratch. */
export function runSumJob(kernels: Kernels, memory: WebAssembly.Memory, job: SumJob, scratch: number): undefined {
  const { tables, source, tile, first, reach } = job;
  const at = scratchPlaces(tables, source);
  for (let done = 0; done < job.count; ) {
    const now = stepSize(job, at, done);
    const start = first + done;
    makeBits(kernels, job, at, scratch, tile.first + start, now);
    const wanted = reach ? keepReaching(memory, reach, at, scratch, tile.first + start, now) : now;
    if (wanted > 0) addSums(kernels, tables, at, scratch, wanted);
    for (let from = 0; from < wanted; from += at.counted) {
      const draws = Math.min(at.counted, wanted - from);
      const where = joinedSums(kernels, tables, at, scratch, from, draws);
      if (reach) keepSums(kernels, tile, start, draws, tables, where, scratch + at.list + from * 4);
      else keepSums(kernels, tile, start + from, draws, tables, where);
    }
    done += now;
  }
}

/** Moves the signs of the draws of which some bound reaches its threshold to the front and lists these draws of the step; returns how many. */
function keepReaching(
  memory: WebAssembly.Memory,
  reach: readonly Reach[],
  at: ScratchPlaces,
  base: number,
  first: number,
  draws: number,
): number {
  const bits = new Uint8Array(memory.buffer, base + at.bits, draws * at.bitStride);
  const list = new Uint32Array(memory.buffer, base + at.list, draws);
  const reaching = new Uint8Array(draws);
  for (const { bounds, threshold } of reach) {
    const own = new Float32Array(memory.buffer, bounds + first * 4, draws);
    for (let d = 0; d < draws; d++) if (own[d]! >= threshold) reaching[d] = 1;
  }
  let found = 0;
  for (let d = 0; d < draws; d++) {
    if (reaching[d] === 0) continue;
    bits.copyWithin(found * at.bitStride, d * at.bitStride, (d + 1) * at.bitStride);
    list[found++] = d;
  }
  return found;
}
