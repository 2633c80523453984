import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { sha256 } from '../../src/io/digest.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { verifyFiles } from '../../src/release/proofs/verify-files.js';
import { LIMITS } from '../../src/release/statement.js';
import { plain } from '../../src/util/text.js';
import { isBeside, isExempt } from '../support/exemptions.js';
import { openPage, settled, startBrowser, violations } from '../support/explorer.js';
import { collectedWorld, type ForgedWorld, forgedWorld } from '../support/forged-world.js';
import { eventsOf, type Files, journalOf, resealed, textOf, withText } from '../support/forger.js';
import { ALONE, type Leaf, releaseLeaves } from '../support/release-leaves.js';

const folder = mkdtempSync(join(tmpdir(), 'explore-verify-'));
let world: ForgedWorld;
let engine: Engine;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  world = await forgedWorld();
  engine = await createEngine({ backend: 'wasm' });
  browser = await startBrowser();
  ({ page, complaints } = await openPage(browser, pathToFileURL(resolve('dist/explorer/page.html')).href));
  page.setDefaultTimeout(60_000);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await engine?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

let written = 0;

/** Gives the page the folder of a release and opens the view that verifies. */
async function given(files: Files): Promise<void> {
  written += 1;
  const dir = join(folder, `release-${written}`);
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
  }
  await page.setInputFiles('input[webkitdirectory]', dir);
  await page.waitForFunction(
    (name) => document.querySelector('.verify, nav') && document.body.textContent?.includes(name),
    'Verify',
  );
  await settled(page);
  await page.click('nav >> text=Verify');
}

/** Outcome, digest or first difference, how many more there are, and what of them the page lists. */
type Found = readonly [status: string, said: string, more: number, listed: readonly string[]];

/** Verifies in the page. */
async function inPage(): Promise<Found> {
  await page.click('.verify button');
  await page.waitForSelector('.outcome');
  const [status, said] = await page.$eval('.outcome', (line) => [
    line.querySelector('strong')!.textContent!,
    line.querySelector('code, .difference')!.textContent!,
  ]);
  const more = await page.$$eval('.verify summary', (lines) =>
    lines.map(({ textContent }) => Number.parseInt(textContent!, 10)),
  );
  const listed = await page.$$eval('.verify summary + ul > li', (lines) => lines.map((line) => line.textContent!));
  return [status!, said!, more[0] ?? 0, listed];
}

/** The same in Node, on the same bytes. */
async function inNode(files: Files): Promise<Found> {
  const found = await verifyFiles({ files, engine, folder: `release-${written}` });
  const [first] = found.differences;
  return [
    found.status,
    first === undefined ? found.sha256! : plain(differenceText(first)),
    Math.max(0, found.difference_count - 1),
    found.differences.slice(1, LISTED).map((difference) => plain(differenceText(difference))),
  ];
}

/** Differences that a page lists. */
const LISTED = 40;

/** Leaves of a file that are forged, and in how many verifications. */
const OF_A_FILE = 6;
const BATCHES = 4;

/** A leaf and the value that it is given. */
type Forgery = readonly [leaf: Leaf, value: unknown];

/** Leaves of one line or answer are told apart by nothing: one of them is forged at a time. */
const unitOf = ({ file, name, unit }: Leaf): string => unit ?? `${file} ${name}`;

/** Leaves of every file, chosen by a digest, in batches whose forgeries do not hide one another; of files whose forgery hides others one by itself. */
function sampleOf(leaves: readonly Leaf[]): Forgery[][] {
  const place = ({ file, name }: Leaf) => Number.parseInt(sha256(`${file} ${name}`).slice(0, 8), 16);
  const batches: Forgery[][] = Array.from({ length: BATCHES }, () => []);
  const alone: Forgery[][] = [];
  for (const file of new Set(leaves.map((leaf) => leaf.file))) {
    const own = leaves.filter((leaf) => leaf.file === file);
    const together = own.filter(({ unit }) => unit !== ALONE);
    own.sort((a, b) => place(a) - place(b));
    if (together.length === 0) {
      const leaf = own.find((one) => !isExempt(one, one.values[0]))!;
      alone.push([[leaf, leaf.values[0]]]);
    }
    for (const leaf of together.sort((a, b) => place(a) - place(b)).slice(0, OF_A_FILE)) {
      const free = batches.filter((batch) => batch.every(([other]) => unitOf(other) !== unitOf(leaf)));
      free.sort((a, b) => a.length - b.length)[0]?.push([leaf, leaf.values[place(leaf) % leaf.values.length]]);
    }
  }
  return [...batches, ...alone];
}

