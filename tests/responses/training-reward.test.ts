import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { trlReward } from '../../src/responses/reward.js';
import { trainingReward } from '../../src/responses/training-reward.js';
import { coreGuard, leaderboardMatch } from '../../src/tasks/leaderboard.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { readTaskFiles, readTaskSet } from '../../src/tasks/task-files.js';
import { noShared, shared } from '../support/shared.js';

interface Row {
  readonly task_id: string;
  readonly optimal_selection: string;
  readonly selection_scores_bps: Record<string, number>;
  readonly choices: Record<string, string>;
}

const rows: Row[] = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8')).tasks;
const [first, second] = rows as [Row, Row];
const lineOf = (key: string) => `FINAL_SELECTION: ${[...key].join(',')}`;
const maps = [first.selection_scores_bps, second.selection_scores_bps];
const choices = [first.choices, second.choices];

/** A task whose candidate at label i stands at label i + shift, under other names, its map moved along: written out by hand. */
function relabelled(row: Row, shift: number, rename: (name: string, label: number) => string) {
  const moved = (label: string) => String.fromCharCode(65 + ((label.charCodeAt(0) - 65 + shift) % 8));
  const names = Object.fromEntries(
    Object.entries(row.choices)
      .map(([label, name], i) => [moved(label), rename(name, i)] as const)
      .sort(),
  );
  const map = Object.fromEntries(
    PORTFOLIOS.map((key) => [[...key].map(moved).sort().join(''), row.selection_scores_bps[key]!]),
  );
  return { map, names };
}

