import { basename } from 'node:path';
import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readInput } from '../io/file.js';
import type { FloatTable } from '../io/floats.js';
import { parseJson } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { readDirections } from './directions.js';
import {
  type Direction,
  type Environment,
  type EnvironmentIdentity,
  type EnvironmentKind,
  type SourceFile,
  unitRows,
} from './environment.js';
import { checkNames, readNames, readVariants } from './name-list.js';
import type { FileRole, RoleFile } from './recognise.js';
import { readSpaceText } from './space-file.js';
import { readTags, type TagRow, tagsByName } from './tags.js';
import type { KeepName, VectorFile } from './vector-table.js';
import { readVectors } from './vectors.js';

interface LoadOptions {
  readonly name: string;
  readonly kind: EnvironmentKind;
  readonly files: readonly RoleFile[];
  /** Tensor of the matrix file, where it holds several. */
  readonly tensor?: string;
  /** Which names are kept; all unless given. What is left of a space is another space: its identity must be taken again. */
  readonly keep?: KeepName;
}

/**
 * Reads the files of an environment and checks that they fit each other (reading 3.2). Errors: ENVIRONMENT_UNRECOGNISED, NAMES_MISSING,
 * TAGS_INVALID, MATRIX_INVALID (a row of zeros among others), and those of reading each file.
 */
export async function loadEnvironment(options: LoadOptions): Promise<Environment> {
  const { kind, files, tensor, keep } = options;
  const pathOf = (role: FileRole) => files.find((file) => file.role === role)?.path;
  const matrixPath = pathOf('vectors');
  if (matrixPath === undefined)
    fail('ENVIRONMENT_UNRECOGNISED', null, 'the environment has no matrix file', 'Give the folder with all its files.');
  const listPath = pathOf('names');
  const list = listPath === undefined ? undefined : await readNames(listPath);
  const whole = await readVectors(matrixPath, { count: list?.length, tensor, keep });
  const tagPath = pathOf('tags');
  const table = tagPath === undefined ? undefined : await readTags(tagPath);
  const file = basename(matrixPath);
  const { names, matrix } = kept(namesOf({ matrix: whole, list, listPath, table, file, keep }), whole, keep, file);
  assertNoZeroRow(names, matrix, file);
  const tags = table === undefined ? null : tagsByName(names, table, basename(tagPath!));
  const configPath = pathOf('config');
  if (configPath !== undefined && keep === undefined) await checkConfig(configPath, whole);

  const directions = new Map<string, Direction>();
  for (const role of ['poles', 'directions', 'modes', 'factors'] as const) {
    const path = pathOf(role);
    if (path === undefined) continue;
    for (const direction of await readDirections(path, matrix.columns)) {
      const name = directions.has(direction.name) ? `${role}:${direction.name}` : direction.name;
      directions.set(name, { ...direction, name });
    }
  }
  const variantPath = pathOf('variants');
  return {
    name: options.name,
    identity: identify(kind, files, tensor),
    names,
    dims: matrix.columns,
    raw: matrix.values,
    units: unitRows(matrix.values, matrix.columns),
    tags,
    directions,
    variants: variantPath === undefined ? new Map() : await readVariants(variantPath, names),
  };
}

const NAMES_HINT = 'Put vocab.json, names.json or names.txt beside it, or give --names FILE.';

interface NameSources {
  readonly matrix: VectorFile;
  readonly list: readonly string[] | undefined;
  readonly listPath: string | undefined;
  readonly table: readonly TagRow[] | undefined;
  readonly file: string;
  readonly keep: KeepName | undefined;
}

/** The names of the rows of the matrix: those it holds itself, which a list beside it must not contradict, else those of a list or the ids. */
function namesOf({ matrix, list, listPath, table, file, keep }: NameSources): readonly string[] {
  if (matrix.names) {
    const other = list === undefined || keep !== undefined ? -1 : matrix.names.findIndex((name, i) => name !== list[i]);
    if (list !== undefined && keep === undefined && (other >= 0 || list.length !== matrix.rows)) {
      const row = other >= 0 ? other : matrix.rows;
      fail(
        'NAMES_MISMATCH',
        { file: basename(listPath!) },
        `row ${row + 1} is ${shown(list[row])} there and ${shown(matrix.names[row])} in ${file}, which holds names itself`,
        'Move the list away if the names of the matrix are right, or give one that agrees.',
      );
    }
    return checkNames(matrix.names, file);
  }
  if (list !== undefined) return list;
  if (!table) fail('NAMES_MISSING', { file }, 'the matrix has no row names', NAMES_HINT);
  if (!matrix.ids) fail('NAMES_MISSING', { file }, 'the matrix has neither names nor node_id values', NAMES_HINT);
  const byId = new Map(table.map((row) => [row.id, row.name]));
  const found = matrix.ids.map((id, i) => {
    const name = byId.get(id);
    if (name === undefined) {
      fail('NAMES_MISSING', { file }, `row ${i + 1}: node_id ${shown(id)} is not in the tag table`);
    }
    return name;
  });
  return checkNames(found, file);
}

