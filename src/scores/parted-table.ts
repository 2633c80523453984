import { type Column, columnOfCodes, joinedCodes } from '../io/coded.js';
import { assertTable, SCORE_TABLE } from '../io/held/table-bound.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';
import { once } from '../util/once.js';
import { listedNames } from './column-names.js';
import { isParquet } from './parquet-table.js';
import { type ScoreTable, scoreTable } from './score-table.js';
import { type FileOptions, readTable } from './table-file.js';

/** A file of a folder. */
interface Part {
  /** Its path, with the way from the folder that was named. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly head?: Uint8Array;
}

/** A file as a table, and what the folders around it say of all its rows. */
interface ReadPart {
  readonly table: ScoreTable;
  readonly keys: ReadonlyMap<string, string | null>;
}

/** What programs write for a value that is missing into the name of a folder. */
const MISSING = '__HIVE_DEFAULT_PARTITION__';

/** What the folders around a file say of its rows: `model=a/day=2/part-0.parquet`. */
function keysOf(name: string): Map<string, string | null> {
  const folders = name.split(/[\\/]/).slice(0, -1);
  const pairs = folders.flatMap((folder) => {
    const [, key, value] = /^([\w .-]+)=([^=]*)$/.exec(folder) ?? [];
    return key === undefined ? [] : [[decoded(key), value === MISSING ? null : decoded(value!)] as const];
  });
  return new Map(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The files of a folder that are parts of one table: all Parquet, or in folders that name values of columns; undefined for others. */
export function partsIn<File extends Part>(files: readonly File[]): readonly File[] | undefined {
  const parts = files.filter(({ name }) => !/(?:^|[\\/])_[^\\/]*$/.test(name));
  const isPart = (file: File) => isParquet(file.head ?? file.bytes) || keysOf(file.name).size > 0;
  return parts.length > 0 && parts.every(isPart) ? parts : undefined;
}

/**
 * Reads a table whose rows lie in the files of a folder, one behind another; folders called `NAME=VALUE` are columns (reading 1.9). Errors: those
 * of `readTable`; SCHEMA_INVALID for files with other columns, BOUND_EXCEEDED.
 */
export async function partedTable(parts: readonly Part[], options: FileOptions = {}): Promise<ScoreTable> {
  const tables: ReadPart[] = [];
  let [bytes, rows] = [0, 0];
  for (const part of parts) {
    const data = part.bytes;
    bytes += data.length;
    if (bytes > SCORE_TABLE.bytes)
      fail(
        'BOUND_EXCEEDED',
        { file: part.name },
        `${bytes} bytes in ${counted(tables.length + 1, 'file')}; a table holds at most ${SCORE_TABLE.bytes}`,
        'Name the inner folder that is needed.',
      );
    const table = await readTable(data, part.name, options);
    rows += table.rows;
    const keys = keysOf(part.name);
    assertTable(part.name, rows, table.names.length + keys.size, SCORE_TABLE);
    tables.push({ table, keys });
  }
  const [first] = tables as [ReadPart];
  const own = first.table.names;
  const keys = [...first.keys.keys()].filter((key) => !own.includes(key));
  for (const { table, keys: others } of tables) {
    const [wanted, there] = [own, table.names].map((names) => [...names].sort().join('\n'));
    if (wanted !== there || keys.some((key) => !others.has(key)) || table.scale !== first.table.scale)
      fail(
        'SCHEMA_INVALID',
        { file: table.file },
        `has other columns (${listedNames([...table.names, ...others.keys()])}) than ${first.table.file} (${listedNames([...own, ...keys])})`,
        'The files of a folder are read as one table, a part each; name the file or the inner folder that is meant.',
      );
  }
  const columns = new Map<string, Column>([
    ...keys.map((key): [string, Column] => [key, keyColumn(tables, key)]),
    ...own.map((name): [string, Column] => [name, joined(tables, name)]),
  ]);
  const { kind, scale, index } = first.table;
  return scoreTable({
    ...{ file: parts[0]!.name, rows, columns },
    ...(scale === undefined ? {} : { scale }),
    ...(index === undefined ? {} : { index }),
    kind: `${kind}, ${counted(parts.length, 'file')}`,
    place: (row) => {
      let before = 0;
      const part = tables.find(({ table }) => {
        const isHere = row < before + table.rows;
        if (!isHere) before += table.rows;
        return isHere;
      })!;
      return part.table.place(row - before);
    },
  });
}

/** A column of what folders say. */
const keyColumn = (tables: readonly ReadPart[], key: string): Column =>
  columnOfCodes(() =>
    joinedCodes(
      tables
        .filter(({ table }) => table.rows > 0)
        .map(({ table, keys }) => ({ values: [keys.get(key) ?? null], codes: new Uint8Array(table.rows) })),
    ),
  );

/** A column of all parts. */
function joined(tables: readonly ReadPart[], name: string): Column {
  const values = once(() => {
    const all = tables.map(({ table }) => table.column(name)!);
    const length = all.reduce((sum, part) => sum + part.length, 0);
    const whole: unknown[] | Float64Array = all.every((part) => part instanceof Float64Array)
      ? new Float64Array(length)
      : new Array<unknown>(length);
    let at = 0;
    for (const part of all) for (let row = 0; row < part.length; row += 1) whole[at++] = part[row] as number;
    return whole;
  });
  return { values, coded: once(() => joinedCodes(tables.map(({ table }) => table.coded(name)!))) };
}
