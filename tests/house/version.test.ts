import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/util/version.js';

it('documents state the version of package.json', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(VERSION);
});
