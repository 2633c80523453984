import { describe, expect, it } from 'vitest';
import { nestedHint, nestedKind } from '../../src/io/parquet/nested-column.js';

const element = (more: object) => ({ name: 'x', ...more }) as Parameters<typeof nestedKind>[0];

/*
 * The commands were run as they stand by DuckDB 1.5.6 over files of such columns, and what they wrote was read as scores; that of pandas by
 * 1.5.3.
 */
describe('a nested column of Parquet', () => {
  it.each([
    ['list', element({ converted_type: 'LIST', num_children: 1 })],
    ['list', element({ logical_type: { type: 'LIST' }, num_children: 1 })],
    ['list', element({ repetition_type: 'REPEATED' })],
    ['map', element({ converted_type: 'MAP', num_children: 1 })],
    ['parts', element({ num_children: 2 })],
  ])('is known for a %s', (kind, column) => {
    expect(nestedKind(column)).toBe(kind);
  });

  it.each([
    [
      'parts' as const,
      ['model', 'parts'],
      `COPY (SELECT * EXCLUDE ("parts"), unnest("parts") FROM 'a.parquet') TO 'scores.parquet'\`, in pandas \`df.join(pd.json_normalize(df.pop("parts")))`,
    ],
    [
      'list' as const,
      ['model', 'parts'],
      `COPY (SELECT * EXCLUDE ("parts"), unnest("parts") AS value, generate_subscripts("parts", 1) AS task FROM 'a.parquet') TO 'scores.parquet'`,
    ],
    [
      'list' as const,
      ['model', 'task', 'parts'],
      `COPY (SELECT * EXCLUDE ("parts"), unnest("parts") AS value, generate_subscripts("parts", 1) AS attempt FROM 'a.parquet') TO 'scores.parquet'`,
    ],
    [
      'map' as const,
      ['model', 'parts'],
      `COPY (SELECT * EXCLUDE ("parts"), unnest(map_keys("parts")) AS task, unnest(map_values("parts")) AS value FROM 'a.parquet') TO 'scores.parquet'`,
    ],
  ])('of a %s beside %j has a command that makes plain columns', (kind, names, command) => {
    expect(nestedHint(kind, 'parts', { file: 'a.parquet', names })).toContain(`\`${command}\``);
  });

  it('has its name and that of its file as SQL quotes them', () => {
    const hint = nestedHint('parts', 'a "b" $&', { file: "it's.parquet", names: [] });
    expect(hint).toContain(`unnest("a ""b"" $&") FROM 'it''s.parquet'`);
  });
});
