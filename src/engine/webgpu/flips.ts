import { fail } from '../../util/error.js';
import { testTotals } from '../centred.js';
import type { ClusterDesign } from '../design.js';
import type { ExactFlipRequest, FlipCounts } from '../engine.js';
import { layoutOf } from '../layout.js';
import { philoxKey } from '../philox.js';
import { checkSignal } from '../signals.js';
import type { Arena } from '../wasm/arena.js';
import { type FlipTables, prepareFlips } from '../wasm/flip-tables.js';
import { type FlipDraws, type FlipTally, finishFlips } from '../wasm/flips.js';
import { maximaBytes } from '../wasm/max-t.js';
import { pairCells } from '../wasm/pair-cells.js';
import { type Device, openBuffers, openPass, type Pass, USE_POOL } from './device.js';

/** Additions of one dispatch: bounded, so that no driver takes it for hung. */
const WORK = 2e8;
/** Draws of a workgroup, at most: its sign words hold 16. */
const MOST_TOGETHER = 16;
/** Sums of a workgroup, unless one draw needs more. */
const SUMS = 2048;
/** Counters are 32-bit. */
const MOST_DRAWS = 2 ** 32 - 1;

/** Words of `struct Job` in kernels/signflip.wgsl; tests/house/kernel-types.test.ts compares them. */
export const FLIP_JOB = [
  'firstLow',
  'firstHigh',
  'seedLow',
  'seedHigh',
  'stream',
  'draws',
  'clusters',
  'rows',
  'width',
  'planes',
  'bits',
  'slots',
  'together',
  'wide',
  'all',
  'keep',
] as const;

/** How the draws of a workgroup share its memory. */
interface Shape {
  readonly slots: number;
  readonly together: number;
  readonly sums: number;
}

function shapeOf({ wide, planes, width }: FlipTables, { limits }: Device): Shape {
  const slots = wide ? Math.max(2, planes) : 1;
  const one = slots * width;
  const together = Math.max(1, Math.min(MOST_TOGETHER, Math.floor(SUMS / one)));
  const sums = together * one;
  const bytes = sums * 4 + 512;
  if (bytes > limits.maxComputeWorkgroupStorageSize)
    fail(
      'DEVICE_DECLINED',
      null,
      `the sums of a draw take ${bytes} bytes, a workgroup of the adapter has ${limits.maxComputeWorkgroupStorageSize}`,
      USE_POOL,
    );
  return { slots, together, sums };
}

/** Passes by size of the workgroup's sums, made once each. */
export type FlipPasses = (sums: number) => Pass;

/** Opens kernels/signflip.wgsl. */
export function openFlipPasses(device: Device, code: string): FlipPasses {
  const made = new Map<number, Pass>();
  return (sums) => {
    const pass = made.get(sums) ?? openPass(device, code, 'flip', [0, 1, 2, 3, 4], { SUMS: sums });
    made.set(sums, pass);
    return pass;
  };
}

/** Observed absolute values as (low, high): pairs above the diagonal, rows on it. */
function observedWords(arena: Arena, tables: FlipTables): Uint32Array {
  const { rows, width, wide, observedPairs, observedRows } = tables;
  const words = wide ? 2 : 1;
  const cells = pairCells(rows, width, wide ? 8 : 4);
  const pairs = arena.get(observedPairs, new Uint32Array(cells.length * words));
  const single = arena.get(observedRows, new Uint32Array(width * words));
  const out = new Uint32Array(rows * width * 2);
  for (let i = 0; i < rows; i++)
    for (let j = i + 1; j < rows; j++)
      for (let w = 0; w < words; w++) out[2 * (i * width + j) + w] = pairs[cells.at(i, j) * words + w]!;
  for (let i = 0; i < rows; i++) for (let w = 0; w < words; w++) out[2 * (i * width + i) + w] = single[i * words + w]!;
  return out;
}

/** Counts of pairs, rows x width, as `pairCells` places them. */
function blocked(counts: Uint32Array, { rows, width, wide }: FlipTables): Float64Array {
  const cells = pairCells(rows, width, wide ? 8 : 4);
  const out = new Float64Array(cells.length);
  for (let i = 0; i < rows; i++) for (let j = i + 1; j < rows; j++) out[cells.at(i, j)] = counts[i * width + j]!;
  return out;
}

/** Draws whose maxima are tallied together. */
const TALLIED = 64;

