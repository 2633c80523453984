import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../io/file.js';
import { readJson } from '../io/read-file.js';
import { dropTemporary, temporaryFolder } from '../io/temporary.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import type { Environment, EnvironmentIdentity } from './environment.js';
import { identify, loadEnvironment } from './load.js';
import { type FileRole, type RoleFile, recognise } from './recognise.js';
import { readWorld } from './world.js';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Names of environments that are part of the program. */
export const BUILT_IN: readonly string[] = ['pantry'];
const RECORD = 'environment.json';

const recordSchema = z.strictObject({
  schema: z.literal('flavourbench-environment/1'),
  kind: z.enum(['runtime', 'checkpoint', 'matrix']),
  sha256: z.string(),
  ingredients: z.number().int().positive(),
  dims: z.number().int().positive(),
  files: z.array(
    z.strictObject({
      role: z.string(),
      path: z.string().regex(/^[^/\\]{1,200}$/),
      bytes: z.number().int().nonnegative(),
      sha256: z.string(),
    }),
  ),
});

/** What the store keeps about an environment beside its files. */
type StoredEnvironment = z.infer<typeof recordSchema>;

interface StoreOptions {
  /** Data folder of the program (`FLAVOURBENCH_HOME`). */
  readonly home: string;
  readonly name: string;
}

const root = (home: string) => join(home, 'environments');

function folderOf({ home, name }: StoreOptions): string {
  if (!NAME.test(name)) {
    fail(
      'USAGE',
      null,
      `${shown(name)} is not a name for an environment`,
      'Use 1 to 64 of a-z, 0-9, dot, dash, underscore, beginning with a letter or digit.',
    );
  }
  return join(root(home), name);
}

/** Path of the record of a stored environment; ENVIRONMENT_UNKNOWN lists what there is. */
function recordPath(options: StoreOptions): string {
  if (BUILT_IN.includes(options.name)) {
    fail('USAGE', null, `${shown(options.name)} is built in; nothing of it is stored`);
  }
  const path = join(folderOf(options), RECORD);
  if (existsSync(path)) return path;
  const known = [...BUILT_IN, ...listEnvironments(options.home)];
  fail(
    'ENVIRONMENT_UNKNOWN',
    null,
    `no environment ${shown(options.name)}`,
    `There are: ${known.join(', ')}. Import one with \`flavourbench env import DIR --as ${options.name}\`.`,
  );
}

/** Reads the record of a stored environment. Errors: ENVIRONMENT_UNKNOWN, SCHEMA_INVALID. */
export function readStored(options: StoreOptions): StoredEnvironment {
  const path = recordPath(options);
  return checked(
    recordSchema,
    readJson(path),
    { file: path },
    `Remove the environment with \`flavourbench env remove ${options.name}\` and import it again.`,
  );
}

/** Lists the names of the stored environments, sorted. */
export function listEnvironments(home: string): string[] {
  const folder = root(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && existsSync(join(folder, name, RECORD)))
    .sort();
}

function filesIn(folder: string, record: StoredEnvironment): RoleFile[] {
  return record.files.map(({ role, path }) => ({
    role: role as FileRole,
    path: join(folder, path),
  }));
}

/** Compares stored files with their record. Errors: DIGEST_MISMATCH (exit 4) names the first file that changed. */
export function verifyEnvironment(options: StoreOptions): EnvironmentIdentity {
  const record = readStored(options);
  const identity = identify(record.kind, filesIn(folderOf(options), record));
  assertSame(options.name, record, identity);
  return identity;
}

function assertSame(name: string, record: StoredEnvironment, identity: EnvironmentIdentity): void {
  if (record.sha256 === identity.sha256) return;
  const changed = record.files.find(
    (file) => identity.files.find(({ path }) => path === file.path)?.sha256 !== file.sha256,
  );
  const found = identity.files.find(({ path }) => path === changed?.path);
  fail(
    'DIGEST_MISMATCH',
    null,
    changed
      ? `environment ${name}: ${changed.path} has SHA-256 ${found?.sha256}, its record says ${changed.sha256}`
      : `environment ${name} is ${identity.sha256}, its record says ${record.sha256}`,
    'The stored files were changed; remove the environment and import it again.',
    { exit: 4 },
  );
}

