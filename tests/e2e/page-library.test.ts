import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as vite from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rankAudit } from '../../src/analyses/index.js';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { parseSelection, trlReward } from '../../src/responses/index.js';
import { scoresOf } from '../../src/scores/index.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { PATIENCE } from '../support/explorer.js';

/** Tables in every format that a page reads, and packed ones. */
const TABLES = [
  'pandas-long-quoted.csv',
  'pandas-long-records.json',
  'polars-long.jsonl',
  'polars-long-lz4.arrow',
  'polars-stream.arrows',
  'duckdb-long-snappy.parquet',
  'duckdb-long-brotli.parquet',
  'polars-long-zstd.parquet',
  'pandas-long.xlsx',
  'r-long.csv.gz',
];
const files = TABLES.map((name) => [name, readFileSync(join('fixtures/tables', name)).toString('base64')] as const);
const answers = ['FINAL_SELECTION: A, B, C', 'FINAL_SELECTION: H, A, D', 'none', '<think>FINAL_SELECTION: A, B, C'];
const map = Object.fromEntries(PORTFOLIOS.map((key, i) => [key, (i * 173) % 10_001]));
const choices = [...'ABCDEFGH'].map((label) => `an ingredient of this test, ${label}`);

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part) =>
      typeof part === 'bigint' ? String(part) : ArrayBuffer.isView(part) ? Array.from(part as never) : part,
    ),
  );

/** What the page's program gives, computed here from the sources. */
async function expectedHere(): Promise<unknown> {
  const tables = [];
  for (const [name] of files) tables.push(await scoresOf([{ name, bytes: readFileSync(`fixtures/tables/${name}`) }]));
  const engine = await createEngine({ backend: 'wasm' });
  const { matrix } = tables[0]!;
  const audit = await rankAudit({ matrix, engine, draws: 400, flips: 400 });
  const inference = await runInference({ matrix, engine, plan: { draws: 400, flips: 400 } });
  await engine.close();
  const rewards = trlReward(
    answers,
    answers.map(() => map),
    answers.map(() => choices),
  );
  return plain({
    tables: tables.map(({ matrix: { models, tasks, values, scale } }) => ({ models, tasks, values, scale })),
    audit: [audit.results, audit.words, audit.warnings],
    inference,
    answers: answers.map((answer) => parseSelection(answer, choices)),
    rewards,
    training: rewards,
  });
}

/** The warning of a device, with the comma before it. */
const DECLINED = ',"webgpu: the device declined (step-down runs on the processor); ran on wasm"';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-page-'));
const HTML = '<!doctype html><meta charset="utf-8"><title>library</title><link rel="icon" href="data:,">';
const ISOLATION = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

/** The packed file, as a registry has it. */
let packed: string | undefined;
function packedFile(): string {
  if (packed === undefined) {
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { stdio: 'pipe' });
    packed = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
  }
  return packed;
}

/** A folder of a project with the packed file installed: what a page needs of it and nothing else, so that no other package can help. */
function project(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  const members = ['package/package.json', 'package/dist/page'];
  execFileSync('tar', ['-xzf', packedFile(), '-C', join(root, 'node_modules'), ...members]);
  renameSync(join(root, 'node_modules/package'), join(root, 'node_modules/flavourbench'));
  cpSync('fixtures/pages/library.js', join(root, 'main.js'));
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }');
  return root;
}

function serve(root: string, headers: Record<string, string>): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/, '').replace(/\/$/, '/index.html');
    try {
      const bytes = readFileSync(join(root, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', ...headers });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    );
  });
}

describe('the library in a page', () => {
  let browser: Browser;
  let expected: unknown;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    expected = await expectedHere();
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(address: string): Promise<{ page: Page; errors: string[] }> {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(address);
    await page.waitForFunction('globalThis.runLibrary');
    return { page, errors };
  }

  /** Runs the program on the backends, and compares all that it gives with what Node gives. */
  async function expectSame(address: string, backends: Readonly<Record<string, string>>): Promise<void> {
    const { page, errors } = await opened(address);
    for (const [backend, ran] of Object.entries(backends)) {
      const call = JSON.stringify({ files, backend, answers, map, choices });
      const text = JSON.stringify(await page.evaluate(`runLibrary(${call})`));
      // A device leaves some work to the processor, and says so beside the warnings that Node gives too.
      expect(text.includes(DECLINED)).toBe(backend === 'webgpu');
      expect(JSON.parse(text.replaceAll(DECLINED, ''))).toEqual({ backend: ran, ...(expected as object) });
    }
    expect(errors).toEqual([]);
    await page.close();
  }

  async function served(root: string, headers: Record<string, string> = ISOLATION): Promise<string> {
    const { server, address } = await serve(root, headers);
    closing.push(() => server.close());
    return address;
  }

  it('built by Vite gives the digits of Node, on one thread, on two and by its own choice', async () => {
    const root = project('vite-build');
    writeFileSync(join(root, 'index.html'), `${HTML}<script type="module" src="/main.js"></script>`);
    await vite.build({ root, configFile: false, logLevel: 'silent', build: { target: 'es2022' } });
    await expectSame(await served(join(root, 'dist')), { wasm: 'wasm', pool: 'pool', auto: 'wasm' });
  });

  it('served by Vite while it is written gives the same, threads too', async () => {
    const root = project('vite-serve');
    writeFileSync(join(root, 'index.html'), `${HTML}<script type="module" src="/main.js"></script>`);
    const server = await vite.createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, headers: ISOLATION, hmr: false, watch: null },
    });
    await server.listen();
    closing.push(() => server.close());
    const { port } = server.httpServer!.address() as AddressInfo;
    await expectSame(`http://127.0.0.1:${port}/`, { pool: 'pool' });
  });

  it('bundled by esbuild gives the same, on a WebGPU adapter too', async () => {
    const root = project('esbuild');
    writeFileSync(join(root, 'index.html'), `${HTML}<script type="module" src="/out/main.js"></script>`);
    await build({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      bundle: true,
      format: 'esm',
      splitting: true,
      outdir: 'out',
      logLevel: 'silent',
    });
    await expectSame(await served(root), { pool: 'pool', webgpu: 'webgpu' });
  });

  it('imported by an import map, with no bundler, gives the same', async () => {
    const root = project('import-map');
    const names = ['analyses', 'engine', 'inference', 'responses', 'scores'];
    const imports = Object.fromEntries(
      names.map((name) => [`flavourbench/${name}`, `/node_modules/flavourbench/dist/page/${name}.js`]),
    );
    const script = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
    writeFileSync(join(root, 'index.html'), `${HTML}${script}<script type="module" src="/main.js"></script>`);
    await expectSame(await served(root), { wasm: 'wasm', pool: 'pool' });
  });

  it('runs in a page that is opened from disk, on one thread', async () => {
    const root = project('disk');
    await build({ absWorkingDir: root, entryPoints: ['main.js'], bundle: true, outfile: 'all.js', logLevel: 'silent' });
    writeFileSync(join(root, 'index.html'), `${HTML}<script src="all.js"></script>`);
    await expectSame(pathToFileURL(join(root, 'index.html')).href, { wasm: 'wasm', auto: 'wasm' });
  });

  it('falls back without an error where a page has no threads and no adapter', async () => {
    const plainBrowser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    closing.push(() => plainBrowser.close());
    const shared = browser;
    browser = plainBrowser;
    try {
      await expectSame(await served(join(folder, 'esbuild'), {}), { auto: 'wasm' });
    } finally {
      browser = shared;
    }
  });
});
