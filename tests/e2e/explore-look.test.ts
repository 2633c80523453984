import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measured } from '../../src/draw/text.js';
import { cli } from '../support/cli.js';
import {
  goTo,
  limitsSaid,
  openPage,
  PATIENCE,
  resize,
  startBrowser,
  tooWide,
  verdictFirst,
  violations,
} from '../support/explorer.js';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-look-'));
const NAMES = Array.from({ length: 14 }, (_, m) => `laboratory/model-of-many-parts-2026-preview-${m + 1}`);
/** Whether a model solves a task: set by hand, the same everywhere. */
const solved = (m: number, t: number) => (t * 37 + m * 11) % 100 < 97 - 6 * m;
const FAMILIES = ['short', 'a family whose name is longer than its numbers', 'third'];
const rows = NAMES.flatMap((name, m) =>
  Array.from({ length: 60 }, (_, t) => `${name},t${t},${FAMILIES[t % 3]},${Number(solved(m, t))}`),
);
writeFileSync(join(folder, 'scores.csv'), `model,task,family,score\n${rows.join('\n')}\n`);

describe('how the explorer looks', () => {
  let browser: Browser;
  let page: Page;
  const written = join(folder, 'page.html');
  beforeAll(async () => {
    expect(cli(['explore', 'scores.csv', '--out', written], { cwd: folder }).code).toBe(0);
    browser = await startBrowser();
    ({ page } = await openPage(browser, pathToFileURL(written).href));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = async (width: number, view: string) => {
    await resize(page, width, Math.min(width * 2, 2000));
    await goTo(page, `#view=${view}`);
  };
  /** Part of the window that what an element shows takes from side to side. */
  const partOf = (selector: string) =>
    page.$eval(selector, (part) => Math.round((100 * part.getBoundingClientRect().width) / innerWidth));

  it('tells names apart and shows all intervals on a telephone', async () => {
    await at(360, 'leaderboard');
    const shown = await page.$$eval('.board tbody th [aria-hidden]', (names) => names.map((name) => name.textContent));
    expect(new Set(shown).size).toBe(NAMES.length);
    expect(shown.every((name) => name!.includes('…'))).toBe(true);
    const said = await page.$$eval('.board tbody a .hidden', (names) => names.map((name) => name.textContent));
    expect(new Set(said)).toEqual(new Set(NAMES));
    for (const view of ['leaderboard', 'ranks']) {
      await at(360, view);
      const ends = await page.$$eval('.board tbody svg[role=img]', (drawn) =>
        drawn.map((one) => one.getBoundingClientRect().right),
      );
      expect([view, ends.length, Math.max(...ends) <= 360]).toEqual([view, NAMES.length, true]);
    }
    await at(360, 'method');
    /** Where a meaning begins past the name of its choice, and what of the plan is out of sight. */
    const plan = () =>
      page.$eval('[aria-label="Plan"]', (part) => {
        const [name, , meaning] = part.querySelector('tr')!.children;
        const aside = meaning!.getBoundingClientRect().left - name!.getBoundingClientRect().left;
        return [aside, part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight];
      });
    expect(await plan()).toEqual([0, 0, 0]);
    await page.$eval('[aria-label="Plan"] td.muted', (cell) => cell.classList.remove('muted'));
    expect((await plan())[0]).toBeGreaterThan(0);
  });

  it('has room for the choosers of a page without data on a telephone, by a check that wider ones fail', async () => {
    const empty = await openPage(browser, pathToFileURL(resolve('dist/explorer/page.html')).href);
    await resize(empty.page, 360);
    expect(await tooWide(empty.page)).toBe(0);
    expect(await violations(empty.page)).toEqual([]);
    await empty.page.$$eval('.choose input', (fields) => {
      for (const field of fields) (field as HTMLElement).style.minWidth = '400px';
    });
    expect(await tooWide(empty.page)).toBeGreaterThan(0);
    await empty.page.close();
  });

  it('fills a large screen with larger letters and longer axes, by a check that a narrow column fails', async () => {
    await at(1280, 'leaderboard');
    const letter = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
    expect([await letter(), await partOf('.page')]).toEqual([16, 97]);
    const axis = () => page.$eval('.board tbody svg[role=img]', (drawn) => drawn.clientWidth);
    const short = await axis();
    await at(3840, 'leaderboard');
    expect(await letter()).toBe(20);
    expect(await axis()).toBeGreaterThan(2 * short);
    for (const view of ['leaderboard', 'ranks', 'pairs', 'model', 'method', 'task']) {
      await at(3840, view);
      expect([view, await partOf('.page')]).toEqual([view, 78]);
    }
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('.page')!.style.maxWidth = '1240px';
    });
    expect(await partOf('.page')).toBeLessThan(40);
    await page.evaluate(() => document.querySelector<HTMLElement>('.page')!.removeAttribute('style'));
  });

  it('writes every rank on the axis where there is room, first and last always', async () => {
    const numbers = () => page.$$eval('.board thead .tick', (texts) => texts.map((text) => Number(text.textContent)));
    await at(1280, 'ranks');
    expect(await numbers()).toEqual(NAMES.map((_, k) => k + 1));
    await at(360, 'ranks');
    const few = await numbers();
    expect([few[0], few.at(-1), few.length < NAMES.length]).toEqual([1, NAMES.length, true]);
  });

  it('keeps the axis of scores of 0 and 1 between them, and says that lines are cut there', async () => {
    await at(1280, 'leaderboard');
    const ticks = await page.$$eval('.board thead th:nth-child(4) .tick', (texts) =>
      texts.map((text) => text.textContent),
    );
    expect([ticks[0], ticks.at(-1)]).toEqual(['0.0', '1.0']);
    expect(await limitsSaid(page)).toMatch(/Lines are cut at 0 and 1/);
  });

  it('finds a page that is too wide, one with a digest above its verdict, and a view that tells no limits', async () => {
    await at(1280, 'method');
    expect([await tooWide(page), await verdictFirst(page), (await limitsSaid(page)) === '']).toEqual([0, true, false]);
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('main')!.style.minWidth = '2000px';
      document.querySelector('h1')!.append(` ${'0123456789abcdef'.repeat(4)}`);
      for (const part of document.querySelectorAll('main .cannot')) part.remove();
    });
    expect(await tooWide(page)).toBeGreaterThan(0);
    expect([await verdictFirst(page), await limitsSaid(page)]).toEqual([false, '']);
    await page.reload();
    await page.waitForSelector('nav');
  });

  it('has the letters that names use, by a font that lacks others', async () => {
    const source = /font-weight:400;src:(url\(data:font\/woff2;base64,[^)]+\))/.exec(
      readFileSync(written, 'utf8'),
    )![1]!;
    const widths = async (letters: readonly string[]) =>
      page.evaluate(
        async ([face, list]) => {
          document.fonts.add(await new FontFace('Probe', face as string).load());
          const pen = document.createElement('canvas').getContext('2d')!;
          pen.font = '1000px Probe, monospace';
          return (list as string[]).map((letter) => Math.round(pen.measureText(letter).width));
        },
        [source, letters] as const,
      );
    const held = [...'aZ0éßñøğŁčΩμπЖяї–—“”„…€™→≤'];
    expect(await widths(held)).toEqual(held.map((letter) => Math.round(measured(letter, 1000))));
    const [lacked] = await widths(['ⱥ']);
    expect(lacked).not.toBe(Math.round(measured('ⱥ', 1000)));
  });

  it('says what may be wrong with a page that does not open: one that was cut off anywhere shows nothing else', async () => {
    const whole = readFileSync(written, 'utf8');
    const body = whole.indexOf('<body');
    const other = await browser.newPage();
    other.setDefaultTimeout(PATIENCE);
    for (const part of [0.1, 0.5, 0.9]) {
      writeFileSync(join(folder, 'cut.html'), whole.slice(0, body + Math.round(part * (whole.length - body))));
      await other.goto(pathToFileURL(join(folder, 'cut.html')).href);
      expect([part, await other.textContent('#app')]).toEqual([
        part,
        expect.stringMatching(/If this stays, the file is cut off/),
      ]);
    }
    expect(await other.isVisible('.late')).toBe(false);
    await other.waitForSelector('.late');
    await other.goto(pathToFileURL(written).href);
    await other.waitForSelector('nav');
    expect(await other.textContent('#app')).not.toContain('If this stays');
    await other.close();
  });

  it('allows scripts and styles by digests alone: neither a changed one nor one that is put in runs', async () => {
    const text = readFileSync(resolve('dist/explorer/page.html'), 'utf8');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)![1]!;
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
    expect(policy).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+';/,
    );
    for (const [name, changed, seen] of [
      ['script', text.replace('\n</body>', '\n<script>document.title = "ran"</script></body>'), '.drop'],
      ['handler', text.replace('\n<body>', '\n<body onload="document.title = 1">'), '.drop'],
      ['style', text.replace('\n</head>', '\n<style>.page { color: red }</style></head>'), '.drop'],
      ['changed', text.replace('<script type="module">', '<script type="module">document.title = "ran";'), '.wait'],
    ] as const) {
      writeFileSync(join(folder, `${name}.html`), changed);
      const complaints: string[] = [];
      const other = await browser.newPage();
      other.setDefaultTimeout(PATIENCE);
      other.on('console', (message) => complaints.push(message.text()));
      await other.goto(pathToFileURL(join(folder, `${name}.html`)).href);
      await other.waitForSelector(seen);
      expect([name, complaints.length, await other.title()]).toEqual([name, 1, 'flavourbench']);
      expect(complaints[0]).toMatch(/Content Security Policy/);
      await other.close();
    }
  });
});
