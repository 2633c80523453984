import { readFileSync } from 'node:fs';
import { FlavourError } from '../../util/error.js';

let compiled: WebAssembly.Module | undefined;

/** The kernel module, compiled once a thread. In a browser the page compiles it and passes it on. */
export function kernelModule(): WebAssembly.Module {
  if (!compiled) {
    const url = new URL('../../../build/kernels.wasm', import.meta.url);
    try {
      compiled = new WebAssembly.Module(readFileSync(url));
    } catch (cause) {
      throw new FlavourError('BACKEND_UNAVAILABLE', 'build/kernels.wasm cannot be loaded', {
        hint: 'Run `npm run build:wasm`, or ask for the reference backend.',
        cause,
      });
    }
  }
  return compiled;
}
