import { pairCount } from '../design.js';
import { choose, emptyMaps, type MapKernels, utilityFactors } from '../maps.js';
import { openArena } from './arena.js';
import { kernelModule } from './module.js';

/** Int32 words of a task's summary (assembly/portfolio.ts). */
const SUMMARY = 6;

/** Opens the WASM map kernels. Inputs are copied in and results out at every call; nothing is kept between calls. */
export function openWasmMapKernels(): MapKernels {
  const arena = openArena(kernelModule());
  const { kernels } = arena;
  return {
    backend: 'wasm',
    gram({ rows, dims, left, right }) {
      arena.reset();
      const table = arena.put(rows);
      const lists = { left: arena.put(left), right: arena.put(right) };
      const out = new Float64Array(left.length * right.length);
      const at = arena.take(out.byteLength);
      const scratch = arena.take(kernels.gramScratch({ dims, choices: 0 }));
      kernels.gram({ rows: table, dims, ...lists, leftCount: left.length, rightCount: right.length, out: at, scratch });
      return arena.get(at, out);
    },
    taskSimilarities({ rows, dims, choices, members }) {
      arena.reset();
      const table = arena.put(rows);
      const tasks = members.length / (choices + 1);
      const list = arena.put(members);
      const singles = new Float64Array(tasks * choices);
      const pairs = new Float64Array(tasks * pairCount(choices));
      const singlesAt = arena.take(singles.byteLength);
      const pairsAt = arena.take(pairs.byteLength);
      const scratch = arena.take(kernels.gramScratch({ dims, choices }));
      kernels.taskSimilarities({
        rows: table,
        dims,
        members: list,
        tasks,
        choices,
        singles: singlesAt,
        pairs: pairsAt,
        scratch,
      });
      return { singles: arena.get(singlesAt, singles), pairs: arena.get(pairsAt, pairs) };
    },
    portfolioMaps(request) {
      arena.reset();
      const { choices, select, allowed } = request;
      const tasks = allowed.length;
      const maps = emptyMaps(tasks, choose(choices, select));
      const summary = new Int32Array(tasks * SUMMARY);
      const inputs = {
        singles: arena.put(request.singles),
        pairs: arena.put(request.pairs),
        weights: arena.put(utilityFactors(request.weights, select)),
        allowed: arena.put(allowed),
        conflicts: arena.put(request.conflicts),
      };
      const scoresAt = arena.take(maps.scores.byteLength);
      const summaryAt = arena.take(summary.byteLength);
      kernels.portfolioMaps({
        tasks,
        n: choices,
        k: select,
        ...inputs,
        leastFeasible: request.leastFeasible,
        leastRange: request.leastRange,
        scores: scoresAt,
        summary: summaryAt,
        scratch: arena.take((maps.keys + 2) * 8),
      });
      arena.get(scoresAt, maps.scores);
      arena.get(summaryAt, summary);
      const columns = [maps.status, maps.optimal, maps.optima, maps.chance, maps.margin, maps.feasible];
      for (const [c, column] of columns.entries()) {
        for (let t = 0; t < tasks; t += 1) column[t] = summary[t * SUMMARY + c]!;
      }
      return maps;
    },
  };
}
