/*
 * Bundles the library for pages, after tsc has compiled it: `dist/page/` holds an entry for each export that runs in one, with all
 * that it imports. Kernels, shaders and the script of workers are inside (inside.js). A page that is bundled again, served as it stands, or
 * opened from disk therefore finds them: bundlers do not agree on how a file beside a module is named.
 */
import { build } from 'esbuild';
import { forPages, insideModules } from './inside.js';
import { writeLicences } from './licences.js';
import { oneLanguage } from './one-language.js';

const modules = Object.entries(await insideModules());
const inside = {
  name: 'inside',
  setup({ onLoad }) {
    for (const [end, contents] of modules)
      onLoad({ filter: new RegExp(`dist[\\\\/]${end.replaceAll('/', '[\\\\/]')}\\.js$`) }, ({ path }) => ({
        contents,
        resolveDir: path.replace(/[^\\/]*$/, ''),
      }));
  },
};

const pages = await build({
  ...forPages,
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