/** Tallies max-T levels from returned sums. */
function tallyReturned(
  { kernels }: Arena,
  tables: FlipTables,
  returned: number,
  made: number,
  counts: number,
  best: number,
): void {
  const { rows, width, wide, ranked, inverse, coarse, levels, levelCount } = tables;
  const sumStride = width * (wide ? 8 : 4);
  for (let first = 0; first < made; first += TALLIED) {
    const draws = Math.min(TALLIED, made - first);
    const sums = returned + first * sumStride;
    const tally = { sums, sumStride, draws, lanes: width, inverse, levels, levelCount, counts, bounds: 0 };
    const maximaAlone = { ...tally, rows, coarse, observed: 0, pairs: 0 };
    if (wide) kernels.tallyWide({ ...maximaAlone, ranked, room: best, estimates: 0 });
    else kernels.tallyMaxima({ ...maximaAlone, best, narrow: false });
  }
}

/**
 * Counts exceedances over sign flips on a device; the host forms max-T from the sums that it returns.
 *
 * Errors: DEVICE_DECLINED for replayed streams and where sums or counters do not fit; ABORTED once the signal is raised.
 */
export async function deviceFlips(
  device: Device,
  passes: FlipPasses,
  arena: Arena,
  design: ClusterDesign,
  draws: number,
  how: FlipDraws,
  request: ExactFlipRequest,
  bytes: number,
): Promise<FlipCounts> {
  if (how.kind === 'random' && how.random.kind !== 'philox')
    fail('DEVICE_DECLINED', null, 'replayed streams run on the processor', USE_POOL);
  if (request.stepDown || request.rankSets) fail('DEVICE_DECLINED', null, 'step-down runs on the processor', USE_POOL);
  if (draws > MOST_DRAWS) fail('DEVICE_DECLINED', null, `${draws} draws; counters of a device hold 2^32 - 1`, USE_POOL);
  if (how.kind === 'random' && how.given)
    fail('DEVICE_DECLINED', null, 'counts made before are summed up on the processor', USE_POOL);
  const start = how.kind === 'random' ? (how.first ?? 0) : 0;
  arena.reset();
  const weighted = testTotals(design, layoutOf(design), request.test);
  const maxT = request.maxT === true;
  const prepared = prepareFlips(arena, design, weighted, maxT, { tables: false });
  const { tables } = prepared;
  const { clusters, rows, width, lanes, planes, bits, wide, levelCount } = tables;
  const { slots, together, sums } = shapeOf(tables, device);
  const drawBytes = maxT ? width * (wide ? 8 : 4) : 1;
  const fit = Math.floor(Math.min(bytes / drawBytes, WORK / (clusters * lanes)) / together);
  const step = together * Math.max(1, Math.min(fit, Math.ceil(draws / together)));
  const random = how.kind === 'random' && how.random.kind === 'philox' ? how.random : undefined;
  const [seedLow, seedHigh] = philoxKey(random?.seed ?? 0n);
  const levelsAt = arena.put(new Uint32Array(levelCount + 1));
  const sumsAt = maxT ? arena.take(step * drawBytes) : 0;
  const bestAt = maxT ? arena.take(maximaBytes(TALLIED, tables)) : 0;
  const buffers = openBuffers(device);
  const pass = passes(sums);
  try {
    const totals = buffers.input(arena.get(tables.totals, new Int32Array(clusters * lanes)));
    const observed = buffers.input(observedWords(arena, tables));
    const counts = buffers.output(rows * width * 4);
    const returned = buffers.output(maxT ? step * drawBytes : 16);
    for (let first = 0; first < draws; first += step) {
      checkSignal(request.signal);
      const now = Math.min(step, draws - first);
      const job = buffers.uniform(FLIP_JOB, {
        firstLow: (start + first) >>> 0,
        firstHigh: Math.floor((start + first) / 2 ** 32),
        seedLow,
        seedHigh,
        stream: random?.stream ?? 0,
        draws: now,
        clusters,
        rows,
        width,
        planes,
        bits,
        slots,
        together,
        wide: wide ? 1 : 0,
        all: how.kind === 'all' ? 1 : 0,
        keep: maxT ? 1 : 0,
      });
      const encoder = device.device.createCommandEncoder();
      pass.encode(encoder, [job, totals, observed, counts, returned], Math.ceil(now / together));
      device.device.queue.submit([encoder.finish()]);
      if (maxT) {
        const made = new Uint8Array(await buffers.read(returned, now * drawBytes));
        new Uint8Array(arena.memory.buffer, sumsAt, made.length).set(made);
        tallyReturned(arena, tables, sumsAt, now, levelsAt, bestAt);
      } else await device.device.queue.onSubmittedWorkDone();
    }
    const made = new Uint32Array(await buffers.read(counts, rows * width * 4));
    const tally: FlipTally = {
      pairs: blocked(made, tables),
      rows: Float64Array.from({ length: rows }, (_, i) => made[i * width + i]!),
      levels: Float64Array.from(arena.get(levelsAt, new Uint32Array(levelCount + 1))),
    };
    return { ...finishFlips(design, weighted, prepared, draws, tally), maxTStep: null, rankSets: null };
  } finally {
    buffers.free();
  }
}
