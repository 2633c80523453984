import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../../src/util/text.js';
import { cliInline } from '../support/cli-inline.js';
import { goTo, LOOKS, lookedAt, openPage, rowsOf as rows, settled, startBrowser } from '../support/explorer.js';

const TASKS = resolve('fixtures/tasks-small.json');
const EVIL = '"><img src=x onerror="document.title=1"></script><script>document.title=2</script>\u202e';
/** Ids of models and their names in print. */
const MODELS: readonly (readonly [string, string])[] = [
  [`one${EVIL}`, `Model one ${EVIL}`],
  ['two', 'Model two'],
  ['three', 'Model three'],
  ['four', 'Model four'],
];
const dir = mkdtempSync(join(tmpdir(), 'flavourbench-explore-release-'));
const at = (name: string) => join(dir, name);

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

interface Row {
  readonly model_id: string;
  readonly task_id: string;
  readonly panel: string;
  readonly response: string;
}

/** Answers of four formulas, hostile text around each; every ninth of the last cannot be read. */
function answers(): Row[] {
  const given = readFileSync(resolve('fixtures/responses-small.jsonl'), 'utf8').trimEnd().split('\n');
  const rows = given.map((line) => JSON.parse(line) as Row);
  const models = [...new Set(rows.map(({ model_id }) => model_id))];
  return MODELS.flatMap(([id], m) =>
    rows
      .filter(({ model_id }) => model_id === models[m])
      .map((row, k) => ({
        ...row,
        model_id: id,
        response: m === 3 && k % 9 === 0 ? `${EVIL} no idea` : `${EVIL}\n${row.response}`,
      })),
  );
}

