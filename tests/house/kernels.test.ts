import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const time = (path: string) => statSync(join(root, path)).mtimeMs;

describe('the compiled kernels', () => {
  it('are newer than their sources: old ones under new callers give wrong numbers', () => {
    const sources = readdirSync(join(root, 'assembly')).map((name) => join('assembly', name));
    expect(sources.length).toBeGreaterThan(0);
    const built = time('build/kernels.wasm');
    expect(
      sources.filter((path) => time(path) > built),
      'changed since the last `npm run build:wasm`',
    ).toEqual([]);
  });
});
