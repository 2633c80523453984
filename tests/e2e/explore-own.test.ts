import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { cliInline } from '../support/cli-inline.js';
import { openPage, startBrowser, violations } from '../support/explorer.js';
import { type ForgedWorld, forgedWorld } from '../support/forged-world.js';
import { documentOf } from '../support/forger.js';

const folder = mkdtempSync(join(tmpdir(), 'explore-own-'));
const at = (name: string) => join(folder, name);
let world: ForgedWorld;
let browser: Browser;
let page: Page;
let ids: string[];
let complaints: string[];

beforeAll(async () => {
  world = await forgedWorld();
  for (const [name, bytes] of world.files) {
    mkdirSync(dirname(at(`release/${name}`)), { recursive: true });
    writeFileSync(at(`release/${name}`), bytes);
  }
  const core = documentOf(world.files, 'core.json') as {
    common_core: { panels: Record<string, { selected_task_ids_by_family: Record<string, string[]> }> };
  };
  ids = Object.values(core.common_core.panels).flatMap((panel) =>
    Object.values(panel.selected_task_ids_by_family).flat(),
  );
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser, pathToFileURL(resolve('dist/explorer/page.html')).href));
  page.setDefaultTimeout(60_000);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

const answers = (name: string, rows: readonly unknown[]) =>
  writeFileSync(at(name), rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
const row = (task_id: string, i: number) => ({
  model_id: 'mine',
  task_id,
  answer: `FINAL_SELECTION: ${'ABC,ABD,CDE,FGH'.split(',')[i % 4]!.split('').join(', ')}`,
});
const RESULT = '.own .leader, .own [role=alert]';
/** Drops answers and waits for what comes of them: what came of those before gives way to it. */
const drop = async (name: string) => {
  const before = await page.$(RESULT);
  await page.setInputFiles('.own input[type=file]', at(name));
  await before?.waitForElementState('hidden');
  await page.waitForSelector(RESULT);
};
const taskFiles = () =>
  [...world.files.keys()].filter((name) => name.startsWith('tasks/')).map((name) => at(`release/${name}`));

const asked = () => ['--tasks', ...taskFiles(), '--core', at('release/core.json')];
const ofCommand = async (name: string) => {
  const run = await cliInline(['score', at(name), ...asked(), '--out', at(`${name}.report`)]);
  return { code: run.code, report: run.code === 0 ? readFileSync(at(`${name}.report`), 'utf8') : run.stderr };
};

describe('answers of a reader’s own', () => {
  it('are scored as `score` scores them, placed among the models of a release, and kept as a report', async () => {
    answers('mine.jsonl', ids.map(row));
    await page.setInputFiles('input[webkitdirectory]', at('release'));
    await page.click('nav >> text=Your own');
    await drop('mine.jsonl');
    const run = await cliInline(['score', at('mine.jsonl'), ...asked(), '--out', at('report.json')]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    const words = (await page.textContent('.own'))!;
    expect(words).toContain(`Score ${report.diagnostic_valid_score.toFixed(2)}`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Keep the report')]);
    expect(readFileSync((await download.path())!, 'utf8')).toBe(readFileSync(at('report.json'), 'utf8'));
    await page.waitForSelector('.placed');
    expect(words).toMatch(/Among the 3 models of this page/);
  });

  it('have the ranks and the interval that `infer` gives to one row more', async () => {
    const rows = ids.map(row).map((one) => JSON.stringify(one));
    writeFileSync(at('mine-too.jsonl'), rows.join('\n'));
    const matrix = documentOf(world.files, 'inference.json') as { plan: Record<string, unknown> };
    const run = await cliInline([
      'infer',
      '--responses',
      at('mine-too.jsonl'),
      at('release/observations.jsonl'),
      '--tasks',
      ...taskFiles(),
      '--core',
      at('release/core.json'),
      '--draws',
      String(matrix.plan.draws),
      '--flips',
      String(matrix.plan.flips),
      ...['test', 'multiplicity', 'interval'].flatMap((name) => [`--${name}`, String(matrix.plan[name])]),
      '--json',
    ]);
    expect([run.code, run.code === 0 ? '' : run.stderr]).toEqual([0, '']);
    const own = JSON.parse(run.stdout).results.models.find(({ model_id }: { model_id: string }) => model_id === 'mine');
    const placed = (await page.textContent('.placed'))!;
    const [low, high] = own.rank_set_simultaneous;
    expect(placed).toContain(`Allowed ranks ${low === high ? low : `${low}–${high}`} of 4`);
    const [from, to] = own.score_pointwise_95_ci.map((end: number) => end.toFixed(2));
    expect(placed).toContain(`interval of this model alone ${from} to ${to}`);
  });

  it('that are no answers are listed with their line and the reason, and the score is withheld', async () => {
    answers('bad.jsonl', [
      row(ids[0]!, 0),
      row(ids[0]!, 1),
      '{"task_id": ',
      { model_id: 'mine', task_id: 'nowhere', answer: 'A' },
      { model_id: 'mine', task_id: ids[1]!, answer: 'I would rather not' },
    ]);
    await drop('bad.jsonl');
    expect(await page.textContent(RESULT)).toMatch(/^No score: /);
    const listed = await page.$$eval('[aria-label="Rows and tasks that are wrong"] tbody tr', (lines) =>
      lines.map((line) => [line.children[0]!.textContent, line.children[1]!.textContent] as const),
    );
    expect(listed[0]).toEqual(['2', expect.stringContaining('a second answer')]);
    expect(listed[1]![0]).toBe('3');
    expect(listed[2]).toEqual(['4', expect.stringContaining('"nowhere" is none of these tasks')]);
    expect(listed[3]).toEqual(['5', `${ids[1]}: no marker`]);
    expect(await page.$('.placed')).toBeNull();
  });

  it('that are something else are called what they are, with what is wanted', async () => {
    const wanted = 'Give rows of JSON, CSV, Arrow or Parquet: task_id, and answer, response or selection.';
    writeFileSync(at('nothing.jsonl'), '');
    writeFileSync(at('scores.csv'), 'model,q1,q2\na,1,0\nb,0,1\n');
    writeFileSync(at('words.txt'), 'no answers at all');
    writeFileSync(at('set.json'), readFileSync(taskFiles()[0]!));
    for (const [name, said] of [
      ['nothing.jsonl', `nothing.jsonl: is empty: it holds no answer. ${wanted}`],
      ['scores.csv', `scores.csv: is a table without the columns of answers. ${wanted}`],
      ['set.json', `set.json: is a task set, no answers. ${wanted}`],
      ['words.txt', 'a JSON value expected, found "n". The file is of another kind: JSON begins with { or [.'],
    ] as const) {
      await drop(name);
      expect(await page.textContent(RESULT)).toContain(said);
    }
  });

  it('stay text, in bounds and at an end, whatever is in them', async () => {
    const selection = 'FINAL_SELECTION: A,B,C';
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const odd = [
      '<img src=x onerror=document.body.remove()><script>document.body.remove()</script>',
      '\u202eolleh \u2066\u200f',
      'a\u0000b\u0001',
      'x'.repeat(5_000_000),
    ];
    answers('odd.jsonl', [
      ...ids.map((task_id, i) => ({ model_id: 'mine', task_id, answer: `${odd[i % 8] ?? ''}\n${selection}` })),
      ...['__proto__', 'constructor', '<b id="injected">\u202e</b>'].map((id) => ({ ...row(id, 0), task_id: id })),
      `{"model_id": "mine", "task_id": "x", "answer": ${nested(100_000)}}`,
      ...Array.from({ length: 5000 }, (_, k) => row(`nowhere ${k}`, k)),
    ]);
    await drop('odd.jsonl');
    expect(await page.textContent(RESULT)).not.toMatch(/^No score: /);
    const shown = await page.evaluate(() => ({
      text: document.querySelector('main')!.textContent!,
      made: document.querySelectorAll('#injected, main img[src=x], main script').length,
      elements: document.querySelectorAll('*').length,
    }));
    expect(shown.text).not.toMatch(/[\0\u0001\u202a-\u202e\u2066-\u2069]/);
    expect(shown.text).toContain('"__proto__" is none of these tasks');
    expect([shown.made, shown.elements < 3000]).toEqual([0, true]);
    answers('deep.json', [nested(1_000_000)]);
    await drop('deep.json');
    expect(await page.textContent(RESULT)).toContain('nesting of at most');
  });

  it('give the same report in every form that answers have, from the page and from the command', async () => {
    const rows = ids.map(row);
    const columns = (['model_id', 'task_id', 'answer'] as const).map((name) => ({
      name,
      kind: 'text' as const,
      values: rows.map((one) => one[name]),
    }));
    const csv = `model_id,task_id,answer\n${rows.map((one) => `${one.model_id},${one.task_id},"${one.answer}"\n`).join('')}`;
    const files: [string, string | Uint8Array][] = [
      ['mine.csv', csv],
      ['mine.csv.gz', gzipSync(csv)],
      ['mine.json', JSON.stringify(rows)],
      ['mine.arrow', arrowFile({ columns })],
      ['mine.parquet', await parquetFile({ columns })],
    ];
    const wanted = readFileSync(at('report.json'), 'utf8');
    for (const [name, data] of files) {
      writeFileSync(at(name), data);
      expect([name, await ofCommand(name)]).toEqual([name, { code: 0, report: wanted }]);
      await drop(name);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Keep the report')]);
      expect([name, readFileSync((await download.path())!, 'utf8') === wanted]).toEqual([name, true]);
    }
  });

  it('without a readable one have the row that the command names, in a table of columns too', async () => {
    const rows = ids.map(row);
    const columns = (['model_id', 'task_id', 'answer'] as const).map((name) => ({
      name,
      kind: 'text' as const,
      values: rows.map((one, i) => (name === 'answer' && i === 2 ? 'I would rather not' : one[name])),
    }));
    for (const [name, data] of [
      ['doubt.arrow', arrowFile({ columns })],
      ['doubt.parquet', await parquetFile({ columns })],
    ] as const) {
      writeFileSync(at(name), data);
      const run = await cliInline(['score', at(name), ...asked(), '--json', '--out', at(`${name}.report`)]);
      expect([run.code, JSON.parse(run.stdout).unanswered]).toMatchObject([3, [{ task: ids[2], row: 3 }]]);
      await drop(name);
      expect(await page.textContent(RESULT)).toMatch(/^No score: /);
      const listed = await page.$$eval('[aria-label="Rows and tasks that are wrong"] tr', (lines) =>
        lines.map((line) => Array.from(line.children, ({ textContent }) => textContent)),
      );
      expect(listed).toEqual([
        ['Row', 'What is wrong'],
        ['3', `${ids[2]}: no marker`],
      ]);
    }
  });

  it('can be scored against tasks alone', async () => {
    await page.setInputFiles('input[type=file]:not([webkitdirectory]) >> nth=-1', taskFiles());
    await page.waitForSelector('text=Tasks without scores');
    const every = taskFiles().flatMap((file) =>
      (JSON.parse(readFileSync(file, 'utf8')).tasks as { task_id: string }[]).map(({ task_id }) => task_id),
    );
    answers('all.jsonl', every.map(row));
    await page.waitForSelector('.own');
    await drop('all.jsonl');
    expect(await page.textContent('.own .leader')).toMatch(/^Score \d/);
  });

  it('are given on a page that is accessible, by a check that a field without a name fails', async () => {
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('.own')!.append(document.createElement('input')));
    expect((await violations(page)).join()).toMatch(/^label: /);
    expect(complaints).toEqual([]);
  });
});
