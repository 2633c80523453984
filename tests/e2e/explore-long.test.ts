import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { goTo, openPage, PATIENCE, startBrowser } from '../support/explorer.js';

const folder = mkdtempSync(join(tmpdir(), 'explore-long-'));
const MODELS = 230;
const TASKS = 260;
const names = Array.from({ length: MODELS }, (_, m) => `model ${m}`);
/** Scores that stand in the order of the models, the last one best. */
const rows = names.map((name, m) =>
  [name, ...Array.from({ length: TASKS }, (_, t) => (m + ((t * 7) % 5)) / 500)].join(),
);
const header = ['model', ...Array.from({ length: TASKS }, (_, t) => `q${t}`)].join();
writeFileSync(join(folder, 'long.csv'), `${header}\n${rows.join('\n')}\n`);

/** What a table shows of a column, by the number of its row. */
const rowsIn = (page: Page, table: string, column: string) =>
  page.$$eval(
    `${table} tbody tr[aria-rowindex]`,
    (lines, name) =>
      lines.map((line) => [Number(line.getAttribute('aria-rowindex')), line.querySelector(name)!.textContent]),
    column,
  ) as Promise<[number, string][]>;

/** Scrolls the part that a table stands in, and waits until a row is made. */
async function scrolledTo(page: Page, table: string, top: number, row: number): Promise<void> {
  await page.$eval(table, (element, to) => element.closest('.scroll')!.scrollTo(0, to), top);
  await page.waitForSelector(`${table} tr[aria-rowindex="${row}"]`, { state: 'attached' });
}

describe('a long table of the explorer', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const out = join(folder, 'long.html');
    const { code, stderr } = await cliInline(['explore', join(folder, 'long.csv'), '--out', out]);
    expect([code, stderr]).toEqual([0, '']);
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, pathToFileURL(out).href));
    await page.waitForSelector('.board tbody tr');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['models', '', '.board', 'tbody th', 32, (at: number) => `model ${MODELS - 1 - at}`],
    ['tasks', '#view=task', '.task-list .board', 'tbody th button', 46, (at: number) => `q${at}`],
  ] as const)('has the %s that are in sight, each in its place', async (name, hash, table, column, height, nameOf) => {
    const all = name === 'models' ? MODELS : TASKS;
    if (hash) await goTo(page, hash);
    for (const at of [0, 3, 40, 44, all - 1, 100, 0]) {
      await scrolledTo(page, table, at * height, at + 2);
      const shown = await rowsIn(page, table, column);
      expect(shown.length).toBeLessThan(100);
      expect(shown).toEqual(shown.map(([row]) => [row, nameOf(row - 2)]));
    }
  });

  it('says what it was given and how far it is, until there is something else to show', async () => {
    const other = await browser.newPage();
    other.setDefaultTimeout(PATIENCE);
    await other.addInitScript(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      new MutationObserver(() => {
        const text = document.querySelector('.waiting')?.textContent;
        if (text && text !== heard.at(-1)) heard.push(text);
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await other.goto(page.url().split('#')[0]!);
    await other.waitForSelector('.board tbody tr');
    expect(await other.locator('.waiting').count()).toBe(0);
    const heard = await other.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
    await other.close();
    expect(heard[0]).toMatch(/^long\.csv0\.\d MB, being read on this machine\.$/);
    expect(heard.some((text) => text.includes(`${MODELS} models x ${TASKS} tasks`))).toBe(true);
    expect(heard.some((text) => /bootstrap draws: [\d,]+ of 50,000/.test(text))).toBe(true);
  });

  it('prints every model, in ink on white whatever the theme', async () => {
    await goTo(page, '#view=leaderboard');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.waitForFunction((all) => document.querySelectorAll('.board tbody a').length === all, MODELS);
    const colours = await page.evaluate(() => {
      const { color } = getComputedStyle(document.body);
      return [color, getComputedStyle(document.querySelector('.grid')!).stroke];
    });
    expect(colours).toEqual(['rgb(38, 43, 51)', 'rgb(233, 237, 242)']);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.waitForFunction(() => document.querySelectorAll('.board tbody a').length < 100);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.$$eval('.board tbody a', (links) => links.length)).toBe(MODELS);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  });

  it('makes no row again that stays in sight, and all of them where they stand in another order', async () => {
    await goTo(page, '#view=leaderboard');
    await scrolledTo(page, '.board', 40 * 32, 50);
    await page.$eval('.board tr[aria-rowindex="50"]', (row) => row.setAttribute('data-mark', ''));
    await scrolledTo(page, '.board', 46 * 32, 62);
    expect(
      await page.$$eval('[data-mark]', (marked) => marked.map((row) => row.getAttribute('aria-rowindex'))),
    ).toEqual(['50']);
    await page.click('.board thead >> text=Score');
    await page.click('.board thead >> text=Score');
    await scrolledTo(page, '.board', 0, 2);
    const shown = await rowsIn(page, '.board', 'tbody th');
    expect(shown[0]).toEqual([2, 'model 0']);
    expect(await page.getAttribute(`.board a:text-is("model 0")`, 'href')).toContain('sort=-score');
    await page.fill('input[type=search]', 'model 22');
    await page.waitForFunction(() => document.querySelectorAll('.board tbody tr').length === 11);
    expect((await rowsIn(page, '.board', 'tbody th')).map(([row]) => row)).toEqual(
      Array.from({ length: 11 }, (_, k) => k + 2),
    );
    expect(complaints).toEqual([]);
  });
});
