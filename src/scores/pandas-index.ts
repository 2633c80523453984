import { isObject, parseJson } from '../io/json.js';

/**
 * Names the columns of a table that were its index in pandas, as the metadata of a Parquet or Arrow file say; undefined where there is none, as
 * for an index that only counts rows (reading 1.3).
 */
export function pandasIndex(metadata: ReadonlyMap<string, string>, names: readonly string[]): string[] | undefined {
  const text = metadata.get('pandas');
  if (text === undefined) return undefined;
  try {
    const said = parseJson(text);
    const columns = isObject(said) && Array.isArray(said.index_columns) ? said.index_columns : [];
    const index = columns.filter((name): name is string => typeof name === 'string' && names.includes(name));
    return index.length > 0 ? index : undefined;
  } catch {
    return undefined;
  }
}
