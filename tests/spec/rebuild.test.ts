import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TIED = ['--scores', 'tests/spec/tied.csv', '--chance', 'tests/spec/tied-chance.csv'];
const DRAWS = ['--draws', '2000', '--flips', '4000', '--scale', '100'];
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const installed = spawnSync('python3', ['--version']).status === 0;
if (!installed) process.stderr.write('skipped: making inference.json again from docs/spec needs python3, not found\n');

/** The demonstration's matrix has a task a row, to be small; tables are long. */
function demoTable(folder: string): string[] {
  const [head, ...rows] = readFileSync('tests/spec/demo.csv', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const models = (head as string[]).slice(5);
  const cells = models.flatMap((model, m) => rows.map((row) => [model, ...row.slice(0, 4), row[5 + m]].join(',')));
  const scores = join(folder, 'demo.csv');
  const chance = join(folder, 'chance.csv');
  writeFileSync(scores, `model,task,panel,family,cluster,value\n${cells.join('\n')}\n`);
  writeFileSync(chance, `task,value\n${rows.map((row) => `${row[0]},${row[4]}\n`).join('')}`);
  return ['--scores', scores, '--chance', chance];
}

describe.skipIf(!installed && process.env.CI !== 'true')(
  'a second program of version 1, written from docs/spec alone',
  () => {
    let folder = '';
    let demo: string[] = [];
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'flavourbench-rebuild-'));
      demo = demoTable(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each([
      ['ties, joint', () => TIED, []],
      ['ties, stratified, families', () => TIED, ['--scheme', 'stratified', '--strata', 'family', '--seed', '7']],
      ['ties, few flips', () => TIED, ['--draws', '50', '--flips', '60', '--alpha', '0.001']],
      ['the demonstration', () => demo, []],
    ])('writes the same bytes: %s', (_, table, options) => {
      const args = [...table(), ...DRAWS, ...options];
      const rebuilt = spawnSync('python3', ['tests/spec/rebuild.py', ...args, '--version', version], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      expect(rebuilt.stderr).toBe('');
      const written = spawnSync(process.execPath, ['tests/spec/version-1.js', ...args], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      expect(written.stderr).toBe('');
      expect(rebuilt.stdout).toBe(written.stdout);
    });
  },
);
