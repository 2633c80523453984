import { basename } from 'node:path';
import { parseCsv } from '../io/csv.js';
import { readText } from '../io/file.js';
import { fail, shown } from '../util/error.js';
import type { IngredientTags } from './environment.js';
import { CONTROL } from './name-list.js';

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
 * `is_vegetarian`, `is_vegan`, `cuisine_region` (or `region`) and `nova_level` (or `nova`) may be absent. Flags are True or
 * False in any case; a blank or not-a-number NOVA level is none, others lie in 1..4. Errors: TAGS_INVALID with line and column.
 */
export function readTags(path: string): TagRow[] {
  const file = basename(path);
  const { header, rows, lines } = parseCsv(readText(path), { file });
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
        region: region === undefined ? '' : printable(region),
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
