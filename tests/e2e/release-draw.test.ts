import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { CORE_PLAN, MANIFEST, RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { noShared, shared } from '../support/shared.js';

describe.skipIf(noShared)('release tables, figures and report', () => {
  const dir = mkdtempSync(join(tmpdir(), 'flavourbench-draw-'));
  const at = (name: string) => join(dir, name);
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const companions = () => ['--core', CORE_PLAN(), '--manifest', MANIFEST(), '--tasks', ...TASK_SETS()];

  it('write tables and name the input that each missing table needs', async () => {
    const run = await cliInline(['release', 'tables', shared('data/release'), ...companions(), '--out', at('tables')]);
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('6 tables written');
    expect(run.stdout).toContain('8 tables left out:\n  4 metrics needs the metrics analysis');
    expect(readFileSync(at('tables/routes.tex'), 'utf8')).toContain('deepinfra/fp4 & deepinfra/fp8');
    expect(readdirSync(at('tables'))).toHaveLength(3 * 6 + 1);
  });

  it('write only the figures and formats asked for', async () => {
    const run = await cliInline([
      'release',
      'figures',
      RELEASE_JSON(),
      '--only',
      'forest',
      '4',
      '--formats',
      'svg',
      'csv',
      '--out',
      at('figures'),
      '--json',
    ]);
    expect(JSON.parse(run.stdout)).toEqual({
      made: 1,
      files: ['forest.csv', 'forest.svg', 'forest-dark.svg'],
      missing: [{ name: 'precision', number: 4, needs: 'the precision analysis' }],
      boxes: [],
    });
    const wrong = await cliInline(['release', 'figures', RELEASE_JSON(), '--only', 'pie', '--out', dir]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('there is no figure "pie"');
  });

  describe('the page of a release in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      const run = await cliInline(['release', 'report', RELEASE_JSON(), ...companions(), '--out', at('report.html')]);
      expect(run.stdout).toContain('verification: PASS');
      browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
      });
    }, 60_000);
    afterAll(() => browser?.close());

    it('asks for nothing, breaks no rule, sorts and filters, and fits a phone', async () => {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) said.push(request.url());
      });
      await page.goto(pathToFileURL(at('report.html')).href);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      const firstModel = () => page.textContent('#leaderboard tbody tr:first-child td:nth-child(3)');
      expect(await firstModel()).toContain('Grok 4.6');
      await page.click('#leaderboard th:nth-child(3) button');
      expect(await firstModel()).toContain('Claude Fable 5');
      await page.click('#leaderboard th:nth-child(4) button');
      expect(await firstModel()).toContain('Command R+');
      await page.fill('.filter input', 'claude');
      expect(await page.textContent('.filter output')).toBe('3 of 27');
      expect(await page.isVisible('#figure-forest .light')).toBe(true);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await page.isVisible('#figure-forest .light')).toBe(false);
      expect(await page.isVisible('#figure-forest .dark')).toBe(true);
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
      expect(await page.isVisible('#figure-forest .light')).toBe(true);
      expect(await page.isVisible('.filter')).toBe(false);
      expect(said).toEqual([]);
    }, 60_000);
  });
});
