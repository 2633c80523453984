import { availableParallelism } from 'node:os';
import type { Engine } from './engine.js';
import { type OpenOptions, openEngine } from './open.js';
import type { Arena } from './wasm/arena.js';
import { createKernelEngine } from './wasm/engine.js';
import { kernelModule } from './wasm/module.js';

export interface EngineOptions extends OpenOptions {
  /** Bytes of bootstrap values kept at once; past it draws are made again in passes. */
  readonly valueBytes?: number;
  /** Bytes of the largest buffers of a `webgpu` dispatch. */
  readonly bufferBytes?: number;
  /** Script of the worker threads; the project's own unless given. */
  readonly worker?: URL;
  /** `auto` starts a second thread now, where there are processors and threads for it, so that it is ready when the caller has work. */
  readonly early?: boolean;
}

/**
 * Opens a backend in Node. Close it when done.
 *
 * Errors: USAGE where backend or threads are none; BACKEND_UNAVAILABLE where it cannot run here; KERNELS_STALE where the
 * kernels were built from other sources.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { valueBytes, bufferBytes, worker } = options;
  const processors = availableParallelism();
  const auto = (options.backend ?? 'auto') === 'auto';
  const early = options.early === true && auto && Math.min(processors, options.threads ?? processors) > 1;
  const openPool = async (threads: number): Promise<Engine> => {
    const { threadRunner } = await import('./workers/node.js');
    const module = kernelModule();
    const runner = ({ memory }: { memory: WebAssembly.Memory }) => threadRunner({ module, memory, threads, worker });
    return createKernelEngine({ module, backend: 'pool', threads, valueBytes, runner });
  };
  const openPair = async (): Promise<Engine> => {
    const { companionRunner } = await import('./workers/companion.js');
    const module = kernelModule();
    const runner = (arena: Arena) => companionRunner(arena, module);
    return createKernelEngine({ module, backend: 'pool', threads: 2, valueBytes, runner });
  };
  return openEngine(options, {
    processors,
    // Of two threads one is this one: it works while the other gets ready, and nothing is loaded to hand jobs to more of them.
    openPool: (threads) => (auto && threads === 2 && worker === undefined ? openPair() : openPool(threads)),
    early: early ? await openPair() : undefined,
    openWasm: async () => createKernelEngine({ module: kernelModule(), valueBytes }),
    async openDevice() {
      const { openNodeDevice } = await import('./webgpu/node.js');
      const openFallback = () => openPool(options.threads ?? processors);
      return openNodeDevice({ valueBytes, bufferBytes, openFallback });
    },
  });
}
