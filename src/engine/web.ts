import { fail } from '../util/error.js';
import type { Engine } from './engine.js';
import { type OpenOptions, openEngine } from './open.js';
import { createKernelEngine } from './wasm/engine.js';
import { useKernels } from './wasm/module.js';
import { readKernels, readShader, startWorker } from './web-files.js';
import type { ReadKernel } from './webgpu/device.js';
import { createDeviceEngine } from './webgpu/engine.js';
import { webRunner } from './workers/web.js';

export interface WebEngineOptions extends OpenOptions {
  /** Address of the compiled kernels; those of this package unless given. */
  readonly kernels?: URL;
  /** Reads a file of kernels/; those of this package unless given. */
  readonly read?: ReadKernel;
  /** Keep the sums of the last bootstrap draws: a design that differs in its weights and models alone then draws nothing. */
  readonly keepSums?: boolean;
  /** Starts a worker over workers/web-worker.js; needed where a policy of the page refuses workers from a blob. */
  spawn?(): Worker;
}

let loading: { readonly url: string; readonly module: Promise<WebAssembly.Module> } | undefined;

/** The compiled kernels of an address; the last ones are kept, and from then on serve everything in the page that uses kernels. */
function loadKernels(url?: URL): Promise<WebAssembly.Module> {
  const name = url?.href ?? '';
  if (loading?.url === name) return loading.module;
  const module = readKernels(url);
  loading = { url: name, module };
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
export async function createBrowserEngine(options: WebEngineOptions = {}): Promise<Engine> {
  const { kernels, keepSums = false, spawn = startWorker, read = readShader } = options;
  const openWasm = async () => createKernelEngine({ module: await loadKernels(kernels), keepSums });
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
      return createKernelEngine({ module, backend: 'pool', threads: count, runner, keepSums });
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
