import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cli } from '../support/cli.js';

/** The command as it is installed: only there is what it reads guarded against being written over. */
const TASKS = resolve('fixtures/tasks-small.json');
const BASE = 'Qwen/Qwen3-0.6B@c1899de289a04d12100db370d81485cdf75e47ca';
const folder = mkdtempSync(join(tmpdir(), 'standing-'));
const at = (name: string) => join(folder, name);
const rows = (name: string, lines: readonly object[]) =>
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an incomplete report and its rows give way to the next of their place, a complete one does not', () => {
  const tasks = JSON.parse(readFileSync(TASKS, 'utf8')).tasks as { task_id: string }[];
  const answers = tasks.map(({ task_id }) => ({ task_id, response: 'FINAL_SELECTION: A,B,C' }));
  rows('some.jsonl', answers.slice(1));
  rows('all.jsonl', answers);
  const score = (name: string) =>
    cli(['score', at(name), '--tasks', TASKS, '--no-inference', '--out', at('r.json'), '--per-task', at('r.jsonl')]);
  expect(score('some.jsonl').code).toBe(3);
  const whole = score('all.jsonl');
  expect([whole.code, whole.stderr]).toEqual([0, '']);
  expect(score('some.jsonl')).toMatchObject({ code: 2, stderr: expect.stringContaining('OUTPUT_EXISTS') });
});

it('a primary analysis is repeated in its own folder, where its seal stays as it is', () => {
  const split = ['--evaluation', '2', '--validation', '2', '--out', at('data')];
  expect(cli(['transfer', 'split', '--tasks', TASKS, ...split]).code).toBe(0);
  const settings = ['--seeds', '1', '2', '--draws', '200', '--flips', '200', '--json', '--out', at('plans')];
  const frozen = cli(['transfer', 'plan', '--base', BASE, '--data', at('data'), ...settings]);
  const asked = readFileSync(at('data/evaluation_tasks.jsonl'), 'utf8').trim().split('\n');
  const runs = ['sft_format_control', 'sft_epicure_optimum'].flatMap((condition) =>
    [1, 2].map((training_seed) => ({ condition, training_seed })),
  );
  rows(
    'completions.jsonl',
    [{ condition: 'pretrained_base', training_seed: null }, ...runs].flatMap((run) =>
      asked.map((line) => ({ ...run, task_id: JSON.parse(line).task_id, completion: 'FINAL_SELECTION: F,G,H' })),
    ),
  );
  const files = ['--tasks', TASKS, '--plan', JSON.parse(frozen.stdout).path, '--completions', at('completions.jsonl')];
  const call = ['transfer', 'contrast', ...files, '--split', at('data/evaluation_tasks.jsonl'), '--out', at('first')];
  expect(cli(call).code).toBe(0);
  const seal = readFileSync(at('first/seal.json'), 'utf8');
  const again = cli(call);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(readFileSync(at('first/seal.json'), 'utf8')).toBe(seal);
});
