import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawWeights } from '../../src/analyses/weights/figure.js';
import { withFont } from '../../src/draw/encode/font.js';
import { measured, missingLetters } from '../../src/draw/text.js';
import { FIGURES, figureData } from '../../src/release/figure-list.js';
import { figureSvg } from '../../src/release/figures.js';
import type { ReleaseView } from '../../src/release/view.js';
import { publishedAnalyses, publishedView } from '../release/published.js';
import { PATIENCE } from '../support/explorer.js';
import { labelBoxes } from '../support/label-boxes.js';
import { noShared } from '../support/shared.js';

/** A text as a browser shows it: how long it is, and how far it stands out of its figure, in units of the figure. */
interface ShownText {
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly length: number;
  readonly left: number;
  readonly right: number;
  readonly rotated: boolean;
  readonly outside: number;
}

/** Runs in a page: every text of its figures that is shown. */
const SHOWN_TEXTS = `(async () => {
  await document.fonts.ready;
  const outer = (element) => { let svg = element.closest('svg'); while (svg.parentElement?.closest('svg')) svg = svg.parentElement.closest('svg'); return svg; };
  return [...document.querySelectorAll('svg text')].filter((text) => text.textContent.trim() !== '').flatMap((text) => {
    const svg = outer(text);
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) return [];
    const unit = svg.viewBox.baseVal.width / frame.width;
    const box = text.getBoundingClientRect();
    const style = getComputedStyle(text);
    const at = (point) => (point.matrixTransform(text.getScreenCTM()).x - frame.left) * unit;
    const over = [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom];
    return [{
      text: text.textContent,
      size: parseFloat(style.fontSize),
      bold: Number(style.fontWeight) >= 600,
      length: text.getComputedTextLength(),
      left: at(text.getStartPositionOfChar(0)),
      right: at(text.getEndPositionOfChar(text.getNumberOfChars() - 1)),
      rotated: box.height > box.width && text.textContent.length > 3,
      outside: Math.max(...over) * unit,
    }];
  });
})()`;

/**
 * A file as a browser shows it that has no IBM Plex Sans: no system has a font of the name that takes its place, so what is
 * shown in it comes from the file alone. A page names the digest of its style, which changes with the name.
 */
function withoutInstalled(markup: string): string {
  const renamed = markup.replaceAll('IBM Plex Sans', 'Font Of No System');
  const style = (text: string) => /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(style(text)).digest('base64');
  return renamed.replace(digest(markup), digest(renamed));
}

/** Units below which a browser rounds: places of letters to 1/64, boxes to more. */
const HAIR = 0.1;

/** Texts that are not as long as they were laid out, or that stand out of their figure. */
function faults(texts: readonly ShownText[]): string[] {
  return texts.flatMap(({ text, size, bold, length, outside }) => {
    const expected = measured(text, size, bold);
    // What the font lacks comes from another font, which may be narrower than the square kept free.
    const off = missingLetters(text).length > 0 ? Math.max(0, length - expected) : Math.abs(length - expected);
    return [
      ...(off > HAIR + length / 2000 ? [`${text}: ${length.toFixed(2)} long, laid out as ${expected.toFixed(2)}`] : []),
      ...(outside > HAIR ? [`${text}: ${outside.toFixed(2)} outside`] : []),
    ];
  });
}

const longName = (i: number) => `laboratory/some-very-long-endpoint-name-AVAToWa-fi-ffi-${i}-preview`;

/** The published leaderboard as a release would show it, every second model under a long name. */
function fullView(): ReleaseView {
  const view = publishedView();
  const models = view.leaderboard.models.map((model, i) => (i % 2 === 0 ? model : { ...model, name: longName(i) }));
  return { ...view, kind: 'folder', leaderboard: { ...view.leaderboard, models }, analyses: publishedAnalyses(view) };
}

describe('figures in a browser that has no IBM Plex Sans', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-browser-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function shownTexts(file: string, markup: string): Promise<ShownText[]> {
    const path = join(folder, file);
    writeFileSync(path, withoutInstalled(markup));
    const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(pathToFileURL(path).href);
    const texts = await page.evaluate<ShownText[]>(SHOWN_TEXTS);
    await page.close();
    return texts;
  }

  const models = Array.from({ length: 24 }, (_, i) => ({
    modelId: `m${i}`,
    name: longName(i),
    short: longName(i),
    rank: i + 1,
    rankTied: false,
  }));
  const weights = (size: 'screen' | 'column') =>
    drawWeights(
      {
        grid_points: 696,
        rank_spearman: [1, 1, 1],
        pair_order_agreement: [1, 1, 1],
        least_alike: [20, 30, 50],
        leaders: {},
        rank_ranges: Object.fromEntries(models.map(({ modelId, rank }) => [modelId, [rank, rank] as const])),
      },
      { theme: 'light', size, models },
    );

  it.each(['screen', 'column'] as const)('show every text of a file where it was laid out: %s', async (size) => {
    const svg = weights(size);
    const texts = await shownTexts(`weights-${size}.svg`, await withFont(svg));
    expect(faults(texts)).toEqual([]);
    const laidOut = labelBoxes(svg);
    expect(texts.map(({ text }) => text)).toEqual(laidOut.map(({ text }) => text));
    const apart = texts.filter(
      ({ left, right, rotated }, i) =>
        !rotated && Math.max(Math.abs(left - laidOut[i]!.left), Math.abs(right - laidOut[i]!.right)) > HAIR,
    );
    expect(apart).toEqual([]);
  });

  it('would not, were the font not inside', async () => {
    expect(faults(await shownTexts('bare.svg', weights('column'))).length).toBeGreaterThan(20);
  });

  it.skipIf(noShared).each(FIGURES.map(({ name }) => name))(
    'show every text of figure %s where it was laid out (released data needed)',
    async (name) => {
      const view = fullView();
      expect(figureData(view, name)).not.toBeNull();
      const texts = await shownTexts(`${name}.svg`, await withFont(await figureSvg(view, name, 'light')));
      expect(texts.length).toBeGreaterThan(5);
      expect(faults(texts)).toEqual([]);
    },
  );
});
