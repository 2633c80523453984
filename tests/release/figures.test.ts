import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../src/io/csv.js';
import { FIGURES, figureData } from '../../src/release/figure-list.js';
import { figureSvg, releaseFigures } from '../../src/release/figures.js';
import type { ReleaseView } from '../../src/release/view.js';
import { labelBoxes, labelFaults } from '../support/label-boxes.js';
import { noShared, released } from '../support/shared.js';
import { publishedAnalyses, publishedView } from './published.js';

const NAMES = FIGURES.map(({ name }) => name);

function fullView(): ReleaseView {
  const view = publishedView();
  return { ...view, analyses: publishedAnalyses(view) };
}

/** The published board under names that no axis has room for. */
function longNames(view: ReleaseView): ReleaseView {
  const models = view.leaderboard.models.map((model, i) => ({
    ...model,
    name: `Some Laboratory: An Endpoint Of Many Words ${i} & <Instruct> Preview (2026-08)`,
  }));
  return { ...view, kind: 'folder', printedNames: undefined, leaderboard: { ...view.leaderboard, models } };
}

/** The published board with every model on one spot. */
function crowded(view: ReleaseView): ReleaseView {
  const { replication } = view.leaderboard;
  const scores = replication?.scores.map((_, i) => [60 + (i % 3) / 50, 61 + (i % 2) / 50] as const);
  return {
    ...view,
    leaderboard: { ...view.leaderboard, replication: replication && { ...replication, scores: scores ?? [] } },
  };
}

/** A board of `count` models: the published ones again and again, or the first of them. */
function resized(view: ReleaseView, count: number): ReleaseView {
  const { leaderboard } = view;
  const scores = leaderboard.replication?.scores ?? [];
  const models = Array.from({ length: count }, (_, i) => ({
    ...leaderboard.models[i % leaderboard.models.length]!,
    modelId: `model-${i}`,
    name: `model ${i}`,
    rank: i + 1,
    rankInterval: [Math.max(1, i - 2), Math.min(count, i + 4)] as const,
    chance: null,
  }));
  const pairs = models.flatMap((_, left) =>
    models.slice(left + 1).map((__, k) => ({
      ...leaderboard.pairs[0]!,
      left,
      right: left + 1 + k,
    })),
  );
  const replication = leaderboard.replication && {
    ...leaderboard.replication,
    scorePearson: null,
    rankSpearman: null,
    scores: models.map((_, i) => scores[i % scores.length]!),
  };
  return {
    ...view,
    kind: 'folder',
    printedNames: undefined,
    leaderboard: { ...leaderboard, models, pairs, replication },
  };
}

const table = (view: ReleaseView, name: (typeof NAMES)[number]) => {
  const { header, rows } = parseCsv(figureData(view, name)!, { file: name });
  return rows.map((row) => Object.fromEntries(header.map((key, i) => [key, row[i]!])));
};

