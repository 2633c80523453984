import { basename } from 'node:path';
import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readInput } from '../io/file.js';
import { readJson } from '../io/read-file.js';
import { fail, shown } from '../util/error.js';
import { readDirections } from './directions.js';
import {
  type Direction,
  type Environment,
  type EnvironmentIdentity,
  type EnvironmentKind,
  type IngredientTags,
  type SourceFile,
  unitRows,
} from './environment.js';
import { checkNames, readNames, readVariants } from './name-list.js';
import type { FileRole, RoleFile } from './recognise.js';
import { readTags, type TagRow } from './tags.js';
import { readVectors, type VectorFile } from './vectors.js';

interface LoadOptions {
  readonly name: string;
  readonly kind: EnvironmentKind;
  readonly files: readonly RoleFile[];
}

/**
 * Reads the files of an environment and checks that they fit each other. Errors: ENVIRONMENT_UNRECOGNISED, NAMES_MISSING,
 * TAGS_INVALID, MATRIX_INVALID, and those of reading each file.
 */
export function loadEnvironment(options: LoadOptions): Environment {
  const { kind, files } = options;
  const pathOf = (role: FileRole) => files.find((file) => file.role === role)?.path;
  const need = (role: FileRole): string => {
    const path = pathOf(role);
    if (path !== undefined) return path;
    fail(
      'ENVIRONMENT_UNRECOGNISED',
      null,
      `the environment has no file for ${role}`,
      'Give the folder with all its files.',
    );
  };
  const listPath = pathOf('names');
  const list = listPath === undefined ? undefined : readNames(listPath);
  const matrixPath = need('vectors');
  const matrix = readVectors(matrixPath, list?.length);
  const tagPath = pathOf('tags');
  const table = tagPath === undefined ? undefined : readTags(tagPath);
  const names = list ?? namesOf(matrix, table, basename(matrixPath));
  const tags = table === undefined ? null : aligned(names, table, basename(tagPath!));
  const configPath = pathOf('config');
  if (configPath !== undefined) checkConfig(configPath, matrix);

  const directions = new Map<string, Direction>();
  for (const role of ['poles', 'directions', 'modes', 'factors'] as const) {
    const path = pathOf(role);
    if (path === undefined) continue;
    for (const direction of readDirections(path, matrix.columns)) {
      const name = directions.has(direction.name) ? `${role}:${direction.name}` : direction.name;
      directions.set(name, { ...direction, name });
    }
  }
  const variantPath = pathOf('variants');
  return {
    name: options.name,
    identity: identify(kind, files),
    names,
    dims: matrix.columns,
    raw: matrix.values,
    units: unitRows(matrix.values, matrix.columns),
    tags,
    directions,
    variants: variantPath === undefined ? new Map() : readVariants(variantPath, names),
  };
}

function namesOf(matrix: VectorFile, table: readonly TagRow[] | undefined, file: string): readonly string[] {
  if (matrix.names) return checkNames(matrix.names, file);
  if (!table) {
    fail(
      'NAMES_MISSING',
      { file },
      'the matrix has no row names',
      'Put vocab.json, names.json or names.txt beside it, or give --names FILE.',
    );
  }
  if (!matrix.ids) {
    fail(
      'NAMES_MISSING',
      { file },
      'the matrix has neither names nor node_id values',
      'Put vocab.json, names.json or names.txt beside it, or give --names FILE.',
    );
  }
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

function aligned(names: readonly string[], table: readonly TagRow[], file: string): readonly IngredientTags[] {
  const byName = new Map<string, IngredientTags>();
  for (const { name, tags } of table) {
    if (byName.has(name)) {
      fail('TAGS_INVALID', { file }, `${shown(name)} has two rows`, 'Keep one row a name.');
    }
    byName.set(name, tags);
  }
  const missing = names.filter((name) => !byName.has(name));
  if (missing.length > 0) {
    fail(
      'TAGS_INVALID',
      { file },
      `no row for ${missing.length} of ${names.length} names: ${missing.slice(0, 5).join(', ')}`,
      'Every name of the matrix needs one row in the tag table.',
    );
  }
  return names.map((name) => byName.get(name)!);
}

function checkConfig(path: string, matrix: VectorFile): void {
  const config = readJson(path) as Record<string, unknown> | null;
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

/** Forms the identity of a list of files. A runtime bundle has the identity its task sets record (compiler a.1). */
export function identify(kind: EnvironmentKind, files: readonly RoleFile[]): EnvironmentIdentity {
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
          entries: entries
            .map(({ role, bytes, sha256: digest }) => ({ role, bytes, sha256: digest }))
            .sort((a, b) => (a.role < b.role ? -1 : 1)),
        };
  return { kind, sha256: canonicalDigest(document), files: entries };
}
