import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readArrow } from '../../src/io/arrow.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { parseCsv } from '../../src/io/csv.js';
import { readParquet } from '../../src/io/parquet.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import type { Difference } from '../../src/release/proofs/differences.js';
import { documentOf, eventsOf, type Files, recordIn, textOf, withDocument, withRecord, withText } from './forger.js';

export type Path = readonly (string | number)[];

/** Releases that are forged: with everything inside and answers of formulas, or with the journal of a collection of answers. */
export type World = 'simulated' | 'collected';

/** What a leaf of a file is before it is known of which release. */
type FileLeaf = Omit<Leaf, 'world'>;

/** One leaf of a parsed file, and how a forger gives it another value. */
export interface Leaf {
  readonly world: World;
  readonly file: string;
  /** Where it is, the same in every build of the release; an exemption is of this. */
  readonly name: string;
  /** As differences name it. */
  readonly at: string;
  /** The line or answer that it is in, where others are like it: of one such only one leaf is forged at a time. */
  readonly unit?: string;
  /** Tells whether a difference is that of its unit. */
  readonly owns?: (difference: Difference) => boolean;
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

const both = (at: string) => ({ name: at, at });

/** Another value of a choice between 0 and 1: one that could have been made. */
const between = ([part]: Path, value: unknown): number[] =>
  part === 'plan' && typeof value === 'number' && value > 0 && value < 1 ? [(1 + value) / 2] : [];

function documentLeaves(files: Files, file: string): FileLeaf[] {
  return [...leavesOf(documentOf(files, file))].map(({ path, value }) => ({
    file,
    ...both(pathText(path)),
    values: [...othersThan(value), ...between(path, value)],
    set: (forged, is) => withDocument(forged, file, withValue(documentOf(forged, file), path, is)),
  }));
}

const linesOf = (files: Files, file: string): string[] => textOf(files, file).trimEnd().split('\n');

const withLine = (files: Files, file: string, number: number, line: string): Files =>
  withText(files, file, `${linesOf(files, file).with(number, line).join('\n')}\n`);

/** Spreads the leaves of lines that are alike over those lines: each is forged in a line of its own, as long as there are lines. */
function spread<T>(lines: readonly number[], leavesIn: (line: number) => readonly T[]): { line: number; leaf: T }[] {
  return leavesIn(lines[0]!).map((_, k) => {
    const line = lines[k % lines.length]!;
    return { line, leaf: leavesIn(line)[k]! };
  });
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [i, item] of items.entries()) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), i]);
  return found;
}

/** The shape of a value: what it has members of, so that lines of one shape have the same leaves. */
const shapeOf = (value: unknown): string => [...leavesOf(value)].map(({ path }) => pathText(path)).join();

/** The leaves of answers of every kind: ranked or not, how it ended, where from; each in a line of its own where there are enough. */
function answerLeaves(files: Files): FileLeaf[] {
  const file = 'observations.jsonl';
  const lines = linesOf(files, file);
  const records = lines.map(recordIn) as { cell: string; status: string; source: string; task_id: string; key: Key }[];
  const linesOfCell = new Map<string, Set<string>>();
  eventsOf(textOf(files, 'attempts.jsonl')).forEach(({ cell }, i) => {
    const own = linesOfCell.get(cell as string) ?? new Set();
    linesOfCell.set(cell as string, own.add(`line ${i + 1}`));
  });
  const kinds = grouped(lines, (line) => {
    const record = records[lines.indexOf(line)]!;
    return `${line.startsWith('{"in_core":true')} ${record.status} ${record.source} ${shapeOf(record)}`;
  });
  const partsOf = (line: number) => {
    const { response, ...scoring } = JSON.parse(lines[line]!) as Record<string, unknown>;
    return { response, scoring };
  };
  return [...kinds.values()].flatMap((alike, kind) => {
    const leaves = spread(alike, (line) => {
      const { response, scoring } = partsOf(line);
      return [
        ...leavesOf(scoring),
        ...[...leavesOf(response)].map((own) => ({ ...own, path: ['response', ...own.path] })),
      ];
    });
    return leaves.map(({ line, leaf: { path, value } }): FileLeaf => {
      const { cell, key, task_id } = records[line]!;
      const own = linesOfCell.get(cell);
      return {
        file,
        name: `kind ${kind + 1}, ${pathText(path)}`,
        at: `line ${line + 1}`,
        unit: `${file} ${line}`,
        owns: ({ file: where, at }) =>
          at.startsWith(`${key.model_id}, ${task_id}`) ||
          at.endsWith(`cell ${cell}`) ||
          (where === file && at.startsWith(`line ${line + 1} `)) ||
          (where === 'attempts.jsonl' && own?.has(/^line \d+/.exec(at)?.[0] ?? '') === true),
        values: othersThan(value),
        set: (forged, is) => {
          const at = linesOf(forged, file)[line]!;
          const [first, ...rest] = path;
          if (first === 'response')
            return withLine(forged, file, line, withRecord(at, withValue(recordIn(at), rest, is)));
          const stated = JSON.stringify(withValue(partsOf(line).scoring, path, is));
          return withLine(forged, file, line, `${stated.slice(0, -1)}${at.slice(at.indexOf(',"response":'))}`);
        },
      };
    });
  });
}

interface Key {
  readonly model_id: string;
}

/** Names lines that are alike: by type, by the transport of a start, and whether a reply has a price. */
const labelOf = ({ route, type, cost_micros: cost }: Record<string, unknown>): string => {
  const { transport } = (route ?? {}) as { transport?: string };
  return [type, transport, cost === undefined || type === 'record_written' ? undefined : 'priced']
    .filter(Boolean)
    .join(' ');
};