describe.skipIf(noShared)('figures of the published release', () => {
  const view = released(() => fullView());

  it('come with a CSV of what they draw', () => {
    const forest = table(view, 'forest');
    expect(forest).toHaveLength(27);
    expect(forest[0]).toMatchObject({ rank: '1', model: 'Grok 4.6', group: '1' });
    expect(Number(forest[0]?.low)).toBeCloseTo(60.98, 2);
    const pairs = table(view, 'pairs');
    expect(pairs).toHaveLength(702);
    const counted = (verdict: string) => pairs.filter((row) => row.row_is === verdict).length;
    expect([counted('higher'), counted('lower'), counted('unresolved')]).toEqual([101, 101, 500]);
    expect(table(view, 'panels')).toHaveLength(27);
    expect(table(view, 'ranks').at(-1)).toMatchObject({ rank_low: '27', rank_high: '27' });
    expect(Object.keys(table(view, 'families')[0] ?? {})).toContain('constraint');
    const precision = table(view, 'precision').find(
      (row) => row.tasks === '270' && row.quantity === 'rank correlation',
    );
    expect(Number(precision?.value).toFixed(3)).toBe('0.952');
    expect(table(view, 'transfer').filter((row) => row.quantity === 'effect')).toHaveLength(2);
    const kept = table(view, 'selection').find((row) => row.subject === 'anthropic/claude-fable-5');
    expect(Number(kept?.value).toFixed(3)).toBe('0.710');
    expect(table(view, 'checkpoints').filter((row) => row.part === 'rank')).toHaveLength(40);
    expect(table(view, 'substitutions')).toHaveLength(6);
  });

  it.each(NAMES)(
    'have labels that neither touch nor are cut off or too small, whatever the names: %s',
    async (name) => {
      for (const shown of [view, longNames(view), crowded(longNames(view))]) {
        const svg = await figureSvg(shown, name, 'light');
        expect(labelBoxes(svg).length).toBeGreaterThan(5);
        expect(labelFaults(svg)).toEqual([]);
      }
    },
  );

  it('show the best rank at the left, and every rank of a few', async () => {
    const left = (svg: string, text: string) => labelBoxes(svg).find((box) => box.text === text)!.left;
    const ranks = await figureSvg(view, 'ranks', 'light');
    expect(left(ranks, '1')).toBeLessThan(left(ranks, '27'));
    const few = await figureSvg(resized({ ...view, analyses: new Map() }, 7), 'ranks', 'light');
    const places = [1, 2, 3, 4, 5, 6, 7].map((rank) => left(few, String(rank)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it.each(NAMES)('stand alone, in both themes, the same every time: %s', async (name) => {
    const light = await figureSvg(view, name, 'light');
    const dark = await figureSvg(view, name, 'dark');
    expect(await figureSvg(view, name, 'light')).toBe(light);
    expect(dark).not.toBe(light);
    for (const svg of [light, dark]) {
      expect(svg).not.toMatch(/NaN|undefined|Infinity|style=|<style|currentColor|url\(http|var\(--/);
      expect(svg.match(/https?:\/\//g)).toHaveLength(svg.match(/http:\/\/www\.w3\.org/g)?.length ?? 0);
    }
  });

  it('come as SVG, PDF with embedded fonts, PNG and CSV; two builds give the same bytes', async () => {
    const build = () => releaseFigures(view, { only: ['11'] });
    const { files, missing } = await build();
    expect(missing).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(
      ['substitutions'].flatMap((name) => [
        `figures/${name}.csv`,
        ...['', '-dark'].flatMap((theme) => ['svg', 'pdf', 'png'].map((ending) => `figures/${name}${theme}.${ending}`)),
      ]),
    );
    const pdf = Buffer.from(files.find(({ name }) => name.endsWith('substitutions.pdf'))?.bytes ?? []);
    const text = pdf.toString('latin1');
    expect(text).toMatch(/\/FontFile2 /);
    expect(text).toMatch(/\+IBMPlexSans-SemiBold/);
    expect(text).not.toMatch(/Helvetica|Times-Roman/);
    expect(text.match(/D:\d{14}/g)).toEqual(['D:19700101000000']);
    expect((await build()).files).toEqual(files);
  });

  it('say of simulated responders that no model was asked', () => {
    const routes = (transport: string) =>
      view.leaderboard.models.map(({ modelId: id }) => ({
        ...{ model: id, panel: 'panel_1', transport, requestedModel: null },
        ...{ expectedModel: null, provider: null, tag: null },
      }));
    const asked = (transport: string) =>
      table({ ...view, kind: 'folder', printedNames: undefined, routes: routes(transport) }, 'pipeline')[3]?.text;
    expect(asked('simulated')).toBe('27 simulated responders: formulas; no model was asked.');
    expect(asked('openai')).toContain('27 endpoints, one pinned route each');
  });

  it('are left out by name where an input is missing', async () => {
    const bare = publishedView({});
    const { files, missing } = await releaseFigures(bare, { formats: ['csv'] });
    expect(files).toHaveLength(6);
    expect(missing.map(({ number }) => number)).toEqual([4, 8, 9, 10, 11]);
    expect(missing[0]?.needs).toBe('the precision analysis');
    const one = { ...bare, leaderboard: { ...bare.leaderboard, replication: null } };
    expect((await releaseFigures(one, { only: ['3'], formats: ['svg'] })).missing).toHaveLength(1);
  });

  it.each([1, 2, 70])('are drawn for %i models', async (count) => {
    const shown = resized({ ...view, analyses: new Map() }, count);
    for (const name of ['pipeline', 'forest', 'panels', 'pairs', 'families', 'ranks'] as const) {
      const svg = await figureSvg(shown, name, 'dark');
      expect(labelFaults(svg)).toEqual([]);
    }
  });

  it('show which models share a rank, in rows, columns and keys', async () => {
    const models = view.leaderboard.models.map((model) => ({
      ...model,
      ...(model.rank === 3 ? { rank: 2 } : {}),
      rankTied: model.rank === 2 || model.rank === 3,
    }));
    const tied = { ...view, leaderboard: { ...view.leaderboard, models } };
    for (const name of ['forest', 'pairs', 'families', 'ranks']) {
      const labels = labelBoxes(await figureSvg(tied, name, 'light')).map(({ text }) => text);
      expect([name, labels.filter((text) => text.startsWith('2= ')).length]).toEqual([name, 2]);
      expect(labels.some((text) => text.startsWith('3 '))).toBe(false);
    }
    const panels = labelBoxes(await figureSvg(tied, 'panels', 'light'));
    expect(panels.filter(({ text }) => text.endsWith(' (rank 2=)'))).toHaveLength(2);
    expect(panels.map(({ text }) => text).join(' ')).toContain('numbers: places in the order over both panels');
    const few = resized({ ...view, analyses: new Map() }, 4);
    const shared = few.leaderboard.models.map((model, i) => ({ ...model, rank: i === 1 ? 1 : i + 1, rankTied: i < 2 }));
    const columns = await figureSvg({ ...few, leaderboard: { ...few.leaderboard, models: shared } }, 'pairs', 'light');
    expect(
      labelBoxes(columns)
        .flatMap(({ text }) => (/^\d=?$/.test(text) ? [text] : []))
        .slice(0, 4),
    ).toEqual(['1=', '1=', '3', '4']);
  });

  it('take names of any kind, and let none turn the text around it', async () => {
    const names = ['\u202Elive', 'e\u0301', '\u6a21\u578b', '<b>&"', ' ', 'a'.repeat(500)];
    const models = view.leaderboard.models.map((model, i) => ({
      ...model,
      name: names[i % names.length]!,
    }));
    const odd = {
      ...view,
      kind: 'folder' as const,
      printedNames: undefined,
      leaderboard: { ...view.leaderboard, models },
    };
    const { files, lettersWithoutGlyph } = await releaseFigures(odd, { only: ['7'], formats: ['svg', 'pdf'] });
    expect(lettersWithoutGlyph).toEqual(['型', '模']);
    const svg = Buffer.from(files[0]?.bytes ?? []).toString('utf8');
    expect(svg).not.toContain('\u202e');
    expect(svg).toContain('&lt;b&gt;&amp;');
    expect(labelFaults(svg)).toEqual([]);
    expect(figureData(odd, 'ranks')).toContain('a'.repeat(500));
    expect(files).toHaveLength(4);
  });

  it('are refused by name where a figure does not exist', async () => {
    await expect(releaseFigures(view, { only: ['12'] })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
