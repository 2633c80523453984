import type { BootstrapValues } from '../engine.js';
import { putBootstrapTables } from './bootstrap-tables.js';
import { type DrawJob, type DrawResult, drawScratch } from './draw-job.js';
import { rowBytes, type ValueMaker } from './draws.js';
import { addRankCells, rankCells } from './rank-counts.js';
import { ranges } from './runner.js';

/** Draws that are ranked together where their values are not kept. */
const BLOCK = 65_536;

/** Opens a maker that takes values which were made before, and ranks them. */
export function givenValues({ values: table, redraws }: BootstrapValues): ValueMaker {
  return async ({ arena, runner, design, request }, layout, rows, { keep, ranked }) => {
    const { draws, ranks = 'ordinal', signal } = request;
    const together = keep ? draws : Math.min(draws, BLOCK);
    const stride = rowBytes(together);
    const values = arena.take(rows.length * stride);
    const tables = putBootstrapTables(arena, design, layout, rows);
    const bytes = ranked > 0 ? drawScratch(tables, ranked) : 0;
    const scratch = Array.from({ length: runner.lanes }, () => arena.take(bytes));
    const cells = new Uint32Array(ranked > 0 ? rankCells(ranked, ranks) : 0);
    const cost = 50 + ranked * Math.min(ranked, 60) * 0.3;
    for (let first = 0; first < draws; first += together) {
      const now = Math.min(together, draws - first);
      rows.forEach((row, k) => {
        const column = new Float64Array(arena.memory.buffer, values + k * stride, now);
        for (let draw = 0; draw < now; draw++) column[draw] = table[(first + draw) * design.rows + row]!;
      });
      if (ranked === 0) continue;
      const jobs = ranges(now, cost, runner.lanes, cells.length * 4).map(
        ({ first: from, count }): DrawJob => ({
          kind: 'draws',
          tables,
          source: { kind: 'values' },
          first: first + from,
          count,
          values: values + from * 8,
          valueStride: stride,
          formed: null,
          sums: 0,
          ranked,
          rankKind: ranks,
        }),
      );
      await runner.run(jobs, scratch, {
        signal,
        take: (result) => addRankCells(cells, (result as DrawResult).rankCells),
      });
    }
    return { matrix: { values, stride, draws, formed: null }, redraws, rankCells: cells };
  };
}
