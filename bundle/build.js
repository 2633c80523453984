/*
 * Bundles the command line after tsc has compiled it. `dist/bundle/program.cjs` holds the program with most of its packages, in one file
 * whose modules begin when they are first asked for; large packages that few commands need are files of their own. `run.cjs`
 * (bundle/run.cjs) loads them with the code that V8 had made of them in a warm-up run here, where the same Node runs. A cold
 * command then reads a few files instead of four hundred. `dist/cli/main.js` becomes one line that starts it, scripts of threads one line
 * each too (bundle/workers.js), and the library (`dist/index.js` and the other exports) stays as tsc wrote it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { writeLicences } from './licences.js';
import { oneLanguage } from './one-language.js';
import { bundleWorkers } from './workers.js';

const out = resolve('dist/bundle');

/** Packages that find files beside their own code, or are native. */
const OUTSIDE = [
  '@expo-google-fonts/ibm-plex-sans',
  '@resvg/resvg-js',
  'bullmq',
  'fs-native-extensions',
  'ioredis',
  'pdfkit',
  'piscina',
  'subset-font',
  'svg-to-pdfkit',
  'tinyglobby',
  'undici',
  'webgpu',
];

/** Packages in files of their own. */
const APART = {
  '@observablehq/plot': 'plot.cjs',
  'apache-arrow': 'arrow.cjs',
  asn1js: 'asn1js.cjs',
  linkedom: 'linkedom.cjs',
  pkijs: 'pkijs.cjs',
  yaml: 'yaml.cjs',
  zstddec: 'zstddec.cjs',
  'zstddec/stream': 'zstddec-stream.cjs',
};

/** Leads to the files of packages from everywhere but the package itself, so that two packages that share a third have the same one. */
const apart = (own) => ({
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind !== 'entry-point' && path !== own && path in APART ? { path: `./${APART[path]}`, external: true } : undefined,
    );
  },
});

/** A file that looks for others from its own place (`import.meta.url`) goes on doing so from the bundle. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replace(/^#!.*/, '');
      const place = JSON.stringify(relative(out, path).replaceAll('\\', '/'));
      const here = "require('node:url').pathToFileURL(__filename)";
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, ${here}).href`), resolveDir: dirname(path) };
    });
  },
};

/** Commander loads a module of Node only to run commands that are programs of their own, which none is; it costs more than all the rest of it. */
const noPrograms = {
  name: 'no-programs',
  setup({ onLoad }) {
    onLoad({ filter: /\/commander\/lib\/command\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("const childProcess = require('node:child_process');", ''),
    }));
  },
};

const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  external: OUTSIDE,
  supported: { 'dynamic-import': false },
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

rmSync(out, { recursive: true, force: true });
const program = await build({
  ...common,
  entryPoints: ['dist/cli/main.js'],
  outfile: join(out, 'program.cjs'),
  plugins: [apart(), ownPlaces, oneLanguage, noPrograms],
});
const packages = await Promise.all(
  Object.entries(APART).map(([name, file]) =>
    build({
      ...common,
      stdin: { contents: `export * from '${name}';`, resolveDir: '.' },
      outfile: join(out, file),
      plugins: [apart(name)],
    }),
  ),
);
writeLicences(out, [program, ...packages, await bundleWorkers()]);
for (const file of ['program.cjs', ...Object.values(APART)]) {
  // esbuild leaves only regular expressions with letters outside ASCII; a text of bytes is read in a quarter of the time.
  const text = readFileSync(join(out, file), 'utf8');
  const plain = text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  writeFileSync(join(out, file), plain);
}
copyFileSync('bundle/run.cjs', join(out, 'run.cjs'));
writeFileSync('dist/cli/main.js', "#!/usr/bin/env node\nimport '../bundle/run.cjs';\n");

/** Runs the program in a warm-up that keeps the code of what it loads, but for files whose code was kept before. */
function warmUp(...args) {
  const ran = spawnSync(process.execPath, ['bundle/warm.cjs', ...args, '--out', join(out, 'warm')], { encoding: 'utf8' });
  rmSync(join(out, 'warm'), { recursive: true, force: true });
  if (ran.status !== 0) throw new Error(`the warm-up ended with ${ran.status}: ${ran.stderr}`);
}

const answers = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', 'fixtures/tasks-small.json'];
warmUp('infer', ...answers, '--draws', '50', '--flips', '50');
// Loads what figures are drawn with.
warmUp('rank-audit', 'fixtures/tables/pandas-long-index.csv');
