import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Data flows one way: a folder imports from itself and from folders above it (docs/architecture.md). */
const ORDER = [
  'util',
  'io',
  'witness',
  'queue',
  'draw',
  'shares',
  'engine',
  'environment',
  'tasks',
  'responses',
  'logs',
  'ledger',
  'collect',
  'core',
  'scores',
  'inference',
  'transfer',
  'analyses',
  'release',
  'published',
  'server',
  'explorer',
  'cli',
];

const root = resolve('src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((f) => /\.tsx?$/.test(f));
const IMPORT = /^\s*(?:import|export)\s[^'"]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/gm;

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)].map((m) => {
    const target = resolve(root, dirname(file), (m[1] ?? m[2]) as string);
    return relative(root, target).replace(/\.js$/, '.ts');
  });
}

const folderOf = (file: string) => file.split('/')[0]!;

describe('src', () => {
  it('has source files to look at', () => {
    expect(files.length).toBeGreaterThan(5);
  });

  it('has only the folders of the design', () => {
    const folders = new Set(files.filter((f) => f.includes('/')).map(folderOf));
    expect([...folders].filter((f) => !ORDER.includes(f))).toEqual([]);
  });

  it('has files that import only from their own folder and from those above it', () => {
    const wrong = files.flatMap((file) =>
      file.includes('/')
        ? importsOf(file)
            .filter(
              (target) => ORDER.indexOf(folderOf(target)) > ORDER.indexOf(folderOf(file)) || !target.includes('/'),
            )
            .map((target) => `${file} imports ${target}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('has no import circle between files', () => {
    const graph = new Map(files.map((file) => [file, importsOf(file)]));
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('uses clock, chance, console, environment and exit in the command line only', () => {
    const forbidden =
      /\bMath\.random\(|\bDate\.now\(|\bnew Date\(\)|\bconsole\.|\bprocess\.(?:env|exit|stdout|stderr)\b/;
    const wrong = files
      .filter((file) => !file.startsWith('cli/'))
      .filter((file) => forbidden.test(readFileSync(join(root, file), 'utf8')));
    expect(wrong).toEqual([]);
  });
});
