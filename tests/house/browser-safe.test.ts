import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, it } from 'vitest';

/** Folders that run in a page as they stand (docs/architecture.md). */
const SAFE = [
  'util',
  'io',
  'witness',
  'draw',
  'shares',
  'engine',
  'responses',
  'logs',
  'core',
  'scores',
  'inference',
  'analyses',
  'release/proofs',
];

/** What in those folders is for Node alone: it opens files, threads or devices. A folder stands for all in it. */
const NODE_ONLY = [
  'io/file.ts',
  'io/folder.ts',
  'io/lines.ts',
  'io/lock.ts',
  'io/npy.ts',
  'io/open-input.ts',

  'io/piped.ts',
  'io/platform-node.ts',
  'io/read-file.ts',
  'io/write/guard.ts',
  'io/write/outputs.ts',
  'io/write/temporary.ts',
  'draw/encode',
  'core/ledger-records.ts',
  'engine/index.ts',
  'engine/node.ts',
  'engine/node-collect.ts',
  'engine/webgpu/node.ts',
  'engine/workers/companion.ts',
  'engine/workers/companion-worker.ts',
  'engine/workers/node.ts',
  'engine/workers/node-worker.ts',
  'engine/workers/threads.ts',
  'responses/answer-file.ts',
  'responses/batch',
  'responses/index.ts',
  'responses/score-files.ts',
  'scores/index.ts',
  'scores/score-paths.ts',
  'tasks/task-files.ts',
  'witness/git-commit.ts',
];

const root = resolve('src');
const isNodeOnly = (file: string) => NODE_ONLY.some((entry) => file === entry || file.startsWith(`${entry}/`));
const safeFiles = SAFE.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
).filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !isNodeOnly(file));

const builtin = new Set(builtinModules);

/** Names that only Node defines; a call or an access of one is looked for in the sources that a bundle holds. */
const NODE_GLOBAL = /(?<![\w$.'`])(Buffer|process|__dirname|require)\b(?=[.(<[])/;

/** Imports that no page can follow, as `importer -> what it imports`; a package counts for the file that imports it. */
async function unsafeImports(): Promise<string[]> {
  const edges = new Set<string>();
  const packages = new Set<string>();
  const watch: Plugin = {
    name: 'watch',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return;
        const own = importer.startsWith(root);
        const target = own && path.startsWith('.') ? relative(root, resolve(importer, '..', path)) : undefined;
        const file = target?.replace(/\.js$/, '.ts');
        const unsafe =
          file === undefined ? path.startsWith('node:') || builtin.has(path.split('/')[0]!) : isNodeOnly(file);
        if (!unsafe) return;
        if (own) edges.add(`${relative(root, importer)} -> ${file ?? path}`);
        else packages.add(importer);
        return { path, external: true };
      });
    },
  };
  const { metafile } = await build({
    entryPoints: safeFiles.map((file) => join(root, file)),
    bundle: true,
    splitting: true,
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
  const imports = (file: string) => (metafile.inputs[file]?.imports ?? []).map(({ path }) => path);
  const reachesNode = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    return (
      file.endsWith('.node') || packages.has(resolve(file)) || imports(file).some((next) => reachesNode(next, seen))
    );
  };
  for (const file of Object.keys(metafile.inputs).filter((name) => name.startsWith('src/'))) {
    const name = relative('src', file);
    for (const next of imports(file))
      if (next.includes('node_modules/') && reachesNode(next, new Set()))
        edges.add(`${name} -> ${/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(next)![1]}`);
    const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
    const global = NODE_GLOBAL.exec(text)?.[1];
    if (global !== undefined) edges.add(`${name} -> ${global}`);
  }
  return [...edges].sort();
}

it('what is browser-safe imports nothing of Node and bundles for a page', async () => {
  expect(await unsafeImports()).toEqual([]);
});
