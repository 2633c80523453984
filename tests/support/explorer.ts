import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** A page of the explorer and what it complained of: errors, words of its console, its policy too, and what it asked of any network. */
export interface OpenedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** Starts the browser of a test file. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** How long a page may take for a step, milliseconds: a page is one of many programs on a machine that runs a suite. */
export const PATIENCE = 150_000;

/** Opens a page where it shows something. Loading one costs more than all that is then asked of it, so that tests share theirs. */
export async function openPage(browser: Browser, address: string): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (asked) => {
    const url = asked.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== new URL(address).origin) complaints.push(url);
  });
  await page.goto(address);
  await page.waitForSelector(':not(.waiting) > h1, .drop');
  return { page, complaints };
}

/** Goes to what an address says, as a link in the page would. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(
    (next) =>
      new Promise<void>((done) => {
        if (new URL(next, location.href).hash === location.hash) return done();
        addEventListener('hashchange', () => setTimeout(done), { once: true });
        location.hash = next;
      }),
    hash,
  );
  await settled(page);
}

/** Gives the window a size and waits until the page is drawn for it: what hears of a new size does so with the frame that follows. */
export async function resize(page: Page, width: number, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
}

/** Waits until nothing is being read, drawn or computed. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.status:empty', { state: 'attached' });
  await page.waitForFunction(() => !/Reading the answers|Drawing…/.test(document.getElementById('app')!.textContent!));
}

/** Waits for a computation that a click began. */
export async function compute(page: Page, button = 'Compute'): Promise<void> {
  await page.click(`text=${button}`);
  await settled(page);
}

/** The texts of a table's cells, by row; of a name that is cut for want of room, the whole. */
export const rowsOf = (page: Page, table: string): Promise<string[][]> =>
  page.$$eval(`${table} tbody tr`, (lines) =>
    lines.map((line) =>
      [...line.querySelectorAll<HTMLElement>('th, td')].map(({ title, textContent }) => (title || textContent!).trim()),
    ),
  );

const AXE = readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe-core finds against a page as it stands: rule and element. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(`(async () => {
    const options = { resultTypes: ['violations'], elementRef: false, selectors: false };
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)));
  })()`);
  return found as string[];
}

/** How a page is looked at: in every theme, and at the widths of a desk, a telephone and a large screen. */
export const LOOKS: readonly (readonly [theme: 'light' | 'dark', width: number])[] = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
  ['light', 360],
  ['light', 3840],
  ['dark', 3840],
];

/** How much wider than the window a page is, pixels. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** What a view says of what cannot be concluded from it, where it can be seen. */
export async function limitsSaid(page: Page): Promise<string> {
  const texts = await page.$$eval('main .cannot', (parts) =>
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not said
    parts.map((part) => (part as HTMLElement).innerText.trim()).filter(Boolean),
  );
  return texts.join(' ');
}

/** Whether the verdict stands above every digest of a page. */
export async function verdictFirst(page: Page): Promise<boolean> {
  const text = (await page.textContent('#app'))!;
  const digest = /[0-9a-f]{40,}/.exec(text)?.index ?? Number.POSITIVE_INFINITY;
  const verdict = text.indexOf((await page.textContent('.verdict .leader'))!);
  return verdict >= 0 && verdict < digest;
}

/**
 * Looks at views of a page in a theme and at a width: nothing is inaccessible, nothing wider than the window, the verdict stands above all digests,
 * and every view says what cannot be concluded.
 */
export async function lookedAt(page: Page, [colorScheme, width]: (typeof LOOKS)[number], views: readonly string[]) {
  await page.emulateMedia({ colorScheme });
  await resize(page, width);
  for (const view of views) {
    await goTo(page, `#view=${view}`);
    expect([view, await violations(page)]).toEqual([view, []]);
    const found = [await tooWide(page), await verdictFirst(page), (await limitsSaid(page)) !== ''];
    expect([view, ...found]).toEqual([view, 0, true, true]);
  }
}
