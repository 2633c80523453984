import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assertInputFile } from '../io/file.js';
import { fail } from '../util/error.js';
import type { EnvironmentKind } from './environment.js';

export type FileRole =
  | 'vectors'
  | 'names'
  | 'tags'
  | 'directions'
  | 'poles'
  | 'modes'
  | 'factors'
  | 'variants'
  | 'config'
  | 'other';

export interface RoleFile {
  readonly role: FileRole;
  readonly path: string;
}

interface RecogniseOptions {
  readonly folder: string;
  /** Files that take a role whatever lies in the folder. */
  readonly given?: Partial<Record<FileRole, string>>;
}

/** File names looked for, the first one found takes the role. */
const KNOWN: ReadonlyMap<FileRole, readonly string[]> = new Map([
  [
    'vectors',
    ['embeddings', 'vectors', 'matrix'].flatMap((stem) =>
      ['.csv', '.safetensors', '.npy', '.f32', '.f32le.bin', '.bin'].map((end) => stem + end),
    ),
  ],
  ['names', ['vocab.json', 'names.json', 'names.txt', 'names.csv', 'vocab.txt']],
  ['tags', ['ingredient_tags.csv', 'tags.csv']],
  ['directions', ['supervised_directions.npz', 'directions.npz', 'directions.json']],
  ['poles', ['cuisine_poles.json']],
  ['modes', ['mode_poles_cooc.npy', 'mode_poles.npy']],
  ['factors', ['factor_dirs_ica_n20.npy', 'factor_dirs.npy']],
  ['variants', ['consolidated_nodes.csv']],
  ['config', ['config.json']],
]);

/** Files of a frozen runtime bundle that are part of its identity although nothing is read from them (compiler a.1). */
const RUNTIME_OTHERS = [
  'ingredient_list.csv',
  'factor_labels_ica_cooc.json',
  'mode_explorer_cooc.json',
  'umap_coords.csv',
  'umap_coords_3d.csv',
];

function filesOf(folder: string): Set<string> {
  try {
    if (lstatSync(folder).isDirectory()) return new Set(readdirSync(folder));
  } catch (cause) {
    fail(
      'INPUT_NOT_FOUND',
      { file: folder },
      'a folder expected, found nothing that can be read',
      'Give the folder that holds the files of the environment.',
      { cause },
    );
  }
  fail(
    'INPUT_NOT_REGULAR',
    { file: folder },
    'a folder expected, found something else',
    'Give the folder that holds the files, not one of them.',
  );
}

/** Says which file of a folder is what, and what kind of environment they make. Reads no content. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR,
 * ENVIRONMENT_UNRECOGNISED where there is no matrix. */
export function recognise(options: RecogniseOptions): { kind: EnvironmentKind; files: RoleFile[] } {
  const { folder, given = {} } = options;
  const present = filesOf(folder);
  const files: RoleFile[] = [];
  for (const [role, candidates] of KNOWN) {
    const own = given[role];
    const name = candidates.find((candidate) => present.has(candidate));
    if (own !== undefined) files.push({ role, path: own });
    else if (name !== undefined) files.push({ role, path: join(folder, name) });
  }
  const pathOf = (role: FileRole) => files.find((file) => file.role === role)?.path;
  const vectors = pathOf('vectors');
  if (vectors === undefined) {
    const found = [...present].sort().slice(0, 8).join(', ') || 'nothing';
    fail(
      'ENVIRONMENT_UNRECOGNISED',
      { file: folder },
      `no matrix file in this folder; it holds ${found}`,
      'Expected embeddings.csv, embeddings.safetensors, or vectors.{csv,npy,safetensors,f32}; or name one with --vectors FILE.',
    );
  }
  const tags = pathOf('tags');
  const names = pathOf('names');
  const runtime = basename(vectors) === 'embeddings.csv' && tags !== undefined && names === undefined;
  if (runtime)
    for (const name of RUNTIME_OTHERS) if (present.has(name)) files.push({ role: 'other', path: join(folder, name) });
  for (const file of files) assertInputFile(file.path);
  const checkpoint = basename(vectors).startsWith('embeddings.') && names?.endsWith('vocab.json');
  return { kind: runtime ? 'runtime' : checkpoint ? 'checkpoint' : 'matrix', files };
}
