import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CsvTable, parseCsv } from '../../io/csv.js';
import { readText } from '../../io/file.js';
import { fail, shown } from '../../util/error.js';
import { CUISINES } from '../environment.js';

/** Folder of the tables, the same from `src` and from `dist`. */
export const PANTRY_FOLDER = fileURLToPath(new URL('../../../fixtures/pantry/', import.meta.url));

/** A family of ingredients inside a category, and what all its members share. */
export interface Kind {
  readonly kind: string;
  readonly category: string;
  /** What it does in a dish: body, aromatic, seasoning, fat, ... */
  readonly role: string;
  readonly texture: string;
  readonly uses: readonly string[];
}

export type Diet = 'vegan' | 'vegetarian' | 'omnivore';

/** What the tables say about one ingredient. */
export interface Ingredient {
  readonly name: string;
  readonly kind: Kind;
  readonly diet: Diet;
  /** NOVA processing level 1..4. */
  readonly nova: number;
  /** `universal` or some of the eight cuisines. */
  readonly regions: readonly string[];
  readonly notes: readonly string[];
  /** Uses of its kind, then its own. */
  readonly uses: readonly string[];
  /** Names of the classic dishes it is in. */
  readonly dishes: readonly string[];
}

export interface PantryTables {
  /** Ordered by name. */
  readonly ingredients: readonly Ingredient[];
  /** Flavour note to its group. */
  readonly notes: ReadonlyMap<string, string>;
  /** Use to its group. */
  readonly uses: ReadonlyMap<string, string>;
  /** Classic dish to the ingredients that make it. */
  readonly dishes: ReadonlyMap<string, readonly string[]>;
  /** Other spellings to names. */
  readonly variants: ReadonlyMap<string, string>;
}

/** Lists the tables, paths relative to the folder, in byte order. */
export function pantryFiles(): string[] {
  const own = ['dishes.csv', 'kinds.csv', 'notes.csv', 'uses.csv', 'variants.csv'];
  const ingredients = readdirSync(new URL('ingredients/', `file://${PANTRY_FOLDER}`))
    .filter((file) => file.endsWith('.csv'))
    .map((file) => `ingredients/${file}`);
  return [...own, ...ingredients].sort();
}

const HINT = 'The tables of the built-in pantry are described in docs/pantry.md.';
const DIETS: ReadonlySet<string> = new Set(['vegan', 'vegetarian', 'omnivore']);
const REGIONS: ReadonlySet<string> = new Set(['universal', ...CUISINES]);
const NAME = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

type Row = Readonly<Record<string, string>>;

function rowsOf(file: string, columns: readonly string[]): { row: Row; line: number }[] {
  const table: CsvTable = parseCsv(readText(PANTRY_FOLDER + file), { file });
  if (table.header.join() !== columns.join())
    fail('PANTRY_INVALID', { file, line: 1 }, `columns ${columns.join(', ')} are expected`, HINT);
  return table.rows.map((cells, r) => ({
    row: Object.fromEntries(columns.map((column, i) => [column, cells[i]!])),
    line: table.lines[r]!,
  }));
}

const list = (cell: string): string[] => cell.split(';').filter((part) => part !== '');

/** Reads and checks the tables. Errors: PANTRY_INVALID names file, line and value. */
export function readPantryTables(): PantryTables {
  const vocabulary = (file: string, column: string) =>
    new Map(rowsOf(file, [column, 'group']).map(({ row }) => [row[column]!, row.group!]));
  const notes = vocabulary('notes.csv', 'note');
  const uses = vocabulary('uses.csv', 'use');
  const known = (
    file: string,
    line: number,
    words: readonly string[],
    allowed: { has(word: string): boolean },
    what: string,
  ): readonly string[] => {
    for (const word of words)
      if (!allowed.has(word)) fail('PANTRY_INVALID', { file, line }, `${shown(word)} is not a ${what}`, HINT);
    if (new Set(words).size !== words.length) fail('PANTRY_INVALID', { file, line }, `a ${what} stands twice`, HINT);
    return words;
  };

  const kinds = new Map<string, Kind>();
  for (const { row, line } of rowsOf('kinds.csv', ['category', 'kind', 'role', 'texture', 'uses'])) {
    const { category, kind, role, texture } = row as unknown as Kind;
    if (kinds.has(kind)) fail('PANTRY_INVALID', { file: 'kinds.csv', line }, `a second kind ${shown(kind)}`, HINT);
    const shared = known('kinds.csv', line, list(row.uses!), uses, 'use');
    kinds.set(kind, { category, kind, role, texture, uses: shared });
  }

  const ingredients = new Map<string, Ingredient & { dishes: string[] }>();
  for (const file of pantryFiles().filter((path) => path.startsWith('ingredients/'))) {
    const columns = ['name', 'diet', 'nova', 'regions', 'kind', 'notes', 'uses'];
    for (const { row, line } of rowsOf(file, columns)) {
      const name = row.name!;
      if (!NAME.test(name))
        fail('PANTRY_INVALID', { file, line }, `name ${shown(name)} is not words joined by _`, HINT);
      if (ingredients.has(name)) fail('PANTRY_INVALID', { file, line }, `a second ${shown(name)}`, HINT);
      const kind = kinds.get(row.kind!);
      if (!kind) fail('PANTRY_INVALID', { file, line }, `${shown(row.kind)} is not a kind`, HINT);
      if (!DIETS.has(row.diet!)) fail('PANTRY_INVALID', { file, line }, `${shown(row.diet)} is not a diet`, HINT);
      if (!/^[1-4]$/.test(row.nova!)) fail('PANTRY_INVALID', { file, line }, `NOVA level ${shown(row.nova)}`, HINT);
      ingredients.set(name, {
        name,
        kind,
        diet: row.diet as Diet,
        nova: Number(row.nova),
        regions: known(file, line, list(row.regions!), REGIONS, 'region'),
        notes: known(file, line, list(row.notes!), notes, 'note'),
        uses: known(file, line, [...kind.uses, ...list(row.uses!)], uses, 'use'),
        dishes: [],
      });
    }
  }

  const dishes = new Map<string, readonly string[]>();
  for (const { row, line } of rowsOf('dishes.csv', ['dish', 'ingredients'])) {
    const dish = row.dish!;
    if (dishes.has(dish)) fail('PANTRY_INVALID', { file: 'dishes.csv', line }, `a second dish ${shown(dish)}`, HINT);
    const made = known('dishes.csv', line, list(row.ingredients!), ingredients, 'ingredient');
    for (const name of made) ingredients.get(name)!.dishes.push(dish);
    dishes.set(dish, made);
  }
  const variants = new Map<string, string>();
  for (const { row, line } of rowsOf('variants.csv', ['variant', 'name'])) {
    known('variants.csv', line, [row.name!], ingredients, 'ingredient');
    if (ingredients.has(row.variant!) || variants.has(row.variant!))
      fail('PANTRY_INVALID', { file: 'variants.csv', line }, `${shown(row.variant)} already has a meaning`, HINT);
    variants.set(row.variant!, row.name!);
  }
  const ordered = [...ingredients.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ingredients: ordered, notes, uses, dishes, variants };
}
