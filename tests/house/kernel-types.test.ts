import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOOTSTRAP_JOB } from '../../src/engine/webgpu/bootstrap.js';
import { FLIP_JOB } from '../../src/engine/webgpu/flips.js';
import { wasmSignatures } from '../support/wasm-signatures.js';

interface Value {
  readonly host: string;
  readonly wasm: string | null;
}

/** A kernel as its source declares it. */
interface Kernel {
  readonly name: string;
  readonly file: string;
  readonly parameters: readonly (Value & { readonly label: string })[];
  readonly result: Value;
}

const { declaredKernels, bindingsText } = (await import(
  new URL('../../assembly/bindings.js', import.meta.url).href
)) as { declaredKernels(): Kernel[]; bindingsText(): string };
const kernels = declaredKernels();
const compiled = wasmSignatures(readFileSync('build/kernels.wasm'));

describe('calls of the kernels', () => {
  it('are written from the sources as they are: `npm run build:wasm` if not', () => {
    expect(readFileSync('src/engine/wasm/kernels.ts', 'utf8')).toBe(bindingsText());
  });

  it('reach functions of the compiled module with as many values of the same types', () => {
    expect(kernels.length).toBeGreaterThan(30);
    expect([...compiled.keys()].sort()).toEqual(kernels.map(({ name }) => name).sort());
    for (const { name, parameters, result } of kernels)
      expect({ name, ...compiled.get(name) }).toEqual({
        name,
        parameters: parameters.map(({ wasm }) => wasm),
        results: result.wasm === null ? [] : [result.wasm],
      });
  });

  it('label every argument once', () => {
    for (const { name, parameters } of kernels)
      expect(new Set(parameters.map(({ label }) => label)).size, name).toBe(parameters.length);
  });
});

describe('jobs of the shaders', () => {
  /** Words of `struct Job`: a vec2 is a low and a high word. */
  const jobWords = (file: string): string[] => {
    const body = /struct Job \{([^}]*)\}/.exec(readFileSync(`kernels/${file}`, 'utf8'))![1]!;
    return [...body.matchAll(/(\w+): (u32|vec2<u32>),/g)].flatMap(([, name, type]) =>
      type === 'u32' ? [name!] : [`${name}Low`, `${name}High`],
    );
  };

  it('are written word by word as the shaders read them', () => {
    expect([...BOOTSTRAP_JOB]).toEqual(jobWords('bootstrap.wgsl'));
    expect([...FLIP_JOB]).toEqual(jobWords('signflip.wgsl'));
  });
});
