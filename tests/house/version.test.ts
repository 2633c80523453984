import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/util/version.js';

it('documents state the version of package.json', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(VERSION);
});

it('the citation file and the changelog begin with the version of package.json', () => {
  expect(/^version: (\S+)$/m.exec(readFileSync('CITATION.cff', 'utf8'))?.[1]).toBe(VERSION);
  expect(/^## (\S+)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(VERSION);
});
