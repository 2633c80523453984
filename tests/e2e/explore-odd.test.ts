import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo, openPage, resize, settled, startBrowser, violations } from '../support/explorer.js';

const folder = mkdtempSync(join(tmpdir(), 'explore-odd-'));
const EMPTY = pathToFileURL(resolve('dist/explorer/page.html')).href;

/** Writes a table whose rows are the scores of models on tasks. */
const table = (name: string, rows: Readonly<Record<string, readonly number[]>>) => {
  const tasks = Object.values(rows)[0]!.map((_, t) => `q${t}`);
  const lines = Object.entries(rows).map(([model, scores]) => `${model},${scores.join()}\n`);
  writeFileSync(join(folder, name), `model,${tasks.join()}\n${lines.join('')}`);
};
const digits = (text: string) => [...text].map(Number);
table('few.csv', {
  alpha: digits('1101110111'),
  beta: digits('1011011011'),
  gamma: digits('0101100110'),
  delta: digits('1000101001'),
  epsilon: digits('0010010010'),
  zeta: digits('0000010000'),
});
table('two.csv', { c: [2, 2], b: [1, 1], a: [0, 0] });
table('one.csv', { alone: [0, 1, 2, 0, 1, 2, 2, 1] });
table('ones.csv', { a: digits('11111111'), b: digits('11111111') });
const many = Array.from({ length: 130 }, (_, m) => [
  `laboratory/model-of-many-parts-${m}`,
  Array.from({ length: 40 }, (_, t) => Number((t * 37 + m * 11) % 130 < m)),
]);
table('many.csv', Object.fromEntries(many));
const parts = Array.from({ length: 120 }, (_, t) =>
  ['a', 'b', 'c', 'd'].map((model, m) => `${model},t${t},family ${t % 20},${Number((t * 7) % 10 > 2 * m)}\n`),
);
writeFileSync(join(folder, 'families.csv'), `model,task,family,score\n${parts.flat().join('')}`);
const gaps = ['a', 'b', 'c'].flatMap((model, m) =>
  Array.from({ length: 40 }, (_, t) =>
    m === 2 && t % 10 === 0 ? '' : `${model},t${t},${Number((t * 7 + m * 3) % 10 < 8 - 2 * m)}\n`,
  ),
);
writeFileSync(join(folder, 'gaps.csv'), `model,task,score\n${gaps.join('')}`);

