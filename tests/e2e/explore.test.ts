import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../../src/util/text.js';
import { cli } from '../support/cli.js';
import { compute, goTo, LOOKS, lookedAt, openPage, resize, startBrowser, violations } from '../support/explorer.js';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-explore-'));
const HOSTILE = [
  '<img src=x onerror="document.title=1">',
  '</script><script>document.title=2</script>',
  'a\u202Eb\u0007',
];
const ABILITY = [0.9, 0.75, 0.75, 0.5, 0.3, 0.1];
const NAMES = ['alder', 'birch', ...HOSTILE, 'willow'];
/** Whether a model solves a task: set by hand, the same everywhere. */
const solved = (m: number, t: number) => ((t * 37 + m * 11) % 100) / 100 < ABILITY[m]!;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const rows = NAMES.flatMap((name, m) =>
  Array.from({ length: 60 }, (_, t) => `${quoted(name)},t${t},${t % 2 ? 'odd' : 'even'},${Number(solved(m, t))}`),
);
writeFileSync(join(folder, 'scores.csv'), `model,task,family,score\n${rows.join('\n')}\n`);

interface AuditRow {
  readonly model: string;
  readonly score: number;
  readonly rank: number;
  readonly rank_tied: boolean;
  readonly letters: string;
  readonly rank_set_simultaneous: readonly [number, number];
}

const said = new Map<string, AuditRow[]>();

