import { fail } from '../util/error.js';
import type { Engine } from './engine.js';
import { type OpenOptions, openEngine } from './open.js';
import { createKernelEngine } from './wasm/engine.js';
import { useKernels } from './wasm/module.js';
import type { ReadKernel } from './webgpu/device.js';
import { createDeviceEngine } from './webgpu/engine.js';
import { webRunner } from './workers/web.js';

export interface BrowserEngineOptions extends OpenOptions {
  /** The compiled kernels; build/kernels.wasm beside the modules of this package unless given. */
  readonly kernels?: URL;
  /** Reads a file of kernels/; beside the modules of this package unless given. */
  readonly read?: ReadKernel;
  /** Starts a worker over workers/web-worker.js. */
  spawn?(): Worker;
}

const KERNELS = new URL('../../build/kernels.wasm', import.meta.url);
const SHADERS = new URL('../../kernels/', import.meta.url);
const WORKER = new URL('../../dist/engine/workers/web-worker.js', import.meta.url);

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

let loading: { readonly url: string; readonly module: Promise<WebAssembly.Module> } | undefined;

/** The compiled kernels of an address; the last one is kept, and from then on serves everything in the page that uses kernels. */
function loadKernels(url: URL): Promise<WebAssembly.Module> {
  if (loading?.url === url.href) return loading.module;
  const module = fetched(url)
    .then((response) => response.arrayBuffer())
    .then((bytes) => WebAssembly.compile(bytes));
  loading = { url: url.href, module };
  module.then(useKernels, () => {
    loading = undefined;
  });
  return module;
}

/**
 * Opens a backend in a page: the same engine as in Node, with Web Workers for threads and the browser's own WebGPU.
 * `pool` needs a cross-origin isolated page; `auto` uses one thread where it is not. Close it when done.
 *
 * Errors: USAGE where backend or threads are none; BACKEND_UNAVAILABLE where it cannot run here.
 */
export async function createBrowserEngine(options: BrowserEngineOptions = {}): Promise<Engine> {
  const { kernels = KERNELS, spawn = () => new Worker(WORKER, { type: 'module' }) } = options;
  const { read = async (name) => (await fetched(new URL(name, SHADERS))).text() } = options;
  const openWasm = async () => createKernelEngine({ module: await loadKernels(kernels) });
  const isolated = globalThis.crossOriginIsolated;
  const engine = await openEngine(isolated ? options : { ...options, threads: undefined }, {
    processors: isolated ? navigator.hardwareConcurrency : 1,
    openWasm,
    async openPool(count) {
      if (!isolated)
        fail(
          'BACKEND_UNAVAILABLE',
          null,
          'the page is not cross-origin isolated',
          'Serve it with COOP same-origin and COEP require-corp, or use the wasm backend.',
        );
      const module = await loadKernels(kernels);
      const runner = ({ memory }: { memory: WebAssembly.Memory }) =>
        webRunner({ module, memory, threads: count, spawn });
      return createKernelEngine({ module, backend: 'pool', threads: count, runner });
    },
    async openDevice() {
      if (!navigator.gpu) fail('BACKEND_UNAVAILABLE', null, 'this browser has no WebGPU', 'Use the pool backend.');
      const module = await loadKernels(kernels);
      return createDeviceEngine({ gpu: () => navigator.gpu, module, read, openFallback: openWasm });
    },
  });
  if (engine.backend !== 'reference') await loadKernels(kernels);
  return engine;
}
