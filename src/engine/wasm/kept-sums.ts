import { type Derivation, derivation } from '../derived-design.js';
import type { ClusterDesign } from '../design.js';
import { type BootstrapRequest, sameStream } from '../engine.js';
import type { Arena } from './arena.js';
import type { BootstrapTables } from './bootstrap-tables.js';
import { type DrawJob, type DrawResult, drawScratch } from './draw-job.js';
import { type Drawn, type DrawSession, drawValues, type MakeOptions, rowBytes, type ValueMaker } from './draws.js';
import { addRankCells, rankCells } from './rank-counts.js';
import { ranges } from './runner.js';

/** Most bytes of sums that are kept, in the room of the arena. */
export const KEPT_SUM_BYTES = 96 * 2 ** 20;
/** Nanoseconds a draw takes where its sums are known, roughly, by stratum and row. */
const NANOSECONDS_A_RATIO = 1.5;

/** Draws whose sums are kept, and what they were made of. */
interface KeptDraws {
  readonly design: ClusterDesign;
  readonly request: BootstrapRequest;
  readonly tables: BootstrapTables;
  /** No sum is as large in size. */
  readonly largest: number;
  readonly redraws: number;
}

const sameDraws = (a: BootstrapRequest, b: BootstrapRequest): boolean =>
  a.draws === b.draws && a.scheme === b.scheme && sameStream(a.random, b.random);

/** A power of two that no value reaches in size. */
function sizeOf(values: Int32Array): number {
  let bits = 0;
  for (let k = 0; k < values.length; k++) bits |= values[k]! ^ (values[k]! >> 31);
  return 2 ** (32 - Math.clz32(bits));
}

/** How the sums of a derived design, laid out by its tables, are picked out of those that are kept. */
function picked(arena: Arena, from: BootstrapTables, tables: BootstrapTables, { rows, factors }: Derivation) {
  const { strata, planes, lanes, width } = tables;
  const used = planes * width;
  const tasks = width - 1;
  const sources = Int32Array.from({ length: lanes }, (_, lane) => {
    if (lane >= used) return lane;
    const row = lane % width;
    return ((lane - row) / width) * from.width + (row < tasks ? rows[row]! : from.width - 1);
  });
  // The last lane of a plane holds tasks, which nothing weighs.
  const times = Int32Array.from({ length: strata * lanes }, (_, at) => {
    const lane = at % lanes;
    return lane < used && lane % width !== tasks ? factors[Math.floor(at / lanes)]! : 1;
  });
  return { from: from.lanes, sources: arena.put(sources), factors: arena.put(times) };
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
  const valueStride = keep ? rowBytes(draws) : 0;
  const values = keep ? arena.take(rows * valueStride) : 0;
  const scratch = Array.from({ length: runner.lanes }, () => arena.take(drawScratch(tables, ranked)));
  const pick = picked(arena, kept.tables, tables, how);
  const size = strata * kept.tables.lanes * 4;
  const jobs = ranges(draws, 50 + strata * rows * NANOSECONDS_A_RATIO, runner.lanes).map(
    ({ first, count }): DrawJob => ({
      kind: 'draws',
      tables,
      source: { kind: 'sums', sums: arena.room + first * size, pick },
      first,
      count,
      values: keep ? values + first * 8 : 0,
      valueStride,
      formed: null,
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
  const matrix = { values, stride: valueStride, draws, formed: null };
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
    if (!whole) return drawValues(session, layout, rows, options);
    // What stood there is gone even where this stops half-way.
    kept = null;
    const { arena } = session;
    const room = { address: arena.room, bytes: KEPT_SUM_BYTES };
    const drawn = await drawValues(session, layout, rows, { ...options, sums: room });
    const { sums: tables, redraws } = drawn;
    if (tables) {
      const cells = request.draws * tables.strata * tables.lanes;
      kept = {
        design,
        request,
        tables,
        largest: sizeOf(new Int32Array(arena.memory.buffer, arena.room, cells)),
        redraws,
      };
    }
    return drawn;
  };
}
