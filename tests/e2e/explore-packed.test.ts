import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { openPage, settled, startBrowser } from '../support/explorer.js';

const EMPTY = pathToFileURL(resolve('dist/explorer/page.html')).href;
/** A table for each way of packing one: streams, members of archives, blocks of columns. */
const TABLES = [
  'duckdb-long.csv.zst',
  'r-long.csv.gz',
  'pandas-long.csv.zip',
  'pandas-wide.xlsx',
  'pandas-scores-named.npz',
  'polars-long-zstd.parquet',
  'duckdb-long-brotli.parquet',
  'duckdb-long-gzip.parquet',
  'duckdb-long-snappy.parquet',
  'parquet-wasm-lz4-raw.parquet',
  'polars-long-zstd.arrow',
  'polars-long-lz4.arrow',
];

describe('a page without a network reads what other programs pack', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, EMPTY));
    page.setDefaultTimeout(30_000);
  });
  afterAll(() => browser?.close());

  /** The scores that a page shows, by model. */
  async function board(): Promise<(readonly [string, string])[]> {
    await page.waitForSelector('.board tbody tr');
    await settled(page);
    return page.$$eval('.board tbody tr', (lines) =>
      lines.map((line) => [line.children[1]!.textContent!, line.children[2]!.textContent!] as const),
    );
  }

  it.each(TABLES)('%s', async (name) => {
    const path = resolve('fixtures/tables', name);
    const run = await cliInline(['rank-audit', path, '--json']);
    expect([run.code, run.code === 0 ? '' : run.stderr]).toEqual([0, '']);
    const models = JSON.parse(run.stdout).results.models as { model: string; score: number }[];
    await page.goto(EMPTY);
    await page.setInputFiles('.choose:first-child input', path);
    const found = await board();
    expect(found.map(([model]) => model)).toEqual(models.map(({ model }) => model));
    expect(found.map(([, score]) => score)).toEqual(
      models.map(({ score }, k) => score.toFixed(found[k]![1].split('.')[1]?.length ?? 0)),
    );
    expect(complaints).toEqual([]);
  });

  it('samples of a log in Zstandard members', async () => {
    await page.goto(EMPTY);
    await page.setInputFiles('input[webkitdirectory]', resolve('fixtures/logs/inspect-eval'));
    await page.click('text=Take the tasks that every model has');
    expect((await board()).map(([model]) => model).sort()).toEqual(['lab/one', 'lab/two']);
    expect(complaints).toEqual([]);
  });
});
