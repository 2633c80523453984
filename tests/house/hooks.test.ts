import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Modules of the tests that are no suites themselves. */
const helpers = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join('tests', name));

describe('helpers of tests', () => {
  it('set no hook while they load: a worker loads them once, for the first of its files', () => {
    expect(helpers.length).toBeGreaterThan(40);
    const found = helpers.filter((file) => /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(file, 'utf8')));
    expect(found).toEqual([]);
  });
});
