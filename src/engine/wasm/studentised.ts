import type { ClusterDesign } from '../design.js';
import type { StudentisedRequest, StudentisedSummary } from '../engine.js';
import { type Layout, layoutOf } from '../layout.js';
import { drawnUnits, linearisation, linearisesInDoubles } from '../linearised.js';
import { partCounts } from '../part-counts.js';
import { philoxKey } from '../philox.js';
import { studentisedBootstrap } from '../reference/studentised.js';
import { betweenInfinite, tailQuantiles } from '../studentised.js';
import type { Arena } from './arena.js';
import { putBootstrapTables } from './bootstrap-tables.js';
import type { CountSource } from './draw-job.js';
import { rowBytes } from './draws.js';
import { quantileRanks } from './order-job.js';
import { type Runner, ranges } from './runner.js';
import { quantiles, span } from './statistics.js';
import { type StudentisedJob, type StudentisedResult, studentisedScratch } from './studentised-job.js';
import { putTiles, putUnitTables, TILE_ROWS } from './studentised-tables.js';
import type { ValueMatrix } from './value-matrix.js';

/** Bytes of t that are kept at a time; rows past it are drawn again from the same addresses. */
const KEPT_BYTES = 2 ** 26;

/** What the draws of a request come from, as jobs see it. */
interface DrawSource {
  readonly draws: number;
  /** Weight of each multiset; null where draws are made at random. */
  readonly weights: Float64Array | null;
  /** Source of the draws from number `first` on. */
  from(first: number): Exclude<CountSource, { kind: 'sums' | 'values' }>;
}

/** Lays out the counts of all multisets, or says how draws are counted. */
function openSource(arena: Arena, design: ClusterDesign, layout: Layout, request: StudentisedRequest): DrawSource {
  const { draws, scheme, random, enumerate } = request;
  if (!enumerate && random.kind === 'philox') {
    const [seedLow, seedHigh] = philoxKey(random.seed);
    const source = { kind: scheme, seedLow, seedHigh, stream: random.stream };
    return { draws, weights: null, from: () => source };
  }
  const { parts } = layout;
  const counts: number[] = [];
  const weights: number[] = [];
  for (const multiset of partCounts(design, layout, request)) {
    for (let p = 0; p < parts; p += 1) counts.push(multiset.counts[p]!);
    weights.push(multiset.weight);
  }
  const address = arena.put(Uint16Array.from(counts));
  return {
    draws: weights.length,
    weights: Float64Array.from(weights),
    from: (first) => ({ kind: 'given', counts: address + first * parts * 2 }),
  };
}

/** Nanoseconds a draw takes, roughly: words and counts, lists of parts, sums and errors of the rows. */
function drawCost(clusters: number, parts: number, rows: number): number {
  return 100 + clusters * 3 + parts * (3 + Math.ceil(rows / TILE_ROWS) * 4);
}

/**
 * Studentises bootstrap values with the kernels, `valueBytes` of them at once; sums past the integers of doubles are left to the reference.
 *
 * Errors: STRATUM_EMPTY as the draws; BOUND_EXCEEDED as multisets, or where memory is short; ABORTED once the signal is raised.
 */
export async function runStudentised(
  arena: Arena,
  runner: Runner,
  design: ClusterDesign,
  request: StudentisedRequest,
  valueBytes: number,
): Promise<StudentisedSummary> {
  const layout = layoutOf(design);
  if (!linearisesInDoubles(design, layout)) return studentisedBootstrap(design, request);
  arena.reset();
  const { rows } = design;
  const { tail } = request;
  const units = drawnUnits(design, request.scheme);
  const observed = linearisation(design, layout, units).measure(new Uint8Array(layout.parts).fill(1));
  const scores = observed.values;
  const { tables: unitTables, order } = putUnitTables(arena, design, layout, units);
  const source = openSource(arena, design, layout, request);
  const out = new Float64Array(2 * rows);
  const quantile = source.weights ? null : quantileRanks(arena, source.draws, [tail, 1 - tail], betweenInfinite);
  const zeros = arena.put(new Float64Array(source.draws + 8));
  const start = arena.mark();
  const kept = Math.min(KEPT_BYTES, valueBytes) / rowBytes(source.draws);
  const block = Math.max(1, Math.floor(kept / TILE_ROWS)) * TILE_ROWS;
  for (let first = 0; first < rows; first += block) {
    arena.reset(start);
    const count = Math.min(block, rows - first);
    const { matrix, undefinedDraws } = await studentise(first, count);
    const selected = span(0, count).filter((m) => quantile && undefinedDraws[m] === 0);
    if (quantile) {
      const items = Int32Array.from(selected.flatMap((m) => [m, -1]));
      const means = arena.put(new Float64Array(count));
      await quantiles({ arena, runner, request }, matrix, means, items, quantile, zeros, (statistics, k) =>
        quantile.write(statistics, k, out, 2 * (first + selected[k]!)),
      );
    }
    const others = span(0, count).filter((m) => !quantile || undefinedDraws[m]! > 0);
    for (const m of others) {
      const t = arena.get(matrix.values + m * matrix.stride, new Float64Array(source.draws));
      out.set(tailQuantiles(t, source.weights, tail), 2 * (first + m));
    }
  }
  return { scores, errors: observed.squares.map(Math.sqrt), quantiles: out };

  /** Forms t of some rows over all draws, and counts by row the draws without one. */
  async function studentise(from: number, count: number) {
    const stride = rowBytes(source.draws);
    const values = arena.take(count * stride);
    const made = putBootstrapTables(arena, design, layout, span(from, from + count));
    // Counts of multisets are those of parts.
    const tables = source.weights ? { ...made, clusters: layout.parts, clusterOf: 0 } : made;
    const { table, tileBytes } = putTiles(arena, design, order, from, count);
    const padded = new Float64Array(Math.ceil(count / TILE_ROWS) * TILE_ROWS);
    padded.set(scores.subarray(from, from + count));
    const scoresAt = arena.put(padded);
    const bytes = studentisedScratch(tables, unitTables);
    const scratch = span(0, runner.lanes).map(() => arena.take(bytes));
    const jobs = ranges(source.draws, drawCost(design.clusters, layout.parts, count), runner.lanes).map(
      (range): StudentisedJob => ({
        kind: 'studentised',
        tables,
        units: unitTables,
        source: source.from(range.first),
        ...range,
        table,
        tileBytes,
        scores: scoresAt,
        values: values + range.first * 8,
        valueStride: stride,
      }),
    );
    const undefinedDraws = new Uint32Array(count);
    await runner.run(jobs, scratch, {
      signal: request.signal,
      take(result) {
        (result as StudentisedResult).undefinedDraws.forEach((draws, m) => {
          undefinedDraws[m]! += draws;
        });
      },
    });
    const matrix: ValueMatrix = { values, stride, draws: source.draws, formed: null };
    return { matrix, undefinedDraws };
  }
}
