import { fail } from '../../util/error.js';

/**
 * A module of Node, undefined in a page. It is asked for at run time, not imported: this file is bundled for pages with
 * everything that uses kernels.
 */
const node = <Name extends 'node:crypto' | 'node:fs'>(name: Name) => globalThis.process?.getBuiltinModule?.(name);

/** Digest of the kernels' sources in a folder: their names, sizes and bytes, in order of name (assembly/stamp.js). */
function sourcesDigest(folder: URL): string {
  const fs = node('node:fs')!;
  const hash = node('node:crypto')!.createHash('sha256');
  const names = fs.readdirSync(folder).filter((file) => file.endsWith('.ts'));
  for (const name of names.sort()) {
    const bytes = fs.readFileSync(new URL(name, folder));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Refuses kernels that were built from other sources than stand beside them: under newer callers they can give wrong numbers.
 * An installed package has no sources, and kernels that were packed with their callers.
 *
 * Errors: KERNELS_STALE.
 */
export function assertBuiltFrom(module: WebAssembly.Module, folder: URL): void {
  if (!node('node:fs')!.existsSync(folder)) return;
  const [section] = WebAssembly.Module.customSections(module, 'sources');
  if (section !== undefined && new TextDecoder().decode(section) === sourcesDigest(folder)) return;
  fail(
    'KERNELS_STALE',
    null,
    'build/kernels.wasm was built from other sources than assembly/ holds now',
    'Run `npm run build`.',
  );
}

/**
 * Reads and compiles build/kernels.wasm in Node; undefined in a page.
 *
 * Errors: BACKEND_UNAVAILABLE where the file cannot be read; KERNELS_STALE where other sources stand beside it.
 */
export function readKernels(): WebAssembly.Module | undefined {
  const fs = node('node:fs');
  if (!fs) return undefined;
  let module: WebAssembly.Module;
  try {
    module = new WebAssembly.Module(fs.readFileSync(new URL('../../../build/kernels.wasm', import.meta.url)));
  } catch (cause) {
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'build/kernels.wasm cannot be loaded',
      'Run `npm run build`, or ask for the reference backend.',
      { cause },
    );
  }
  assertBuiltFrom(module, new URL('../../../assembly/', import.meta.url));
  return module;
}
