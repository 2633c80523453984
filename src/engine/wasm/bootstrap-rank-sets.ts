import type { ClusterDesign } from '../design.js';
import type { RankSetRequest, RankSets } from '../engine.js';
import type { Layout } from '../layout.js';
import { BLOCK_DRAWS } from '../moments.js';
import { philoxKey } from '../philox.js';
import { mostExceedances } from '../step-down.js';
import { putBootstrapTables } from './bootstrap-tables.js';
import { type DrawJob, drawScratch } from './draw-job.js';
import { type DrawSession, rowBytes } from './draws.js';
import { type StepStatistics, squareTable } from './reach-families.js';
import { type DrawStock, rankSetFamilies, rankSetsOf, stepDownFamilies } from './reach-sweep.js';
import { ranges } from './runner.js';
import { drawBytes, type TileJob } from './squares-job.js';
import { span } from './statistics.js';
import { cellBytes, type ValueMatrix, type ValueRows } from './value-matrix.js';

/** Bootstrap values that rank sets are formed of. */
export interface ValueOptions extends DrawSession {
  readonly layout: Layout;
  /** Values of all rows over all draws where they lie in memory; null: they are made again, tile by tile. */
  readonly matrix: ValueMatrix | null;
  readonly rankSets: RankSetRequest;
  readonly valueBytes: number;
  /** rows. */
  readonly points: Float64Array;
  readonly means: Float64Array;
}

/** Leaves values of some draws in memory: the address of the first, and the bytes of a row. */
type Values = (first: number, count: number) => Promise<ValueRows>;

/** Makes values of the ranked rows again, `together` draws at most. */
function valuesAgain({ arena, runner, design, layout, request }: ValueOptions, together: number): Values {
  const { random, scheme, signal } = request;
  const rows = span(0, design.ranked);
  const tables = putBootstrapTables(arena, design, layout, rows);
  const stride = rowBytes(together);
  const values = arena.take(rows.length * stride);
  const bytes = drawScratch(tables, 0);
  const scratch = span(0, runner.lanes).map(() => arena.take(bytes));
  const [seedLow, seedHigh] = philoxKey(random.seed);
  const stream = random.kind === 'philox' ? random.stream : 0;
  const source = { kind: scheme, seedLow, seedHigh, stream };
  const cost = 50 + tables.clusters * 3 + tables.parts * tables.lanes * 0.03 + tables.strata * rows.length * 1.5;
  return async (first, count) => {
    const jobs = ranges(count, cost, runner.lanes).map(
      (range): DrawJob => ({
        kind: 'draws',
        tables,
        source,
        first: first + range.first,
        count: range.count,
        values: values + range.first * 8,
        valueStride: stride,
        formed: null,
        sums: 0,
        ranked: 0,
        rankKind: 'shared',
      }),
    );
    await runner.run(jobs, scratch, { signal });
    return { values, stride, formed: null };
  };
}

/** Most bytes of a tile of draws. */
const TILE_BYTES = 8 * 2 ** 20;

/** Draws of the largest tile: whole blocks, or all. */
function tileDraws(draws: number, stride: number, valueBytes: number): number {
  const blocks = Math.floor(Math.min(TILE_BYTES, valueBytes) / stride / BLOCK_DRAWS);
  return Math.min(draws, Math.max(1, blocks) * BLOCK_DRAWS);
}

