/*
 * Measures the explorer in a real Chromium: `node bench/explorer.js`, after `npm run build`. First paint of a page with 14,418 answers, served on this
 * machine; choices over 27 x 534 scores in a page from disk, one thread, by what they leave as it was; the longest frame while a list of 100,000 tasks
 * and a leaderboard of 300 models are scrolled. Bars stand in bars.json; ends with 1 where one is not met. `--only paint | choices | scroll`; `--docs`,
 * with all of them, writes the figures into bench/README.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, docs: { type: 'boolean' } } });
if (options.docs && options.only !== undefined) throw new Error('--docs writes all figures: leave --only out');
const folder = mkdtempSync(join(tmpdir(), 'explorer-bench-'));
const bars = JSON.parse(readFileSync(new URL('bars.json', import.meta.url), 'utf8'));
const FAMILIES = ['substitution', 'pairing', 'constraint'];
/** Hundredths that look like answers: set by a fixed rule, the same everywhere. */
const value = (m, t) => (((t * 7919 + m * 104729 + ((t * m) % 97) * 31) % 6000) + 120 * m) / 100;

/** Families of one size, or of four, two and one parts in seven. */
const even = (t) => FAMILIES[t % 3];
const uneven = (t) => FAMILIES['0000112'[t % 7]];

function table(name, models, tasks, familyOf = even) {
  const rows = ['model,task,family,cluster,score'];
  for (let m = 0; m < models; m += 1)
    for (let t = 0; t < tasks; t += 1)
      rows.push(`model ${m},task ${t},${familyOf(t)},c${t >> 1},${value(m, t).toFixed(2)}`);
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  return name;
}

const MAIN = resolve('dist/bundle/run.cjs');

async function served(name) {
  const child = spawn(process.execPath, [MAIN, 'explore', name], { cwd: folder });
  const address = await new Promise((done) => child.stdout.once('data', (text) => done(String(text).trim())));
  return { address, end: () => child.kill('SIGTERM') };
}

/** A page that is one file. */
function page(name) {
  const out = join(folder, `${name}.html`);
  const run = spawnSync(process.execPath, [MAIN, 'explore', name, '--out', out], { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return pathToFileURL(out).href;
}

const settled = async (shown) => {
  await shown.waitForSelector('.board', { timeout: 240_000 });
  await shown.waitForSelector('.status:empty', { state: 'attached', timeout: 240_000 });
};

/** Lines of the table of bench/README.md. */
const written = [];
let missed = 0;
function report(name, milliseconds) {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  const met = median <= bars[name].most;
  if (!met) missed += 1;
  const best = sorted.length > 1 ? ` (best ${Math.round(sorted[0])})` : '';
  written.push(
    `| ${name.replace('explorer: ', '')} | ${Math.round(median)} ms | ${Math.round(sorted[0])} ms | ${bars[name].says}: ${met ? 'met' : '**not met**'} |`,
  );
  console.log(
    `${`${Math.round(median)} ms`.padStart(9)}${best.padEnd(13)} ${name}   bar ${bars[name].says}: ${met ? 'met' : 'NOT MET'}`,
  );
}

const ROUNDS = 5;

async function paint(browser) {
  const { address, end } = await served(table('answers.csv', 27, 534));
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const shown = await browser.newPage();
    await shown.goto(address);
    const entry = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    times.push(await (await shown.waitForFunction(entry)).jsonValue());
    await shown.close();
  }
  report('explorer: first paint, 14,418 answers served', times);
  end();
}

/** What is chosen on a page, round by round, by the name of its bar; families of unequal size have bars of their own. */
async function choices(browser) {
  await choose(browser, table('answers.csv', 27, 534), [
    'multiplicity',
    'margin',
    'family weights',
    'a model out',
    'new draws',
    'new draws of bootstrap-t',
  ]);
  await choose(
    browser,
    table('uneven.csv', 27, 534, uneven),
    ['family weights', 'a model out', 'new draws', 'new draws of bootstrap-t'],
    ', unequal families',
  );
}

async function choose(browser, name, kinds, where = '') {
  const shown = await browser.newPage();
  await shown.goto(page(name));
  await settled(shown);
  await shown.click('summary');
  /** Milliseconds that the page says a result took. */
  const took = async () => Number(/in (\d+) ms/.exec(await shown.textContent('footer'))[1]);
  const compute = async (button = 'Compute') => {
    await shown.click(`text=${button}`);
    await shown.waitForSelector('.status:not(:empty)', { state: 'attached', timeout: 1000 }).catch(() => undefined);
    await settled(shown);
    return took();
  };
  const field = (label) => `label:has-text("${label}") input`;
  const asked = new Map([
    [
      'multiplicity',
      (k) =>
        shown
          .fill(field('familywise error'), `0.0${k + 5}`)
          .then(() => shown.selectOption('label:has-text("multiplicity") select', 'holm')),
    ],
    ['margin', (k) => shown.fill(field('margin'), String(5 + k))],
    ['family weights', (k) => shown.fill('[aria-label="weight of pairing"]', String(2 + k))],
    ['a model out', (k) => shown.uncheck(`.models label:text-is("model ${3 + k}")`)],
    ['new draws', (k) => shown.fill(field('seed'), String(7 + k))],
    [
      'new draws of bootstrap-t',
      (k) =>
        shown
          .fill(field('seed'), String(7 + k))
          .then(() => shown.selectOption('label:has-text("interval") select', 'bootstrap-t')),
    ],
  ]);
  for (const kind of kinds) {
    const change = asked.get(kind);
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await change(round);
      times.push(await compute());
      await compute('Back to the first choices');
    }
    report(`explorer: ${kind}, 27 x 534${where}, one thread`, times);
  }
  await shown.close();
}

