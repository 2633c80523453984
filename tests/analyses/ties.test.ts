import { describe, expect, it } from 'vitest';
import type { RankedModel } from '../../src/analyses/analysis.js';
import { checkpoints } from '../../src/analyses/checkpoints/checkpoints.js';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { metrics } from '../../src/analyses/metrics/metrics.js';
import { precision } from '../../src/analyses/precision/precision.js';
import { auditAnnotations } from '../../src/analyses/rank-audit/annotations.js';
import { runAudit } from '../../src/analyses/rank-audit/rank-audit.js';
import { keptRows } from '../../src/analyses/roster/omission.js';
import { roster } from '../../src/analyses/roster/roster.js';
import { drawSelection } from '../../src/analyses/selection-figure.js';
import { weights } from '../../src/analyses/weights/weights.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine } from '../../src/engine/index.js';
import { rankAgreement, sameLead } from '../../src/inference/rank-agreement.js';
import { PORTFOLIOS, type Task } from '../../src/tasks/task.js';

const TASKS = Array.from({ length: 12 }, (_, t) => `t${t}`);
const MODELS = ['first', 'same-c', 'same-a', 'same-b', 'last'];

/** Portfolio that each of five models chose: three of them chose alike. */
const chosen = (model: number, task: number) => [task, task + 1, task + 1, task + 1, 40][model]!;

const tasks = TASKS.map((id, t) => ({
  ...{ id, panel: 'p', family: ['f', 'g'][t % 2]!, chance: 3000, margin: 100, category: 'k' },
  scores: Uint16Array.from({ length: 56 }, (_, k) => (k === t ? 10_000 : 9_000 - 100 * ((k + 55 - t) % 56))),
}));
const actions = Int32Array.from(MODELS.flatMap((_, m) => TASKS.map((_, t) => chosen(m, t))));

const matrix: ScoreMatrix = {
  models: MODELS,
  tasks: TASKS,
  panels: tasks.map(({ panel }) => panel),
  families: tasks.map(({ family }) => family),
  clusters: TASKS,
  values: Float64Array.from(actions, (action, at) => tasks[at % TASKS.length]!.scores[action]!),
  scale: 100,
};

const inputs = async (): Promise<AnalysisInputs> => {
  const engine = await createEngine();
  const given: Partial<AnalysisInputs> = {
    matrix: async () => matrix,
    familyMeans: async () => ({ matrix, stated: false }),
    resolved: async () => [],
    answers: async () => ({
      models: MODELS,
      tasks: tasks as unknown as (Task & { readonly panel: string })[],
      actions,
    }),
    otherMaps: async () => [
      { name: 'other', maps: tasks.map((task) => ({ ...task, keys: PORTFOLIOS, task: null })) },
      // Under these every portfolio that was chosen is worth the same: all models lead.
      {
        name: 'flat',
        maps: tasks.map((task) => ({
          ...task,
          scores: task.scores.map((_, k) => (k < 13 || k === 40 ? 5_000 : 100 * k)),
          keys: PORTFOLIOS,
          task: null,
        })),
      },
    ],
    audited: async () => ({ matrix, dropped: 0, warnings: [], readings: [], kind: 'matrix' }),
    engine: async () => engine,
  };
  return given as AnalysisInputs;
};

const places = (models: readonly RankedModel[]) =>
  models.map(({ modelId, rank, rankTied }) => [modelId, rank, rankTied]);
const SHARED = [
  ['first', 1, false],
  ['last', 5, false],
  ['same-a', 2, true],
  ['same-b', 2, true],
  ['same-c', 2, true],
];
const SCREEN = { theme: 'light', size: 'screen' } as const;
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!.trim());

describe('the lead', () => {
  it.each([
    [[3, 2, 1], [5, 4, 1], true, true],
    [[3, 3, 1], [5, 4, 1], false, true],
    [[3, 3, 1], [4, 5, 1], false, false],
    [[3, 3, 1], [7, 7, 7], false, true],
    [[1, 3, 3], [0, 9, 9], true, true],
  ])('is the same of %j and %j where all that share it are: %s, and by the first of them: %s', (a, b, all, first) => {
    expect(sameLead(a, b, 'all')).toBe(all);
    expect(sameLead(a, b, 'first')).toBe(first);
    expect(rankAgreement(['a', 'b', 'c'], a, b).leader_kept).toBe(all);
  });
});

