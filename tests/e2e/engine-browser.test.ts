import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackendName, type ClusterDesign, createEngine } from '../../src/engine/index.js';
import { PATIENCE } from '../support/explorer.js';
import { goldenDesign } from '../support/golden-design.js';
import { everything } from '../support/random-design.js';
import { noShared } from '../support/shared.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.wgsl': 'text/plain',
};
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const SERVED = /^\/(?:dist|build|kernels|fixtures\/pages)\/[\w./-]+$/;

/** Serves the built engine; pages under /plain are not cross-origin isolated. */
function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const isolation = path.startsWith('/plain') ? {} : ISOLATION;
    if (!SERVED.test(path)) {
      response.writeHead(200, { 'content-type': 'text/html', ...isolation });
      response.end('<!doctype html><script type="module" src="/fixtures/pages/engine.js"></script>');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', ...isolation });
    response.end(readFileSync(join('.', path)));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v as never) : v)));

/** Runs every call of a backend in a page (fixtures/pages/engine.js). */
async function runInPage(page: Page, design: ClusterDesign, backend: BackendName | 'auto', draws: number) {
  await page.waitForFunction('globalThis.runEngine');
  const options = JSON.stringify({ cells: plain(design), backend, draws });
  return page.evaluate(`runEngine(${options})`);
}

describe.skipIf(noShared)('the engine in a browser page', () => {
  let server: Server;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    server = await serve();
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
        '--disable-background-networking',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it.each([
    ['wasm', 900],
    ['pool', 900],
    ['webgpu', 120],
    ['reference', 120],
    ['auto', 900],
  ] as const)('gives the digits of Node on %s', async (backend, draws) => {
    const design = goldenDesign('c', 'panel-family');
    const node = await createEngine({ backend: 'wasm' });
    const expected = plain(await everything(node, design, draws, 7n));
    await node.close();
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${base}/page`);
    expect(await runInPage(page, design, backend, draws)).toEqual(expected);
    await page.close();
  });

  it('works on one thread where the page is not isolated, and says why pool does not', async () => {
    const design = goldenDesign('c', 'family');
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${base}/plain`);
    const node = await createEngine({ backend: 'wasm' });
    const expected = plain(await everything(node, design, 50, 7n));
    await node.close();
    expect(await runInPage(page, design, 'wasm', 50)).toEqual(expected);
    expect(await runInPage(page, design, 'auto', 50)).toEqual(expected);
    await expect(runInPage(page, design, 'pool', 50)).rejects.toThrow(/not cross-origin isolated/);
    await page.close();
  });
});
