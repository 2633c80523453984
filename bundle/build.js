/*
 * Bundles the command line after tsc has compiled it: `dist/cli/main.js` becomes one line that imports `dist/bundle/main.js`, which
 * holds the program and most of its packages in some two hundred pieces instead of a thousand files. What a command does not load,
 * it does not read. The library (`dist/index.js` and the other exports) stays as tsc wrote it.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const out = resolve('dist/bundle');

/** Packages that find files beside their own code, or are native. */
const OUTSIDE = [
  '@expo-google-fonts/ibm-plex-sans',
  '@resvg/resvg-js',
  'fs-native-extensions',
  'pdfkit',
  'piscina',
  'subset-font',
  'svg-to-pdfkit',
  'undici',
  'webgpu',
];

/** Error texts of zod in sixty languages, of which none is shown: ours are made in src/util/schema.ts. */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" }));
  },
};

/** A file that looks for others from its own place (`import.meta.url`) goes on doing so from the bundle. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = `new URL(${JSON.stringify(relative(out, path).replaceAll('\\', '/'))}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', place), resolveDir: dirname(path) };
    });
  },
};

/** The licences of the packages that were taken in, which their copies must carry. */
function licences(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
}

rmSync(out, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['dist/cli/main.js'],
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  external: OUTSIDE,
  // Packages in the older form of modules call `require`.
  banner: { js: "import{createRequire as ownRequire}from'node:module';const require=ownRequire(import.meta.url);" },
  plugins: [ownPlaces, oneLanguage],
});
writeFileSync(join(out, 'LICENCES.txt'), `${licences(Object.keys(metafile.inputs)).join('\n\n---\n\n')}\n`);
writeFileSync('dist/cli/main.js', "#!/usr/bin/env node\nimport '../bundle/main.js';\n");
