import { availableParallelism } from 'node:os';
import { fail, shown } from '../util/error.js';
import { createAutoEngine, hardwareOnly } from './auto.js';
import { BACKENDS, type BackendName, type Engine } from './engine.js';
import { createReferenceEngine } from './reference/engine.js';
import { createKernelEngine } from './wasm/engine.js';
import { kernelModule } from './wasm/module.js';
import type { DeviceEngine } from './webgpu/engine.js';

export interface EngineOptions {
  /** `auto`, the default, chooses by the size of the work. */
  readonly backend?: BackendName | 'auto';
  /** Worker threads of `pool`; the processors unless given. */
  readonly threads?: number;
  /** Bytes of bootstrap values kept at once; past it draws are made again in passes. */
  readonly valueBytes?: number;
  /** Bytes of the largest buffers of a `webgpu` dispatch. */
  readonly bufferBytes?: number;
  /** Script of the pool's workers; the project's own unless given. */
  readonly worker?: URL;
}

async function openPool(options: EngineOptions, threads: number): Promise<Engine> {
  const { piscinaRunner } = await import('./pool/piscina.js');
  const { valueBytes, worker } = options;
  const module = kernelModule();
  return createKernelEngine({
    module,
    backend: 'pool',
    threads,
    valueBytes,
    runner: ({ memory }) => piscinaRunner({ module, memory, threads, ...(worker ? { worker } : {}) }),
  });
}

async function openDevice(options: EngineOptions): Promise<DeviceEngine> {
  const { openNodeDevice } = await import('./webgpu/node.js');
  const { valueBytes, bufferBytes, threads } = options;
  return openNodeDevice({
    valueBytes,
    bufferBytes,
    openFallback: () => openPool(options, threads ?? availableParallelism()),
  });
}

async function openWasm({ valueBytes }: EngineOptions): Promise<Engine> {
  const module = kernelModule();
  return createKernelEngine({ module, valueBytes });
}

/**
 * Opens a backend. Close it when done.
 *
 * Errors: USAGE (unknown backend, threads), BACKEND_UNAVAILABLE.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { backend = 'auto', threads } = options;
  if (threads !== undefined && (!Number.isInteger(threads) || threads < 1 || threads > 256))
    fail(
      'USAGE',
      null,
      `${shown(threads)} threads; a whole number from 1 to 256`,
      'Give --threads a number, or leave it out.',
    );
  const processors = availableParallelism();
  if (backend === 'reference') return createReferenceEngine();
  if (backend === 'wasm') return openWasm(options);
  if (backend === 'pool') return openPool(options, threads ?? processors);
  if (backend === 'webgpu') return openDevice(options);
  if (backend === 'auto')
    return createAutoEngine({
      processors,
      threads,
      openWasm: () => openWasm(options),
      openPool: (count) => openPool(options, count),
      openDevice: () => hardwareOnly(() => openDevice(options)),
    });
  fail('USAGE', null, `backend ${shown(backend)} is not known`, `One of ${BACKENDS.join(', ')}.`);
}
