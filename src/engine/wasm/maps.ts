import { pairCount } from '../design.js';
import { choose, emptyMaps, type MapKernels, utilityFactors } from '../maps.js';
import { openArena } from './arena.js';
import { kernelModule } from './module.js';

interface Exports {
  gramScratch(dims: number, choices: number): number;
  gram(
    rows: number,
    dims: number,
    left: number,
    leftCount: number,
    right: number,
    rightCount: number,
    out: number,
    scratch: number,
  ): void;
  taskSimilarities(
    rows: number,
    dims: number,
    members: number,
    tasks: number,
    choices: number,
    singles: number,
    pairs: number,
    scratch: number,
  ): void;
  portfolioMaps(
    tasks: number,
    n: number,
    k: number,
    singles: number,
    pairs: number,
    weights: number,
    allowed: number,
    conflicts: number,
    leastFeasible: number,
    leastRange: number,
    scores: number,
    summary: number,
    scratch: number,
  ): void;
}

/** Int32 words of a task's summary (assembly/portfolio.ts). */
const SUMMARY = 6;

/** Opens the WASM map kernels. Inputs are copied in and results out at every call; nothing is kept between calls. */
export function openWasmMapKernels(): MapKernels {
  const arena = openArena<Exports>(kernelModule());
  const { kernels } = arena;
  return {
    backend: 'wasm',
    gram({ rows, dims, left, right }) {
      arena.reset();
      const table = arena.put(rows);
      const l = arena.put(left);
      const r = arena.put(right);
      const out = new Float64Array(left.length * right.length);
      const at = arena.take(out.byteLength);
      const scratch = arena.take(kernels.gramScratch(dims, 0));
      kernels.gram(table, dims, l, left.length, r, right.length, at, scratch);
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
      const scratch = arena.take(kernels.gramScratch(dims, choices));
      kernels.taskSimilarities(table, dims, list, tasks, choices, singlesAt, pairsAt, scratch);
      return { singles: arena.get(singlesAt, singles), pairs: arena.get(pairsAt, pairs) };
    },
    portfolioMaps(request) {
      arena.reset();
      const { choices, select, allowed } = request;
      const tasks = allowed.length;
      const maps = emptyMaps(tasks, choose(choices, select));
      const summary = new Int32Array(tasks * SUMMARY);
      const singles = arena.put(request.singles);
      const pairs = arena.put(request.pairs);
      const weights = arena.put(utilityFactors(request.weights, select));
      const allowedAt = arena.put(allowed);
      const conflicts = arena.put(request.conflicts);
      const scoresAt = arena.take(maps.scores.byteLength);
      const summaryAt = arena.take(summary.byteLength);
      const scratch = arena.take((maps.keys + 2) * 8);
      kernels.portfolioMaps(
        tasks,
        choices,
        select,
        singles,
        pairs,
        weights,
        allowedAt,
        conflicts,
        request.leastFeasible,
        request.leastRange,
        scoresAt,
        summaryAt,
        scratch,
      );
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
