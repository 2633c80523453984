import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inputStat } from '../io/file.js';
import { fail } from '../util/error.js';
import type { EnvironmentKind } from './environment.js';
import { plainEnding } from './space-file.js';

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

const MATRIX_ENDINGS = [
  '.csv',
  '.safetensors',
  '.npy',
  '.npz',
  '.f32',
  '.f32le.bin',
  '.bin',
  '.vec',
  '.txt',
  '.tsv',
  '.json',
];

/** File names looked for, packed or not; the first one found takes the role. */
const KNOWN: ReadonlyMap<FileRole, readonly string[]> = new Map([
  ['vectors', ['embeddings', 'vectors', 'matrix'].flatMap((stem) => MATRIX_ENDINGS.map((end) => stem + end))],
  ['names', ['vocab.json', 'names.json', 'names.txt', 'names.csv', 'vocab.txt']],
  ['tags', ['ingredient_tags.csv', 'tags.csv']],
  ['directions', ['supervised_directions.npz', 'directions.npz', 'directions.json']],
  ['poles', ['cuisine_poles.json']],
  ['modes', ['mode_poles_cooc.npy', 'mode_poles.npy']],
  ['factors', ['factor_dirs_ica_n20.npy', 'factor_dirs.npy']],
  ['variants', ['consolidated_nodes.csv']],
  ['config', ['config.json']],
]);
/** Endings that a matrix alone has: the only such file of a folder is it, whatever it is called. */
const OWN_ENDINGS = new Set(['.vec', '.safetensors', '.npy', '.npz', '.f32', '.bin']);

/** Files of a frozen runtime bundle that are part of its identity although nothing is read from them (compiler a.1). */
const RUNTIME_OTHERS = [
  'ingredient_list.csv',
  'factor_labels_ica_cooc.json',
  'mode_explorer_cooc.json',
  'umap_coords.csv',
  'umap_coords_3d.csv',
];

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    fail(
      'INPUT_NOT_FOUND',
      { file: folder },
      'a folder or a matrix file expected, found nothing that can be read',
      'Give the folder that holds the files of the environment, or the matrix file itself.',
      { cause },
    );
  }
}

/** The folder of a hub cache in which the files of its main revision stand as links; any other folder is what it is (reading 3.1). */
function snapshotOf(folder: string): string {
  const snapshots = join(folder, 'snapshots');
  if (!existsSync(snapshots)) return folder;
  const reference = join(folder, 'refs', 'main');
  const revisions = existsSync(reference) ? [readFileSync(reference, 'utf8').trim()] : readdirSync(snapshots);
  if (revisions.length === 1 && existsSync(join(snapshots, revisions[0]!))) return join(snapshots, revisions[0]!);
  fail(
    'ENVIRONMENT_UNRECOGNISED',
    { file: folder },
    `a hub cache with ${revisions.length} revisions and no refs/main`,
    `Give the folder of one of them: ${revisions.map((name) => join(snapshots, name)).join(', ')}.`,
  );
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const packed = (name: string): string[] => [name, `${name}.gz`, `${name}.zst`];

/**
 * Says which file of a folder is what, and what kind of environment they make; a file in its place is the matrix, and nothing beside it is looked
 * at. Reads no content. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR, ENVIRONMENT_UNRECOGNISED where there is no matrix, or several could be it.
 */
export function recognise(options: RecogniseOptions): { kind: EnvironmentKind; files: RoleFile[] } {
  const { given = {} } = options;
  const alone = existsSync(options.folder) && !isFolder(options.folder);
  const folder = alone ? dirname(options.folder) : snapshotOf(options.folder);
  const present = new Set(alone ? [] : filesOf(folder));
  const files: RoleFile[] = [];
  for (const [role, candidates] of KNOWN) {
    const own = given[role] ?? (alone && role === 'vectors' ? options.folder : undefined);
    const name = candidates.flatMap(packed).find((candidate) => present.has(candidate));
    if (own !== undefined) files.push({ role, path: own });
    else if (name !== undefined) files.push({ role, path: join(folder, name) });
  }
  if (alone && given.vectors !== undefined)
    fail(
      'USAGE',
      { file: options.folder },
      'is a matrix file, and --vectors names another one',
      'Give one of them, or the folder that holds the other files.',
    );
  if (!files.some(({ role }) => role === 'vectors'))
    files.unshift({ role: 'vectors', path: join(folder, onlyMatrix(folder, present, files)) });
  const pathOf = (role: FileRole) => files.find((file) => file.role === role)?.path;
  const vectors = basename(pathOf('vectors')!);
  const names = pathOf('names');
  const runtime = vectors === 'embeddings.csv' && pathOf('tags') !== undefined && names === undefined;
  if (runtime)
    for (const name of RUNTIME_OTHERS) if (present.has(name)) files.push({ role: 'other', path: join(folder, name) });
  for (const { path } of files) inputStat(path);
  const checkpoint = vectors.startsWith('embeddings.') && names?.endsWith('vocab.json');
  return { kind: runtime ? 'runtime' : checkpoint ? 'checkpoint' : 'matrix', files };
}

/** The only file of a folder that can be the matrix although it is not called so; of several, the only one of safetensors. */
function onlyMatrix(folder: string, present: ReadonlySet<string>, files: readonly RoleFile[]): string {
  const taken = new Set(files.map(({ path }) => basename(path)));
  const found = [...present].filter((name) => OWN_ENDINGS.has(plainEnding(name)) && !taken.has(name)).sort();
  const safe = found.filter((name) => plainEnding(name) === '.safetensors');
  if (found.length === 1 || safe.length === 1) return safe[0] ?? found[0]!;
  const listed = (found.length > 1 ? found : [...present].sort()).slice(0, 8).join(', ') || 'nothing';
  fail(
    'ENVIRONMENT_UNRECOGNISED',
    { file: folder },
    found.length > 1
      ? `${found.length} files of this folder could be the matrix: ${listed}`
      : `no matrix file in this folder; it holds ${listed}`,
    found.length > 1
      ? 'Say which with --vectors FILE.'
      : 'Expected embeddings.csv, embeddings.safetensors, or vectors.{csv,txt,vec,npy,safetensors,f32}; or name one with --vectors FILE.',
  );
}
