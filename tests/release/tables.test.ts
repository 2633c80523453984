import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/io/json.js';
import { latexTable, markdownTable } from '../../src/io/text-table.js';
import { publishedRoutes } from '../../src/published/published-routes.js';
import { type CaseStudy, caseStudies, casesSchema } from '../../src/release/cases.js';
import { question } from '../../src/release/tables/case-table.js';
import { macrosText, releaseMacros } from '../../src/release/tables/macros.js';
import { releaseTables } from '../../src/release/tables/release-tables.js';
import type { ReleaseView } from '../../src/release/view.js';
import { LABELS, PORTFOLIO_INDEX } from '../../src/tasks/task.js';
import { freezeStudy } from '../../src/transfer/study-plan.js';
import { filledDocument } from '../support/filled-document.js';
import { freshFolder } from '../support/folders.js';
import { MANIFEST } from '../support/released-files.js';
import { noShared, released } from '../support/shared.js';
import { publishedAnalyses, publishedView, releasedTex } from './published.js';

/** Rows of cells of a LaTeX table. */
const cells = (tex: string) =>
  tex
    .trim()
    .split('\n')
    .map((line) => line.replace(/ \\\\$/, '').split(' & '));

const fileOf = (view: ReleaseView, name: string) => {
  const file = releaseTables(view).files.find((one) => one.name === `tables/${name}`);
  return Buffer.from(file?.bytes ?? []).toString('utf8');
};

const rowsOf = (view: ReleaseView, name: string) =>
  releaseTables(view).tables.find(({ table }) => table.name === name)?.table.rows ?? [];

/** cases.json from the published examples table: ingredients from the table, scores from the released maps. */
function publishedCases(view: ReleaseView): CaseStudy[] {
  const tasks = view.tasks!;
  const rows = cells(releasedTex('examples-table'))
    .filter((row) => row.length === 4)
    .slice(1);
  const document = {
    cases: rows.map(([, prompt, ...answers]) => {
      const task = tasks.find((one) => question(one.prompt) === prompt)!;
      const [higher_ranked, lower_ranked] = answers.map((text) => {
        const names = text.replace(/ \(\d+\)$/, '').split(', ');
        const at = names.map((name) => task.choices.indexOf(name.replaceAll(' ', '_')));
        const key = at
          .map((i) => LABELS.charAt(i))
          .sort()
          .join('');
        return {
          model_id: 'any',
          selection: key,
          ingredients: at.map((i) => task.choices[i]),
          score_bps: task.scores[PORTFOLIO_INDEX.get(key)!],
        };
      });
      return {
        task_id: task.id,
        family: task.family,
        prompt: task.prompt,
        higher_ranked,
        lower_ranked,
      };
    }),
  };
  return caseStudies(casesSchema.parse(document));
}

