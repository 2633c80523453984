import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { compute, openPage, startBrowser } from '../support/explorer.js';

const folder = mkdtempSync(join(tmpdir(), 'explore-choices-'));
const at = (name: string) => join(folder, name);
const MODELS = ['alder', 'birch', 'cedar', 'dog, rose'];
const FAMILIES = ['even', 'odd, too', 'third'];
const cell = (m: number, t: number) => ((t * 37 + m * 23) % 101) / 100 + (t % 3 === m ? 0.2 : 0);
const quoted = (text: string) => (text.includes(',') ? `"${text}"` : text);
const table = (name: string, keep: (m: number, t: number) => boolean, value: (m: number, t: number) => string) => {
  const rows = MODELS.flatMap((model, m) =>
    Array.from({ length: 60 }, (_, t) =>
      keep(m, t) ? `${quoted(model)},task ${t},${quoted(FAMILIES[t % 3]!)},c${t >> 1},${value(m, t)}\n` : '',
    ),
  );
  writeFileSync(at(name), `model,task,family,cluster,score\n${rows.join('')}`);
};
table(
  'whole.csv',
  () => true,
  (m, t) => cell(m, t).toFixed(2),
);
table(
  'gaps.csv',
  (m, t) => !(m === 2 && t % 10 === 4),
  (m, t) => `${Number(cell(m, t) > 0.5)}`,
);

/** Words of a command, where quotes hold blanks. */
const words = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain!);

