import { readFileSync } from 'node:fs';
import { fail } from '../../util/error.js';
import { assertBuiltFrom } from './sources.js';

let kept: WebAssembly.Module | undefined;

function compiled(): WebAssembly.Module {
  const url = new URL('../../../build/kernels.wasm', import.meta.url);
  try {
    return new WebAssembly.Module(readFileSync(url));
  } catch (cause) {
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'build/kernels.wasm cannot be loaded',
      'Run `npm run build`, or ask for the reference backend.',
      { cause },
    );
  }
}

/**
 * The kernel module, compiled once a thread. In a browser the page compiles it and passes it on.
 * Errors: BACKEND_UNAVAILABLE, KERNELS_STALE.
 */
export function kernelModule(): WebAssembly.Module {
  if (!kept) {
    const module = compiled();
    assertBuiltFrom(module, new URL('../../../assembly/', import.meta.url));
    kept = module;
  }
  return kept;
}
