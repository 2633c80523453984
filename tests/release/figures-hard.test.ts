import { describe, expect, it } from 'vitest';
import type { ModelResult } from '../../src/inference/result.js';
import { FIGURES, figureData } from '../../src/release/figure-list.js';
import { figureSvg } from '../../src/release/figures.js';
import type { ReleaseView } from '../../src/release/view.js';
import { filledDocument } from '../support/filled-document.js';
import { labelBoxes, labelFaults } from '../support/label-boxes.js';
import { noShared, released } from '../support/shared.js';
import { publishedAnalyses, publishedView } from './published.js';

function fullView(): ReleaseView {
  const view = publishedView();
  return { ...view, kind: 'folder', printedNames: undefined, analyses: publishedAnalyses(view) };
}

type Edit = (model: ModelResult, i: number) => Partial<ModelResult>;

/** A board of `count` models, each changed. */
function board(view: ReleaseView, count: number, edit: Edit): ReleaseView {
  const { models: old, replication } = view.leaderboard;
  const models = Array.from({ length: count }, (_, i) => {
    const model = {
      ...old[i % old.length]!,
      modelId: old[i]?.modelId ?? `model-${i}`,
      rank: i + 1,
      rankInterval: [Math.max(1, i - 2), Math.min(count, i + 4)] as const,
    };
    return { ...model, ...edit(model, i) };
  });
  const pairs = models.flatMap((_, left) =>
    models.slice(left + 1).map((__, k) => ({
      ...view.leaderboard.pairs[0]!,
      ...{ left, right: left + 1 + k, significant: k > 8, direction: 'left_higher' as const },
    })),
  );
  const scores = models.map(({ score }) => [score, score] as const);
  return {
    ...view,
    leaderboard: { ...view.leaderboard, models, pairs, replication: replication && { ...replication, scores } },
  };
}

/** Every model at one score, its intervals without width. */
const level =
  (score: number): Edit =>
  (model, i) => ({
    name: `model ${i}`,
    score,
    simultaneous: [score, score],
    rankInterval: [i + 1, i + 1],
    familyScores: Object.fromEntries(Object.keys(model.familyScores).map((key) => [key, score])),
    chance: null,
  });

const NAMES: Readonly<Record<string, (i: number) => string>> = {
  long: (i) => `laboratory/some-very-long-endpoint-name-of-sixty-letters-${i}-preview`,
  foreign: (i) => `实验室/超大语言模型-${i}-<b>&"</b>-Инструкт-مختبر-${'x'.repeat(24)}-v${i}`,
};

function oneFamily(view: ReleaseView): ReleaseView {
  const few = board(view, 6, ({ familyScores }) => ({
    familyScores: { pairing: familyScores.pairing! },
  }));
  const families = { tasksPerFamily: { pairing: 178 } };
  return { ...few, leaderboard: { ...few.leaderboard, ...families, replication: null } };
}

const VIEWS: Readonly<Record<string, (view: ReleaseView) => ReleaseView>> = {
  'two models': (view) => board(view, 2, () => ({})),
  '60 models of long names': (view) => board(view, 60, (_, i) => ({ name: NAMES.long?.(i) ?? '' })),
  '27 models of foreign letters': (view) => board(view, 27, (_, i) => ({ name: NAMES.foreign?.(i) ?? '' })),
  'no point for anybody': (view) => board(view, 8, level(0)),
  'every point for everybody': (view) => board(view, 8, level(100)),
  'one family, one panel': oneFamily,
};

const BOARD_FIGURES: readonly string[] = [
  ...(['pipeline', 'forest', 'panels', 'pairs', 'families', 'ranks'] as const),
  ...(['selection', 'checkpoints'] as const),
];

/** An analysis document, changed anywhere. */
// biome-ignore lint/suspicious/noExplicitAny: documents of every kind
function changed(view: ReleaseView, name: string, change: (results: any) => void): ReleaseView {
  const document = structuredClone(view.analyses.get(name))!;
  change(document.results);
  const whole = filledDocument(String(document.schema), document.results, document.plan);
  return { ...view, analyses: new Map([...view.analyses, [name, whole]]) };
}

