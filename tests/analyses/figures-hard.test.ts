import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { percent } from '../../src/analyses/analysis.js';
import { drawCheckpoints } from '../../src/analyses/checkpoints/figure.js';
import type { CheckpointResult } from '../../src/analyses/checkpoints/other-maps.js';
import type { FilterResults } from '../../src/analyses/filter/comparison.js';
import { drawFilter } from '../../src/analyses/filter/figure.js';
import { drawPower } from '../../src/analyses/power/figure.js';
import type { PowerResult } from '../../src/analyses/power/pilot.js';
import { drawRoster } from '../../src/analyses/roster/figure.js';
import type { RosterResults } from '../../src/analyses/roster/omission.js';
import type { SubstitutionResult } from '../../src/analyses/substitutions/check.js';
import { drawSubstitutions } from '../../src/analyses/substitutions/figure.js';
import { cliInline } from '../support/cli-inline.js';
import { labelBoxes, labelFaults } from '../support/label-boxes.js';

const folder = mkdtempSync(join(tmpdir(), 'figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = {
  plain: (i: number) => `lab/model-${i}`,
  long: (i: number) => `laboratory/some-very-long-endpoint-name-of-sixty-letters-no-${i}-preview`,
  foreign: (i: number) => `实验室/超大语言模型-${i}-<b>&'</b>-Инструкт-${'x'.repeat(24)}-v${i}`,
};

interface World {
  readonly models: number;
  readonly name?: keyof typeof NAMES;
  readonly strata?: number;
  /** All within the difference that `power` plans for, which it then refuses. */
  readonly alike?: true;
  readonly value: (model: number, task: number) => number;
}

/** A score that looks random and is the same every time. */
const wild = (model: number, task: number) =>
  Math.max(0, 6000 - 60 * model + ((7919 * (model + 3) * (task + 5)) % 3500));

const WORLDS: Readonly<Record<string, World>> = {
  'two models': { models: 2, value: wild },
  '60 models of long names': { models: 60, name: 'long', value: wild },
  '27 models of foreign letters': { models: 27, name: 'foreign', value: wild },
  'equal scores': { models: 8, alike: true, value: () => 5000 },
  'no point for anybody': { models: 8, alike: true, value: () => 0 },
  'one stratum': { models: 6, strata: 1, value: wild },
  'tiny differences': {
    models: 6,
    value: (model, task) => 5000 + model + ((task + model) % 2),
  },
};

function matrixFile(name: string, { models, name: kind = 'plain', strata = 6, value }: World) {
  const path = join(folder, `${name}.csv`);
  const rows = Array.from({ length: models }, (_, m) =>
    Array.from({ length: 36 }, (__, t) => {
      const stratum = t % strata;
      const family = ['substitution', 'pairing', 'constraint'][stratum >> 1];
      return `"${NAMES[kind](m)}",t${t},panel_${(stratum % 2) + 1},${family},c${t},${value(m, t)}`;
    }),
  );
  writeFileSync(path, `model,task,panel,family,cluster,value\n${rows.flat().join('\n')}\n`);
  return path;
}

const figure = (out: string, name: string) => readFileSync(join(out, `${name}.svg`), 'utf8');

describe('figures of matrices that are hard to draw', () => {
  it.each(Object.entries(WORLDS))('stay readable for %s', async (name, world) => {
    const file = matrixFile(name, world);
    const out = join(folder, name);
    const quiet = ['--out', out, '--quiet'];
    const calls = [
      ['sensitivity', 'all', '--scores', file, '--scale', '100', '--draws', '20'],
      ['rank-audit', file, '--scale', '100', '--draws', '200', '--flips', '40000'],
    ];
    for (const call of calls) expect(await cliInline([...call, ...quiet])).toMatchObject({ code: 0 });
    const drawn = ['precision', 'generalizability', 'rank-audit'];
    const power = await cliInline(['power', '--scores', file, '--scale', '100', '--no-simulation', ...quiet]);
    expect(power.code).toBe(world.alike ? 2 : 0);
    if (!world.alike) drawn.push('power');
    if (world.strata !== 1) drawn.push('weights');
    for (const kind of drawn) expect({ kind, faults: labelFaults(figure(out, kind)) }).toEqual({ kind, faults: [] });
    const audit = labelBoxes(figure(out, 'rank-audit')).map(({ text }) => text);
    const cut = audit.filter((text) => text.includes('…'));
    if (world.name !== undefined) expect(new Set(cut).size).toBe(world.models);
  });

  it('say which letters are boxes, and nothing where there are none', async () => {
    const said = async (name: string, world: World) => {
      const file = matrixFile(name, { ...world, models: 2 });
      const few = ['--scale', '100', '--draws', '50', '--flips', '50'];
      return cliInline(['rank-audit', file, ...few, '--out', join(folder, name)]);
    };
    const foreign = await said('boxes', { models: 2, name: 'foreign', value: wild });
    expect(foreign.stderr).toMatch(/boxes in PNG and PDF, .*: 实 验 室/);
    expect((await said('none', { models: 2, name: 'long', value: wild })).stderr).toBe('');
  });

  it('never write a negative zero', () => {
    expect([-0.0001, -0, 0, -0.25].map((share) => percent(share, 1))).toEqual(['0.0%', '0.0%', '0.0%', '-25.0%']);
  });
});

describe.each([
  ['light', 'screen'],
  ['dark', 'screen'],
  ['light', 'column'],
  ['dark', 'column'],
] as const)('figures of hard results, %s, %s', (theme, size) => {
  it('power: no label is cut at the left or lies on the pilot', () => {
    const curve = [6, 20, 50, 105, 400, 1200].map((tasks, i) => ({ tasks, share: 0.2 + 0.13 * i }));
    const svg = drawPower(
      {
        ...{ tasks_now: 50, hypotheses: 1, pairs: [{}] as unknown as PowerResult['pairs'] },
        ...{ curve, spread: [] },
        shares: [
          { share: 0.25, tasks: 7 },
          { share: 0.5, tasks: 54 },
          { share: 0.75, tasks: 300 },
          { share: 0.9, tasks: null },
        ],
      },
      { theme, size, alpha: 0.05 },
    );
    expect(labelFaults(svg)).toEqual([]);
    expect(svg).toContain('1 pair resolved, familywise 0.05 over 1 test.');
  });

  it('checkpoints: many maps of long names, negative and undefined agreement', () => {
    const results = [0, 1, 2, 3, 4, 5].map((i) => ({
      checkpoint: `A reward space that has a name of very many words and a number at its end: ${i}`,
      ...{ task_maps: { rank_median: 0.1, same_optimum_rate: 0 }, board: [] },
      ...{ rank_spearman: i === 0 ? null : -0.4, pair_order_agreement: 0.2 },
      ...{ leader: 'a', leader_kept: false },
      bootstrap: {
        rank_spearman: { median: -0.4, low: -0.93, high: 0.1 },
        pair_order_agreement: { median: 0.2, low: 0, high: 0.4 },
      },
    })) as unknown as CheckpointResult[];
    const svg = drawCheckpoints(results, { theme, size, models: [] });
    const texts = labelBoxes(svg).map(({ text }) => text);
    expect(texts).toContain('−0.400');
    expect(texts.filter((text) => text === 'undefined')).toHaveLength(1);
    expect(labelFaults(svg).filter((fault) => fault !== 'not a number')).toEqual([]);
  });

  it('substitutions: far below chance, without interval, without novel pairs', () => {
    const estimate = { pairs: 4, sources: 2, percentile: 0.02, interval: [0.02, 0.02] };
    const results = ['x', 'A space whose name is long enough to take half of the whole figure'].map((space) => ({
      ...{ space, novel: null, vocabulary: { hit_at_10: 0, chance: { hit_at_10: 0.1 } } },
      all: { ...estimate, exceedances: 10, p: 1, holm_p: 1, significant: false },
    })) as unknown as SubstitutionResult[];
    const svg = drawSubstitutions(results, { theme, size });
    expect(labelFaults(svg)).toEqual([]);
    expect(labelBoxes(svg).map(({ text }) => text)).not.toContain('pairs not seen in training');
  });

  it('roster: many models of long names, all tasks or none kept', () => {
    const omissions = Array.from({ length: 60 }, (_, i) => ({
      ...{ omitted: NAMES.long(i), kept_tasks: i % 2, kept_share: i % 2, leader_kept: i > 3 },
      ...{ least_available: 0, rank_spearman: 1, pair_order_agreement: 1, leader: 'a' },
      ...{ mean_absolute_shift: 0, maximum_absolute_shift: 0 },
    }));
    const result = { omissions, tasks: 1, most_influential: NAMES.long(0) };
    expect(labelFaults(drawRoster(result as unknown as RosterResults, { theme, size }))).toEqual([]);
  });

  it('filter: one panel, every difference nothing or very large', () => {
    const comparisons = ['chance_score', 'reference_model_mean_score'].map((characteristic, i) => ({
      ...{ panel: 'panel_1', family: 'pairing', characteristic, total_variation: null },
      ...{ selected_mean: 0, other_mean: 0, standardized_difference: 30 * i },
      ...{ exceedances: 0, p: 1, holm_p: 1, significant: i === 1 },
    }));
    const result = {
      ...{ gate_model: 'm', comparisons, resolved: 1, validity_gate: [] },
      ...{ largest_standardized_difference: 30, largest_total_variation: 0 },
    } as unknown as FilterResults;
    const svg = drawFilter(result, { theme, size });
    expect(labelFaults(svg)).toEqual([]);
  });
});