/** Runs the command that a page names and gives its document. */
async function documentOf(command: string) {
  const [program, ...rest] = words(command);
  expect(program).toBe('flavourbench');
  const run = await cliInline(rest.map((word) => (word.endsWith('.csv') ? at(word) : word)).concat('--json'));
  expect([run.code, run.code === 0 ? '' : run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout);
}

describe('choices of a reader', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let first: unknown;
  beforeAll(async () => {
    for (const name of ['whole', 'gaps']) {
      const { code, stderr } = await cliInline(['explore', at(`${name}.csv`), '--out', at(`${name}.html`)]);
      expect([code, stderr]).toEqual([0, '']);
    }
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, pathToFileURL(at('whole.html')).href));
    first = await digits();
    await page.click('summary');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Back to what the page opened with. */
  const back = async () => {
    await compute(page, 'Back to the first choices');
    expect(await page.$('.changed')).toBeNull();
    expect(await digits()).toEqual(first);
  };
  const command = async () => (await page.textContent('footer code'))!;
  const digits = () =>
    page.$$eval('.board tbody tr', (lines) =>
      lines.map((line) => {
        const cells = [...line.querySelectorAll('td, th')].map(({ textContent }) => textContent!);
        return [cells[1], cells[2], cells[4], cells[5]];
      }),
    );
  /** What the command line says, in the digits that the page shows. */
  const shown = (document: { results: { models: Record<string, unknown>[] } }, places: number) =>
    document.results.models.map((row) => {
      const [best, worst] = row.rank_set_simultaneous as [number, number];
      return [
        row.model,
        (row.score as number).toFixed(places),
        best === worst ? `${best}` : `${best}–${worst}`,
        row.letters,
      ];
    });
  const compared = async () => {
    const found = await digits();
    const places = found[0]![1]!.split('.')[1]!.length;
    expect(found).toEqual(shown(await documentOf(await command()), places));
    return found;
  };

  it.each([
    ['weights of families', async () => page.fill('[aria-label="weight of even"]', '3'), /--family-weights even=3$/],
    [
      'a weight of a name with a comma',
      async () => page.fill('[aria-label="weight of odd, too"]', '0.5'),
      /--family-weights 'odd, too=0.5'$/,
    ],
    ['a family out', async () => page.uncheck('.families >> text=third'), /--without-families third$/],
    [
      'tasks out',
      async () => {
        await page.fill('label:has-text("Find tasks") input', 'task 1');
        await page.uncheck('label:text-is("task 17")');
        await page.uncheck('label:text-is("task 10")');
      },
      /--without-tasks 'task 17' --without-tasks 'task 10'$/,
    ],
    ['a model out', async () => page.uncheck('label:has-text("dog, rose") input'), /--without 'dog, rose'$/],
    [
      'multiplicity',
      async () => page.selectOption('label:has-text("multiplicity") select', 'holm'),
      /--multiplicity holm$/,
    ],
    ['test', async () => page.selectOption('label:has-text("test") select', 'sign-flip'), /--test sign-flip$/],
    [
      'interval',
      async () => page.selectOption('label:has-text("interval") select', 'percentile'),
      /--interval percentile$/,
    ],
    ['a margin', async () => page.fill('label:has-text("margin") input', '0.3'), /--margin 0\.3$/],
    [
      'seed and draws',
      async () => {
        await page.fill('label:has-text("seed") input', '9');
        await page.fill('label:has-text("bootstrap draws") input', '2000');
      },
      /--draws 2000 --seed 9$/,
    ],
  ])('give the digits of the command that is shown: %s', async (_, change, options) => {
    await change();
    await compute(page);
    expect(await page.textContent('.changed')).toContain('Not the first analysis.');
    expect(await command()).toMatch(options);
    await compared();
    await back();
    expect(complaints).toEqual([]);
  });

  it('are typed as any text is, deleted and begun anew, and shown as they are in force once the field is left', async () => {
    const weight = '[aria-label="weight of even"]';
    const draws = 'label:has-text("bootstrap draws") input';
    const error = 'label:has-text("familywise error") input';
    for (const [field, text] of [
      [weight, '0.5'],
      [draws, '2000'],
      [error, '0.01'],
      ['label:has-text("margin") input', '0.05'],
    ] as const) {
      await page.focus(field);
      await page.keyboard.press('End');
      const held = await page.inputValue(field);
      for (let k = 0; k < held.length; k += 1) await page.keyboard.press('Backspace');
      expect([field, await page.inputValue(field)]).toEqual([field, '']);
      await page.keyboard.type(text);
      expect([field, await page.inputValue(field)]).toEqual([field, text]);
    }
    await compute(page);
    expect(await command()).toMatch(/--draws 2000 --alpha 0\.01 --margin 0\.05 --family-weights even=0\.5$/);
    await compared();
    for (const text of ['abc', '']) {
      await page.fill(weight, text);
      await page.focus(draws);
      expect(await page.inputValue(weight)).toBe('1');
    }
    await page.fill(weight, '0');
    await page.click('text=Compute');
    const alert = await page.waitForSelector('[role=alert]');
    expect(await alert.textContent()).toMatch(/weight.*What is shown is of the choices before\./s);
    await back();
    expect(await Promise.all([weight, draws, error].map((field) => page.inputValue(field)))).toEqual([
      '1',
      '50000',
      '0.05',
    ]);
  });

  it('add up', async () => {
    await page.fill('[aria-label="weight of even"]', '2');
    await compute(page);
    await page.uncheck('label:has-text("birch") input');
    await page.fill('label:has-text("margin") input', '0.3');
    await compute(page);
    expect((await compared()).length).toBe(3);
    await back();
  });

  it('are computed in a thread of their own, and newer ones stop those before', async () => {
    await page.fill('label:has-text("bootstrap draws") input', '4000000');
    await page.fill('label:has-text("sign flips") input', '4000000');
    await page.click('text=Compute');
    expect(await page.textContent('.status')).toBe('Computing…');
    await page.fill('label:has-text("bootstrap draws") input', '1000');
    await page.fill('label:has-text("sign flips") input', '1000');
    expect(await page.textContent('.status')).toBe('Computing…');
    await compute(page);
    expect(await command()).toMatch(/--draws 1000 --flips 1000$/);
    await compared();
    await back();
  });

  it('say what becomes of missing cells where there would be no result', async () => {
    const gaps = await openPage(browser, pathToFileURL(at('gaps.html')).href);
    ({ page } = gaps);
    for (const [button, rule] of [
      ['Take the tasks that every model has', 'common-tasks'],
      ['Keep all: what holds whatever is missing', 'bounds'],
    ] as const) {
      const alert = await page.waitForSelector('main > [role=alert]');
      expect(await alert.textContent()).toContain('6 of 240 cells are missing');
      await compute(page, button);
      expect(await command()).toContain(`--missing ${rule}`);
      const document = await documentOf(await command());
      expect((await digits()).map(([model]) => model)).toEqual(
        document.results.models.map(({ model }: { model: string }) => model),
      );
      await page.setInputFiles('label:has-text("Open other files") input', at('gaps.csv'));
    }
    expect(gaps.complaints).toEqual([]);
  });
});
