import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, it } from 'vitest';

/** Folders that run in a page as they stand (docs/architecture.md). */
const SAFE = ['util', 'io', 'draw', 'engine', 'responses', 'core', 'inference', 'analyses', 'release/proofs'];

/** What in those folders is for Node alone: it opens files, threads or devices. A folder stands for all in it. */
const NODE_ONLY = [
  'io/file.ts',
  'io/lines.ts',
  'io/lock.ts',
  'io/npy.ts',
  'io/outputs.ts',
  'io/platform-node.ts',
  'io/temporary.ts',
  'io/zip.ts',
  'draw/encode',
  'engine/create.ts',
  'engine/index.ts',
  'engine/pool',
  'engine/wasm/module.ts',
  'engine/wasm/sources.ts',
  'engine/webgpu/node.ts',
  'responses/file.ts',
  'responses/form.ts',
  'responses/index.ts',
];

/** Files that still import what no page has; the list only shrinks. */
const NOT_YET: readonly string[] = [];

const root = resolve('src');
const isNodeOnly = (file: string) => NODE_ONLY.some((entry) => file === entry || file.startsWith(`${entry}/`));
const safeFiles = SAFE.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
).filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !isNodeOnly(file));

const builtin = new Set(builtinModules);

/** Imports that no page can follow, as `importer -> what it imports`. */
async function unsafeImports(): Promise<string[]> {
  const found = new Set<string>();
  const watch: Plugin = {
    name: 'watch',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return;
        const from = relative(root, importer);
        const bare = path.replace(/^node:/, '').split('/')[0]!;
        const target = path.startsWith('.')
          ? relative(root, resolve(importer, '..', path)).replace(/\.js$/, '.ts')
          : undefined;
        const unsafe =
          target === undefined
            ? /^node:|\.node$/.test(path) || builtin.has(bare)
            : isNodeOnly(target) && !from.startsWith('..');
        if (!unsafe) return;
        found.add(`${from} -> ${target ?? path}`);
        return { path, external: true };
      });
    },
  };
  const { metafile } = await build({
    entryPoints: safeFiles.map((file) => join(root, file)),
    bundle: true,
    write: false,
    metafile: true,
    outdir: '/page',
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    loader: { '.node': 'empty' },
    alias: { '#platform': join(root, 'io/platform-web.ts') },
    plugins: [watch],
  });
  for (const file of Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))) {
    const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    const name = /(?<![\w$.'])(Buffer|process|__dirname|require)\b(?=[.(<[])/.exec(text)?.[1];
    if (name !== undefined) found.add(`${relative('src', file)} -> ${name}`);
  }
  return [...found].sort();
}

it('what is browser-safe imports nothing of Node and bundles for a page', async () => {
  const found = await unsafeImports();
  const importer = (edge: string) => edge.split(' -> ')[0]!;
  expect(found.filter((edge) => !NOT_YET.includes(importer(edge)))).toEqual([]);
  expect(NOT_YET.filter((file) => !found.some((edge) => importer(edge) === file))).toEqual([]);
});
