import type { SchemaElement } from 'hyparquet';

/** What a column holds that holds no plain values: a list a row, keys with values, or parts by name. */
export type Nested = 'list' | 'map' | 'parts';

/** Tells what an element of a schema holds, which is not plain. */
export function nestedKind({
  converted_type: converted,
  logical_type: logical,
  repetition_type: repeated,
}: SchemaElement): Nested {
  const said = [converted, logical?.type] as readonly (string | undefined)[];
  if (said.includes('LIST') || repeated === 'REPEATED') return 'list';
  return said.includes('MAP') || said.includes('MAP_KEY_VALUE') ? 'map' : 'parts';
}

/** Gives the command that makes plain columns of a nested one of a file with such columns; each was run as it stands. */
export function nestedHint(
  kind: Nested,
  name: string,
  { file, names }: { readonly file: string; readonly names: readonly string[] },
): string {
  const column = `"${name.replaceAll('"', '""')}"`;
  const beside = names.includes('task') ? 'attempt' : 'task';
  const parts = {
    parts: `unnest(${column})`,
    list: `unnest(${column}) AS value, generate_subscripts(${column}, 1) AS ${beside}`,
    map: `unnest(map_keys(${column})) AS ${beside}, unnest(map_values(${column})) AS value`,
  };
  const from = `'${file.replaceAll("'", "''")}'`;
  const query = `COPY (SELECT * EXCLUDE (${column}), ${parts[kind]} FROM ${from}) TO 'scores.parquet'`;
  return kind === 'parts'
    ? `Write its parts as columns of their own: in DuckDB \`${query}\`, in pandas \`df.join(pd.json_normalize(df.pop(${JSON.stringify(name)})))\`.`
    : `Write a row for each of its values: in DuckDB \`${query}\`.`;
}
