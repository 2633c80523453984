import { basename } from 'node:path';
import { sha256 } from '../io/digest.js';
import { readInput } from '../io/file.js';
import { parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { type Environment, unitRows } from './environment.js';
import { type WorldDocument, type WorldFamily, worldSchema } from './world-schema.js';

/** A world of your own: things to choose from, and families of tasks over them. */
export interface World {
  readonly document: WorldDocument;
  readonly environment: Environment;
  /** Digest of the file bytes. */
  readonly sha256: string;
  /** Value of a named term of each item, in item order; 0 where an item does not state it. */
  readonly terms: ReadonlyMap<string, Float64Array>;
  /** Agreement of two items by `row * items + row`, 0 where none is stated; null where the world states none. */
  readonly synergy: ReadonlyMap<number, number> | null;
}

/**
 * Reads a world file (docs/environments.md). Items are placed in a space by their vectors, or else by their terms: each term is
 * a column, brought to mean 0 and deviation 1 over the items. Errors: WORLD_INVALID with the path inside the document.
 */
export function readWorld(path: string): World {
  const file = basename(path);
  const bytes = readInput(path);
  const value = parseJson(decodeText(path, bytes), { file });
  const document = checked(worldSchema, value, { file }, HINT, 'WORLD_INVALID');
  const digest = sha256(bytes);
  const rowOf = checkItems(document, file);
  const terms = termTable(document);
  document.families.forEach((family, f) => {
    checkFamily(document, family, { file, at: `families[${f}]`, terms });
  });
  const { dims, raw } = space(document, terms, file);
  const { items } = document;
  return {
    document,
    sha256: digest,
    terms,
    synergy: synergyTable(document, rowOf, file),
    environment: {
      name: document.name,
      identity: {
        kind: 'world',
        sha256: digest,
        files: [{ role: 'world', path: file, bytes: bytes.length, sha256: digest }],
      },
      names: items.map(({ name }) => name),
      dims,
      raw,
      units: unitRows(raw, dims),
      tags: items.map(({ category, flags }) => ({
        category,
        foodGroup: category,
        region: '',
        vegetarian: flags.includes('vegetarian'),
        vegan: flags.includes('vegan'),
        nova: null,
      })),
      directions: new Map(),
      variants: new Map(),
    },
  };
}

const HINT = 'docs/environments.md describes the world file.';

function checkItems({ items }: WorldDocument, file: string): Map<string, number> {
  const rowOf = new Map<string, number>();
  items.forEach(({ name }, row) => {
    const first = rowOf.get(name);
    if (first !== undefined)
      fail('WORLD_INVALID', { file, path: `items[${row}].name` }, `${shown(name)} is also item ${first}`, HINT);
    rowOf.set(name, row);
  });
  return rowOf;
}

function termTable({ items }: WorldDocument): Map<string, Float64Array> {
  const table = new Map<string, Float64Array>();
  items.forEach(({ terms }, row) => {
    for (const [term, value] of Object.entries(terms)) {
      let column = table.get(term);
      if (!column) {
        column = new Float64Array(items.length);
        table.set(term, column);
      }
      column[row] = value;
    }
  });
  return table;
}

/** Rows of float32 numbers: the vectors, or the standardised terms; one column of zeros where there is neither. */
function space(
  { items }: WorldDocument,
  terms: ReadonlyMap<string, Float64Array>,
  file: string,
): { dims: number; raw: Float32Array } {
  const dims = items[0]!.vector?.length;
  items.forEach(({ vector, name }, row) => {
    if (vector?.length !== dims)
      fail(
        'WORLD_INVALID',
        { file, path: `items[${row}].vector` },
        `${shown(name)} has ${vector?.length ?? 'no'} numbers, the first item has ${dims ?? 'none'}`,
        HINT,
      );
  });
  if (dims !== undefined) return { dims, raw: Float32Array.from(items.flatMap(({ vector }) => vector!)) };
  const width = Math.max(1, terms.size);
  const raw = new Float32Array(items.length * width);
  [...terms.values()].forEach((column, j) => {
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length;
    column.forEach((value, row) => {
      raw[row * width + j] = variance === 0 ? 0 : (value - mean) / Math.sqrt(variance);
    });
  });
  return { dims: width, raw };
}

function synergyTable(
  { synergy, items }: WorldDocument,
  rowOf: ReadonlyMap<string, number>,
  file: string,
): Map<number, number> | null {
  if (synergy === undefined) return null;
  const table = new Map<number, number>();
  synergy.forEach(([first, second, value], i) => {
    const rows = [first, second].map((name) => {
      const row = rowOf.get(name);
      if (row === undefined)
        fail('WORLD_INVALID', { file, path: `synergy[${i}]` }, `${shown(name)} is not an item`, HINT);
      return row;
    }) as [number, number];
    const key = Math.min(...rows) * items.length + Math.max(...rows);
    if (rows[0] === rows[1] || table.has(key))
      fail(
        'WORLD_INVALID',
        { file, path: `synergy[${i}]` },
        `${shown(first)} and ${shown(second)} ${rows[0] === rows[1] ? 'are one item' : 'stand twice'}`,
        HINT,
      );
    table.set(key, value);
  });
  return table;
}

interface FamilyPlace {
  readonly file: string;
  readonly at: string;
  readonly terms: ReadonlyMap<string, Float64Array>;
}

function checkFamily(document: WorldDocument, family: WorldFamily, place: FamilyPlace): void {
  const { file, at, terms } = place;
  const { utility, constraint, contexts, pool } = family;
  const same = document.families.filter(({ id }) => id === family.id);
  if (same.length > 1) fail('WORLD_INVALID', { file, path: `${at}.id` }, `${shown(family.id)} is used twice`, HINT);
  const situations = contexts?.map(({ name }) => name) ?? [];
  const twice = situations.findIndex((name, c) => situations.indexOf(name) !== c);
  if (twice >= 0)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.contexts[${twice}].name` },
      `${shown(situations[twice])} is used twice`,
      HINT,
    );
  const hasSpace = document.items[0]!.vector !== undefined || terms.size > 0;
  if ((utility.similarity !== 0 || utility.coherence !== 0) && !hasSpace)
    fail('WORLD_INVALID', { file, path: `${at}.utility` }, 'similarity and coherence need vectors or terms', HINT);
  if (utility.similarity !== 0 && contexts)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.utility.similarity` },
      'a context is no item and has no similarity',
      HINT,
    );
  if (utility.synergy !== 0 && document.synergy === undefined)
    fail('WORLD_INVALID', { file, path: `${at}.utility.synergy` }, 'the world states no synergy', HINT);
  if (utility.similarity === 0 && utility.value === 0)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.utility` },
      'similarity or value must have a weight: candidates are ranked by it',
      HINT,
    );
  if (utility.value !== 0 && !utility.terms && !contexts)
    fail('WORLD_INVALID', { file, path: `${at}.utility.terms` }, 'a value needs terms, here or in contexts', HINT);
  for (const [where, used] of [
    [`${at}.utility.terms`, utility.terms] as const,
    ...(contexts ?? []).map(({ terms: own }, c) => [`${at}.contexts[${c}].terms`, own] as const),
  ]) {
    const unknown = Object.keys(used ?? {}).find((term) => !terms.has(term));
    if (unknown !== undefined)
      fail('WORLD_INVALID', { file, path: where }, `no item states the term ${shown(unknown)}`, HINT);
  }
  const categories = new Set(document.items.map(({ category }) => category));
  const named = typeof pool === 'string' ? [] : [...Object.keys(pool), ...Object.values(pool).flat()];
  const stray = [...named, ...(family.anchors ?? [])].find((category) => !categories.has(category));
  if (stray !== undefined) fail('WORLD_INVALID', { file, path: at }, `no item is of category ${shown(stray)}`, HINT);
  if (constraint && constraint.valid < document.select)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.constraint.valid` },
      `${constraint.valid} valid choices, portfolios of ${document.select}`,
      HINT,
    );
  if (constraint && constraint.valid >= document.choices)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.constraint.valid` },
      `${constraint.valid} of ${document.choices} choices valid leave none to reject`,
      HINT,
    );
  const rejects = document.choices - (constraint?.valid ?? 0);
  if (constraint && constraint.window < rejects)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.constraint.window` },
      `${constraint.window} violations, ${rejects} choices are taken from them`,
      HINT,
    );
  const marks = [...family.question.matchAll(/\{([^{}]*)\}/g)].map(([, mark]) => mark!);
  const wrong = marks.find((mark) => !['anchor', 'count', 'category'].includes(mark));
  if (wrong !== undefined)
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.question` },
      `{${wrong}} is not filled in; {anchor}, {count} and {category} are`,
      HINT,
    );
  if (!marks.includes('anchor'))
    fail(
      'WORLD_INVALID',
      { file, path: `${at}.question` },
      '{anchor} is missing: every task would read the same',
      HINT,
    );
}
