import { bootstrapBound } from '../bounds.js';
import type { ClusterDesign } from '../design.js';
import type { BackendName, Engine, ExactFlipRequest } from '../engine.js';
import { enumeratedBootstrap } from '../enumerated.js';
import { followRunner } from '../follow.js';
import { layoutOf } from '../layout.js';
import { checkBootstrap, checkDrawn, checkExactFlips, checkFlips, checkStudentised } from '../request.js';
import { type Arena, openArena } from './arena.js';
import { runBootstrap } from './bootstrap.js';
import { drawValues, valueTable } from './draws.js';
import { runFlips } from './flips.js';
import { flipsOfDistinct } from './flips-of-distinct.js';
import { KEPT_FLIP_BYTES, keptFlips } from './kept-flips.js';
import { KEPT_SUM_BYTES, keptSums } from './kept-sums.js';
import { inlineRunner, type Runner } from './runner.js';
import { runStudentised } from './studentised.js';

/** Values of a bootstrap are kept up to this many bytes, 50,000 draws of a thousand rows; past it they are made again in passes. */
export const VALUE_BYTES = 448 * 2 ** 20;

/** What an engine over kernel memory is made of. */
export interface KernelEngineOptions {
  readonly module: WebAssembly.Module;
  readonly backend?: BackendName;
  readonly threads?: number;
  /** Bytes of bootstrap values kept at once. */
  readonly valueBytes?: number;
  /** Keep the sums of the last draws and flips: what differs in its weights and rows alone then draws nothing. */
  readonly keepSums?: boolean;
  /** Runs the jobs; in this thread unless given. */
  readonly runner?: (arena: Arena) => Runner;
}

/** Opens an engine over kernel memory. Calls are served one after another: they share the memory. */
export function createKernelEngine(options: KernelEngineOptions): Engine {
  const { module, backend = 'wasm', threads = 1, valueBytes = VALUE_BYTES, keepSums = false } = options;
  const arena = openArena(module, keepSums ? KEPT_SUM_BYTES + KEPT_FLIP_BYTES : 0);
  const how = { valueBytes, make: keepSums ? keptSums() : drawValues };
  const keep = keepSums ? keptFlips() : undefined;
  const runner = options.runner?.(arena) ?? inlineRunner(arena.kernels, arena.memory);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T extends object>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work).then((result) => {
      const warnings = runner.takeWarnings();
      return warnings.length > 0 ? { ...result, warnings } : result;
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    backend,
    threads,
    bootstrap(design, request) {
      return inTurn(async () => {
        checkBootstrap(request, design);
        if (request.enumerate) return enumeratedBootstrap(design, request);
        return runBootstrap(arena, followRunner(runner, request.onProgress), design, request, how);
      });
    },
    bootstrapValues(design, request) {
      return inTurn(async () => {
        checkBootstrap(request, design);
        checkDrawn(request);
        bootstrapBound(design);
        const followed = followRunner(runner, request.onProgress);
        return valueTable(arena, followed, design, layoutOf(design), request, how);
      });
    },
    studentised(design, request) {
      return inTurn(async () => {
        checkStudentised(request);
        return runStudentised(arena, followRunner(runner, request.onProgress), design, request, valueBytes);
      });
    },
    flips(design, request) {
      return inTurn(async () => {
        checkFlips(request, design);
        const signs = { kind: 'random', ...request } as const;
        const followed = followRunner(runner, request.onProgress);
        const count = (rows: ClusterDesign, asked: ExactFlipRequest) =>
          runFlips(arena, followed, rows, request.draws, signs, asked, keep);
        return request.given ? count(design, request) : flipsOfDistinct(design, request.draws, request, count);
      });
    },
    exactFlips(design, request) {
      return inTurn(async () => {
        checkExactFlips(request, design);
        const followed = followRunner(runner, request.onProgress);
        const draws = 2 ** design.clusters;
        return flipsOfDistinct(design, draws, request, (rows, asked) =>
          runFlips(arena, followed, rows, draws, { kind: 'all' }, asked),
        );
      });
    },
    async close() {
      await last;
      await runner.close();
    },
  };
}
