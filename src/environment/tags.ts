import { basename } from 'node:path';
import { parseCsv } from '../io/csv.js';
import { fail, shown } from '../util/error.js';
import { foldName } from './asked-name.js';
import type { Environment, IngredientTags } from './environment.js';
import { CONTROL } from './name-list.js';
import { readSpaceText } from './space-file.js';

export interface TagRow {
  readonly name: string;
  /** `node_id` where the table has one. */
  readonly id: string | null;
  readonly tags: IngredientTags;
}

const HINT = 'docs/environments.md describes the tag table.';
const NO_LEVEL = new Set(['', 'nan', 'na', 'none', 'null', 'inf', '-inf']);

/**
 * Reads a tag table (compiler a.2): `name` and `primary_category` (or `category`) are needed; `food_group`,
 * `is_vegetarian`, `is_vegan`, `cuisine_region` (or `region`) and `nova_level` (or `nova`) may be absent. A table without
 * regions puts no limit on them: all of its rows are `universal` (reading 3.3). Flags are True or
 * False in any case; a blank or not-a-number NOVA level is none, others lie in 1..4. Errors: TAGS_INVALID with line and column.
 */
export async function readTags(path: string): Promise<TagRow[]> {
  const file = basename(path);
  const { header, rows, lines } = parseCsv(await readSpaceText(path), { file });
  const find = (...names: string[]) => names.map((n) => header.indexOf(n)).find((i) => i >= 0);
  const need = (...names: string[]): number => {
    const i = find(...names);
    if (i === undefined) fail('TAGS_INVALID', { file, line: 1 }, `no column \`${names.join('` or `')}\``, HINT);
    return i;
  };
  const name = need('name');
  const category = need('primary_category', 'category');
  const group = find('food_group') ?? category;
  const region = find('cuisine_region', 'region');
  const nova = find('nova_level', 'nova');
  const id = find('node_id');
  const diets = [find('is_vegetarian', 'vegetarian'), find('is_vegan', 'vegan')] as const;

  return rows.map((row, r) => {
    const line = lines[r]!;
    const flag = (column: number | undefined): boolean => {
      const text = column === undefined ? 'false' : row[column]!.trim().toLowerCase();
      if (text !== 'true' && text !== 'false')
        fail(
          'TAGS_INVALID',
          { file, line },
          `column \`${header[column!]}\` holds ${shown(row[column!])}; True or False is expected`,
          HINT,
        );
      return text === 'true';
    };
    const printable = (column: number): string => {
      const text = row[column]!;
      if (CONTROL.test(text))
        fail(
          'TAGS_INVALID',
          { file, line },
          `column \`${header[column]}\` holds ${shown(text)}, not printable text`,
          HINT,
        );
      return text;
    };
    if (row[category]!.trim() === '')
      fail('TAGS_INVALID', { file, line }, `${shown(row[name]!)} has no category`, HINT);
    return {
      name: row[name]!,
      id: id === undefined ? null : row[id]!,
      tags: {
        category: printable(category),
        foodGroup: printable(group),
        region: region === undefined ? 'universal' : printable(region),
        vegetarian: flag(diets[0]),
        vegan: flag(diets[1]),
        nova: nova === undefined ? null : level(row[nova]!, line),
      },
    };
  });

  function level(text: string, line: number): number | null {
    if (NO_LEVEL.has(text.trim().toLowerCase())) return null;
    const value = Number(text);
    if (!/^\d(?:\.\d{1,6})?$/.test(text.trim()) || value < 1 || value > 4)
      fail('TAGS_INVALID', { file, line }, `NOVA level ${shown(text)}; 1 to 4 or nothing is expected`, HINT);
    return value;
  }
}

/**
 * Gives each name its row of a tag table; a name without one has none, rows of other names are passed over (reading 3.3). Errors: TAGS_INVALID
 * for a name with two rows, and where no row is that of a name.
 */
export function tagsByName(
  names: readonly string[],
  table: readonly TagRow[],
  file: string,
): readonly (IngredientTags | null)[] {
  const byName = new Map<string, IngredientTags>();
  for (const { name, tags } of table) {
    if (byName.has(name)) fail('TAGS_INVALID', { file }, `${shown(name)} has two rows`, 'Keep one row a name.');
    byName.set(name, tags);
  }
  const found = names.map((name) => byName.get(name) ?? null);
  if (found.some((tags) => tags !== null)) return found;
  const folded = new Map(names.map((name) => [foldName(name), name]));
  const alike = table.find(({ name }) => folded.has(foldName(name)));
  fail(
    'TAGS_INVALID',
    { file },
    `no row for any of the ${names.length} names: it has ${
      table
        .slice(0, 3)
        .map(({ name }) => shown(name))
        .join(', ') || 'no rows'
    }, the matrix ${names.slice(0, 3).map(shown).join(', ')}`,
    alike
      ? `Write names as the matrix does: ${shown(folded.get(foldName(alike.name)))} for ${shown(alike.name)}.`
      : 'A tag table has one row for each name that is to take part, with the name as the matrix has it.',
  );
}

/** Gives an environment other tags (reading 3.5). Its identity stays that of its files. Errors: those of reading a tag table. */
export async function withTags(environment: Environment, path: string): Promise<Environment> {
  return { ...environment, tags: tagsByName(environment.names, await readTags(path), basename(path)) };
}