describe.skipIf(noShared)('tables of the published release', () => {
  const view = released(() => publishedView());
  const manifest = released(() => JSON.parse(readFileSync(MANIFEST(), 'utf8')));
  const full: ReleaseView = released(() => ({
    ...view,
    routes: publishedRoutes(manifest),
    analyses: publishedAnalyses(view),
    cases: publishedCases(view),
  }));

  it.each([
    ['leaderboard', 'leaderboard-table', 31],
    ['families', 'family-table', 31],
    ['routes', 'route-table', 31],
    ['maps', 'task-table', 7],
    ['examples', 'examples-table', 7],
    ['macros', 'macros', 25],
  ])('are the published LaTeX cell by cell: %s', (name, published, lines) => {
    const expected = cells(releasedTex(published));
    expect(expected.length).toBeGreaterThanOrEqual(lines);
    expect(cells(fileOf(full, `${name}.tex`))).toEqual(expected);
  });

  it('print the published analyses (tables 4, 5, 6, 8, 13, 14)', () => {
    expect(rowsOf(full, 'metrics')[3]).toEqual(['Exact-optimum rate', '0.938', '89.2%', 'Grok 4.6']);
    expect(rowsOf(full, 'metrics')[1]?.[3]).toBe('Gemini 3.1 Pro Preview');
    expect(rowsOf(full, 'checkpoints').map((row) => row.slice(1, 4))).toEqual([
      ['0.752', '0.957', '91.7%'],
      ['0.672', '0.915', '88.0%'],
      ['0.660', '0.903', '86.9%'],
    ]);
    expect(rowsOf(full, 'substitutions')).toEqual([
      ['Cooc', '0.806 [0.788, 0.824]', '0.754', '0.133'],
      ['Core', '0.800 [0.781, 0.819]', '0.735', '0.172'],
      ['Chem', '0.780 [0.761, 0.798]', '0.718', '0.155'],
    ]);
    expect(rowsOf(full, 'transfer-main')[0]).toEqual([
      'Anchor-disjoint transfer (84)',
      '29.99',
      '30.90',
      '44.20',
      '+13.30 [6.52, 20.29]',
      '1.70e-4',
    ]);
    expect(rowsOf(full, 'transfer-families')[2]?.slice(1)).toEqual(['Constraints', '3.39', '4.73', '26.24', '+21.51']);
    expect(rowsOf(full, 'transfer-seeds')[2]).toEqual([
      '20260826',
      '29.89',
      '43.59',
      '+13.70',
      '31.65',
      '42.85',
      '+11.20',
    ]);
    expect(fileOf(full, 'transfer-main.tex')).toContain('$1.70\\!\\times\\!10^{-4}$');
  });

  it('are all there in three forms but the one whose plan is missing', () => {
    const { tables, files, missing } = releaseTables(full);
    expect(tables.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]);
    expect(files).toHaveLength(3 * 13 + 1);
    expect(missing).toEqual([{ name: 'transfer-protocol', number: 12, needs: 'a frozen transfer plan' }]);
  });

  it('print a frozen transfer plan (table 12)', () => {
    const plan = freezeStudy({
      base: `Qwen/Qwen3-0.6B@${'c1'.repeat(20)}`,
      seeds: [3, 1, 2],
      data: new Map([['train', 'a'.repeat(64)]]),
      primaryTasks: 'b'.repeat(64),
      secondaryTasks: null,
      primaryContent: 'e'.repeat(64),
      rng: 'philox',
      alpha: 0.05,
      draws: 50_000,
      flips: 100_000,
      threshold: 3,
      at: '2026-08-20T00:00:00.000Z',
    });
    const analyses = new Map([['plan', plan as unknown as JsonObject]]);
    const rows = Object.fromEntries(rowsOf({ ...view, analyses }, 'transfer-protocol'));
    expect(rows['Training seeds']).toBe('1, 2, 3');
    expect(rows.Base).toBe(`Qwen/Qwen3-0.6B, revision ${'c1'.repeat(20)}`);
    expect(rows.Inference).toBe('50000 crossed bootstraps; 100000 anchor sign flips; alpha 0.05');
  });

  it('are made of no analysis that does not say what it is about, or is about other models', () => {
    const silent = JSON.parse(readFileSync('fixtures/version-1/collection/release/analyses/weights.json', 'utf8'));
    const about = { models: ['a'], inference_sha256: null, core_sha256: null, answers_sha256: null };
    const elsewhere = { ...about, matrix_sha256: '0'.repeat(64), candidates_sha256: null };
    for (const document of [silent, { ...silent, about: elsewhere }]) {
      const folder = freshFolder();
      writeFileSync(join(folder, 'weights.json'), JSON.stringify(document));
      expect(() => publishedView({ analyses: [folder] })).toThrow(
        expect.objectContaining({ code: 'ANALYSIS_FOREIGN' }),
      );
    }
  });

  it('say which input is missing, each by number', () => {
    const { tables, missing } = releaseTables(publishedView({}));
    expect(tables.map(({ number }) => number)).toEqual([1, 3, 10, 11]);
    expect(missing).toHaveLength(10);
    expect(missing.find(({ number }) => number === 2)?.needs).toBe('the task sets and the core plan');
    expect(macrosText(releaseMacros(publishedView({})))).toContain('% FBPlanDigest needs the core plan\n');
  });

  it('make names harmless in LaTeX and Markdown', () => {
    const models = view.leaderboard.models.map((model) =>
      model.rank === 1 ? { ...model, name: '[x] 50% & <b>_#|\\input{a}' } : model,
    );
    const hostile = {
      ...view,
      kind: 'folder' as const,
      printedNames: undefined,
      leaderboard: { ...view.leaderboard, models },
    };
    const table = releaseTables(hostile).tables.find(({ number }) => number === 10)?.table;
    if (table === undefined) throw new Error('no family table');
    expect(latexTable(table)).toContain('\n{[}x] 50\\% \\& <b>\\_\\#|\\textbackslash{}input\\{a\\} & 66.1');
    expect(markdownTable(table)).toContain('| [x] 50% & &lt;b>_#\\|\\\\input{a} | 66.1');
    expect(fileOf(hostile, 'macros.tex')).toContain(
      '\\newcommand{\\FBTopModel}{[x] 50\\% \\& <b>\\_\\#|\\textbackslash{}input\\{a\\}}',
    );
  });

  it('name a field that is not what a document must hold', () => {
    const analyses = new Map(full.analyses);
    const metrics = [{ metric: 'action_percentile', rank_spearman: 'high' }];
    analyses.set('metrics', filledDocument('flavourbench-sensitivity-metrics/1', { metrics }));
    expect(() => releaseTables({ ...full, analyses })).toThrow(
      /analyses\/metrics\.json: results\.metrics\[0\]\.rank_spearman: a number expected/,
    );
  });
});
