import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/cli/table-text.js';

const main = resolve('dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'flavourbench-demo-'));
/** Says that standard output is a terminal of 80 columns. */
const TERMINAL = `data:text/javascript,Object.assign(process.stdout,{isTTY:true,columns:80})`;
const run = (...args: string[]) =>
  spawnSync('node', ['--import', TERMINAL, main, 'demo', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

let first: ReturnType<typeof run>;
/** A busy machine takes its time over two whole runs. */
const PATIENT = 240_000;

beforeAll(() => {
  first = run();
}, PATIENT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('flavourbench demo', () => {
  it('goes from the pantry to a leaderboard, and says that it is simulated', () => {
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    expect(first.stdout).toMatch(/^Everything below is SIMULATED/);
    expect(first.stdout.replace(/\s+/g, ' ')).toContain('SIMULATED answers among');
    for (const [, name] of first.stdout.matchAll(
      /^(\S+) {2,}(?:tasks with|one record|which tasks|the score|scores,|every pair|all of it)/gm,
    ))
      expect(existsSync(join(folder, 'flavourbench-demo', name!)), name).toBe(true);
  });

  it('prints no line that a terminal of 80 columns would break in a word, but names that are whole to be copied', () => {
    const lines = first.stdout.split('\n');
    expect(lines.filter((line) => columnsOf(line) > 80 && line.trim().includes(' '))).toEqual([]);
    expect(lines.length).toBeGreaterThan(150);
  });

  it('ranks the simulated responders by their skill, first and last', () => {
    const rows = read('flavourbench-demo/inference/leaderboard.csv').trim().split('\n').slice(1);
    const models = rows.map((row) => row.match(/simulated\/skill-\d\d/)![0]);
    expect(models).toHaveLength(12);
    expect(models.slice(0, 2).sort()).toEqual(['simulated/skill-50', 'simulated/skill-60']);
    expect(models.at(-1)).toBe('simulated/skill-00');
  });

  it(
    'asks no responder again in the same folder and finds the same',
    () => {
      const kept = ['panel-1.json', 'panel-2.json', 'ledger/attempts.jsonl', 'inference/inference.json'].map(
        (name) => `flavourbench-demo/${name}`,
      );
      const before = kept.map(read);
      const again = run('--json');
      expect(again).toMatchObject({ stderr: '', status: 0 });
      const told = JSON.parse(again.stdout);
      expect(told).toMatchObject({ simulated: true, failed: null });
      expect(told.steps).toHaveLength(13);
      // A journal without a new line: no request was made.
      for (const [i, name] of kept.entries()) expect(read(name) === before[i], name).toBe(true);
    },
    PATIENT,
  );
});