/** Sums of the squared differences of all pairs from their means, in blocks of draws (decisions 1.3). */
async function pairSquares(
  { arena, runner, design, request, means }: ValueOptions,
  lanes: number,
  together: number,
  values: Values,
): Promise<Float64Array> {
  const { ranked } = design;
  const { draws, signal } = request;
  const mark = arena.mark();
  const exactStride = drawBytes(ranked, 8);
  const exact = arena.take(together * exactStride + 64);
  const cells = ranked * lanes;
  const centres = arena.put(means.subarray(0, ranked));
  const block = arena.take(cells * 8);
  let [before, totals] = [arena.put(new Float64Array(cells)), arena.take(cells * 8)];
  const run = (jobs: readonly TileJob[]) => runner.run(jobs, span(0, runner.lanes), { signal });
  for (let first = 0; first < draws; first += together) {
    const tile = { exact, exactStride, draws: Math.min(together, draws - first), ranked, lanes };
    const made = await values(first, tile.draws);
    await run(
      ranges(tile.draws, ranked * 1.5, runner.lanes).map((range) => ({
        kind: 'centre',
        tile,
        ...range,
        ...made,
        centres,
      })),
    );
    await run(
      ranges(ranked, tile.draws * lanes * 0.15, runner.lanes).map(({ first: from, count }) => ({
        kind: 'squares',
        tile,
        from,
        to: from + count,
        block,
        before,
        totals,
      })),
    );
    [before, totals] = [totals, before];
  }
  const sums = arena.get(before, new Float64Array(cells));
  arena.reset(mark);
  return sums;
}

/** Studentises the differences: 1 / error of each pair, and what is observed (decisions 1.3). */
function studentised(
  { design, request, points, rankSets }: ValueOptions,
  lanes: number,
  squares: Float64Array,
): StepStatistics {
  const { ranked } = design;
  const { excluded } = rankSets;
  const divisor = Math.max(1, request.draws - 1);
  const observed = new Float64Array(excluded.length);
  let pair = 0;
  const inverse = squareTable(ranked, lanes, (j, k) => {
    const error = Math.sqrt(squares[j * lanes + k]! / divisor);
    const reciprocal = error > 0 && excluded[pair] === 0 ? 1 / error : 0;
    observed[pair++] = (points[j]! - points[k]!) * reciprocal;
    return reciprocal;
  });
  return { observed, inverse };
}

/** No value of a row lies farther from its point value: both are means of shares of its parts. */
function largestDistances({ partTasks, partTotals, rows, ranked, scale }: ClusterDesign): Float64Array {
  const out = new Float64Array(ranked);
  partTasks.forEach((tasks, p) => {
    for (let m = 0; m < ranked; m++) out[m] = Math.max(out[m]!, Math.abs(partTotals[p * rows + m]!) / tasks);
  });
  return out.map((most) => (2.1 * most) / scale);
}

/** Forms rank sets from bootstrap values on kernel memory (decisions 1.3). */
export async function bootstrapRankSets(options: ValueOptions): Promise<RankSets> {
  const { arena, runner, design, request, matrix, points, valueBytes } = options;
  const { ranked } = design;
  const { draws, signal } = request;
  const lanes = Math.ceil(ranked / 4) * 4;
  const together = tileDraws(draws, drawBytes(ranked, 8), valueBytes);
  const rows = matrix && { values: matrix.values, stride: matrix.stride, formed: matrix.formed };
  const values: Values = rows
    ? async (first) => ({ ...rows, values: rows.values + first * cellBytes(rows.formed) })
    : valuesAgain(options, together);
  const statistics = studentised(options, lanes, await pairSquares(options, lanes, together, values));
  const centres = arena.put(points.subarray(0, ranked));
  const stock: DrawStock = {
    draws,
    cost: ranked * 1.5,
    async each(most, _, work) {
      const step = matrix ? most : together;
      for (let first = 0; first < most; first += step) {
        const count = Math.min(step, most - first);
        await work({ kind: 'values', ...(await values(first, count)), centres }, 0, count);
      }
    },
  };
  const { alpha, excluded } = options.rankSets;
  const shape = { statistics, ranked, lanes, largest: largestDistances(design) };
  const families = rankSetFamilies(shape, {
    most: mostExceedances({ total: draws, kind: 'sampled' }, alpha),
    excluded,
  });
  await stepDownFamilies({ ...shape, arena, runner, stock, signal }, { rows: families.rows, pairs: [families.pairs] });
  return rankSetsOf(shape, families);
}
