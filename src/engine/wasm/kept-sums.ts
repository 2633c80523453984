import { type Derivation, derivation } from '../derived-design.js';
import type { ClusterDesign } from '../design.js';
import { type BootstrapRequest, sameStream } from '../engine.js';
import type { BootstrapTables } from './bootstrap-tables.js';
import { type DrawJob, type DrawResult, drawScratch } from './draw-job.js';
import { type Drawn, type DrawSession, drawValues, type MakeOptions, rowBytes, type ValueMaker } from './draws.js';
import { addRankCells, rankCells } from './rank-counts.js';
import { ranges } from './runner.js';

/** Most bytes of sums that are kept. */
const KEPT_BYTES = 96 * 2 ** 20;
/** Nanoseconds a draw takes where its sums are known, roughly, by stratum and row. */
const NANOSECONDS_A_RATIO = 1.5;

/** Draws whose sums are kept, and what they were made of. */
interface KeptDraws {
  readonly design: ClusterDesign;
  readonly request: BootstrapRequest;
  readonly tables: BootstrapTables;
  readonly sums: Int32Array;
  /** No sum is larger in size. */
  readonly largest: number;
  readonly redraws: number;
}

const sameDraws = (a: BootstrapRequest, b: BootstrapRequest): boolean =>
  a.draws === b.draws && a.scheme === b.scheme && sameStream(a.random, b.random);

/** Forms the sums of a derived design, laid out by its tables, from those that are kept. */
function derivedSums(kept: KeptDraws, tables: BootstrapTables, { rows, factors }: Derivation, out: Int32Array): void {
  const { sums, request, tables: from } = kept;
  const { strata, planes, lanes, width } = tables;
  const used = planes * width;
  const tasks = width - 1;
  const source = Int32Array.from({ length: used }, (_, lane) => {
    const row = lane % width;
    return ((lane - row) / width) * from.width + (row < tasks ? rows[row]! : from.width - 1);
  });
  // The last lane of a plane holds tasks, which nothing weighs.
  const times = Int32Array.from({ length: strata * used }, (_, at) =>
    at % width === tasks ? 1 : factors[Math.floor(at / used)]!,
  );
  for (let block = 0; block < request.draws * strata; block++) {
    const weights = (block % strata) * used;
    const at = block * from.lanes;
    const to = block * lanes;
    for (let lane = 0; lane < used; lane++) out[to + lane] = sums[at + source[lane]!]! * times[weights + lane]!;
  }
}

/** Makes values and ranks from sums that are kept. */
async function derivedValues(
  { arena, runner, design, request }: DrawSession,
  kept: KeptDraws,
  how: Derivation,
  { keep, ranked }: MakeOptions,
): Promise<Drawn> {
  const { draws, ranks = 'ordinal', signal } = request;
  const { rows } = design;
  const { strata, planes } = kept.tables;
  const width = rows + 1;
  const tables = { ...kept.tables, scale: design.scale, rows, width, lanes: Math.ceil((planes * width) / 8) * 8 };
  const size = strata * tables.lanes;
  const valueStride = keep ? rowBytes(draws) : 0;
  const values = keep ? arena.take(rows * valueStride) : 0;
  const sums = arena.take(draws * size * 4);
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(drawScratch(tables, ranked)));
  derivedSums(kept, tables, how, new Int32Array(arena.memory.buffer, sums, draws * size));
  const jobs = ranges(draws, 50 + strata * rows * NANOSECONDS_A_RATIO, runner.lanes).map(
    ({ first, count }): DrawJob => ({
      kind: 'draws',
      tables,
      source: { kind: 'sums', sums: sums + first * size * 4 },
      first,
      count,
      values: keep ? values + first * 8 : 0,
      valueStride,
      sums: 0,
      ranked,
      rankKind: ranks,
    }),
  );
  const cells = new Uint32Array(ranked > 0 ? rankCells(ranked, ranks) : 0);
  await runner.run(jobs, scratch, {
    signal,
    take(result) {
      addRankCells(cells, (result as DrawResult).rankCells);
    },
  });
  const matrix = { values, stride: valueStride, draws };
  return { matrix, redraws: kept.redraws, rankCells: cells };
}

/**
 * Makes values as `drawValues` does and keeps the sums of the last draws by stratum: other weights of strata (decisions 4.3) multiply them, and a
 * model left out takes nothing else with it, so that neither draws again. The values are those that drawing gives, digit for digit.
 */
export function keptSums(): ValueMaker {
  let kept: KeptDraws | null = null;
  return async (session, layout, rows, options) => {
    const { design, request } = session;
    const whole = rows.length === design.rows && request.random.kind === 'philox' && !request.first;
    const how = whole && kept && sameDraws(kept.request, request) ? derivation(kept.design, design) : null;
    if (how?.factors.every((times) => times * kept!.largest < 2 ** 31))
      return derivedValues(session, kept!, how, options);
    const cells = request.draws * design.strata * (design.rows + 8) * 4;
    const drawn = await drawValues(session, layout, rows, { ...options, sums: whole && cells <= KEPT_BYTES });
    const { sums, redraws } = drawn;
    if (sums) {
      const { cells: own, tables } = sums;
      let largest = 0;
      for (const sum of own) largest = Math.max(largest, Math.abs(sum));
      kept = { design, request, tables, sums: own, largest, redraws };
    }
    return drawn;
  };
}
