import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { PATIENCE } from '../support/explorer.js';
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
      '--which',
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
    const wrong = await cliInline(['release', 'figures', RELEASE_JSON(), '--which', 'pie', '--out', dir]);
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
    });
    afterAll(() => browser?.close());

    it('asks for nothing, breaks no rule, sorts and filters, draws every figure, and fits a phone', async () => {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
      page.setDefaultTimeout(PATIENCE);
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('request', (request) => {
        if (!/^(file|data|blob):/.test(request.url())) said.push(request.url());
      });
      await page.goto(pathToFileURL(at('report.html')).href);
      // The whole name, also where a telephone shows it cut.
      const firstModel = async () =>
        (await page.waitForSelector('.board tbody tr:first-child th')).getAttribute('title');
      expect(await firstModel()).toBe('Grok 4.6');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.click('thead >> text=Model');
      expect(await firstModel()).toBe('Claude Fable 5');
      await page.fill('input[type=search]', 'claude');
      expect(await page.textContent('main [role=status]')).toBe('3 of 27 models');
      await page.click('nav >> text=Analyses');
      const names = await page.$$eval('main option', (options) =>
        options.map((option) => (option as HTMLOptionElement).value),
      );
      expect(names).toEqual([
        'figure-pipeline',
        'figure-forest',
        'figure-panels',
        'figure-pairs',
        'figure-families',
        'figure-ranks',
        'tables',
      ]);
      for (const name of names.slice(0, -1)) {
        await page.selectOption('main select', name);
        await page.waitForURL(new RegExp(`analysis=${name}`));
        const size = await page.waitForFunction(() => {
          const image = document.querySelector<HTMLImageElement>('img.drawing');
          return image?.complete && image.naturalWidth > 0 ? [image.naturalWidth, image.naturalHeight] : null;
        });
        expect([name, (await size.jsonValue())!.every((side) => side > 100)]).toEqual([name, true]);
      }
      await page.selectOption('main select', 'tables');
      expect(await page.textContent('main')).toContain('Table 10');
      expect(said).toEqual([]);
    });
  });
});
