import { fail, shown } from '../util/error.js';
import { createAutoEngine, hardwareOnly } from './auto.js';
import { BACKENDS, type BackendName, type Engine } from './engine.js';
import { webRunner } from './pool/web.js';
import { createReferenceEngine } from './reference/engine.js';
import { createKernelEngine } from './wasm/engine.js';
import { createDeviceEngine, type DeviceEngine } from './webgpu/engine.js';
import type { ReadKernel } from './webgpu/shader.js';

export interface BrowserEngineOptions {
  /** `auto`, the default, chooses by the size of the work. */
  readonly backend?: BackendName | 'auto';
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
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      `${url.pathname}: HTTP ${response.status}`,
      'Serve build/ and kernels/ with the page, or pass their addresses.',
    );
  return response;
}

type Parts = BrowserEngineOptions & { readonly module: WebAssembly.Module };

async function openWasm({ module }: Parts): Promise<Engine> {
  return createKernelEngine({ module });
}

async function openPool({ module, spawn }: Parts, threads: number): Promise<Engine> {
  if (!globalThis.crossOriginIsolated)
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'the page is not cross-origin isolated',
      'Serve it with COOP same-origin and COEP require-corp, or use the wasm backend.',
    );
  return createKernelEngine({
    module,
    backend: 'pool',
    threads,
    runner: ({ memory }) =>
      webRunner({
        module,
        memory,
        threads,
        spawn: spawn ?? (() => new Worker(WORKER, { type: 'module' })),
      }),
  });
}

async function openDevice(parts: Parts): Promise<DeviceEngine> {
  if (!navigator.gpu) fail('BACKEND_UNAVAILABLE', null, 'this browser has no WebGPU', 'Use the pool backend.');
  const read = parts.read ?? (async (name) => (await fetched(new URL(name, SHADERS))).text());
  return createDeviceEngine({
    gpu: () => navigator.gpu,
    module: parts.module,
    read,
    openFallback: () => openWasm(parts),
  });
}

/**
 * Opens a backend in a page: the same engine as in Node, with Web Workers for threads and the browser's own WebGPU.
 * `pool` needs a cross-origin isolated page; `auto` uses one thread where it is not. Close it when done.
 *
 * Errors: USAGE, BACKEND_UNAVAILABLE.
 */
export async function createBrowserEngine(options: BrowserEngineOptions = {}): Promise<Engine> {
  const { backend = 'auto', kernels = KERNELS, threads = navigator.hardwareConcurrency } = options;
  if (!BACKENDS.includes(backend))
    fail('USAGE', null, `backend ${shown(backend)} is not known`, `One of ${BACKENDS.join(', ')}.`);
  if (backend === 'reference') return createReferenceEngine();
  const module = await WebAssembly.compile(await (await fetched(kernels)).arrayBuffer());
  const parts = { ...options, module };
  if (backend === 'wasm') return openWasm(parts);
  if (backend === 'pool') return openPool(parts, threads);
  if (backend === 'webgpu') return openDevice(parts);
  return createAutoEngine({
    processors: globalThis.crossOriginIsolated ? threads : 1,
    openWasm: () => openWasm(parts),
    openPool: (count) => openPool(parts, count),
    openDevice: () => hardwareOnly(() => openDevice(parts)),
  });
}
