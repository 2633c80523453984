import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareMaps } from '../../src/tasks/maps-compare.js';
import { drawMapAgreement } from '../../src/tasks/maps-figure.js';
import { type MapRow, readMapFile } from '../../src/tasks/maps-read.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';

const map = (id: string, score: (i: number) => number, family = 'pairing'): MapRow => ({
  id,
  family,
  panel: 'panel_1',
  keys: PORTFOLIOS,
  scores: Uint16Array.from(PORTFOLIOS, (_, i) => score(i)),
  task: null,
});
const rising = (i: number) => Math.round((i * 10_000) / 55);

describe('comparing maps', () => {
  it('gives 1 for the same map and -1 for the mirrored one', () => {
    const { tasks, summary } = compareMaps(
      [map('a', rising), map('b', rising)],
      [map('b', (i) => 10_000 - rising(i)), map('a', rising)],
    );
    expect(tasks.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(tasks[0]).toMatchObject({ rank: 1, pearson: 1, sameOptima: true });
    expect(tasks[1]!.rank).toBeCloseTo(-1, 12);
    expect(tasks[1]!.sameOptima).toBe(false);
    expect(summary).toMatchObject({ tasks: 2, same_optimum_rate: 0.5 });
    expect(summary.rank_median).toBeCloseTo(0, 12);
  });

  it('ranks ties by their mean and compares whole sets of optima', () => {
    const shared = map('a', (i) => (i < 2 ? 10_000 : i < 30 ? 50 : 0));
    const one = map('a', (i) => (i < 1 ? 10_000 : i < 30 ? 50 : 0));
    const [task] = compareMaps([shared], [one]).tasks;
    expect(task).toMatchObject({ sameOptima: false, optima: [2, 1] });
    const ranks = (row: MapRow) =>
      [...row.scores].map((x) => {
        const below = row.scores.filter((y) => y < x).length;
        const equal = row.scores.filter((y) => y === x).length;
        return below + (equal + 1) / 2;
      });
    const [x, y] = [ranks(shared), ranks(one)];
    const centre = (v: number[]) => v.map((value) => value - 28.5);
    const product = (a: number[], b: number[]) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
    const [cx, cy] = [centre(x), centre(y)];
    expect(task!.rank).toBeCloseTo(product(cx, cy) / Math.sqrt(product(cx, cx) * product(cy, cy)), 12);
  });

  it('lists what stands on one side only and refuses what has nothing in common', () => {
    const result = compareMaps([map('a', rising), map('b', rising)], [map('a', rising), map('c', rising)]);
    expect([result.onlyFirst, result.onlySecond]).toEqual([['b'], ['c']]);
    expect(() => compareMaps([map('a', rising)], [map('b', rising)])).toThrow(/no task in common/);
  });

  it('refuses tasks that share an id and nothing else', () => {
    const own = map('a', rising);
    const task = (choices: string[]) =>
      ({
        anchor: 'x',
        choices,
        select: 3,
        region: null,
        variant: null,
        weights: null,
        needs: null,
      }) as const;
    expect(() => compareMaps([own], [map('a', rising, 'constraint')])).toThrow(
      /family is "pairing" on one side, "constraint" on the other/,
    );
    expect(() => compareMaps([{ ...own, task: task(['p', 'q']) }], [{ ...own, task: task(['p', 'r']) }])).toThrow(
      /choice B is "q" on one side, "r" on the other/,
    );
  });

  it('refuses two panels, names the maps that differ and says how tasks were matched', () => {
    const stated = (panel: string) => ({ ...map('a', rising), panel, panelStated: true });
    expect(() => compareMaps([stated('panel_1')], [stated('panel_2')])).toThrow(
      /panel is "panel_1" on one side, "panel_2" on the other/,
    );
    expect(compareMaps([stated('panel_2')], [map('a', rising)]).tasks).toHaveLength(1);
    const changed = map('b', (i) => (i === 3 ? rising(i) + 1 : rising(i)));
    const found = compareMaps([map('a', rising), map('b', rising)], [map('a', rising), changed]);
    expect(found).toMatchObject({ different: ['b'], matchedByChoices: 0 });
  });

  it('proves by digests that maps are of the same choices, and refuses those that are not', () => {
    const choices = [...'pqrstuvw'];
    const digest = createHash('sha256')
      .update('{"A":"p","B":"q","C":"r","D":"s","E":"t","F":"u","G":"v","H":"w"}')
      .digest('hex');
    const named = { ...map('a', rising), choices };
    const stated = { ...map('a', rising), choicesSha256: digest };
    expect(compareMaps([named], [stated])).toMatchObject({ matchedByChoices: 1 });
    expect(compareMaps([stated], [stated])).toMatchObject({ matchedByChoices: 1 });
    expect(compareMaps([stated], [map('a', rising)])).toMatchObject({ matchedByChoices: 0 });
    const turned = { ...named, choices: [...choices].reverse() };
    expect(() => compareMaps([turned], [stated])).toThrow(
      expect.objectContaining({
        code: 'TASK_MISMATCH',
        message: expect.stringMatching(/task a: its choices have the digest/),
      }),
    );
  });

  it('draws the same bytes twice, in both themes', () => {
    const comparison = compareMaps([map('a', rising)], [map('a', rising)]);
    const draw = (theme: 'light' | 'dark') =>
      drawMapAgreement(comparison, { names: ['one <file>', 'another'], theme, size: 'screen' });
    expect(draw('light')).toBe(draw('light'));
    expect(draw('dark')).not.toBe(draw('light'));
    expect(draw('light')).toContain('one &lt;file&gt;');
  });
});

describe('reading maps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'maps-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (rows: object[]): string => {
    const path = join(folder, 'rows.jsonl');
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
    return path;
  };
  const scores = Object.fromEntries(PORTFOLIOS.map((key, i) => [key, rising(i)]));
  const row = { task_id: 'a', family: 'pairing', selection_scores_bps: scores };

  it('takes any k of n and keeps what a task says of itself', () => {
    const small = {
      task_id: 's',
      family: 'constraint',
      selection_size: 2,
      anchor_ingredient: 'x',
      choices: { A: 'p', B: 'q', C: 'r' },
      selection_scores_bps: { AB: 0, AC: 10_000, BC: 5 },
      oracle_reference: { constraint_variant: 'vegan', maximum_nova: 2 },
    };
    const { rows } = readMapFile(file([row, small]));
    expect(rows[0]).toMatchObject({ id: 'a', panel: 'panel_1', task: null });
    expect(rows[1]).toMatchObject({
      keys: ['AB', 'AC', 'BC'],
      task: { choices: ['p', 'q', 'r'], select: 2, variant: { flag: 'vegan', nova: 2 } },
    });
  });

  it('takes the document and the dense rows that are written here', () => {
    const path = join(folder, 'maps.json');
    writeFileSync(path, JSON.stringify({ schema: 'flavourbench-maps/1', results: { tasks: [row] } }));
    expect(readMapFile(path).rows).toMatchObject([{ id: 'a', family: 'pairing', task: null }]);
    const dense = {
      ...row,
      family: 'constraint',
      choices: { A: 'x' },
      constraint_variant: 'vegan',
    };
    expect(readMapFile(file([dense])).rows).toMatchObject([{ family: 'constraint', task: null }]);
  });

  it('finds the weights in the design, else in the name of the method', () => {
    const choices = Object.fromEntries([...'ABCDEFGH'].map((label) => [label, `name_${label}`]));
    const task = (method: string) => ({ ...row, choices, oracle_reference: { method } });
    const weights = (value: object) => {
      const path = join(folder, 'document.json');
      writeFileSync(path, JSON.stringify(value));
      return readMapFile(path).rows[0]!.task!.weights;
    };
    const named = task('pairing_65pct_plus_coherence_35pct');
    expect(weights({ tasks: [named] })).toEqual({ single: 0.65, pair: 0.35 });
    const design = { pairing: { weights: { single: 0.5, pair: 0.5 } } };
    expect(weights({ design, tasks: [named] })).toEqual({ single: 0.5, pair: 0.5 });
    expect(weights({ tasks: [task('hard_filter')] })).toBeNull();
  });

  it.each([
    [{ ...row, selection_scores_bps: { ...scores, ABC: 1.5 } }, /ABC: an integer/],
    [{ ...row, selection_scores_bps: { ...scores, ABC: 10_001 } }, /ABC: an integer/],
    [{ ...row, selection_scores_bps: { AB: 1, AC: 10_000 } }, /every key/],
    [{ ...row, selection_scores_bps: { AB: 1, AC: 2, BC: 3 } }, /a score of 10000/],
    [{ ...row, selection_scores_bps: 3 }, /an object of scores/],
    [{ ...row, family: '' }, /family/],
    [{ ...row, choices_sha256: 'abc' }, /choices_sha256: a SHA-256/],
    [{ ...row, family: 'constraint', choices: { A: 'x' }, oracle_reference: {} }, /a diet and a NOVA limit/],
  ])('refuses a broken row: %j', (broken, message) => {
    expect(() => readMapFile(file([broken as object]))).toThrow(message);
  });

  it('refuses a task twice and says where', () => {
    expect(() => readMapFile(file([row, { ...row, task_id: 'b' }, row]))).toThrow(
      /rows\.jsonl, line 3: task a stands twice: at line 1 and at line 3/,
    );
  });

  it('reads one checkpoint of a file that holds several', () => {
    const of = (checkpoint: string) => ({ ...row, checkpoint, release_panel: 'panel_2' });
    const path = file([of('one'), of('two')]);
    expect(() => readMapFile(path)).toThrow(/maps of 2 checkpoints: "one", "two"/);
    expect(readMapFile(path, 'two')).toMatchObject({
      checkpoint: 'two',
      rows: [{ id: 'a', panel: 'panel_2', panelStated: true }],
    });
    expect(() => readMapFile(path, 'three')).toThrow(/no maps of "three", but of 2/);
    expect(readMapFile(file([row]), 'two').rows).toMatchObject([{ panelStated: false }]);
  });
});
