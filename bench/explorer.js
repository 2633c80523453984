/*
 * Measures the explorer in a real Chromium: `node bench/explorer.js`, after `npm run build`. First paint and first result of a page with 14,418
 * answers, served on this machine; the time of choices by what they leave as it was; the longest frame while three hundred models, whose rows are windowed, are scrolled.
 * Bars (docs/explorer.md): first paint under 1 s, no frame over 50 ms, 200 ms where kept draws do, 700 ms where new ones are made.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const folder = mkdtempSync(join(tmpdir(), 'explorer-bench-'));
const FAMILIES = ['substitution', 'pairing', 'constraint'];
/** Basis points that look like answers: set by a fixed rule, the same everywhere. */
const value = (m, t) => (((t * 7919 + m * 104729 + ((t * m) % 97) * 31) % 6000) + 120 * m) / 100;

function table(name, models, tasks) {
  const rows = ['model,task,family,cluster,score'];
  for (let m = 0; m < models; m += 1)
    for (let t = 0; t < tasks; t += 1)
      rows.push(`model ${m},task ${t},${FAMILIES[t % 3]},c${t >> 1},${value(m, t).toFixed(2)}`);
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  return name;
}

async function served(name) {
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), 'explore', name], { cwd: folder });
  const address = await new Promise((done) => child.stdout.once('data', (text) => done(String(text).trim())));
  return { address, end: () => child.kill('SIGTERM') };
}

const settled = async (page) => {
  await page.waitForSelector('.board');
  await page.waitForSelector('.status:empty', { state: 'attached' });
};
/** Milliseconds that the page says a result took. */
const took = async (page) => Number(/in (\d+) ms/.exec(await page.textContent('footer'))[1]);

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const report = (what, milliseconds, bar) =>
  console.log(`${what.padEnd(44)} ${String(Math.round(milliseconds)).padStart(6)} ms   bar ${bar} ms`);
try {
  const small = await served(table('answers.csv', 27, 534));
  const page = await browser.newPage();
  await page.goto(small.address);
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await settled(page);
  report('first paint, 14,418 answers', paint, 1000);
  report('first result', await page.evaluate(() => performance.now()), 'none');
  await page.click('summary');
  const choose = async (what, change, bar) => {
    await change();
    await page.click('text=Compute');
    await page.waitForSelector('.status:not(:empty)', { state: 'attached' }).catch(() => undefined);
    await settled(page);
    report(what, await took(page), bar);
  };
  await choose('multiplicity', () => page.selectOption('label:has-text("multiplicity") select', 'holm'), 200);
  await choose('margin', () => page.fill('label:has-text("margin") input', '5'), 200);
  await choose('family weights', () => page.fill('[aria-label="weight of pairing"]', '2'), 200);
  await choose('a model out', () => page.uncheck('.models label:text-is("model 3")'), 200);
  await choose('another seed: new draws', () => page.fill('label:has-text("seed") input', '7'), 700);
  small.end();
  const large = await served(table('models.csv', 300, 40));
  await page.goto(large.address);
  await page.waitForSelector('.board', { timeout: 240_000 });
  const longest = await page.evaluate(
    () =>
      new Promise((done) => {
        const part = document.querySelector('.board').closest('.scroll');
        let worst = 0;
        let last = performance.now();
        let left = 120;
        const step = (now) => {
          worst = Math.max(worst, now - last);
          last = now;
          part.scrollTop += 400;
          left -= 1;
          if (left > 0) requestAnimationFrame(step);
          else done(worst);
        };
        requestAnimationFrame(step);
      }),
  );
  report('longest frame, scrolling 300 models', longest, 50);
  large.end();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
