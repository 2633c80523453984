import { fail, shown } from '../util/error.js';
import { createAutoEngine, hardwareOnly } from './auto.js';
import { BACKENDS, type BackendName, type Engine } from './engine.js';
import { createReferenceEngine } from './reference/engine.js';
import type { DeviceEngine } from './webgpu/engine.js';

/** What every opener of an engine can be asked for. */
export interface OpenOptions {
  /** `auto`, the default, chooses by the size of the work. */
  readonly backend?: BackendName | 'auto';
  /** Threads of `pool`, 1 to 256; the processors unless given. */
  readonly threads?: number;
}

/** How Node or a page opens each backend. */
export interface Openers {
  /** Processors that threads can run on. */
  readonly processors: number;
  /** An engine of two threads that was opened before there was work for it, and that `auto` takes while it is not too small for it. */
  readonly early?: Engine | undefined;
  openWasm(): Promise<Engine>;
  openPool(threads: number): Promise<Engine>;
  openDevice(): Promise<DeviceEngine>;
}

/** Refuses a number of threads that no engine takes. Errors: USAGE. */
export function assertThreads(threads: number | undefined): void {
  if (threads !== undefined && (!Number.isInteger(threads) || threads < 1 || threads > 256))
    fail(
      'USAGE',
      null,
      `${shown(threads)} threads; a whole number from 1 to 256`,
      'Give --threads a number, or leave it out.',
    );
}

/**
 * Checks what was asked for and opens the backend by the openers of the surroundings: the one way to an engine, in Node and
 * in a page.
 *
 * Errors: USAGE where backend or threads are none; BACKEND_UNAVAILABLE where it cannot run here.
 */
export async function openEngine({ backend = 'auto', threads }: OpenOptions, openers: Openers): Promise<Engine> {
  assertThreads(threads);
  switch (backend) {
    case 'reference':
      return createReferenceEngine();
    case 'wasm':
      return openers.openWasm();
    case 'pool':
      return openers.openPool(threads ?? openers.processors);
    case 'webgpu':
      return openers.openDevice();
    case 'auto':
      return createAutoEngine({
        ...openers,
        threads,
        openDevice: () => hardwareOnly(() => openers.openDevice()),
      });
    default:
      fail('USAGE', null, `backend ${shown(backend)} is not known`, `One of auto, ${BACKENDS.join(', ')}.`);
  }
}
