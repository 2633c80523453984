import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputStat, readInput, writeAtomic } from '../io/file.js';
import { dropTemporary, makeFolder, temporaryFolder } from '../io/write/temporary.js';
import { fail, shown } from '../util/error.js';
import { nearestOrAll } from '../util/spelling.js';
import type { Environment, EnvironmentKind } from './environment.js';
import { loadEnvironment } from './load.js';
import { readNames } from './name-list.js';
import { type FileRole, type RoleFile, recognise } from './recognise.js';
import {
  BUILT_IN,
  RECORD,
  type StoredEnvironment,
  type StoreOptions,
  storeFolder,
  storeRoot,
  verifyEnvironment,
} from './store.js';

export interface ImportOptions extends StoreOptions {
  /** Folder with the files, or the matrix file. */
  readonly folder: string;
  readonly given?: Partial<Record<FileRole, string>>;
  readonly tensor?: string;
  /** File of the names that are kept: a list, or a table with a column `name`. */
  readonly only?: string;
  /** Names that are left out. */
  readonly without?: readonly string[];
  /** Whether another environment of the name is replaced. */
  readonly force?: boolean;
}

export interface Imported {
  readonly environment: Environment;
  /** False when the same files were already stored under this name. */
  readonly added: boolean;
  /** Whether another environment was replaced. */
  readonly replaced: boolean;
}

/** Copies a file into the store, through links; what came through a pipe is written down. */
function keepFile(from: string, to: string): void {
  if (inputStat(from) === null) writeAtomic(to, readInput(from));
  else copyFileSync(from, to);
}

/**
 * Reads an environment from a folder or a matrix file, checks it, and copies its files into the store; of a selection of names, only their
 * rows (reading 3.3). The same files under the same name are success without a change; other files under a name in use are refused unless
 * they are forced. Errors: ENVIRONMENT_EXISTS, STORE_UNWRITABLE, INGREDIENT_UNKNOWN, USAGE, and those of reading an environment.
 */
export async function importEnvironment(options: ImportOptions): Promise<Imported> {
  const target = storeFolder(options);
  const { name, home, tensor } = options;
  if (BUILT_IN.includes(name)) {
    fail('USAGE', null, `${shown(name)} is the name of a built-in environment`, 'Choose another name.');
  }
  const found = recognise({ folder: options.folder, given: options.given ?? {} });
  let temporary = '';
  const folder = (): string => {
    if (temporary !== '') return temporary;
    makeFolder(storeRoot(home));
    temporary = temporaryFolder(join(storeRoot(home), '.import-'));
    return temporary;
  };
  try {
    const { environment, files } = await selected(options, found, folder);
    const { identity } = environment;
    const before = existsSync(join(target, RECORD)) ? recordOf(options) : undefined;
    if (before?.sha256 === identity.sha256 && before.intact) return { environment, added: false, replaced: false };
    if (before && options.force !== true)
      fail(
        'ENVIRONMENT_EXISTS',
        null,
        `${shown(name)} is ${before.sha256.slice(0, 16)}, these files are ${identity.sha256.slice(0, 16)}`,
        'Choose another name, or replace it with --force.',
      );
    const paths = new Set(files.map(({ path }) => basename(path)));
    if (paths.size !== files.length) {
      fail('USAGE', null, 'two of the files have the same name', 'Rename one: the store keeps them in one folder.');
    }
    writing(target, () => {
      for (const { path } of files) if (!path.startsWith(folder())) keepFile(path, join(folder(), basename(path)));
      const record: StoredEnvironment = {
        schema: 'flavourbench-environment/1',
        kind: identity.kind as StoredEnvironment['kind'],
        sha256: identity.sha256,
        ...(tensor === undefined || selects(options) ? {} : { tensor }),
        ingredients: environment.names.length,
        dims: environment.dims,
        files: identity.files.map((file) => ({ ...file })),
      };
      writeAtomic(join(folder(), RECORD), `${JSON.stringify(record, null, 2)}\n`);
      if (before) rmSync(target, { recursive: true });
      renameSync(folder(), target);
    });
    temporary = '';
    return { environment, added: true, replaced: before !== undefined };
  } finally {
    if (temporary !== '') dropTemporary(temporary);
  }
}

/** The record that a name has now, and whether the stored files are still those it lists. A damaged one counts as another environment. */
function recordOf(options: ImportOptions): { readonly sha256: string; readonly intact: boolean } {
  if (options.force !== true) return { sha256: verifyEnvironment(options).sha256, intact: true };
  try {
    return { sha256: verifyEnvironment(options).sha256, intact: true };
  } catch {
    return { sha256: '', intact: false };
  }
}

const selects = ({ only, without }: ImportOptions): boolean => only !== undefined || (without?.length ?? 0) > 0;

/** Reads what is found. Of a selection, the rows that are kept become files of their own, and those are read again. */
async function selected(
  options: ImportOptions,
  found: { readonly kind: EnvironmentKind; readonly files: readonly RoleFile[] },
  folder: () => string,
): Promise<{ readonly environment: Environment; readonly files: readonly RoleFile[] }> {
  const { name, tensor, only, without = [] } = options;
  if (!selects(options)) return { environment: await loadEnvironment({ name, ...found, tensor }), files: found.files };
  const wanted = only === undefined ? null : new Set(await readNames(only));
  const dropped = new Set(without);
  const left = new Set<string>();
  const keep = (each: string) => {
    if (dropped.has(each)) left.add(each);
    return !dropped.has(each) && (wanted === null || wanted.has(each));
  };
  const whole = await loadEnvironment({ name, ...found, tensor, keep });
  const unknown = without.filter((each) => !left.has(each));
  if (unknown.length > 0)
    fail(
      'INGREDIENT_UNKNOWN',
      null,
      `--without ${shown(unknown[0])} is no name of the matrix`,
      nearestOrAll(unknown[0]!, whole.names),
    );
  const vectors = join(folder(), 'vectors.f32');
  const names = join(folder(), 'names.json');
  writing(folder(), () => {
    writeFileSync(vectors, littleEndian(whole.raw));
    writeFileSync(names, `${JSON.stringify(whole.names)}\n`);
  });
  const others = found.files.filter(({ role }) => !['vectors', 'names', 'config', 'other'].includes(role));
  const files: RoleFile[] = [{ role: 'vectors', path: vectors }, { role: 'names', path: names }, ...others];
  return { environment: await loadEnvironment({ name, kind: 'matrix', files }), files };
}

function littleEndian(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i += 1) view.setFloat32(4 * i, values[i]!, true);
  return bytes;
}

/** Runs what writes into the store. Errors: STORE_UNWRITABLE. */
function writing(target: string, run: () => void): void {
  try {
    run();
  } catch (cause) {
    fail(
      'STORE_UNWRITABLE',
      { file: target },
      `cannot be written: ${(cause as Error).message}`,
      'Check the folder and the space on its disk, or set FLAVOURBENCH_HOME to another one.',
      { cause },
    );
  }
}
