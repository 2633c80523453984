import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve('src');
const source = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const codes = new Set(
  [...source.matchAll(/(?:new FlavourError|fail|failure)\(\s*'([A-Z0-9_]+)'/g)].map((match) => match[1]!),
);

describe('docs/errors.md', () => {
  it('lists every error code that src makes', () => {
    const text = readFileSync(resolve('docs/errors.md'), 'utf8');
    expect(codes.size).toBeGreaterThan(30);
    expect([...codes].filter((code) => !text.includes(`\`${code}\``)).sort()).toEqual([]);
  });
});
