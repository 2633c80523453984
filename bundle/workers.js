/*
 * Bundles the scripts of threads after tsc has compiled them: each is an entry in `dist/bundle/workers/` with what it shares with others in pieces
 * beside it, and the file of tsc becomes one line that leads there. A thread then reads a few files instead of some fifty, and of zod no languages
 * that nobody is shown: that was most of the time in which it could not yet work.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { oneLanguage } from './one-language.js';

const out = resolve('dist/bundle/workers');

/** Scripts that threads are opened with, under `dist/`, without their ending. */
const SCRIPTS = [
  'engine/workers/companion-worker',
  'engine/workers/node-worker',
  'release/proof-worker',
  'responses/batch/worker',
  'server/http/long-worker',
];

/** Packages that every thread begins with; all others are loaded where they are asked for. */
const INSIDE = new Set(['canonicalize', 'udsv', 'zod']);

const othersOutside = {
  name: 'others-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || INSIDE.has(path) ? undefined : { path, external: true },
    );
  },
};

/** A file that looks for others from its own place goes on doing so from the bundle. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const place = JSON.stringify(relative(out, path).replaceAll('\\', '/'));
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
      return { contents: text, resolveDir: dirname(path) };
    });
  },
};

/** Bundles all scripts; returns what esbuild says of them. */
export async function bundleWorkers() {
  rmSync(out, { recursive: true, force: true });
  const made = await build({
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    entryPoints: SCRIPTS.map((script) => ({ in: `dist/${script}.js`, out: script.replaceAll('/', '-') })),
    outdir: out,
    plugins: [othersOutside, ownPlaces, oneLanguage],
  });
  for (const script of SCRIPTS) {
    const from = dirname(join('dist', script));
    const entry = join('dist/bundle/workers', `${script.replaceAll('/', '-')}.js`);
    writeFileSync(`dist/${script}.js`, `export * from '${relative(from, entry).replaceAll('\\', '/')}';\n`);
  }
  return made;
}
