/*
 * What lies beside the modules of the library, put inside for pages: files of src/ that read it are replaced by ones that hold it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** What esbuild is asked of every page. */
export const forPages = {
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  // tsconfig.json leads `#platform` to its file for Node.
  tsconfigRaw: {},
};

/** The script of workers, in one piece. */
async function workerScript() {
  const entryPoints = ['dist/engine/workers/web-worker.js'];
  const { outputFiles } = await build({ ...forPages, entryPoints, format: 'iife', write: false });
  return outputFiles[0].text;
}

/** Texts of modules by the end of their paths, without the ending of the file. */
export async function insideModules() {
  const kernels = readFileSync('build/kernels.wasm').toString('base64');
  const shaders = Object.fromEntries(readdirSync('kernels').map((name) => [name, readFileSync(`kernels/${name}`, 'utf8')]));
  const content = readFileSync('fixtures/leaderboard-content.txt', 'utf8');
  return {
    'engine/wasm/node-module': `
const packed = ${JSON.stringify(kernels)};
export const readKernels = () => new WebAssembly.Module(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)));`,
    'engine/web-files': `
import { kernelModule } from './wasm/module.js';
const shaders = ${JSON.stringify(shaders)};
const script = ${JSON.stringify(await workerScript())};
let address;
export const readKernels = async (url) => url ? WebAssembly.compile(await (await fetch(url)).arrayBuffer()) : kernelModule();
export const readShader = async (name) => shaders[name];
export function startWorker() {
  address ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(address);
}`,
    'tasks/leaderboard-file': `
export const readLeaderboardContent = () => ${JSON.stringify(content)};`,
  };
}
