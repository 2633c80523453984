import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTaskFiles, readTaskSet } from '../../src/tasks/task-files.js';
import type { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from './support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const lines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function failure(name: string, value: unknown): FlavourError {
  try {
    readTaskSet(file(name, value));
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error('accepted');
}

describe('the reader of task files', () => {
  it('reads rows, an array and a document alike', () => {
    const rows = [taskRow('a'), taskRow('b', { family: 'pairing' })];
    for (const value of [lines(rows), rows, { tasks: rows }, JSON.stringify({ tasks: rows }, null, 2)]) {
      const { tasks, panel } = readTaskSet(file('any', value));
      expect(tasks.map((task) => [task.id, task.family])).toEqual([
        ['a', 'substitution'],
        ['b', 'pairing'],
      ]);
      expect(panel).toBe('panel_1');
      expect(tasks[0]).toMatchObject({ optimal: 55, chance: 2830, margin: 4600, stratum: 0 });
      expect(tasks[0]?.choices[7]).toBe('barley');
    }
  });

  it('finds panel and cluster in every field that may hold them', () => {
    const rows = [
      taskRow('a', { panel: 'panel_2', release_panel: 'panel_9' }),
      taskRow('b', { release_panel: 'panel_1', source_panel: 'panel_9', cluster_id: 'own' }),
      taskRow('c', { source_panel: 'panel_2' }),
      taskRow('d'),
    ];
    const { tasks, panel } = readTaskSet(file('p', { replication: { index: 2 }, tasks: rows }));
    expect(tasks.map((task) => task.panel)).toEqual(['panel_2', 'panel_1', 'panel_2', 'panel_2']);
    expect(tasks.map((task) => task.cluster)).toEqual(['anchor_a', 'own', 'anchor_c', 'anchor_d']);
    expect(panel).toBe('mixed');
  });

  it('does without choices, prompt, margin and stratum', () => {
    const { choices: _, prompt: __, ...row } = taskRow('a');
    const [task] = readTaskSet(file('bare.jsonl', lines([row]))).tasks;
    expect(task).toMatchObject({ choices: [], prompt: '', stratum: 0, category: '' });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no id', { task_id: '' }, /task_id: a non-empty text expected/],
    ['no family', { family: undefined }, /family: a non-empty text expected/],
    ['a wrong optimum', { optimal_selection: 'ABC' }, /optimal_selection: FGH expected, found "ABC"/],
    ['a wrong chance', { chance_score_bps: 2831 }, /chance_score_bps: 2830 expected, found 2831/],
    ['two equal names', { choices: { ...(taskRow('a').choices as object), B: 'OAT' } }, /eight distinct names/],
    ['seven names', { choices: { A: 'x' } }, /choices\.B: a name expected/],
    ['a fractional stratum', { validation_stratum: 1.5 }, /validation_stratum: an integer below 2\^53 expected/],
    ['no map', { selection_scores_bps: null }, /an object of 56 scores expected/],
  ])('refuses %s, with task and field', (_, extra, words) => {
    const error = failure('bad.jsonl', lines([taskRow('first'), taskRow('a', extra)]));
    expect(error.code).toBe('SCHEMA_INVALID');
    expect(error.message).toMatch(words);
    expect(error.message).toMatch(/line 2/);
  });

  it.each<[string, unknown]>([
    ['a fraction', 10.5],
    ['a truth value', true],
    ['past 10000', 10_001],
    ['a text', '100'],
    ['missing', undefined],
  ])('refuses a score that is %s', (_, score) => {
    const map = { ...(taskRow('a').selection_scores_bps as object), BCD: score };
    const error = failure('score.json', { tasks: [taskRow('a', { selection_scores_bps: map })] });
    expect(error.message).toContain('selection_scores_bps.BCD: an integer from 0 to 10000 expected');
    expect(error.where?.path).toBe('tasks[0].selection_scores_bps.BCD');
  });

  it('refuses an extra key, two optima and a map without one', () => {
    const map = taskRow('a').selection_scores_bps as Record<string, number>;
    const bad = (scores: object) => failure('m', [taskRow('a', { selection_scores_bps: scores })]).message;
    expect(bad({ ...map, ABB: 5 })).toContain('the 56 keys ABC to FGH expected, found "ABB"');
    expect(bad({ ...map, ABC: 10_000 })).toContain('exactly one score of 10000 expected, found "several"');
    expect(bad({ ...map, FGH: 9999 })).toContain('exactly one score of 10000 expected, found "none"');
  });

  it('refuses a task that stands twice, in one file or in two', () => {
    expect(failure('twice.jsonl', lines([taskRow('a'), taskRow('a')])).code).toBe('TASK_DUPLICATE');
    const one = file('one.jsonl', lines([taskRow('a')]));
    const two = file('two.jsonl', lines([taskRow('b'), taskRow('a')]));
    expect(() => readTaskFiles([one, two])).toThrow(/task "a" stands in .*one\.jsonl and in .*two\.jsonl/);
    expect(readTaskFiles([one]).byId.get('a')?.optimal).toBe(55);
    expect(() => readTaskFiles([])).toThrow(/no task file/);
  });

  it('refuses what is no task file, and names the line of broken JSON', () => {
    expect(failure('n', '[]').message).toContain('a list expected');
    expect(failure('n', '{}').message).toContain('tasks: a list expected');
    expect(failure('n', '3').message).toContain('a task set expected');
    expect(failure('n', '[3]').message).toContain('tasks[0]: a task expected');
    expect(failure('n', `${lines([taskRow('a')])}{"task_id":\n`).message).toContain('line 2');
    const twice = '{"task_id":"a","family":"x","family":"y"}\n';
    expect(failure('n', twice).code).toBe('JSON_DUPLICATE_KEY');
  });
});

describe.skipIf(noShared)('the reader of released task files', () => {
  it('reads both task sets, 640 tasks each, and their identity', () => {
    const names = readdirSync(shared('data/tasksets')).sort().reverse();
    const { sets, tasks } = readTaskFiles(names.map((name) => shared(`data/tasksets/${name}`)));
    expect(tasks).toHaveLength(1280);
    expect(sets.map((set) => set.panel)).toEqual(['panel_1', 'panel_2']);
    expect(sets[0]?.physicalSha256).toBe('140a82f3abc220749ba03f1527a77cbc3cc40b7f479df1aad7e749f24a202685');
    expect(sets[1]?.taskSetSha256?.slice(0, 16)).toBe('5775deee1e112499');
    expect(new Set(tasks.map((task) => `${task.panel} ${task.family} ${task.stratum}`)).size).toBe(32);
  });

  it('reads the plain task rows of the golden files', () => {
    const lab = readTaskSet(shared('golden/lab/tasks-534.jsonl'));
    expect(lab.tasks).toHaveLength(534);
    expect(lab.panel).toBe('mixed');
    expect(lab.physicalSha256.slice(0, 16)).toBe('97d58de483b6a494');
    const third = readTaskSet(shared('golden/c/tasks.jsonl'));
    expect(new Set(third.tasks.map((task) => task.cluster)).size).toBeLessThan(12);
  });
});
