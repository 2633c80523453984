import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import type { Difference } from '../src/release/proofs/differences.js';
import type { Files } from '../tests/support/forger.js';
import type { Verifier } from '../tests/support/leaf-walk.js';

/** A file that differs from the honest one, in base64; null where it is gone. */
type Change = readonly [name: string, base64: string | null];

/** Starts the thread of the page, as `src/explorer/work/ask-thread.ts` does, and keeps the honest files in the page. */
function openThread(honest: readonly Change[]): void {
  const script = document.querySelector('script[type=module]')!.textContent!;
  const parts = ['"use strict";(() => {', script, '\n})();'];
  const worker = new Worker(URL.createObjectURL(new Blob(parts, { type: 'text/javascript' })));
  const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const kept = new Map(honest.map(([name, text]) => [name, bytes(text!)]));
  let id = 0;
  Object.assign(globalThis, {
    verifyChanged: (changes: readonly Change[], quick: boolean) =>
      new Promise((done, fail) => {
        const files = new Map(kept);
        for (const [name, text] of changes) {
          if (text === null) files.delete(name);
          else files.set(name, bytes(text));
        }
        const own = ++id;
        worker.onerror = ({ message }) => fail(new Error(message));
        worker.onmessage = ({ data }) => {
          if (data.id !== own || data.progress) return;
          if (data.error) fail(new Error(data.error.message));
          else done(data.answer.differences);
        };
        worker.postMessage({ id: own, ask: 'verify', given: { files, quick } });
      }),
  });
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What differs between two releases. */
function changesOf(honest: Files, forged: Files): Change[] {
  const changed = [...forged].filter(([name, bytes]) => {
    const own = honest.get(name);
    return own === undefined || !Buffer.from(own).equals(bytes);
  });
  const gone = [...honest.keys()].filter((name) => !forged.has(name));
  return [
    ...changed.map(([name, bytes]): Change => [name, base64(bytes)]),
    ...gone.map((name): Change => [name, null]),
  ];
}

/** Opens a browser that verifies in the page of the explorer: in its thread, by its own script. */
export async function openPageVerifier(): Promise<{
  of(honest: Files, file: string): Promise<Verifier>;
  close(): Promise<void>;
}> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const pages = new Map<Files, Promise<Page>>();
  const open = async (honest: Files): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(resolve('dist/explorer/page.html')).href);
    await page.evaluate(
      openThread,
      [...honest].map(([name, bytes]): Change => [name, base64(bytes)]),
    );
    return page;
  };
  return {
    async of(honest, file) {
      const page = await (pages.get(honest) ?? open(honest));
      pages.set(honest, Promise.resolve(page));
      const verify = (quick: boolean) => async (files: Files) =>
        (await page.evaluate(
          ([changes, short]) =>
            (
              globalThis as unknown as { verifyChanged(of: readonly Change[], quick: boolean): Promise<Difference[]> }
            ).verifyChanged(changes, short),
          [changesOf(honest, files), quick] as const,
        )) as Difference[];
      return { whole: verify(false), quick: verify(!file.startsWith('analyses/')) };
    },
    close: () => browser.close(),
  };
}
