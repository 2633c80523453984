import { fail } from '../../util/error.js';
import { philoxKey } from '../philox.js';
import { checkSignal } from '../signals.js';
import type { Arena } from '../wasm/arena.js';
import { type BootstrapTables, laneTotals, putBootstrapTables } from '../wasm/bootstrap-tables.js';
import { type DrawJob, type DrawResult, drawScratch, runDrawJob } from '../wasm/draw-job.js';
import { rowBytes, type ValueMaker } from '../wasm/draws.js';
import { addRankCells, rankCells } from '../wasm/rank-counts.js';
import { type Device, openBuffers, openPass, type Pass, USE_POOL } from './device.js';

/** Multiplications of one dispatch: bounded, so that no driver takes it for hung. */
const WORK = 2e8;
/** Bytes of the buffers of one dispatch. */
export const BUFFER_BYTES = 64 * 2 ** 20;

/** Words of `struct Job` in kernels/bootstrap.wgsl; tests/house/kernel-types.test.ts compares them. */
export const BOOTSTRAP_JOB = [
  'firstLow',
  'firstHigh',
  'seedLow',
  'seedHigh',
  'stream',
  'draws',
  'bins',
  'strata',
  'lanes',
  'stratified',
] as const;

/** The two passes of kernels/bootstrap.wgsl. */
export interface BootstrapPasses {
  readonly count: Pass;
  readonly sum: Pass;
}

/** Compiles kernels/bootstrap.wgsl. */
export function openBootstrapPasses(device: Device, code: string): BootstrapPasses {
  return {
    count: openPass(device, code, 'count', [0, 1, 4]),
    sum: openPass(device, code, 'sum_parts', [0, 1, 2, 3, 4, 5]),
  };
}

/** Sums of draws that left a stratum empty are made again by the kernels, which know how to redraw. */
function mendEmpty(
  arena: Arena,
  tables: BootstrapTables,
  job: DrawJob,
  sums: Int32Array,
  first: number,
  scratch: number,
): number {
  const { strata, lanes, planes, width } = tables;
  const size = strata * lanes;
  let redraws = 0;
  for (let draw = 0; draw * size < sums.length; draw++) {
    let empty = false;
    for (let s = 0; s < strata; s++) {
      let any = 0;
      for (let k = 0; k < planes; k++) any |= sums[draw * size + s * lanes + k * width + width - 1]!;
      empty ||= any === 0;
    }
    if (!empty) continue;
    const one = { ...job, first: first + draw, count: 1, values: 0, ranked: 0 };
    const made: DrawResult = runDrawJob(arena.kernels, arena.memory, one, scratch);
    redraws += made.redraws;
    sums.set(arena.get(scratch + made.sums, new Int32Array(size)), draw * size);
  }
  return redraws;
}

/**
 * Opens a maker of values on a device: counts and sums there, ratios and ranks by the kernels.
 *
 * Errors: DEVICE_DECLINED for replayed streams and where a buffer does not fit; ABORTED once the signal is raised.
 */
export function deviceValues(device: Device, passes: BootstrapPasses, bytes: number): ValueMaker {
  return async (session, layout, rows, { keep, ranked }) => {
    const { arena, runner, design, request } = session;
    const { draws, first: start = 0, random, scheme, ranks = 'ordinal', signal } = request;
    if (random.kind !== 'philox') fail('DEVICE_DECLINED', null, 'replayed streams run on the processor', USE_POOL);
    const tables = putBootstrapTables(arena, design, layout, rows);
    const { lanes, strata, parts, clusters } = tables;
    const bins = scheme === 'joint' ? clusters : parts;
    const drawBytes = Math.max(bins, strata * lanes) * 4;
    const fit = Math.floor(Math.min(bytes / drawBytes, WORK / (parts * lanes)));
    const together = Math.max(1, Math.min(draws, fit));
    const valueStride = keep ? rowBytes(draws) : 0;
    const values = keep ? arena.take(rows.length * valueStride) : 0;
    const sumsAt = arena.take(together * strata * lanes * 4);
    const scratch = Array.from({ length: runner.lanes }, () => arena.take(drawScratch(tables, ranked)));
    const [seedLow, seedHigh] = philoxKey(random.seed);
    const redrawJob: DrawJob = {
      kind: 'draws',
      tables,
      source: { kind: scheme, seedLow, seedHigh, stream: random.stream },
      first: 0,
      count: 1,
      values: 0,
      formed: null,
      valueStride: 0,
      sums: 0,
      ranked: 0,
      rankKind: ranks,
    };
    const total = laneTotals(design, rows, tables);
    const cells = new Int32Array(parts * lanes);
    for (let p = 0; p < parts; p++) for (let lane = 0; lane < lanes; lane++) cells[p * lanes + lane] = total(lane, p);
    const buffers = openBuffers(device);
    const rankTotals = new Uint32Array(ranked > 0 ? rankCells(ranked, ranks) : 0);
    let redraws = 0;
    try {
      const starts = buffers.input(layout.stratumStart);
      const binOf = buffers.input(
        scheme === 'joint' ? design.partCluster : Int32Array.from({ length: parts }, (_, p) => p),
      );
      const totals = buffers.input(cells);
      const counts = buffers.output(Math.max(together * bins * 4, bytes > BUFFER_BYTES ? bytes : 0));
      const sums = buffers.output(together * strata * lanes * 4);
      for (let first = 0; first < draws; first += together) {
        checkSignal(signal);
        const now = Math.min(together, draws - first);
        const job = buffers.uniform(BOOTSTRAP_JOB, {
          firstLow: (start + first) >>> 0,
          firstHigh: Math.floor((start + first) / 2 ** 32),
          seedLow,
          seedHigh,
          stream: random.stream,
          draws: now,
          bins,
          strata,
          lanes,
          stratified: scheme === 'stratified' ? 1 : 0,
        });
        const encoder = device.device.createCommandEncoder();
        encoder.clearBuffer(counts);
        const bound = [job, starts, binOf, totals, counts, sums];
        passes.count.encode(encoder, bound, Math.ceil((now * Math.ceil(bins / 4)) / 64));
        passes.sum.encode(encoder, bound, Math.ceil((now * lanes) / 64));
        device.device.queue.submit([encoder.finish()]);
        const made = new Int32Array(await buffers.read(sums, now * strata * lanes * 4));
        if (scheme === 'joint') redraws += mendEmpty(arena, tables, redrawJob, made, start + first, scratch[0]!);
        new Int32Array(arena.memory.buffer, sumsAt, made.length).set(made);
        const finish: DrawJob = {
          ...redrawJob,
          source: { kind: 'sums', sums: sumsAt, pick: null },
          first,
          count: now,
          values: keep ? values + first * 8 : 0,
          valueStride,
          ranked,
        };
        await runner.run([finish], scratch, {
          signal,
          take(result) {
            addRankCells(rankTotals, (result as DrawResult).rankCells);
          },
        });
      }
    } finally {
      buffers.free();
    }
    return { matrix: { values, stride: valueStride, draws, formed: null }, redraws, rankCells: rankTotals };
  };
}
