import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertBuiltFrom } from '../../src/engine/wasm/node-module.js';

const root = new URL('../../', import.meta.url);
const assembly = new URL('assembly/', root);
const bytes = readFileSync(new URL('build/kernels.wasm', root));
const module = new WebAssembly.Module(bytes);

describe('the compiled kernels', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kernels-'));
    cpSync(assembly, folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const copy = () => pathToFileURL(`${folder}/`);

  it('are of the sources beside them: `npm run build:wasm` if not', () => {
    expect(() => assertBuiltFrom(module, assembly)).not.toThrow();
    expect(() => assertBuiltFrom(module, copy())).not.toThrow();
  });

  it('are refused beside a source that was changed, added or taken away', () => {
    const stale = expect.objectContaining({
      code: 'KERNELS_STALE',
      exit: 2,
      hint: 'Run `npm run build`.',
    });
    const refused = () => expect(() => assertBuiltFrom(module, copy())).toThrow(stale);
    const heap = join(folder, 'heap.ts');
    const before = readFileSync(heap);
    writeFileSync(heap, `${before}\n`);
    refused();
    writeFileSync(heap, before);
    writeFileSync(join(folder, 'more.ts'), '');
    refused();
    rmSync(join(folder, 'more.ts'));
    assertBuiltFrom(module, copy());
    rmSync(heap);
    refused();
  });

  it('are refused without a digest of their sources, and taken where there are no sources', () => {
    const [digest] = WebAssembly.Module.customSections(module, 'sources');
    const stamp = 2 + 1 + 'sources'.length + digest!.byteLength;
    const bare = new WebAssembly.Module(bytes.subarray(0, bytes.length - stamp));
    expect(() => assertBuiltFrom(bare, assembly)).toThrow(/other sources/);
    expect(() => assertBuiltFrom(bare, new URL('absent/', root))).not.toThrow();
  });
});