/** The longest time between two frames while a part of a page is scrolled by `step` pixels a frame. */
const longestFrame = (shown, selector, step) =>
  shown.evaluate(
    ([name, by]) =>
      new Promise((done) => {
        const part = document.querySelector(name).closest('.scroll');
        let worst = 0;
        let last;
        let left = 240;
        const next = (now) => {
          if (last !== undefined) worst = Math.max(worst, now - last);
          last = now;
          part.scrollTop += by;
          left -= 1;
          if (left > 0) requestAnimationFrame(next);
          else done(worst);
        };
        requestAnimationFrame(next);
      }),
    [selector, step],
  );

async function scroll(browser) {
  for (const [name, models, tasks, view, selector] of [
    ['explorer: longest frame, a list of 100,000 tasks scrolled', 3, 100_000, '#view=task', '.task-list .board'],
    ['explorer: longest frame, 300 models scrolled', 300, 40, '', '.board'],
  ]) {
    const { address, end } = await served(table(`${models}.csv`, models, tasks));
    const shown = await browser.newPage();
    await shown.goto(`${address}${view}`);
    await settled(shown);
    const times = [];
    // Slow as by hand, a page a frame, and as far as a dragged bar goes.
    for (const step of [40, 400, 20_000]) times.push(await longestFrame(shown, selector, step));
    report(name, [Math.max(...times)]);
    await shown.close();
    end();
  }
}

const [began] = loadavg();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const version = browser.version();
try {
  console.log(`load average ${began.toFixed(1)}; medians of ${ROUNDS}, in milliseconds of the clock`);
  for (const [name, work] of Object.entries({ paint, choices, scroll }))
    if (options.only === undefined || options.only === name) await work(browser);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
if (options.docs) writeFigures();
process.exitCode = missed > 0 ? 1 : 0;

/** Puts the figures between their marks, with the day, the machine and what else it did. */
function writeFigures() {
  const file = new URL('README.md', import.meta.url);
  const made = `${new Date().toISOString().slice(0, 10)}, ${cpus()[0].model.trim()}, ${cpus().length} processors, load average ${began.toFixed(1)} when it began, Chromium ${version}; medians of ${ROUNDS} and the best.`;
  const table = ['| what | median | best | bar |', '|---|---|---|---|', ...written].join('\n');
  const [before, rest] = readFileSync(file, 'utf8').split('<!-- explorer -->');
  const [, after] = rest.split('<!-- end of explorer -->');
  writeFileSync(file, `${before}<!-- explorer -->\n${made}\n\n${table}\n<!-- end of explorer -->${after}`);
}