describe('the reward for training', () => {
  it('is that of scoring, 1 for the optimum and 0 for what cannot be read', () => {
    const texts = [lineOf(first.optimal_selection), 'no idea'];
    expect(trainingReward(texts, maps, choices)).toEqual([1, 0]);
    expect(trainingReward(texts, maps, choices)).toEqual(trlReward(texts, maps, choices));
  });

  it('looks again at an object whose map or names were changed after it was found outside', () => {
    const task = readTaskSet('fixtures/tasks-small.json').tasks[0]!;
    const guard = coreGuard([task.id], [task]);
    const map: Record<string, number> = Object.fromEntries(
      PORTFOLIOS.map((key, at) => [key, at === 7 ? 10_000 : 13 * at]),
    );
    const names: Record<string, string> = Object.fromEntries([...'ABCDEFGH'].map((label) => [label, `own ${label}`]));
    const call = (core?: typeof guard) => trainingReward([''], [map], [names], core ? { taskIds: ['mine'], core } : {});
    expect(call()).toEqual([0]);
    expect(call(guard)).toEqual([0]);
    Object.assign(map, first.selection_scores_bps);
    expect(() => call(guard)).toThrow(/its map is that of one/);
    Object.assign(names, first.choices);
    expect(() => call(guard)).toThrow(/it has the eight candidates of one/);
  });

  it('refuses the tasks of a core of one’s own, and needs their ids for that', () => {
    const core = new Set([second.task_id]);
    const texts = ['', ''];
    const taskIds = [first.task_id, second.task_id];
    expect(() => trainingReward(texts, maps, choices, { taskIds, core })).toThrow(
      new RegExp(`task ${second.task_id} is ranked`),
    );
    expect(() => trainingReward(texts, maps, choices, { core })).toThrow(/task_ids has no entries/);
    const others = { taskIds, core: new Set(['x']) };
    expect(trainingReward(texts, maps, choices, others)).toEqual([0, 0]);
  });

  it.each([
    ['rotated labels', 3, (name: string) => name],
    ['respelled candidates', 0, (name: string) => ` ${name.toUpperCase().replaceAll('_', '  ')}`],
    ['renamed candidates under rotated labels', 5, (_: string, i: number) => `thing ${i}`],
    [
      'wide letters',
      0,
      (name: string) => name.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)),
    ],
    ['characters that nobody sees', 6, (name: string) => [...name].join('\u200b')],
    ['marks over letters', 2, (name: string) => [...name].join('\u0323')],
  ])('refuses a task of a core of one’s own under another id with %s', (_, shift, rename) => {
    const core = coreGuard([second.task_id], readTaskSet('fixtures/tasks-small.json').tasks);
    const { map, names } = relabelled(second, shift, rename);
    expect(() => trainingReward([''], [map], [names], { taskIds: ['other'], core })).toThrow(
      /^task other is ranked on the leaderboard: it(?:s map is that of one| has the eight candidates)/,
    );
    const free = relabelled(first, shift, rename);
    expect(trainingReward([''], [free.map], [free.names], { taskIds: ['other'], core })).toEqual([0]);
  });

  it.each<[string, number, (name: string, label: number) => string]>([
    ['letters with marks', 0, (name: string) => name.replaceAll('a', 'á').replaceAll('e', 'è')],
    [
      'letters of another script',
      1,
      (name: string) => name.replaceAll('a', 'а').replaceAll('o', 'о').replaceAll('e', 'е'),
    ],
    ['hyphens for blanks', 0, (name: string) => name.replace(/[ _]/g, '-')],
    ['labels before names', 0, (name: string, i: number) => `${'ABCDEFGH'[i]}) ${name}`],
    ['numbers before names', 0, (name: string, i: number) => `${i + 1}. ${name}`],
    ['full stops and quotes', 4, (name: string) => `"${name}".`],
    ['emphasis', 0, (name: string) => `**${name}**`],
    ['fillers', 0, (name: string) => `${name}\u3164\u2800`],
    ['signs around letters', 3, (name: string) => `${name}\u20dd\ufe0f`],
    [
      'mathematical letters',
      0,
      (name: string) => name.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0x1d400 - 71)),
    ],
  ])('refuses candidates with %s whatever became of the map', (_, shift, rename) => {
    const core = coreGuard([second.task_id], readTaskSet('fixtures/tasks-small.json').tasks);
    const { map, names } = relabelled(second, shift, rename);
    expect(() => trainingReward([''], [{ ...map, ABC: 1234, ABD: 77 }], [names], { taskIds: ['other'], core })).toThrow(
      /^task other is ranked on the leaderboard: it has the eight candidates/,
    );
    const free = relabelled(first, shift, rename);
    expect(trainingReward([''], [free.map], [free.names], { taskIds: ['other'], core })).toEqual([0]);
  });

  it('refuses the candidates of a ranked task under a map of their own', () => {
    const core = coreGuard([second.task_id], readTaskSet('fixtures/tasks-small.json').tasks);
    const map = { ...second.selection_scores_bps, ABC: 1234, ABD: 77 };
    expect(() => trainingReward([''], [map], [second.choices], { taskIds: ['other'], core })).toThrow(
      /eight candidates/,
    );
  });

  it.skipIf(noShared)(
    'refuses every ranked task of the leaderboard with labels moved and candidates renamed (released data needed)',
    () => {
      const rows = readFileSync(shared('golden/lab/tasks-534.jsonl'), 'utf8').trimEnd().split('\n');
      const refused = rows.filter((line, i) => {
        const row = JSON.parse(line) as Row;
        const { map, names } = relabelled(
          row,
          1 + (i % 7),
          i % 2 === 0 ? (_, k) => `thing ${k}` : (name) => `${name} `,
        );
        try {
          trainingReward([''], [map], [names], { taskIds: ['other'] });
          return false;
        } catch (error) {
          return /^task other is ranked/.test((error as Error).message);
        }
      });
      expect(refused).toHaveLength(534);
    },
  );

  it.skipIf(noShared)('refuses every map of the leaderboard under any name (released data needed)', () => {
    const { tasks } = readTaskSet(shared('golden/lab/tasks-534.jsonl'));
    expect(tasks.filter(({ scores }) => leaderboardMatch({ choices: [], scores }) === 'map')).toHaveLength(534);
    const all = readTaskFiles(
      [
        '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
        'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
      ].map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`)),
    );
    expect(all.tasks.filter((task) => leaderboardMatch(task) !== undefined)).toHaveLength(534);
    const line = readFileSync(shared('golden/lab/tasks-534.jsonl'), 'utf8').split('\n')[0]!;
    const { selection_scores_bps: map, choices: names } = JSON.parse(line) as Row;
    expect(() => trainingReward([''], [map], [names], { taskIds: ['renamed'] })).toThrow(
      /task renamed is ranked on the leaderboard/,
    );
    const changed: Record<string, number> = Object.fromEntries(
      PORTFOLIOS.map((key, at) => [key, at === 7 ? 10_000 : 13 * at]),
    );
    const own = Object.fromEntries([...'ABCDEFGH'].map((label) => [label, `own ${label}`]));
    expect(trainingReward([''], [changed], [own])).toEqual([0]);
    Object.assign(changed, map);
    expect(() => trainingReward([''], [changed], [own])).toThrow(/its map is that of one/);
  });
});
