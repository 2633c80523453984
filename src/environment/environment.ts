import { fail, shown } from '../util/error.js';

/** What the tag table says about one ingredient (compiler a.2, a.3). */
export interface IngredientTags {
  /** `primary_category`: the category every pool and every composition rule uses. */
  readonly category: string;
  /** `food_group`: the group of substitution checks. Equal to the category where a table has only one. */
  readonly foodGroup: string;
  /** Region list as written, parts separated by `;`. */
  readonly region: string;
  readonly vegetarian: boolean;
  readonly vegan: boolean;
  /** NOVA processing level 1..4, or null where the table has none. */
  readonly nova: number | null;
}

export type DirectionKind = 'cuisine' | 'flavour' | 'nutrient' | 'axis' | 'mode' | 'factor';

/** A named unit vector of the space: a cuisine, a flavour axis, a mode pole, a factor. */
export interface Direction {
  readonly name: string;
  readonly kind: DirectionKind;
  /** `dims` numbers, length 1. */
  readonly unit: Float64Array;
  /** Name of the source file. */
  readonly source: string;
}

export type EnvironmentKind = 'runtime' | 'checkpoint' | 'matrix' | 'pantry' | 'world';

export interface SourceFile {
  readonly role: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What an environment is: one changed byte in one file is another environment. */
export interface EnvironmentIdentity {
  readonly kind: EnvironmentKind;
  /** Digest over the file list (compiler a.1). */
  readonly sha256: string;
  readonly files: readonly SourceFile[];
}

/**
 * An ingredient space. Row i of every table is the ingredient `names[i]`; the order is that of the source and is the order
 * in which ties are broken everywhere.
 */
export interface Environment {
  /** Name it is called by; not part of the identity. */
  readonly name: string;
  readonly identity: EnvironmentIdentity;
  readonly names: readonly string[];
  readonly dims: number;
  /** n x dims values as read, float32: the released runtime parses its table to float32 (compiler a.3). */
  readonly raw: Float32Array;
  /** n x dims rows of length 1 in float64, formed from `raw`. All similarities are dot products of these rows. */
  readonly units: Float64Array;
  /** One entry a row, null for a row that the tag table does not hold; null where the space has no tag table. */
  readonly tags: readonly (IngredientTags | null)[] | null;
  readonly directions: ReadonlyMap<string, Direction>;
  /** Other spellings: variant name to row. */
  readonly variants: ReadonlyMap<string, number>;
}

/** The eight cuisines in their fixed order (compiler a.3). */
export const CUISINES = [
  'Japanese',
  'East_Asian',
  'Southeast_Asian',
  'South_Asian',
  'Latin_American',
  'Mediterranean',
  'Eastern_European',
  'Western_Atlantic',
] as const;

/**
 * Makes rows of length 1 in float64: squares are added in column order and the row is divided by the root. A row of zeros stays
 * zero (compiler a.3: a zero norm is replaced by 1).
 *
 * @param raw n x dims values, row after row.
 */
export function unitRows(raw: ArrayLike<number>, dims: number): Float64Array {
  const out = new Float64Array(raw.length);
  for (let start = 0; start < raw.length; start += dims) {
    let squares = 0;
    for (let j = start; j < start + dims; j += 1) squares += raw[j]! * raw[j]!;
    const norm = squares === 0 ? 1 : Math.sqrt(squares);
    for (let j = start; j < start + dims; j += 1) out[j] = raw[j]! / norm;
  }
  return out;
}

/** Takes row i of the unit table, `dims` numbers, as a view. */
export function unitRow(environment: Environment, row: number): Float64Array {
  return environment.units.subarray(row * environment.dims, (row + 1) * environment.dims);
}

/** Forms the dot product in float64, terms added in column order: the canonical similarity of two unit vectors. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j += 1) sum += a[j]! * b[j]!;
  return sum;
}

/** Lists the parts of a region string: split on `;`, without empty parts and without the text `nan` (compiler a.5). */
export function regionsOf(region: string): string[] {
  return region
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'nan');
}

/** Takes the tag table. Errors: TAGS_MISSING says which operation asked for it. */
export function needTags(environment: Environment, operation: string): readonly (IngredientTags | null)[] {
  if (environment.tags) return environment.tags;
  fail(
    'TAGS_MISSING',
    null,
    `${operation} needs a tag table; environment ${shown(environment.name)} has names and vectors only`,
    'Give a table with the columns name and category (docs/environments.md): `--tags FILE` of compile, of maps, or of `env import ... --force`.',
  );
}

/** Takes the tags of a row. Errors: TAGS_MISSING says which operation asked for them, and of which name. */
export function tagsOfRow(environment: Environment, row: number, operation: string): IngredientTags {
  const tags = needTags(environment, operation)[row];
  if (tags) return tags;
  fail(
    'TAGS_MISSING',
    null,
    `${operation} needs the tags of ${shown(environment.names[row])}, which the tag table of ${shown(environment.name)} has no row for`,
    'Add a row for it to the table, and give the table again with --tags FILE.',
  );
}
