import { fail } from '../util/error.js';

/*
 * Where a page finds what lies beside the modules: fetched from `build/`, `kernels/` and `dist/`, which are served with it.
 * bundle/page.js puts another file in this place, which holds all of it.
 */

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

/** Reads and compiles the kernels of an address, or those of this package. Errors: BACKEND_UNAVAILABLE. */
export async function readKernels(
  url = new URL('../../build/kernels.wasm', import.meta.url),
): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await (await fetched(url)).arrayBuffer());
}

/** Reads a shader of kernels/ by its file name. Errors: BACKEND_UNAVAILABLE. */
export async function readShader(name: string): Promise<string> {
  return (await fetched(new URL(`../../kernels/${name}`, import.meta.url))).text();
}

/** Starts a worker over workers/web-worker.js. */
export function startWorker(): Worker {
  return new Worker(new URL('./workers/web-worker.js', import.meta.url), { type: 'module' });
}