/** Values that pass whatever stands beside them, as many as can be given together. */
function exemptOf(leaves: readonly Leaf[]): Forgery[] {
  const units = new Set<string>();
  const found: Forgery[] = [];
  for (const leaf of leaves) {
    const value = leaf.values.find((one) => isExempt(leaf, one) && !isBeside(leaf, one));
    if (value === undefined || units.has(unitOf(leaf))) continue;
    units.add(unitOf(leaf));
    found.push([leaf, value]);
  }
  return found;
}

const JOURNAL = 'attempts.jsonl';

/** What a forger does to the structure of a release; all but the last one with every digest put right. */
const STRUCTURAL: Readonly<Record<string, (files: Files) => Files | Promise<Files>>> = {
  'a file that belongs to no release': (files) => resealed(files, withText(files, 'notes.txt', 'MZ')),
  'a table that is gone': (files) => resealed(files, new Map([...files].filter(([name]) => name !== 'pairwise.csv'))),
  'an answer that is gone': (files) =>
    resealed(files, withText(files, 'observations.jsonl', textOf(files, 'observations.jsonl').replace(/^.*\n/, ''))),
  'a journal cut short': (files) =>
    resealed(files, withText(files, JOURNAL, journalOf(eventsOf(textOf(files, JOURNAL)).slice(0, -2)))),
  'a document that ends in its middle': (files) =>
    withText(files, 'release.json', textOf(files, 'release.json').slice(0, -200)),
  'answers that are no text': (files) => new Map([...files, ['observations.jsonl', Uint8Array.of(0xff, 0xfe, 0x00)]]),
};

describe('verification in a page', () => {
  it('passes an honest release with its address, says what it cannot show, and how far it is', async () => {
    await given(world.files);
    const heard = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          new MutationObserver((_, observer) => {
            const bar = document.querySelector('.verify progress');
            if (!bar) return;
            observer.disconnect();
            resolve(bar.closest('label')!.textContent!);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    const found = await inPage();
    expect(await heard).not.toBe('');
    expect(found).toEqual(await inNode(world.files));
    expect(found[0]).toBe('PASS');
    const words = (await page.textContent('.verify'))!;
    for (const limit of LIMITS) expect(words).toContain(limit);
    await page.click('nav >> text=Leaderboard');
    await page.click('nav >> text=Verify');
    expect(await page.textContent('.outcome strong')).toBe('PASS');
  });

  it('holds the address against a digest that a reader trusts', async () => {
    await page.fill('.digest', '0'.repeat(64));
    await page.click('.verify button');
    await page.waitForSelector('.outcome.fail');
    expect(await page.textContent('.difference')).toContain('the expected digest');
  });

  it.each([
    ['simulated', forgedWorld, 60],
    ['collected', collectedWorld, 20],
  ] as const)(
    'finds what it finds in Node where leaves of every file of a %s release are forged, and passes what its makers alone can vouch for',
    async (name, makeWorld, atLeast) => {
      const { files: honest, close } = name === 'simulated' ? { ...world, close: undefined } : await makeWorld();
      const leaves = await releaseLeaves(honest, name);
      const forgedWith = async (chosen: readonly Forgery[]) => {
        let forged: Files = honest;
        for (const [leaf, value] of chosen) forged = await leaf.set(forged, value);
        return resealed(honest, forged);
      };
      let differences = 0;
      const batches = sampleOf(leaves);
      for (const batch of batches) {
        const forged = await forgedWith(batch);
        await given(forged);
        const found = await inPage();
        expect(found).toEqual(await inNode(forged));
        if (found[0] === 'FAIL') differences += 1 + found[2];
        else expect(batch).toHaveLength(1);
      }
      expect(new Set(batches.flat().map(([{ file }]) => file))).toEqual(new Set(leaves.map(({ file }) => file)));
      expect(differences).toBeGreaterThan(atLeast);

      const exempt = exemptOf(leaves);
      expect(exempt.length).toBeGreaterThan(0);
      const forged = await forgedWith(exempt);
      await given(forged);
      const found = await inPage();
      expect(found).toEqual(await inNode(forged));
      expect(found[0]).toBe('PASS');
      await close?.();
    },
    400_000,
  );

  it.each(Object.entries(STRUCTURAL))(
    'finds what it finds in Node: %s',
    async (_, forgery) => {
      const forged = await forgery(world.files);
      await given(forged);
      const found = await inPage();
      expect(found).toEqual(await inNode(forged));
      expect(found[0]).toBe('FAIL');
    },
    120_000,
  );

  it('is accessible, by a check that a field without a name fails', async () => {
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('.verify')!.append(document.createElement('input')));
    expect((await violations(page)).join()).toMatch(/^label: /);
    expect(complaints).toEqual([]);
  });
});