/**
 * Opens an environment by name, from a folder when the name has a path separator, or from a world file (`.json`). Stored files are compared with their
 * record first, so what runs is what was imported.
 */
export async function openEnvironment(options: StoreOptions): Promise<Environment> {
  const { name } = options;
  if (name === 'pantry') return (await import('./pantry/pantry.js')).openPantry();
  if (name.endsWith('.json')) return readWorld(name).environment;
  if (name.includes('/') || name.includes(sep)) {
    return loadEnvironment({ name: basename(resolve(name)), ...recognise({ folder: name }) });
  }
  const record = readStored(options);
  const files = filesIn(folderOf(options), record);
  try {
    const environment = loadEnvironment({ name, kind: record.kind, files });
    assertSame(name, record, environment.identity);
    return environment;
  } catch (error) {
    verifyEnvironment(options);
    throw error;
  }
}

export interface ImportOptions extends StoreOptions {
  readonly folder: string;
  readonly given?: Partial<Record<FileRole, string>>;
}

export interface Imported {
  readonly environment: Environment;
  /** False when the same files were already stored under this name. */
  readonly added: boolean;
}

/**
 * Reads an environment from a folder, checks it, and copies its files into the store. The same files under the same name
 * are success without a change; other files under a name in use are refused. Errors: ENVIRONMENT_EXISTS, STORE_UNWRITABLE,
 * USAGE, and those of reading an environment.
 */
export function importEnvironment(options: ImportOptions): Imported {
  const target = folderOf(options);
  const { name, home } = options;
  if (BUILT_IN.includes(name)) {
    fail('USAGE', null, `${shown(name)} is the name of a built-in environment`, 'Choose another name.');
  }
  const found = recognise({ folder: options.folder, given: options.given ?? {} });
  const environment = loadEnvironment({ name, ...found });
  if (existsSync(join(target, RECORD))) {
    const record = readStored(options);
    if (record.sha256 === environment.identity.sha256) {
      verifyEnvironment(options);
      return { environment, added: false };
    }
    fail(
      'ENVIRONMENT_EXISTS',
      null,
      `${shown(name)} is ${record.sha256.slice(0, 16)}, these files are ${environment.identity.sha256.slice(0, 16)}`,
      `Choose another name, or \`flavourbench env remove ${name}\` first.`,
    );
  }
  const paths = new Set(found.files.map(({ path }) => basename(path)));
  if (paths.size !== found.files.length) {
    fail('USAGE', null, 'two of the files have the same name', 'Rename one: the store keeps them in one folder.');
  }
  let temporary = '';
  try {
    mkdirSync(root(home), { recursive: true });
    temporary = temporaryFolder(join(root(home), '.import-'));
    for (const { path } of found.files) copyFileSync(path, join(temporary, basename(path)));
    const record: StoredEnvironment = {
      schema: 'flavourbench-environment/1',
      kind: found.kind as StoredEnvironment['kind'],
      sha256: environment.identity.sha256,
      ingredients: environment.names.length,
      dims: environment.dims,
      files: environment.identity.files.map((file) => ({ ...file })),
    };
    writeAtomic(join(temporary, RECORD), `${JSON.stringify(record, null, 2)}\n`);
    renameSync(temporary, target);
  } catch (cause) {
    if (temporary !== '') dropTemporary(temporary);
    fail(
      'STORE_UNWRITABLE',
      { file: target },
      `cannot be written: ${(cause as Error).message}`,
      'Check the folder and the space on its disk, or set FLAVOURBENCH_HOME to another one.',
      { cause },
    );
  }
  return { environment, added: true };
}

/** Removes a stored environment, also one whose record is damaged. Errors: ENVIRONMENT_UNKNOWN, INPUT_NOT_REGULAR, USAGE. */
export function removeEnvironment(options: StoreOptions): void {
  recordPath(options);
  const folder = folderOf(options);
  if (!lstatSync(folder).isDirectory()) {
    fail('INPUT_NOT_REGULAR', { file: folder }, 'a folder expected, found something else', 'Move it away.');
  }
  rmSync(folder, { recursive: true });
}