/** Leaves the rows whose names are kept. Errors: MATRIX_INVALID where none is. */
function kept(
  names: readonly string[],
  matrix: VectorFile,
  keep: KeepName | undefined,
  file: string,
): { readonly names: readonly string[]; readonly matrix: FloatTable } {
  const rows = keep === undefined ? [] : names.flatMap((name, row) => (keep(name) ? [row] : []));
  if (keep === undefined || rows.length === names.length) return { names, matrix };
  if (rows.length === 0)
    fail(
      'MATRIX_INVALID',
      { file },
      `none of its ${names.length} names is kept`,
      'Look at the names of --keep and --without.',
    );
  const { columns } = matrix;
  const values = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => {
    values.set(matrix.values.subarray(row * columns, (row + 1) * columns), i * columns);
  });
  return { names: rows.map((row) => names[row]!), matrix: { rows: rows.length, columns, values } };
}

/** A row of zeros has no direction: every similarity with it would be 0 and mean nothing. Errors: MATRIX_INVALID with name and row. */
function assertNoZeroRow(names: readonly string[], { columns, values }: FloatTable, file: string): void {
  const zeros = names.flatMap((name, row) => {
    for (let j = row * columns; j < (row + 1) * columns; j += 1) if (values[j] !== 0) return [];
    return [{ name, row }];
  });
  if (zeros.length === 0) return;
  const some = zeros.slice(0, 5).map(({ name, row }) => `${shown(name)} (row ${row + 1})`);
  fail(
    'MATRIX_INVALID',
    { file },
    `${zeros.length === 1 ? 'a row of zeros' : `${zeros.length} rows of zeros`}, which have no direction and no cosine: ${some.join(', ')}${zeros.length > 5 ? ', ...' : ''}`,
    `Leave out what has no vector: \`env import ... --without ${zeros
      .slice(0, 5)
      .map(({ name }) => (/^[\w.-]+$/.test(name) ? name : shown(name)))
      .join(',')}\`, or remove the rows from the matrix and its list of names.`,
  );
}

async function checkConfig(path: string, matrix: VectorFile): Promise<void> {
  const config = parseJson(await readSpaceText(path), { file: basename(path) }) as Record<string, unknown> | null;
  for (const [key, actual] of [
    ['vocab_size', matrix.rows],
    ['d_model', matrix.columns],
  ] as const) {
    const stated = config?.[key];
    if (stated !== undefined && stated !== actual) {
      const file = basename(path);
      fail(
        'MATRIX_INVALID',
        { file, path: key },
        `${shown(stated)}, the matrix has ${actual}`,
        'The files come from different checkpoints.',
      );
    }
  }
}

/** Forms the identity of a list of files, and of the tensor that is read of them. A runtime bundle has the identity its task sets record (compiler a.1). */
export function identify(kind: EnvironmentKind, files: readonly RoleFile[], tensor?: string): EnvironmentIdentity {
  const entries: SourceFile[] = files.map(({ role, path }) => {
    const bytes = readInput(path);
    return { role, path: basename(path), bytes: bytes.length, sha256: sha256(bytes) };
  });
  entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const document =
    kind === 'runtime'
      ? {
          manifest_version: 'epicure-data-bundle-manifest-v1',
          entries: entries.map(({ path, bytes, sha256: digest }) => ({
            path,
            bytes,
            sha256: digest,
          })),
        }
      : {
          manifest_version: 'flavourbench-environment/1',
          ...(tensor === undefined ? {} : { tensor }),
          entries: entries
            .map(({ role, bytes, sha256: digest }) => ({ role, bytes, sha256: digest }))
            .sort((a, b) => (a.role < b.role ? -1 : 1)),
        };
  return { kind, sha256: canonicalDigest(document), files: entries };
}
