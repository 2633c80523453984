import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fail } from '../../util/error.js';

/** Digest of the kernels' sources in a folder: their names, sizes and bytes, in order of name. */
function sourcesDigest(folder: URL): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()) {
    const bytes = readFileSync(new URL(name, folder));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Refuses kernels that were built from other sources than stand beside them: under newer callers they can give wrong numbers.
 * An installed package has no sources, and kernels that were packed with their callers. Errors: KERNELS_STALE.
 */
export function assertBuiltFrom(module: WebAssembly.Module, folder: URL): void {
  if (!existsSync(folder)) return;
  const [section] = WebAssembly.Module.customSections(module, 'sources');
  if (section !== undefined && Buffer.from(section).toString('latin1') === sourcesDigest(folder)) return;
  fail(
    'KERNELS_STALE',
    null,
    'build/kernels.wasm was built from other sources than assembly/ holds now',
    'Run `npm run build`.',
  );
}