/** What the command line says of the table, by model. */
function audited(...options: string[]): AuditRow[] {
  const key = options.join(' ');
  if (!said.has(key)) {
    const args = ['rank-audit', 'scores.csv', ...options, '--out', 'audit.json', '--force', '--quiet'];
    const run = cli(args, { cwd: folder });
    expect(run.stderr).toBe('');
    said.set(key, JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8')).results.models);
  }
  return said.get(key)!;
}

const asShown = ({ rank, rank_tied: tied, model, score, rank_set_simultaneous: [best, worst], letters }: AuditRow) => [
  `${rank}${tied ? '=' : ''}`,
  plain(model),
  score.toFixed(3),
  best === worst ? `${best}` : `${best}–${worst}`,
  letters,
];

describe('flavourbench explore', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  const written = join(folder, 'page.html');
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    const run = cli(['explore', 'scores.csv', '--out', written], { cwd: folder });
    expect(run).toEqual({ code: 0, stdout: `${written}\n`, stderr: '' });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, pathToFileURL(written).href));
  });
  afterAll(async () => {
    await browser?.close();
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const boardOf = async (page: Page): Promise<string[][]> => {
    await page.waitForSelector('.board tbody tr');
    return page.$$eval('.board tbody tr', (lines) =>
      lines.map((line) => {
        const cells = [...line.querySelectorAll<HTMLElement>('td, th')].map((cell) => cell.title || cell.textContent);
        return [cells[0]!, cells[1]!, cells[2]!, cells[4]!, cells[5]!];
      }),
    );
  };

  it('writes a page that opens from disk, loads nothing, and shows the digits of rank-audit', async () => {
    expect(await boardOf(page)).toEqual(audited().map(asShown));
    expect(await page.title()).toBe('flavourbench');
    expect(await page.textContent('h1')).toBe('scores.csv');
    expect(complaints).toEqual([]);
  });

  it('shows the choices of a reader with the command that gives the same digits', async () => {
    await page.click('summary');
    await page.uncheck('label:has-text("willow") input');
    await page.selectOption('label:has-text("multiplicity") select', 'max-t');
    await page.fill('label:has-text("seed") input', '11');
    await compute(page);
    const command = await page.textContent('.changed code');
    expect(command).toBe('flavourbench rank-audit scores.csv --seed 11 --multiplicity max-t --without willow');
    const options = command!.split(' ').slice(3);
    expect(await boardOf(page)).toEqual(audited(...options).map(asShown));
    await compute(page, 'Back to the first choices');
    expect(await page.$('.changed')).toBeNull();
    expect(await boardOf(page)).toEqual(audited().map(asShown));
  });

  it('keeps what it shows where a choice cannot be made, and says why', async () => {
    const before = await boardOf(page);
    await page.fill('label:has-text("bootstrap draws") input', '1.5');
    await page.click('text=Compute');
    const alert = await page.waitForSelector('[role=alert]');
    expect(await alert.textContent()).toMatch(/draws is 1\.5.*What is shown is of the choices before\./);
    expect(await boardOf(page)).toEqual(before);
    expect(await page.$('.changed')).toBeNull();
    await page.fill('label:has-text("bootstrap draws") input', '1000');
    await page.fill('label:has-text("familywise error") input', '0.0004');
    await page.click('text=Compute');
    await page.waitForSelector('.changed');
    await page.click('nav >> text=Ranks');
    expect(await page.textContent('main')).toContain('with 99.96% confidence');
    await compute(page, 'Back to the first choices');
    expect(await page.textContent('main')).toContain('with 95% confidence');
  });

  it('names the command as it was typed, a folder as a folder', () => {
    cli(['explore', resolve('fixtures/logs/inspect-json'), '--out', join(folder, 'logs.html')], {
      cwd: resolve('fixtures'),
    });
    const given = /id="given">(.*?)<\/script>/.exec(readFileSync(join(folder, 'logs.html'), 'utf8'))![1]!;
    expect(JSON.parse(given).command).toEqual(['flavourbench', 'rank-audit', 'logs/inspect-json']);
  });

  it('compares two models the same from both sides', async () => {
    await goTo(page, '#view=pair&left=alder&right=willow');
    await page.waitForSelector('.facts');
    const facts = () =>
      page.$$eval('.facts:first-of-type tr', (lines) =>
        lines.map((line) => [line.children[0]!.textContent, line.children[1]!.textContent] as const),
      );
    const words = await page.textContent('.pair-words');
    expect(words).toMatch(/^alder scores higher than willow on tasks like these: /);
    const before = new Map(await facts());
    await page.click('text=Swap');
    await page.waitForURL(/left=willow/);
    const after = new Map(await facts());
    expect(await page.textContent('.pair-words')).toBe(words);
    expect(after.get('First minus second')).toBe(`-${before.get('First minus second')}`);
    expect([...after].filter(([name]) => /p \(/.test(name!))).toEqual(
      [...before].filter(([name]) => /p \(/.test(name!)),
    );
    const ends = (text: string | null | undefined) => text!.split(' to ').map(Number);
    const interval = [...before.keys()].find((name) => name!.startsWith('Interval'))!;
    expect(ends(after.get(interval)).map((end) => 0 - end)).toEqual(ends(before.get(interval)).reverse());
  });

  it('keeps the view, the order and the filter in its address', async () => {
    await goTo(page, '');
    await page.click('thead >> text=Model');
    await page.fill('input[type=search]', 'l');
    const shown = await boardOf(page);
    const named = NAMES.map(plain).filter((name) => name.toLowerCase().includes('l'));
    expect(shown.map(([, name]) => name)).toEqual(named.sort((a, b) => a.localeCompare(b)));
    const address = page.url();
    const again = await openPage(browser, address);
    expect(await boardOf(again.page)).toEqual(shown);
    await again.page.click('nav >> text=Ranks');
    await again.page.goBack();
    expect(await boardOf(again.page)).toEqual(shown);
    await again.page.close();
  });

  it('walks over all pairs by the keyboard and opens the one that is marked', async () => {
    await goTo(page, '#view=pairs');
    await page.focus('.pairs');
    const first = await page.textContent('.pair-words');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await page.textContent('.pair-words')).not.toBe(first);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.choosers');
    const order = audited().map(({ model }) => model);
    const chosen = await page.$$eval('.choosers select', (lists) =>
      lists.map((list) => (list as HTMLSelectElement).value),
    );
    expect(chosen).toEqual([order[1], order[2]]);
  });

  it('opens empty, reads what is chosen, and says what is wrong with what it cannot read', async () => {
    const { page, complaints } = await openPage(browser, pathToFileURL(resolve('dist/explorer/page.html')).href);
    writeFileSync(join(folder, 'broken.csv'), 'model,task,score\na,t,1\na,t,nonsense\n');
    await page.setInputFiles('input[type=file]', join(folder, 'broken.csv'));
    const alert = await page.waitForSelector('[role=alert]');
    expect(await alert.textContent()).toMatch(/broken\.csv.*line 3/);
    await page.setInputFiles('input[type=file]', join(folder, 'scores.csv'));
    expect(await boardOf(page)).toEqual(audited().map(asShown));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('serves the page on this machine to this machine alone, and ends at a signal', async () => {
    const child = spawn(process.execPath, [resolve('dist/cli/main.js'), 'explore', 'scores.csv'], { cwd: folder });
    started.push(child);
    const address = await new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text).trim())));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { page, complaints } = await openPage(browser, address);
    expect(await boardOf(page)).toEqual(audited().map(asShown));
    expect(complaints).toEqual([]);
    const status = (path: string, options: { method?: string; host?: string } = {}) =>
      new Promise<number>((done, failed) => {
        const url = new URL(path, address);
        const headers = { host: options.host ?? url.host };
        const call = request(url, { method: options.method ?? 'GET', headers }, (reply) => {
          reply.resume();
          done(reply.statusCode!);
        });
        call.on('error', failed);
        call.end();
      });
    expect(await status('/files/0')).toBe(200);
    expect(await status('/files/1')).toBe(404);
    expect(await status('/files/../../package.json')).toBe(404);
    expect(await status('/', { method: 'POST' })).toBe(405);
    expect(await status('/', { host: 'elsewhere.example' })).toBe(403);
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await page.close();
  });

  it('refuses a page that is none and a port that is taken', () => {
    const wrong = cli(['explore', 'scores.csv', '--out', 'page.pdf'], { cwd: folder });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/ends in \.html/)]);
    const missing = cli(['explore', 'nowhere.csv'], { cwd: folder });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/INPUT_NOT_FOUND/)]);
  });

  it.each(LOOKS)('is accessible in every view, %s and %i wide', async (...look) => {
    await lookedAt(page, look, ['leaderboard', 'pair', 'pairs', 'ranks', 'model', 'task', 'method']);
    expect(complaints).toEqual([]);
  });

  it('is printed whole: no view is wider than the paper, by a check that a wide table fails', async () => {
    // A4 on its side without its margins, in pixels of paper.
    await resize(page, 1047, 718);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    const cut = () =>
      page.$$eval('.page *', (parts) => parts.filter((part) => part.getBoundingClientRect().right > innerWidth).length);
    for (const view of ['leaderboard', 'pair', 'pairs', 'ranks', 'method']) {
      await goTo(page, `#view=${view}`);
      expect([view, await cut(), await page.isVisible('nav')]).toEqual([view, 0, false]);
    }
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('main table')!.style.minWidth = '1800px';
    });
    expect(await cut()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('is accessible by a check that a page with a nameless field and pale text fails', async () => {
    await goTo(page, '#view=leaderboard');
    await page.evaluate(() => {
      document.querySelector('input[type=search]')!.closest('label')!.replaceWith(document.createElement('input'));
      document.querySelector<HTMLElement>('.leader')!.style.color = '#bbccdd';
    });
    const found = (await violations(page)).map((text) => text.replace(/:.*/s, ''));
    expect(new Set(found)).toEqual(new Set(['color-contrast', 'label']));
  });
});