describe('three models that answered alike', () => {
  it('share their rank in every analysis that ranks by score, and none does in one by rows', async () => {
    const given = await inputs();
    const call = { rng: 'philox', alpha: 0.05, draws: 20, sizes: [4] } as const;
    for (const analysis of [weights, metrics, checkpoints, precision]) {
      const { models } = await analysis.run(given, call);
      expect(places(models), analysis.name).toEqual(SHARED);
      const rows = await analysis.run(given, { ...call, order: 'rows' });
      expect(places(rows.models), analysis.name).toEqual(MODELS.map((id, m) => [id, m + 1, null]));
    }
  });

  it('stand under weightings with the sign of a shared rank', async () => {
    const run = await weights.run(await inputs(), { rng: 'philox' });
    const column = (name: string) => Array.from<unknown>(weights.columns(run).find((one) => one.name === name)!.values);
    expect(column('model')).toEqual(['first', 'same-a', 'same-b', 'same-c', 'last']);
    expect(column('rank')).toEqual([1, 2, 2, 2, 5]);
    expect(column('best_rank')).toEqual([1, 2, 2, 2, 5]);
    const shown = texts(await weights.draw(run, SCREEN));
    expect(shown).toEqual(expect.arrayContaining(['1 first', '2= same-a', '2= same-b', '2= same-c', '5 last']));
  });

  it('stand under other maps beside one another, none on top of another, and a shared lead is no leader', async () => {
    const run = await checkpoints.run(await inputs(), { rng: 'philox', draws: 20 });
    const [other, flat] = run.results.checkpoints;
    expect(other!.board.map(({ rank, original_rank }) => [rank, original_rank])).toEqual(SHARED.map(([, r]) => [r, r]));
    expect(flat!.board.every(({ rank }) => rank === 1)).toBe(true);
    // One led alone and five share the lead: it is not the same lead, though the first by id is the same.
    expect([other!.leader_kept, flat!.leader_kept]).toEqual([true, false]);
    expect(flat!.bootstrap).toMatchObject({ same_leader: 1, released_leader_alternative: 1 });
    const rows = await checkpoints.run(await inputs(), { rng: 'philox', draws: 20, order: 'rows' });
    expect(rows.results.checkpoints.map(({ leader_kept }) => leader_kept)).toEqual([true, true]);
    const svg = await checkpoints.draw(run, SCREEN);
    const marks = [...svg.matchAll(/ cy="([\d.]+)" cx="([\d.]+)"/g)].map(([, y, x]) => `${x} ${y}`).slice(0, 15);
    expect(marks.length).toBe(15);
    expect(new Set(marks).size).toBe(15);
    expect(texts(svg).filter((text) => text === '2=').length).toBe(6);
    expect(texts(svg).filter((text) => text === '1=').length).toBe(5);
    const words = checkpoints.words(run);
    expect(words).toContain('and first still leads.');
    expect(words).toContain('and first, last, same-a and 2 more share the lead instead.');
  });

  it('are all named where they lead under a summary', async () => {
    const run = await metrics.run(await inputs(), { rng: 'philox' });
    expect(metrics.words(run)).toContain('exact optimum (leader first)');
    const led = run.results.metrics.map((metric) => ({ ...metric, values: { ...metric.values, first: 0 } }));
    expect(metrics.words({ ...run, results: { metrics: led } })).toContain(
      'gain over chance (leader same-a, same-b and same-c, tied)',
    );
  });

  it('share a lead that no sentence gives to one of them alone', async () => {
    const alike = { ...matrix, values: matrix.values.map((value, at) => (at < TASKS.length ? 0 : value)) };
    const given = { ...(await inputs()), matrix: async () => alike };
    const run = await precision.run(given, { rng: 'philox', draws: 40, alpha: 0.05, sizes: [6, 12] });
    expect(run.models.filter(({ rank }) => rank === 1)).toHaveLength(3);
    const [half] = run.results.sizes;
    const share = (100 * half!.metrics.top_1_preserved!.mean).toFixed(1);
    expect(precision.words(run)).toContain(`and same-a leads, alone or with others, in ${share}% of the draws`);
    const row = { omitted: 'last', kept_tasks: 12, kept_share: 1, least_available: 6, rank_spearman: 1 };
    const omission = {
      ...{ ...row, pair_order_agreement: 1, top_five_overlap: 1, mean_absolute_shift: 0, maximum_absolute_shift: 0 },
      ...{ leader: 'same-b', original_leader: 'same-a', leader_kept: false },
    };
    const words = (order: 'rows' | 'model-id', omissions = [omission]) =>
      roster.words({
        ...{ ...run, plan: { selection_seed: 's', per_stratum: 6, order } },
        results: { tasks: 12, omissions, most_influential: 'last' },
      });
    const lead = 'who leads the others, alone or with a shared score';
    expect(words('model-id')).toContain(`One omission changes ${lead}: last.`);
    expect(words('rows')).toContain('changes which of the others comes first, of equal scores the first listed: last.');
    expect(words('model-id', [{ ...omission, leader_kept: true }])).toContain(`No omission changes ${lead}.`);
    expect(precision.words({ ...run, models: [] })).toContain(
      `and one that leads on all of them leads, alone or with others, in ${share}% of the draws`,
    );
  });

  it('have the sign of a shared rank in figure 9, the badge folder and the figure of an audit', async () => {
    const agreement = {
      rank_spearman: 1,
      pair_order_agreement: 1,
      top_five_overlap: 1,
      leader: 'first',
      original_leader: 'first',
    };
    const omissions = MODELS.map((omitted) => ({
      ...{ ...agreement, omitted, kept_tasks: 12, kept_share: 1, least_available: 6, leader_kept: true },
      ...{ mean_absolute_shift: 0, maximum_absolute_shift: 0 },
    }));
    const kept = { tasks: 12, omissions, most_influential: 'first' };
    const { models } = await weights.run(await inputs(), { rng: 'philox' });
    expect(keptRows(kept, models).map(({ rank, rankTied }) => [rank, rankTied])).toContainEqual([2, true]);
    expect(texts(drawSelection({ roster: kept, metrics: null }, { ...SCREEN, models }))).toContain('2= same-b');
    const outcome = await runAudit(await inputs(), { alpha: 0.05, draws: 200, flips: 200 });
    expect(places(outcome.models).filter(([, , tied]) => tied)).toHaveLength(3);
    const [, table] = auditAnnotations({ outcome, source: 's', resultsSha256: '0'.repeat(64) });
    expect(table!.data.match(/^\| 2= \|/gm)).toHaveLength(3);
  });
});
