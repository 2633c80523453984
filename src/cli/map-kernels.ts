import type { MapKernels } from '../engine/maps.js';
import { fail, shown } from '../util/error.js';

/** The map kernels of a `--backend` option. */
export async function mapKernels(backend: string): Promise<MapKernels> {
  if (backend === 'wasm') return (await import('../engine/wasm/maps.js')).openWasmMapKernels();
  if (backend === 'reference') return (await import('../engine/reference/maps.js')).referenceMapKernels;
  fail('USAGE', null, `--backend is ${shown(backend)}; wasm or reference is expected`);
}