describe('what the explorer says of data that carry little', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, EMPTY));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const given = async (name: string) => {
    await page.goto(EMPTY);
    await page.setInputFiles('.choose:first-child input', join(folder, name));
    await page.waitForSelector('.board tbody tr');
    await settled(page);
  };
  const shown = async (hash: string) => {
    await goTo(page, hash);
    return (await page.textContent('main'))!;
  };

  it('blames the design for two models that differ in few tasks nowhere: others of these scores could tell them apart', async () => {
    await given('few.csv');
    expect(await shown('#view=pair&left=alpha&right=beta')).toContain(
      'alpha and beta differ in too few tasks to be told apart, however large the differences there: in 5, and it takes at least 6.',
    );
    expect(await shown('#view=pair&left=zeta&right=alpha')).toContain(
      'differ in too few tasks to be told apart, however large the differences there: in 7, which would do for one pair, but not beside all that are tested.',
    );
    const pairs = await shown('#view=pairs');
    expect(pairs).toContain('0.100 points lower, too few differences to be told apart, however large');
    expect(pairs).not.toContain('no scores on these tasks');
    await given('two.csv');
    expect(await shown('#view=pair')).toContain(
      'No scores on these tasks could tell c and b apart: it takes at least 6 tasks in which two models differ.',
    );
    expect(await shown('#view=pairs')).toContain('Dashed: no scores on these tasks could tell them apart.');
  });

  it('is accessible with notes below, by a check that notes outside any landmark fail', async () => {
    await given('few.csv');
    expect(await page.$$('.notes')).toHaveLength(1);
    expect(await violations(page)).toEqual([]);
    await page.$eval('section:has(> .notes)', (notes) => notes.removeAttribute('aria-label'));
    expect((await violations(page)).join()).toMatch(/^region: /);
  });

  it('says what an interval without width does not mean, of a model alone and of a difference', async () => {
    await given('two.csv');
    expect(await shown('#view=pair')).toContain(
      'The interval has no width, as the difference is the same in every draw',
    );
    expect((await shown('#view=model')).match(/no width, as this score is the same in every draw/g)).toHaveLength(2);
  });

  it('says of one model neither that it is told apart nor where it ranks', async () => {
    await given('one.csv');
    expect(await page.textContent('main')).not.toMatch(/Letters|share a letter|overlap/);
    const model = await shown('#view=model');
    expect(model).toContain('Whether alone does well: no other model is there to compare it with.');
    expect(model).not.toMatch(/told apart|Letters|Scores of families|Beside the next one/);
    for (const view of ['ranks', 'pair', 'pairs'])
      expect(await shown(`#view=${view}`)).toContain('One model: there is nothing to');
    expect(await shown('#view=task')).not.toContain('all.');
  });

  it('keeps the axes of two models within the scores that there are, their numbers clear of every mark', async () => {
    await given('ones.csv');
    await goTo(page, '#view=pair');
    const numbers = await page.$$eval('.scatter .tick', (texts) => texts.map((text) => Number(text.textContent)));
    expect(numbers.filter((number) => number < 0 || number > 1)).toEqual([]);
    for (const name of ['few.csv', 'ones.csv', 'two.csv']) {
      await given(name);
      await goTo(page, '#view=pair');
      for (const width of [1280, 360]) {
        await resize(page, width);
        const covered = await page.$eval('.scatter', (drawn) => {
          const marks = [...drawn.querySelectorAll('circle')].map((mark) => mark.getBoundingClientRect());
          return [...drawn.querySelectorAll('text')]
            .map((text) => [text.textContent, text.getBoundingClientRect()] as const)
            .filter(([, a]) =>
              marks.some((b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top < a.bottom - 2),
            )
            .map(([text]) => text);
        });
        expect([name, width, covered]).toEqual([name, width, []]);
      }
    }
    await resize(page, 1280);
  });

  it('shows all pairs of many models as a picture, walks over it and opens the one that is marked', async () => {
    await given('many.csv');
    expect(await page.textContent('.verdict')).toMatch(/pairs of models are told apart: All pairs shows which, and by/);
    expect(await shown('#view=pairs')).toContain('Blank: not told apart, which does not make them equal.');
    const apart = await page.$$eval('.pairs path.apart', (paths) =>
      paths.map((path) => path.getAttribute('d')!.length),
    );
    expect([apart.length > 1, Math.min(...apart) > 0]).toEqual([true, true]);
    await page.focus('.pairs');
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    const words = (await page.textContent('.pair-words'))!;
    await page.keyboard.press('Enter');
    await page.waitForSelector('.choosers');
    const [first, second] = await page.$$eval('.choosers select', (lists) =>
      lists.map((list) => (list as HTMLSelectElement).value),
    );
    expect(words.startsWith(`${second} beside ${first}: `)).toBe(true);
    const ranked = await page.$$eval('.choosers select', ([list]) =>
      [...(list as HTMLSelectElement).options].map(({ value }) => value),
    );
    expect([ranked.indexOf(first!), ranked.length]).toEqual([20, 129]);
  });

  it('invents no score where one is missing: neither of a task nor of two models, and says what scores are then', async () => {
    await page.goto(EMPTY);
    await page.setInputFiles('.choose:first-child input', join(folder, 'gaps.csv'));
    await page.click('text=Keep all: what holds whatever is missing');
    await page.waitForSelector('.board tbody tr');
    await settled(page);
    expect(await page.textContent('main')).toContain('Some cells are missing: a score stands half-way');
    expect(await shown('#view=model&model=c')).toMatch(/half-way, as with what is missing it is 0\.\d+ to 0\.\d+/);
    await goTo(page, '#view=task&task=t10');
    const scores = await page.$$eval('[aria-label="Scores on this task"] tbody tr', (rows) =>
      rows.map((row) => [row.children[0]!.textContent, row.children[1]!.textContent]),
    );
    expect(scores.at(-1)).toEqual(['c', 'missing']);
    expect(await page.textContent('.task-list')).not.toContain('Mean');
    const pair = await shown('#view=pair&left=b&right=c');
    expect(pair).toContain('4 tasks without a score of one of the two are left out here.');
    const [, ...counts] = /(\d+) tasks? higher for b, (\d+) for c, (\d+) equal/.exec(pair)!;
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(36);
    expect(pair).not.toContain('observed difference');
    expect(pair).toContain('If the difference of the middle scores, ');
    const [said] = /about [\d,]+ more tasks/.exec(pair)!;
    expect(await page.textContent('.verdict')).toContain(said);
  });

  it('has whole words in the heading of a table, however many families stand beside', async () => {
    await given('families.csv');
    const heights = await page.$$eval('.board thead th:nth-child(-n+3) button', (heads) =>
      heads.map((head) => head.getBoundingClientRect().height),
    );
    expect(heights[1]).toBe(heights[0]);
  });

  it('is as long as what it shows, on a telephone too, and has every allowed rank in sight there', async () => {
    await given('many.csv');
    await resize(page, 360, 740);
    const tooLong = () =>
      page.evaluate(() => {
        const { bottom } = document.querySelector('.page')!.getBoundingClientRect();
        return Math.abs(Math.round(document.documentElement.scrollHeight - bottom - scrollY));
      });
    for (const view of ['leaderboard', 'ranks', 'pairs', 'model']) {
      await goTo(page, `#view=${view}`);
      expect([view, await tooLong()]).toEqual([view, 0]);
    }
    await goTo(page, '#view=ranks');
    expect(await page.$eval('.board', (board) => board.getBoundingClientRect().right)).toBeLessThanOrEqual(360);
    await page.$eval('.scroll:has(.board)', (box) => {
      (box as HTMLElement).style.position = 'static';
    });
    expect(await tooLong()).toBeGreaterThan(1000);
    expect(complaints).toEqual([]);
  });
});
