import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readArrow } from '../../src/io/arrow.js';
import { parseCsv } from '../../src/io/csv.js';
import { readParquet } from '../../src/io/parquet.js';
import { sameBytes } from '../../src/io/platform-node.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import type { Difference } from '../../src/release/proofs/differences.js';
import {
  documentOf,
  eventsOf,
  type Files,
  journalOf,
  recordIn,
  resealed,
  textOf,
  withDocument,
  withRecord,
  withText,
} from './forger.js';

export type Path = readonly (string | number)[];

/** One leaf of a parsed file, and how a forger gives it another value. */
export interface Leaf {
  readonly file: string;
  /** As differences name it. */
  readonly at: string;
  /** Values it does not have. */
  readonly values: readonly unknown[];
  set(files: Files, value: unknown): Files | Promise<Files>;
}

const other = (digit: string) => (digit === '0' ? '1' : '0');

/** Two values that a leaf does not have, of its kind. */
export function othersThan(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, value === 0 ? 7 : 0];
  if (typeof value === 'boolean') return [!value, null];
  if (value === null) return [0, 'x'];
  if (Array.isArray(value)) return [['x'], [0]];
  if (typeof value === 'object') return [{ x: 1 }, { y: null }];
  const text = value as string;
  if (/^[0-9a-f]{64}$/.test(text)) return [`${other(text[0]!)}${text.slice(1)}`, '0'.repeat(64)];
  const time = /^(\d{4}-.*T.*)(\d)Z$/.exec(text);
  if (time) return [`${time[1]}${(Number(time[2]) + 1) % 10}Z`, '2020-01-01T00:00:00.000Z'];
  return [`${text}x`, text === 'y' ? 'z' : 'y'];
}

/** The leaves of a JSON value: all that is no object and no list, and those that are empty. */
export function* leavesOf(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    yield { path, value };
    return;
  }
  const list = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) yield* leavesOf(item, [...path, list ? Number(key) : key]);
}

