import { FlavourError, shown } from '../util/error.js';
import type { BackendName, Engine } from './engine.js';
import { webRunner } from './pool/web.js';
import { createReferenceEngine } from './reference/engine.js';
import { createKernelEngine } from './wasm/engine.js';
import { createDeviceEngine } from './webgpu/engine.js';
import type { ReadKernel } from './webgpu/shader.js';

export interface BrowserEngineOptions {
  readonly backend: BackendName;
  /** Web Workers of `pool`; the processors unless given. */
  readonly threads?: number;
  /** The compiled kernels; build/kernels.wasm beside the modules of this package unless given. */
  readonly kernels?: URL;
  /** Reads a file of kernels/; beside the modules of this package unless given. */
  readonly read?: ReadKernel;
  /** Starts a worker over pool/web-worker.js. */
  spawn?(): Worker;
}

const KERNELS = new URL('../../build/kernels.wasm', import.meta.url);
const SHADERS = new URL('../../kernels/', import.meta.url);
const WORKER = new URL('../../dist/engine/pool/web-worker.js', import.meta.url);

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok)
    throw new FlavourError('BACKEND_UNAVAILABLE', `${url.pathname}: HTTP ${response.status}`, {
      hint: 'serve build/ and kernels/ with the page, or pass their addresses',
    });
  return response;
}

/**
 * Opens a backend in a page: the same engine as in Node, with Web Workers for threads and the browser's own WebGPU.
 * `pool` needs a cross-origin isolated page. Close it when done.
 *
 * Errors: USAGE, BACKEND_UNAVAILABLE.
 */
export async function createBrowserEngine(options: BrowserEngineOptions): Promise<Engine> {
  const { backend, kernels = KERNELS } = options;
  if (backend === 'reference') return createReferenceEngine();
  const module = await WebAssembly.compile(await (await fetched(kernels)).arrayBuffer());
  if (backend === 'wasm') return createKernelEngine({ module });
  if (backend === 'webgpu') {
    if (!navigator.gpu)
      throw new FlavourError('BACKEND_UNAVAILABLE', 'this browser has no WebGPU', {
        hint: 'use the pool backend',
      });
    const read = options.read ?? (async (name) => (await fetched(new URL(name, SHADERS))).text());
    return createDeviceEngine({
      gpu: () => navigator.gpu,
      module,
      read,
      openFallback: async () => createKernelEngine({ module }),
    });
  }
  if (backend !== 'pool')
    throw new FlavourError('USAGE', `backend ${shown(backend)} is not known`, {
      hint: 'one of reference, wasm, pool, webgpu',
    });
  if (!globalThis.crossOriginIsolated)
    throw new FlavourError('BACKEND_UNAVAILABLE', 'the page is not cross-origin isolated', {
      hint: 'serve it with COOP same-origin and COEP require-corp, or use the wasm backend',
    });
  const { threads = navigator.hardwareConcurrency } = options;
  const spawn = options.spawn ?? (() => new Worker(WORKER, { type: 'module' }));
  return createKernelEngine({
    module,
    backend: 'pool',
    threads,
    runner: ({ memory }) => webRunner({ module, memory, threads, spawn }),
  });
}