/**
 * The leaves of journal lines of every type and kind, each in a line of its own where there are enough; of the rows of a schedule the first. Lines
 * about records that are not in the release are left out: what they say is stated.
 */
function journalLeaves(files: Files, file: string): FileLeaf[] {
  const text = textOf(files, file);
  const events = eventsOf(text);
  const records = linesOf(files, 'observations.jsonl').map(recordIn);
  const known = new Set(
    records.flatMap((record) => [record.artifact_sha256, ...(record.attempt_event_sha256s as string[])]),
  );
  const digests = [...text.matchAll(/"event_sha256":"([0-9a-f]{64})"\}$/gm)].map(([, digest]) => digest!);
  const isOther = (event: Record<string, unknown>, i: number) =>
    event.type === 'record_written'
      ? !known.has(event.record_sha256)
      : 'attempt_id' in event && !known.has(digests[i]!);
  const kinds = grouped(
    events.map((event, i) => (isOther(event, i) ? null : event)),
    (event) => (event === null ? '' : `${labelOf(event)}, ${shapeOf(event)}`),
  );
  kinds.delete('');
  const numbers = new Map<string, number>();
  return [...kinds].flatMap(([kind, alike]) => {
    const type = /^\w+/.exec(kind)![0];
    const label = labelOf(events[alike[0]!]!);
    const number = (numbers.get(label) ?? 0) + 1;
    numbers.set(label, number);
    const leavesIn = (line: number) =>
      [...leavesOf(events[line])].filter(({ path: [, row] }) => typeof row !== 'number' || row === 0);
    return spread(alike, leavesIn).map(({ line, leaf: { path, value } }): FileLeaf => {
      const at = `line ${line + 1}, ${type}.${pathText(path)}`;
      return {
        ...{ file, at, unit: `${file} ${line}`, values: othersThan(value) },
        name: `${label}${number > 1 ? ` ${number}` : ''}.${pathText(path)}`,
        owns: ({ file: where, at: place }) =>
          where === file && (place === `line ${line + 1}` || place.startsWith(`line ${line + 1}, `)),
        // The digests of the line and the chain are put right with all others.
        set: (forged, is) => {
          const event = canonicalJson(withValue(events[line], path, is));
          const changed = linesOf(forged, file)[line]!.replace(
            /"event":\{.*\},"event_sha256"/,
            () => `"event":${event},"event_sha256"`,
          );
          return withLine(forged, file, line, changed);
        },
      };
    });
  });
}

/** The leaves of a task file: what it says of itself, and one task of each family. */
function taskLeaves(files: Files, file: string): FileLeaf[] {
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
    ...both(pathText(path)),
    values: othersThan(value),
    set: (forged, is) => withDocument(forged, file, withValue(documentOf(forged, file), path, is)),
  }));
}

/** A cell of each column of a table, in a row that has a value where there is one. */
function csvLeaves(files: Files, file: string): FileLeaf[] {
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
      ...both(`line ${r + 2}, ${name}`),
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

async function packedLeaves(files: Files, file: string): Promise<FileLeaf[]> {
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
  const cells = table.names.map((name): FileLeaf => {
    const all = table.column(name) as unknown[];
    const value = all[0] ?? null;
    return {
      file,
      ...both(`row 1, ${name}`),
      values: sameKind(all).filter((is) => is !== value),
      set: (forged, is) => rewritten(forged, (columns) => columns.get(name)!.splice(0, 1, is)),
    };
  });
  const said = 'metadata' in table && arrow ? [...(table.metadata as Map<string, string>)] : [];
  const stated = said.map(
    ([key, value]): FileLeaf => ({
      file,
      ...both(`metadata ${key}`),
      values: othersThan(value),
      set: (forged, is) => rewritten(forged, (_, metadata) => metadata.set(key, String(is))),
    }),
  );
  return [...cells, ...stated];
}

/** Files that follow wholly from others: their leaves are forged together, and each must be named. */
const DERIVED = /^(?:cases|inference)\.json$|^analyses\/|\.(?:csv|arrow|parquet)$/;
/** What a document says of the call that made it, from which the rest follows. */
const CALL = /^(?:plan|rng|seed|schema)\b/;
/** Unit of the leaves of which one at a time is forged. */
export const ALONE = 'alone';

async function leavesIn(files: Files, file: string): Promise<FileLeaf[]> {
  if (file.startsWith('tasks/')) return taskLeaves(files, file);
  if (file === 'observations.jsonl') return answerLeaves(files);
  if (JOURNAL.test(file)) return journalLeaves(files, file);
  if (file.endsWith('.json')) return documentLeaves(files, file);
  if (file.endsWith('.csv')) return csvLeaves(files, file);
  if (/\.(?:arrow|parquet)$/.test(file)) return packedLeaves(files, file);
  const set = (forged: Files, is: unknown) => withText(forged, file, `${textOf(forged, file)}${String(is)}`);
  return [{ file, ...both('its text'), values: ['a', 'b'], set }];
}

const JOURNAL = /^attempts.*\.jsonl$/;

/** Every leaf of the parsed files of a release; of a collected one those of its journal and answers. */
export async function releaseLeaves(files: Files, world: World): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (const file of [...files.keys()].sort()) {
    if (world === 'collected' && !file.endsWith('.jsonl')) continue;
    for (const leaf of await leavesIn(files, file)) {
      const together = DERIVED.test(file) ? !CALL.test(leaf.at) : file.endsWith('.jsonl');
      leaves.push({ world, ...(together ? {} : { unit: ALONE }), ...leaf });
    }
  }
  return leaves;
}
