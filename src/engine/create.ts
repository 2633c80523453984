import { FlavourError } from '../util/error.js';
import type { BackendName, Engine } from './engine.js';
import { createReferenceEngine } from './reference/engine.js';

export interface EngineOptions {
  readonly backend?: BackendName;
  /** Worker threads of `pool`. */
  readonly threads?: number;
}

/** Opens a backend. Close it when done. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { backend = 'reference' } = options;
  if (backend === 'reference') return createReferenceEngine();
  throw new FlavourError('BACKEND_UNAVAILABLE', `backend ${backend} is not here`);
}
