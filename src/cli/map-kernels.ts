import type { MapKernels } from '../engine/maps.js';
import { FlavourError, shown } from '../util/error.js';

/** The map kernels of a `--backend` option. */
export async function mapKernels(backend: string): Promise<MapKernels> {
  if (backend === 'wasm') return (await import('../engine/wasm/maps.js')).openWasmMapKernels();
  if (backend === 'reference') return (await import('../engine/reference/maps.js')).referenceMapKernels;
  throw new FlavourError('USAGE', `--backend is ${shown(backend)}; wasm or reference is expected`);
}