/** Writes a path as differences do. */
export const pathText = (path: Path): string =>
  path.reduce<string>((at, key) => (typeof key === 'number' ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`), '');

/** A copy of a value with another one at a path. */
export function withValue(value: unknown, path: Path, is: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return is;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? withValue(item, rest, is) : item));
  return { ...(value as object), [key]: withValue((value as Record<string, unknown>)[key as string], rest, is) };
}

function documentLeaves(files: Files, file: string): Leaf[] {
  return [...leavesOf(documentOf(files, file))].map(({ path, value }) => ({
    file,
    at: pathText(path),
    values: othersThan(value),
    set: (forged, is) => withDocument(forged, file, withValue(documentOf(forged, file), path, is)),
  }));
}

const linesOf = (files: Files, file: string): string[] => textOf(files, file).trimEnd().split('\n');

const withLine = (files: Files, file: string, number: number, line: string): Files =>
  withText(files, file, `${linesOf(files, file).with(number, line).join('\n')}\n`);

/** The leaves of one answer of every kind: ranked or not, and how it ended. */
function answerLeaves(files: Files): Leaf[] {
  const file = 'observations.jsonl';
  const kinds = new Map<string, number>();
  linesOf(files, file).forEach((line, i) => {
    const record = recordIn(line);
    const kind = `${line.startsWith('{"in_core":true')} ${record.status} ${record.panel}`;
    if (!kinds.has(kind)) kinds.set(kind, i);
  });
  return [...kinds.values()].flatMap((number) => {
    const line = linesOf(files, file)[number]!;
    const place = `line ${number + 1}`;
    const whole = JSON.parse(line) as Record<string, unknown>;
    const { response, ...scoring } = whole;
    const head = [...leavesOf(scoring)].map(({ path, value }) => ({
      file,
      at: `${place}, ${pathText(path)}`,
      values: othersThan(value),
      set: (forged: Files, is: unknown) => {
        const at = linesOf(forged, file)[number]!;
        const stated = JSON.stringify(withValue(scoring, path, is));
        return withLine(forged, file, number, `${stated.slice(0, -1)}${at.slice(at.indexOf(',"response":'))}`);
      },
    }));
    const record = [...leavesOf(response)].map(({ path, value }) => ({
      file,
      at: `response.${pathText(path)}`,
      values: othersThan(value),
      set: (forged: Files, is: unknown) => {
        const at = linesOf(forged, file)[number]!;
        return withLine(forged, file, number, withRecord(at, withValue(recordIn(at), path, is)));
      },
    }));
    return [...head, ...record];
  });
}

/** The leaves of one journal line of every type. */
function journalLeaves(files: Files, file: string): Leaf[] {
  const kinds = new Map<unknown, number>();
  eventsOf(textOf(files, file)).forEach((event, i) => {
    if (!kinds.has(event.type)) kinds.set(event.type, i);
  });
  return [...kinds].flatMap(([type, number]) =>
    [...leavesOf(eventsOf(textOf(files, file))[number])].map(({ path, value }) => ({
      file,
      at: `${String(type)}.${pathText(path)}`,
      values: othersThan(value),
      set: (forged: Files, is: unknown) => {
        const events = eventsOf(textOf(forged, file));
        return withText(forged, file, journalOf(events.with(number, withValue(events[number], path, is) as never)));
      },
    })),
  );
}

/** The leaves of a task file: what it says of itself, and one task of each family. */
function taskLeaves(files: Files, file: string): Leaf[] {
  const { tasks, ...head } = documentOf(files, file) as { tasks: { family: string }[] };
  const chosen = [...new Map(tasks.map(({ family }, i) => [family, i])).values()];
  const leaves = [
    ...leavesOf(head),
    ...chosen.flatMap((i, k) =>
      [...leavesOf(tasks[i], ['tasks', i])].filter(({ path }) => k === 0 || !path.includes('selection_scores_bps')),
    ),
  ];
  return leaves.map(({ path, value }) => ({
    file,
    at: pathText(path),
    values: othersThan(value),
    set: (forged, is) => withDocument(forged, file, withValue(documentOf(forged, file), path, is)),
  }));
}

/** A cell of each column of a table, in a row that has a value where there is one. */
function csvLeaves(files: Files, file: string): Leaf[] {
  const { header, rows } = parseCsv(textOf(files, file), { file });
  const cells = header.map((name, c) => ({
    name,
    c,
    r: Math.max(
      0,
      rows.findIndex((row) => row[c] !== ''),
    ),
  }));
  return cells
    .filter(({ r }) => rows[r] !== undefined)
    .map(({ name, c, r }) => ({
      file,
      at: `line ${r + 2}, ${name}`,
      values: ['7', 'x'].filter((value) => value !== rows[r]![c]),
      set: (forged, is) => {
        const own = parseCsv(textOf(forged, file), { file });
        const text = (row: readonly string[]) =>
          row.map((cell) => (/[",\n]/.test(cell) ? JSON.stringify(cell) : cell)).join();
        const changed = own.rows.map((row, i) => (i === r ? row.map((cell, k) => (k === c ? String(is) : cell)) : row));
        return withText(forged, file, `${[own.header, ...changed].map(text).join('\n')}\n`);
      },
    }));
}

/** Values of the kind of a column. */
function sameKind(values: readonly unknown[]): unknown[] {
  const known = values.find((value) => value !== null && value !== undefined) ?? 'q';
  if (typeof known === 'bigint') return [known + 1n, known + 2n];
  if (typeof known === 'number') return [known + 1, known + 2];
  if (typeof known === 'boolean') return [true, false];
  return [`${String(known)}x`, 'y'];
}

async function packedLeaves(files: Files, file: string): Promise<Leaf[]> {
  const arrow = file.endsWith('.arrow');
  const read = (forged: Files) => (arrow ? readArrow(forged.get(file)!, file) : readParquet(forged.get(file)!, file));
  const table = await read(files);
  const rewritten = async (
    forged: Files,
    change: (columns: Map<string, unknown[]>, said: Map<string, string>) => void,
  ) => {
    const own = await read(forged);
    const columns = new Map(own.names.map((name) => [name, [...(own.column(name) as unknown[])]]));
    const said = new Map('metadata' in own ? (own.metadata as Map<string, string>) : []);
    change(columns, said);
    const made = [...columns].map(([name, values]) => {
      const known = values.find((value) => value !== null && value !== undefined);
      const kinds = { string: 'text', boolean: 'bool', bigint: 'int64', number: 'float64' } as const;
      return { name, kind: kinds[typeof known as keyof typeof kinds] ?? 'text', values } as never;
    });
    const options = { columns: made as never[], metadata: Object.fromEntries(said) };
    return new Map([
      ...forged,
      [file, arrow ? await arrowFile(options) : await parquetFile({ columns: made as never[] })],
    ]);
  };
  if (table.rows === 0) return [];
  const cells = table.names.map((name): Leaf => {
    const all = table.column(name) as unknown[];
    const value = all[0] ?? null;
    return {
      file,
      at: `row 1, ${name}`,
      values: sameKind(all).filter((is) => is !== value),
      set: (forged, is) => rewritten(forged, (columns) => columns.get(name)!.splice(0, 1, is)),
    };
  });
  const said = 'metadata' in table && arrow ? [...(table.metadata as Map<string, string>)] : [];
  const stated = said.map(
    ([key, value]): Leaf => ({
      file,
      at: `metadata ${key}`,
      values: othersThan(value),
      set: (forged, is) => rewritten(forged, (_, metadata) => metadata.set(key, String(is))),
    }),
  );
  return [...cells, ...stated];
}

/** Every leaf of the parsed files of a release. */
export async function releaseLeaves(files: Files): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (const file of [...files.keys()].sort()) {
    if (file.startsWith('tasks/')) leaves.push(...taskLeaves(files, file));
    else if (file === 'observations.jsonl') leaves.push(...answerLeaves(files));
    else if (/^attempts.*\.jsonl$/.test(file)) leaves.push(...journalLeaves(files, file));
    else if (file.endsWith('.json')) leaves.push(...documentLeaves(files, file));
    else if (file.endsWith('.csv')) leaves.push(...csvLeaves(files, file));
    else if (/\.(?:arrow|parquet)$/.test(file)) leaves.push(...(await packedLeaves(files, file)));
    else
      leaves.push({
        file,
        at: 'its text',
        values: ['a', 'b'],
        set: (forged, is) => withText(forged, file, `${textOf(forged, file)}${String(is)}`),
      });
  }
  return leaves;
}

/** Tells whether differences name a leaf, or what it stands in. */
export function names({ file, at }: Leaf, differences: readonly Difference[]): boolean {
  return differences.some((difference) => {
    if (difference.file !== file) return false;
    const place = difference.at.replace(/ \([^)]*\)/g, '');
    return (
      place === at ||
      at.startsWith(`${place}.`) ||
      at.startsWith(`${place}[`) ||
      place.startsWith(`${at}.`) ||
      place.startsWith(`${at}[`)
    );
  });
}

/** What became of the forgeries of a walk. */
export interface Walk {
  /** Values whose change a verification finds. */
  caught: number;
  /** Leaves, each as `file at`, of which a forged value passes. */
  readonly passed: Map<string, Leaf>;
  /** Digests that follow from the rest, so that nothing is forged by changing them. */
  sealed: number;
}

type Try = (files: Files) => Promise<readonly Difference[]>;

/** Forges leaves one value at a time and asks a verification. `verify` takes files whose digests are right. */
export async function walkSingly(honest: Files, leaves: readonly Leaf[], verify: Try, walk: Walk): Promise<void> {
  for (const leaf of leaves)
    for (const value of leaf.values) {
      const forged = await resealed(honest, await leaf.set(honest, value));
      const same =
        forged.size === honest.size && [...honest].every(([name, bytes]) => sameBytes(bytes, forged.get(name)!));
      if (same) walk.sealed += 1;
      else if ((await verify(forged)).length > 0) walk.caught += 1;
      else walk.passed.set(`${leaf.file} ${leaf.at}`, leaf);
    }
}

/**
 * Forges all leaves at once, and returns those that no difference names: to be forged singly. One that is named is compared with what was made
 * again of the rest, which is found whatever else is forged.
 */
export async function walkTogether(
  honest: Files,
  leaves: readonly Leaf[],
  verify: Try,
  walk: Walk,
): Promise<readonly Leaf[]> {
  let named = leaves;
  const most = Math.max(...leaves.map(({ values }) => values.length));
  for (let k = 0; k < most; k += 1) {
    let forged = honest;
    for (const { values, set } of leaves) if (k < values.length) forged = await set(forged, values[k]);
    const differences = await verify(await resealed(honest, forged));
    named = named.filter((leaf) => k >= leaf.values.length || names(leaf, differences));
  }
  for (const { values } of named) walk.caught += values.length;
  return leaves.filter((leaf) => !named.includes(leaf));
}