describe.skipIf(noShared)('figures of leaderboards that are hard to draw (released data needed)', () => {
  const view = released(() => fullView());

  it.each(Object.keys(VIEWS))('stay readable: %s', async (name) => {
    const shown = VIEWS[name]!(view);
    for (const figure of BOARD_FIGURES) {
      if (figureData(shown, figure) === null) continue;
      for (const theme of ['light', 'dark'] as const) {
        const svg = await figureSvg(shown, figure, theme);
        expect({ figure, faults: labelFaults(svg) }).toEqual({ figure, faults: [] });
      }
    }
  });

  it('show models differently whose names are cut alike', async () => {
    const shown = VIEWS['60 models of long names']!(view);
    const labels = (svg: string) => labelBoxes(svg).map(({ text }) => text);
    const ranks = labels(await figureSvg(shown, 'ranks', 'light'));
    expect(new Set(ranks.filter((text) => text.includes('…'))).size).toBe(60);
    const followed = labels(await figureSvg(shown, 'checkpoints', 'light'));
    expect(new Set(followed.filter((text) => text.includes('…'))).size).toBe(10);
  });

  it('never leave the scale of scores', async () => {
    for (const score of [0, 100]) {
      const svg = await figureSvg(board(view, 8, level(score)), 'panels', 'light');
      const ticks = labelBoxes(svg).map(({ text }) => Number(text.replace('−', '-')));
      const scores = ticks.filter((tick) => Number.isFinite(tick));
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...scores)).toBeLessThanOrEqual(100);
    }
  });

  it('cut intervals at the ends of the scale, and say so', async () => {
    const drawn = (low: number, high: number) =>
      figureSvg(
        board(view, 2, (_, i) =>
          i === 0
            ? { pointwise: [98, high], simultaneous: [97, high] }
            : { pointwise: [low, 2], simultaneous: [low, 3] },
        ),
        'forest',
        'light',
      );
    const lines = (svg: string) => [...svg.matchAll(/<line [^>]*x2="[^"]*"[^>]*>/g)].map(([line]) => line);
    const [past, within] = [await drawn(-9, 109), await drawn(0, 100)];
    expect(lines(past)).toEqual(lines(within));
    expect(lines(within).length).toBeGreaterThan(3);
    const said = (svg: string) =>
      labelBoxes(svg)
        .map(({ text }) => text)
        .join(' ');
    expect(said(past)).toContain('cut at 0 and 100');
    expect(said(within)).not.toContain('cut at');
  });

  it('claim of a folder no order in time, which it does not show', async () => {
    const said = async (shown: ReleaseView) =>
      labelBoxes(await figureSvg(shown, 'pipeline', 'light')).map(({ text }) => text);
    expect(await said(view)).toContain('needs no answer');
    expect(await said(view)).not.toContain('fixed before any answer');
    expect(await said(publishedView())).toContain('fixed before any answer');
  });

  it('use the singular for one thing', () => {
    expect(figureData(VIEWS['two models']!(view), 'pipeline')).toContain('1 paired test at');
    expect(figureData(oneFamily(view), 'pipeline')).toContain('534 tasks: pairing.');
  });

  it('show negative agreement, negative and tiny effects, and what is below chance', async () => {
    const cases: readonly [
      string,
      string, // biome-ignore lint/suspicious/noExplicitAny: documents of every kind
      (results: any) => void,
      string?,
    ][] = [
      [
        'transfer-primary',
        'transfer',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          r.contrast.estimate = -12.3;
          r.contrast.interval = [-18.2, -6.1];
          r.conditions[2].score = 21;
        },
        '−12.30 [−18.20, −6.10]',
      ],
      [
        'transfer-secondary',
        'transfer',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          r.contrast.estimate = 0.004;
          r.contrast.interval = [0.003, 0.005];
          for (const condition of r.conditions) {
            condition.score = 0;
            for (const run of condition.runs) run.score = 0;
          }
        },
      ],
      [
        'metrics',
        'selection',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          for (const metric of r.metrics) Object.assign(metric, { rank_spearman: -0.3 });
        },
        '−0.300',
      ],
      [
        'checkpoints',
        'checkpoints',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          r.checkpoints = [0, 1, 2, 3, 4, 5].map((i) => ({
            ...r.checkpoints[i % 3],
            checkpoint: `Another reward space of a long name, number ${i}`,
            bootstrap: {
              rank_spearman: { low: -0.95, high: 1 },
              pair_order_agreement: { low: 0, high: 1 },
            },
          }));
        },
      ],
      [
        'substitutions',
        'substitutions',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          r.spaces[0].space = 'A space whose name is longer than any column';
          r.spaces[0].all = { pairs: 12, percentile: 0.02, interval: [0.01, 0.03] };
          r.spaces[1].novel = null;
        },
        'all pairs (12–1469)',
      ],
      [
        'precision',
        'precision',
        // biome-ignore lint/suspicious/noExplicitAny: a document of its own kind
        (r: any) => {
          for (const { metrics } of r.sizes) metrics.rank_spearman.p2_5 = -0.53;
        },
        '−0.6',
      ],
    ];
    for (const [document, figure, change, text] of cases) {
      const svg = await figureSvg(changed(view, document, change), figure, 'dark');
      expect({ document, faults: labelFaults(svg) }).toEqual({ document, faults: [] });
      expect(labelBoxes(svg).map((box) => box.text)).toContain(text ?? '0.0');
    }
  });

  it('are all drawn in these tests', () => {
    const rest = ['precision', 'transfer', 'substitutions'];
    expect([...BOARD_FIGURES, ...rest].sort()).toEqual(FIGURES.map(({ name }) => name).sort());
  });
});
