/*
 * Bundles the library for pages, after tsc has compiled it: `dist/page/` holds an entry for each export that runs in one, with all
 * that it imports. Kernels, shaders and the script of workers are inside. A page that is bundled again, served as it stands, or
 * opened from disk therefore finds them: bundlers do not agree on how a file beside a module is named.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { writeLicences } from './licences.js';
import { oneLanguage } from './one-language.js';

const common = {
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  // tsconfig.json leads `#platform` to its file for Node.
  tsconfigRaw: {},
};

const { outputFiles } = await build({
  ...common,
  entryPoints: ['dist/engine/workers/web-worker.js'],
  format: 'iife',
  write: false,
});
const worker = outputFiles[0].text;
const kernels = readFileSync('build/kernels.wasm').toString('base64');
const shaders = Object.fromEntries(readdirSync('kernels').map((name) => [name, readFileSync(`kernels/${name}`, 'utf8')]));

/** In place of src/engine/wasm/node-module.ts: the kernels themselves. */
const KERNELS = `
const packed = ${JSON.stringify(kernels)};
export const readKernels = () => new WebAssembly.Module(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)));`;

/** In place of src/engine/web-files.ts. */
const FILES = `
import { kernelModule } from './wasm/module.js';
const shaders = ${JSON.stringify(shaders)};
const script = ${JSON.stringify(worker)};
let address;
export const readKernels = async (url) => url ? WebAssembly.compile(await (await fetch(url)).arrayBuffer()) : kernelModule();
export const readShader = async (name) => shaders[name];
export function startWorker() {
  address ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(address);
}`;

/** In place of src/tasks/leaderboard-file.ts: what no training may use. */
const CONTENT = `
export const readLeaderboardContent = () => ${JSON.stringify(readFileSync('fixtures/leaderboard-content.txt', 'utf8'))};`;

const inside = {
  name: 'inside',
  setup({ onLoad }) {
    const put = (filter, contents) => onLoad({ filter }, ({ path }) => ({ contents, resolveDir: path.replace(/[^\\/]*$/, '') }));
    put(/dist[\\/]engine[\\/]wasm[\\/]node-module\.js$/, KERNELS);
    put(/dist[\\/]engine[\\/]web-files\.js$/, FILES);
    put(/dist[\\/]tasks[\\/]leaderboard-file\.js$/, CONTENT);
  },
};

const pages = await build({
  ...common,
  entryPoints: {
    engine: 'dist/engine/browser.js',
    responses: 'dist/responses/browser.js',
    scores: 'dist/scores/browser.js',
    inference: 'dist/inference/index.js',
    analyses: 'dist/analyses/index.js',
  },
  outdir: 'dist/page',
  format: 'esm',
  splitting: true,
  chunkNames: 'part-[hash]',
  plugins: [inside, oneLanguage],
  metafile: true,
});
writeLicences('dist/page', [pages]);
