import { canonicalDigest } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import { readInput } from '../../io/file.js';
import {
  CUISINES,
  type Direction,
  type DirectionKind,
  type Environment,
  type EnvironmentIdentity,
  unitRows,
} from '../environment.js';
import { PANTRY_RECIPE } from './pantry-recipe.js';
import { PANTRY_FOLDER, pantryFiles, readPantryTables } from './pantry-tables.js';
import { pantryVectors } from './pantry-vectors.js';

/** Fewest ingredients a flavour note needs for a direction. */
const LEAST_MEMBERS = 8;

/** Digest over the recipe and every table. */
function identity(): EnvironmentIdentity {
  const files = pantryFiles().map((path) => {
    const bytes = readInput(PANTRY_FOLDER + path);
    return { role: 'table', path, bytes: bytes.length, sha256: sha256(bytes) };
  });
  const entries = files.map(({ path, bytes, sha256: digest }) => ({ path, bytes, sha256: digest }));
  return { kind: 'pantry', sha256: canonicalDigest({ recipe: PANTRY_RECIPE, entries }), files };
}

/** Mean of some rows of a table, taken in the order given. */
function meanOf(units: Float64Array, dims: number, rows: readonly number[]): Float64Array {
  const out = new Float64Array(dims);
  for (const i of rows) for (let j = 0; j < dims; j += 1) out[j]! += units[i * dims + j]!;
  return out.map((sum) => sum / rows.length);
}

/**
 * Opens the built-in environment: ingredients, tags and vectors authored by this project, no network and no import needed. A
 * direction for each of the eight cuisines and for each flavour note that is common enough: the mean of the ingredients
 * that carry it less the mean of all.
 */
export function openPantry(): Environment {
  const tables = readPantryTables();
  const { dims } = PANTRY_RECIPE;
  const { ingredients } = tables;
  const raw = pantryVectors(tables, PANTRY_RECIPE);
  const units = unitRows(raw, dims);
  const directions = new Map<string, Direction>();
  const centre = meanOf(units, dims, [...ingredients.keys()]);
  const add = (name: string, kind: DirectionKind, members: readonly number[]) => {
    const leaning = meanOf(units, dims, members).map((value, j) => value - centre[j]!);
    directions.set(name, { name, kind, unit: unitRows(leaning, dims), source: 'pantry tables' });
  };
  const rowsWhere = (holds: (ingredient: (typeof ingredients)[number]) => boolean): number[] =>
    ingredients.flatMap((ingredient, row) => (holds(ingredient) ? [row] : []));
  for (const cuisine of CUISINES)
    add(
      cuisine,
      'cuisine',
      rowsWhere(({ regions }) => regions.includes(cuisine)),
    );
  for (const note of tables.notes.keys()) {
    const members = rowsWhere(({ notes }) => notes.includes(note));
    if (members.length >= LEAST_MEMBERS) add(note, 'flavour', members);
  }
  const rowOf = new Map(ingredients.map(({ name }, row) => [name, row]));
  return {
    name: 'pantry',
    identity: identity(),
    names: ingredients.map(({ name }) => name),
    dims,
    raw,
    units,
    tags: ingredients.map(({ kind, regions, diet, nova }) => ({
      category: kind.category,
      foodGroup: kind.category,
      region: regions.join(';'),
      vegetarian: diet !== 'omnivore',
      vegan: diet === 'vegan',
      nova,
    })),
    directions,
    variants: new Map([...tables.variants].map(([variant, name]) => [variant, rowOf.get(name)!])),
  };
}
