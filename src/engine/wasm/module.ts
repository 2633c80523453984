import { fail } from '../../util/error.js';
import { readKernels } from './node-module.js';

let kept: WebAssembly.Module | undefined;

/** Gives this thread its compiled kernels: what a page does once, having fetched them. */
export function useKernels(module: WebAssembly.Module): void {
  kept = module;
}

/**
 * The compiled kernels of this thread. Node reads them at the first call; a page gives them with `useKernels`.
 *
 * Errors: BACKEND_UNAVAILABLE where they are not there; KERNELS_STALE where they were built from other sources.
 */
export function kernelModule(): WebAssembly.Module {
  kept ??= readKernels();
  if (!kept)
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'the kernels are not loaded in this page',
      'Open an engine first: `createEngine` of flavourbench/engine loads them.',
    );
  return kept;
}
