import { kernelModule } from '../../engine/wasm/module.js';

/** Reads the digest of the sources that the kernels were built from. */
export function kernelsDigest(): string {
  const [section] = WebAssembly.Module.customSections(kernelModule(), 'sources');
  return section === undefined ? 'unknown' : new TextDecoder().decode(section);
}
