import { FlavourError } from '../util/error.js';
import type { BackendName, Engine } from './engine.js';
import { createReferenceEngine } from './reference/engine.js';
import { createKernelEngine } from './wasm/engine.js';
import { kernelModule } from './wasm/module.js';

export interface EngineOptions {
  readonly backend?: BackendName;
  /** Worker threads of `pool`. */
  readonly threads?: number;
  /** Bytes of bootstrap values kept at once; past it draws are made again in passes. */
  readonly valueBytes?: number;
}

/** Opens a backend. Close it when done. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { backend = 'wasm', valueBytes } = options;
  const memory = valueBytes === undefined ? {} : { valueBytes };
  if (backend === 'reference') return createReferenceEngine();
  if (backend === 'wasm') return createKernelEngine({ module: kernelModule(), ...memory });
  throw new FlavourError('BACKEND_UNAVAILABLE', `backend ${backend} is not here`);
}