/** A ledger of these answers, a release of the three models that answered everything, and one with a number changed. */
async function build(): Promise<void> {
  writeFileSync(
    at('answers.jsonl'),
    answers()
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
  const roster = MODELS.map(([model_id, model_name]) => ({ model_id, model_name }));
  writeFileSync(at('all.json'), JSON.stringify({ models: roster }));
  writeFileSync(at('roster.json'), JSON.stringify({ models: roster.slice(0, 3) }));
  await run('ledger', 'import', at('ledger'), at('answers.jsonl'), '--tasks', TASKS, '--label', 'evil');
  const scores = ['--responses', at('answers.jsonl'), '--tasks', TASKS, '--roster', at('roster.json')];
  const sizes = ['--draws', '400', '--flips', '400'];
  await run('infer', ...scores, ...sizes, '--quiet', '--out', at('inference'));
  await run('sensitivity', 'weights', ...scores, '--quiet', '--out', at('analyses'));
  await run(
    ...['release', 'build', '--ledger', at('ledger'), '--tasks', TASKS, '--roster', at('roster.json')],
    ...['--inference', at('inference/inference.json'), '--analyses', at('analyses/weights.json')],
    ...['--title', `Small ${EVIL}`, '--track', `Track ${EVIL}`, '--no-figures', '--out', at('release')],
  );
  cpSync(at('release'), at('forged'), { recursive: true });
  const matrix = readFileSync(at('forged/inference.json'), 'utf8');
  writeFileSync(at('forged/inference.json'), matrix.replace(/"flavourbench_score":(\d)/, '"flavourbench_score":1$1'));
  for (const [name, file] of [
    ['release', 'release.html'],
    ['ledger', 'ledger.html'],
  ] as const)
    await run('explore', at(name), '--out', at(file));
}

describe('flavourbench explore of a release and of a ledger', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  const statement = () => JSON.parse(readFileSync(at('release/inference.json'), 'utf8')).results;
  beforeAll(async () => {
    await build();
    browser = await startBrowser();
    ({ page, complaints } = await opened('release.html'));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const opened = (file: string) => openPage(browser, pathToFileURL(at(file)).href);

  it('shows what a release states, hostile names, titles and answers as text', async () => {
    expect(await page.textContent('h1')).toBe(plain(`Small ${EVIL}`));
    const stated = statement().models.sort(
      (a: { point_estimate_rank: number }, b: { point_estimate_rank: number }) =>
        a.point_estimate_rank - b.point_estimate_rank,
    );
    const board = await rows(page, '.board');
    expect(board.map(([, name, score]) => [name, score])).toEqual(
      stated.map((model: { model_name: string; flavourbench_score: number }) => [
        plain(model.model_name).trim(),
        model.flavourbench_score.toFixed(1),
      ]),
    );
    for (const view of ['Model', 'Task', 'Analyses', 'Method', 'Ranks', 'All pairs', 'Two models']) {
      await page.click(`nav button:text-is("${view}")`);
      await page.waitForSelector(`main h2:text-is("${view}")`);
    }
    expect(await page.title()).toBe('flavourbench');
    expect(await page.$$('main img:not(.drawing)')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows a model with its answers by what became of them, and what cannot be concluded', async () => {
    await goTo(page, '#view=model&model=two');
    await page.waitForSelector('main section[aria-label="Answers by what became of them"]');
    expect(await rows(page, '[aria-label="Answers by what became of them"]')).toEqual([
      ['a selection was read', '36', '36'],
    ]);
    expect(await page.textContent('main')).toMatch(/Score of a random answer/);
    expect(await page.textContent('main')).toMatch(/Model two is (not )?told apart from/);
    expect((await rows(page, '[aria-label="Families"]')).map(([, tasks]) => tasks)).toEqual(['12', '12', '12']);
  });

  it('shows a task with all 56 choices ranked, every choice made, and the answer as it came', async () => {
    const { tasks } = JSON.parse(readFileSync(TASKS, 'utf8'));
    const task = tasks[7];
    await goTo(page, `#view=task&model=two&task=${task.task_id}`);
    await page.waitForSelector('.answer');
    const row = answers().find(({ model_id, task_id }) => model_id === 'two' && task_id === task.task_id)!;
    expect(await page.textContent('.answer')).toBe(row.response);
    expect(await page.textContent('.one-task pre')).toBe(task.prompt);
    const scores: number[] = Object.values(task.selection_scores_bps);
    const shown = await rows(page, '.portfolios');
    expect(shown).toHaveLength(56);
    expect(shown.map(([, , score]) => score)).toEqual(
      [...scores].sort((a, b) => b - a).map((bps) => (bps / 100).toFixed(1)),
    );
    const made = (await rows(page, '[aria-label="What every model chose"]')).find(([name]) => name === 'Model two')!;
    const labels = /FINAL_SELECTION: *([A-H, ]+)/.exec(row.response)![1]!.replace(/[^A-H]/g, '');
    expect([...made[1]!].sort().join('')).toBe([...labels].sort().join(''));
    const bps = task.selection_scores_bps[[...labels].sort().join('')];
    expect(made[2]).toBe((bps / 100).toFixed(1));
    expect(made[3]).toBe(String(1 + scores.filter((score) => score > bps).length));
    await page.fill('.task-list input', 'pairing');
    await page.waitForURL(/tasks=pairing/);
    expect((await rows(page, '.task-list table')).length).toBe(12);
  });

  it('draws an analysis by its own figure as an image, in words, and as a table', async () => {
    await goTo(page, '#view=analyses&analysis=weights');
    const image = await page.waitForSelector('img.drawing');
    await page.waitForFunction((element) => (element as HTMLImageElement).naturalWidth > 300, image);
    expect(await image.getAttribute('src')).toMatch(/^data:image\/svg\+xml/);
    const seen = () =>
      page.$$eval('img.drawing', (all) => all.filter((one) => one.clientWidth).map((one) => one.className));
    for (const [media, colorScheme, theme] of [
      ['screen', 'dark', 'dark'],
      ['print', 'dark', 'light'],
      ['screen', 'light', 'light'],
    ] as const) {
      await page.emulateMedia({ media, colorScheme });
      expect([media, colorScheme, await seen()]).toEqual([media, colorScheme, [`drawing ${theme}`]]);
    }
    await page.click('summary:text-is("Table")');
    expect((await rows(page, '[aria-label="Table of the analysis"]')).length).toBe(3);
    expect(await page.textContent('main')).toContain('weightings');
  });

  it('counts a ledger as ledger status does, scores nothing, and is accessible', async () => {
    const status = JSON.parse(await run('ledger', 'status', at('ledger'), '--json'));
    const { page, complaints } = await opened('ledger.html');
    const models = await rows(page, '[aria-label="Models"]');
    expect(models.map(([name, , cells, answered, readable]) => [name, cells, answered, readable])).toEqual(
      status.models.map((row: { model_id: string; scheduled: number; completed: number; parseable: number }) => [
        plain(row.model_id).trim(),
        ...[row.scheduled, row.completed, row.parseable].map(String),
      ]),
    );
    expect(await page.textContent('.verdict')).toMatch(/144 of 144 cells are answered, and 140 of these could be read/);
    expect((await page.textContent('nav'))!).toBe('Collection');
    for (const look of LOOKS) await lookedAt(page, look, ['collection']);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('says in the page of a report whether it was verified, and names no best model where that failed', async () => {
    await run('release', 'report', at('release'), '--out', at('report.html'));
    const sound = await opened('report.html');
    expect(await sound.page.textContent('header')).toContain('Verified when this page was made');
    expect(await sound.page.$('.verdict')).not.toBeNull();
    const { code } = await cliInline(['release', 'report', at('forged'), '--out', at('forged.html')]);
    expect(code).toBe(4);
    const forged = await opened('forged.html');
    expect(await forged.page.textContent('.alarm')).toMatch(
      /VERIFICATION FAILED: \d+ differences?.*First: inference\.json/s,
    );
    expect(await forged.page.$('.verdict')).toBeNull();
    expect(await forged.page.title()).toMatch(/^VERIFICATION FAILED/);
    await sound.page.close();
    await forged.page.close();
  });

  it('is the page that infer, rank-audit and an analysis write when --out is a page', async () => {
    const scores = ['--responses', at('answers.jsonl'), '--tasks', TASKS, '--roster', at('roster.json')];
    const sizes = ['--draws', '400', '--flips', '400', '--quiet'];
    for (const [name, call] of [
      ['inferred', ['infer', ...scores, ...sizes]],
      ['audited', ['rank-audit', at('release/matrix.arrow'), ...sizes]],
      ['weighed', ['sensitivity', 'weights', ...scores, '--quiet']],
    ] as const)
      await run(...call, '--out', at(`${name}.html`));
    // One page shows all three in turn: each is dropped as what it was made about.
    for (const [name, views] of [
      ['inferred', /^Leaderboard.*All pairs.*Task.*Method/],
      ['audited', /^Leaderboard.*All pairs.*Method/],
      ['weighed', /Analyses/],
    ] as const) {
      await page.goto(pathToFileURL(at(`${name}.html`)).href);
      await page.waitForSelector('nav');
      await settled(page);
      expect(await page.textContent('nav')).toMatch(views);
    }
    await page.goto(pathToFileURL(at('inferred.html')).href);
    await page.waitForSelector('.board');
    const { results } = JSON.parse(readFileSync(at('inference/inference.json'), 'utf8'));
    const stated = results.models as { model_name: string; flavourbench_score: number }[];
    expect((await rows(page, '.board')).map(([, , score]) => score)).toEqual(
      stated.map((model) => model.flavourbench_score.toFixed(1)).sort((a, b) => Number(b) - Number(a)),
    );
    await page.goto(pathToFileURL(at('release.html')).href);
    await page.waitForSelector('.board');
    expect(complaints).toEqual([]);
  });

  it.each(LOOKS)('is accessible and no wider than the window in every view, %s and %i wide', async (...look) => {
    await lookedAt(page, look, ['leaderboard', 'model', 'task', 'analyses', 'method', 'own', 'verify']);
    expect(complaints).toEqual([]);
  });

  it('opens a chosen folder, an archive and a long table, and says what a broken release lacks', async () => {
    const choose = async (path: string, input: string) => {
      await page.setInputFiles(input, path);
      await settled(page);
    };
    const long = Array.from({ length: 2 * 900 }, (_, k) => `m${k % 2},t${k >> 1},${(k * 7) % 3 ? 1 : 0}\n`).join('');
    writeFileSync(at('long.csv'), `model,task,score\n${long}`);
    await choose(at('long.csv'), '.choose:first-child input');
    await page.waitForSelector('h1:has-text("long.csv")');
    await page.click('nav >> text=Task');
    await page.waitForSelector('.task-list');
    expect(await page.textContent('.task-list [role=status]')).toBe('900 of 900');
    expect((await rows(page, '.task-list table')).length).toBeLessThan(120);
    expect(spawnSync('tar', ['-czf', at('release.tgz'), '-C', dir, 'release']).status).toBe(0);
    await choose(at('release.tgz'), '.choose:first-child input');
    await page.waitForSelector('h1:has-text("Small")');
    rmSync(at('forged/matrix.arrow'));
    const broken = await cliInline(['explore', at('forged'), '--out', at('broken.html')]);
    expect([broken.code, existsSync(at('broken.html'))]).toEqual([2, false]);
    expect(broken.stderr).toMatch(/forged: holds no matrix\.arrow[\s\S]*hint: .*flavourbench release verify \S*forged/);
    await choose(at('forged'), '.choose:nth-child(2) input');
    await page.waitForSelector('.verdict:has-text("This release cannot be shown. Verify it")');
    expect(await page.textContent('#app')).toMatch(/A release that cannot be shown: .*forged: holds no matrix\.arrow/);
    await choose(at('release'), '.choose:nth-child(2) input');
    await page.waitForSelector('h1:has-text("Small")');
    await page.click('nav >> text=Leaderboard');
    expect((await rows(page, '.board')).length).toBe(3);
  });
});
