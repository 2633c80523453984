import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { storedFile } from '../io/file.js';
import { readJson } from '../io/read-file.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { nearestHint } from '../util/spelling.js';
import type { Environment, EnvironmentIdentity } from './environment.js';
import { identify, loadEnvironment } from './load.js';
import { type FileRole, type RoleFile, recognise } from './recognise.js';
import { withTags } from './tags.js';
import { readWorld } from './world.js';

/** What a stored environment may be called. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Names of environments that are part of the program. */
export const BUILT_IN: readonly string[] = ['pantry'];
/** File of an environment's record. */
export const RECORD = 'environment.json';

const recordSchema = z.strictObject({
  schema: z.literal('flavourbench-environment/1'),
  kind: z.enum(['runtime', 'checkpoint', 'matrix']),
  sha256: z.string(),
  tensor: z.string().optional(),
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
export type StoredEnvironment = z.infer<typeof recordSchema>;

export interface StoreOptions {
  /** Data folder of the program (`FLAVOURBENCH_HOME`). */
  readonly home: string;
  readonly name: string;
}

/** Gives the folder that holds a folder for each environment. */
export const storeRoot = (home: string): string => join(home, 'environments');

/** Gives the folder of a stored environment. Errors: USAGE for a name that is none. */
export function storeFolder({ home, name }: StoreOptions): string {
  if (!NAME.test(name)) {
    fail(
      'USAGE',
      null,
      `${shown(name)} is not a name for an environment`,
      'Use 1 to 64 of a-z, 0-9, dot, dash, underscore, beginning with a letter or digit.',
    );
  }
  return join(storeRoot(home), name);
}

/** Path of the record of a stored environment; ENVIRONMENT_UNKNOWN lists what there is. */
function recordPath(options: StoreOptions): string {
  if (BUILT_IN.includes(options.name)) {
    fail('USAGE', null, `${shown(options.name)} is built in; nothing of it is stored`);
  }
  const path = join(storeFolder(options), RECORD);
  if (existsSync(path)) return path;
  const known = [...BUILT_IN, ...listEnvironments(options.home)];
  const near = nearestHint(options.name, known, String);
  fail(
    'ENVIRONMENT_UNKNOWN',
    null,
    `no environment ${shown(options.name)}`,
    `${near === undefined ? '' : `${near} `}There are: ${known.join(', ')}. Import one with \`flavourbench env import DIR --as ${options.name}\`.`,
  );
}

/** Reads the record of a stored environment. Errors: ENVIRONMENT_UNKNOWN, SCHEMA_INVALID. */
export function readStored(options: StoreOptions): StoredEnvironment {
  const path = recordPath(options);
  return checked(
    recordSchema,
    readJson(storedFile(path)),
    { file: path },
    `Remove the environment with \`flavourbench env remove ${options.name}\` and import it again.`,
  );
}

/** Lists the names of the stored environments, sorted. */
export function listEnvironments(home: string): string[] {
  const folder = storeRoot(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && existsSync(join(folder, name, RECORD)))
    .sort();
}

/** The files of a stored environment. A link among them is refused: what is stored is in the store. Errors: those of regular files. */
function filesIn(folder: string, record: StoredEnvironment): RoleFile[] {
  return record.files.map(({ role, path }) => ({ role: role as FileRole, path: storedFile(join(folder, path)) }));
}

/** Compares stored files with their record. Errors: DIGEST_MISMATCH (exit 4) names the first file that changed. */
export function verifyEnvironment(options: StoreOptions): EnvironmentIdentity {
  const record = readStored(options);
  const identity = identify(record.kind, filesIn(storeFolder(options), record), record.tensor);
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

interface OpenOptions extends StoreOptions {
  /** Tag table that takes the place of the environment's own. */
  readonly tags?: string;
}

/**
 * Opens an environment by name; from a folder or a matrix file, which are read in place; or from a world file (`.json`). A name with a path
 * separator is a path, and so is one of no stored environment where a file of that name is. Stored files are compared with their record
 * first, so what runs is what was imported.
 */
export async function openEnvironment(options: OpenOptions): Promise<Environment> {
  const environment = await opened(options);
  return options.tags === undefined ? environment : withTags(environment, options.tags);
}

async function opened(options: StoreOptions): Promise<Environment> {
  const { name } = options;
  if (name === 'pantry') return (await import('./pantry/pantry.js')).openPantry();
  if (name.endsWith('.json') && !isStored(options) && !isVectors(name)) return readWorld(name).environment;
  if (name.includes('/') || name.includes(sep) || (!isStored(options) && existsSync(name)))
    return loadEnvironment({ name: basename(resolve(name)), ...recognise({ folder: name }) });
  const record = readStored(options);
  const files = filesIn(storeFolder(options), record);
  try {
    const environment = await loadEnvironment({ name, kind: record.kind, files, tensor: record.tensor });
    assertSame(name, record, environment.identity);
    return environment;
  } catch (error) {
    verifyEnvironment(options);
    throw error;
  }
}

/** Whether a JSON file is a matrix, names to lists of numbers, rather than a world. */
function isVectors(path: string): boolean {
  const head = existsSync(path) ? readFileSync(path, 'latin1').slice(0, 4096) : '';
  return /^\s*\{\s*"(?:[^"\\]|\\.){0,1000}"\s*:\s*\[\s*[-\d]/.test(head);
}

const isStored = ({ home, name }: StoreOptions): boolean =>
  NAME.test(name) && existsSync(join(storeRoot(home), name, RECORD));

/** Removes a stored environment, also one whose record is damaged. Errors: ENVIRONMENT_UNKNOWN, INPUT_NOT_REGULAR, USAGE. */
export function removeEnvironment(options: StoreOptions): void {
  recordPath(options);
  const folder = storeFolder(options);
  if (!lstatSync(folder).isDirectory()) {
    fail('INPUT_NOT_REGULAR', { file: folder }, 'a folder expected, found something else', 'Move it away.');
  }
  rmSync(folder, { recursive: true });
}
