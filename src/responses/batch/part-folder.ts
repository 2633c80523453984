import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalDigest } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import { makeFolder, openTemporary } from '../../io/write/temporary.js';
import type { Task } from '../../tasks/task.js';
import { fail } from '../../util/error.js';
import { sha256Text } from '../../util/schema.js';
import { isTally } from '../tally.js';
import type { PartCounts, PartRows, ScoringPlan } from './part-sink.js';
import { jsonLines, type RowFormat, rowBytes, rowTable } from './row-table.js';

/** A file of a part, by its path in the folder. */
interface PartFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** What a folder keeps of a part that is done. */
export interface PartRecord {
  readonly schema: 'flavourbench-rescore-part-v1';
  readonly id: string;
  /** Digest of all that decides what comes out: the part's content and place, tasks, plan, form of the rows, kernels. */
  readonly key: string;
  /** Bytes of its content. */
  readonly bytes: number;
  readonly files: readonly PartFile[];
  readonly counts: PartCounts;
  /** Digest of all else, so that counts which are not as they were written are not believed. */
  readonly artifact_sha256: string;
}

/** Where a batch keeps its parts. */
export interface PartFolder {
  readonly path: string;
  readonly format: RowFormat;
}

/** Ids of parts. */
export const PART_ID = /^\d{6}(?:-\d{6})?$/;

const whole = z.number().int().min(0);

/** A record as a folder or another machine gives it; what it says beyond is held against its digest. */
const recordSchema = z.looseObject({
  schema: z.literal('flavourbench-rescore-part-v1'),
  id: z.string().regex(PART_ID),
  key: sha256Text,
  bytes: whole,
  files: z.array(z.looseObject({ path: z.string(), sha256: sha256Text, bytes: whole })).min(1),
  counts: z.looseObject({
    ...{ rows: whole, aside: whole, unknownTasks: whole },
    bad: z.record(z.string(), whole),
    tally: z
      .looseObject({
        ...{ families: z.array(z.string()), models: z.array(z.string()) },
        counts: z.array(z.array(whole)),
      })
      .refine(isTally),
    ...{ changes: z.array(z.looseObject({ rows: whole })), nearMisses: z.array(z.looseObject({ rows: whole })) },
  }),
});

/** Tells whether a record is one that a part of ours can have: its files are its own, no count is negative, and all is as its digest says. */
function isRecord(record: unknown, asked: string): record is PartRecord {
  if (!recordSchema.safeParse(record).success) return false;
  const { id, files, artifact_sha256: digest } = record as PartRecord;
  const own = new RegExp(`^(?:rows|bad-rows|changes)/${partName(id)}\\.[a-z]+$`);
  return id === asked && files.every(({ path }) => own.test(path)) && digest === recordDigest(record as PartRecord);
}

/** Name of a part in every folder. */
const partName = (id: string): string => `part-${id}`;

const recordPath = (folder: string, id: string): string => join(folder, 'parts', `${partName(id)}.json`);

/** What identifies the content of a part, beside its bytes: the place of its rows. */
interface PartPlace {
  readonly name: string;
  readonly form: string;
  readonly line: number;
  readonly row: number;
}

/** Digest of a part under a plan: equal digests mean equal rows. */
export function partKey(content: string, place: PartPlace, planDigest: string): string {
  return canonicalDigest({ content, ...place, plan: planDigest });
}

/** Digest of what decides the rows of every part: tasks, plan, form, program. */
export function planDigest(
  tasks: readonly Task[],
  known: ReadonlySet<string>,
  plan: ScoringPlan,
  program: { readonly version: string; readonly kernels: string; readonly parser: string; readonly format: RowFormat },
): string {
  const content = tasks.map(({ id, family, choices, scores }) => ({ id, family, choices, scores: Array.from(scores) }));
  return canonicalDigest({
    tasks: sha256(JSON.stringify(content)),
    known: sha256(JSON.stringify([...known].sort())),
    plan,
    ...program,
  });
}

function intact(folder: string, { path, sha256: digest, bytes }: PartFile): boolean {
  try {
    const file = join(folder, path);
    return statSync(file).size === bytes && sha256(readFileSync(file)) === digest;
  } catch {
    return false;
  }
}

/** Digest of what a record says, in the order in which it stands there. */
function recordDigest(record: Omit<PartRecord, 'artifact_sha256'>): string {
  const { artifact_sha256: _, ...body } = record as PartRecord;
  return sha256(JSON.stringify(body));
}

/** Bytes at most of what a folder says of a part, or of its batch: no file is read whole because it bears a name. */
const MOST_STATED = 2 ** 28;

/** Reads a document in a folder of a batch. Errors: where it is missing, no JSON, or longer than one can be. */
export function readStated(path: string): unknown {
  const { size } = statSync(path);
  if (size > MOST_STATED) throw new RangeError(`${size} bytes`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Reads the record of a part; undefined where there is none, or where it or a file of it is not as it was written. */
export function keptPart(folder: string, id: string): PartRecord | undefined {
  let record: unknown;
  try {
    record = readStated(recordPath(folder, id));
  } catch {
    return undefined;
  }
  return isRecord(record, id) && record.files.every((file) => intact(folder, file)) ? record : undefined;
}

/** Puts a part that another machine did into a folder: its files by their paths, held against its record, which is given back. Errors: DIGEST_MISMATCH. */
export function keepPart(
  { path }: PartFolder,
  asked: { readonly id: string; readonly key: string },
  record: unknown,
  files: Readonly<Record<string, Uint8Array>>,
): PartRecord {
  const own = (file: PartFile): boolean => {
    const data = files[file.path];
    return data !== undefined && data.length === file.bytes && sha256(data) === file.sha256;
  };
  if (!isRecord(record, asked.id) || record.key !== asked.key || !record.files.every(own))
    fail('DIGEST_MISMATCH', null, `part ${asked.id} came back otherwise than it was asked for`, 'Call again.');
  for (const file of record.files) put(join(path, file.path), files[file.path]!);
  put(recordPath(path, asked.id), JSON.stringify(record));
  return record;
}

/** Puts a part of another folder into this one, each file whole. */
export function takePart(folder: string, from: string, { id, files }: PartRecord): void {
  for (const path of [...files.map((file) => file.path), `parts/${partName(id)}.json`])
    put(join(folder, path), readFileSync(join(from, path)));
}

/** Ids of the parts whose records lie in a folder, in order. */
export function recordedParts(folder: string): string[] {
  const names = existsSync(join(folder, 'parts')) ? readdirSync(join(folder, 'parts')) : [];
  return names.flatMap((name) => /^part-(\d{6}(?:-\d{6})?)\.json$/.exec(name)?.[1] ?? []).sort();
}

/** Forgets what was done before, so that every part is done again. */
export function forgetParts(folder: string): void {
  for (const id of recordedParts(folder)) rmSync(recordPath(folder, id), { force: true });
}

/** Gives the record of a part that was done before under the same digest, its files as they were written; undefined where there is none. */
export function donePart({ path }: PartFolder, id: string, key: string): PartRecord | undefined {
  const record = keptPart(path, id);
  return record?.key === key ? record : undefined;
}

/**
 * Puts a file in place under its name when it is whole. It is not forced onto the disk: a record states the digests of its files, so what a
 * power cut takes is found missing and done again.
 */
function put(path: string, data: string | Uint8Array, sync = false): void {
  const temporary = openTemporary(path, 0o644);
  try {
    temporary.write(data);
    temporary.finish(sync);
    temporary.rename();
  } finally {
    temporary.drop();
  }
}

/** Writes the rows of a part, what is wrong with some and what parsers disagree on; its record comes last. */
export async function writePart(
  folder: PartFolder,
  part: { readonly id: string; readonly key: string; readonly name: string; readonly bytes: number },
  { counts, rows, models, bad, changes }: PartRows,
  list: readonly Task[],
): Promise<PartRecord> {
  const columns = rowTable(rows, { file: part.name, names: models, list });
  const made: [string, string | Uint8Array][] = [
    [`rows/${partName(part.id)}.${folder.format}`, await rowBytes(columns, folder.format)],
  ];
  if (bad.length > 0) made.push([`bad-rows/${partName(part.id)}.jsonl`, jsonLines(bad)]);
  if (changes.length > 0) made.push([`changes/${partName(part.id)}.jsonl`, jsonLines(changes)]);
  const files = made.map(([path, data]): PartFile => {
    put(join(folder.path, path), data);
    return { path, sha256: sha256(data), bytes: Buffer.byteLength(data) };
  });
  const body = {
    schema: 'flavourbench-rescore-part-v1' as const,
    id: part.id,
    key: part.key,
    bytes: part.bytes,
    files,
    counts,
  };
  const record: PartRecord = { ...body, artifact_sha256: recordDigest(body) };
  put(recordPath(folder.path, part.id), JSON.stringify(record));
  return record;
}

/** Puts a file of the whole batch in place, over the one of an earlier call; its bytes are on the disk then. */
export function putWhole(folder: string, name: string, data: string): void {
  put(join(folder, name), data, true);
}

/** Folders of a batch, and what belongs into them. */
const FOLDERS = ['parts', 'rows', 'bad-rows', 'changes'] as const;

/** How files of parts are called. */
const PART_FILE = /^part-\d{6}(?:-\d{6})?\./;

/** Errors: OUTPUT_NOT_REGULAR where a link or a file stands in the place of a folder of a batch: what it leads to is somebody else's. */
function assertOwnFolders(path: string): void {
  for (const folder of FOLDERS) {
    const stat = lstatSync(join(path, folder), { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory())
      fail(
        'OUTPUT_NOT_REGULAR',
        { file: join(path, folder) },
        `a folder expected, found ${stat.isSymbolicLink() ? 'a symbolic link' : 'something else'}`,
        'Choose another folder: a batch writes into folders of its own.',
      );
  }
}

/**
 * Tells whether a folder holds nothing but what stands before a batch can say that it begins: its lock, and its folder of parts without a file. On a
 * full disk that is all that is left.
 */
export function isUnbegun(path: string): boolean {
  if (!existsSync(path)) return true;
  const names = readdirSync(path).filter((name) => name !== '.lock');
  return names.every((name) => name === 'parts') && (names.length === 0 || isEmptyFolder(join(path, 'parts')));
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Makes the folders of a batch, and removes what a process that was killed left unfinished. Errors: OUTPUT_NOT_REGULAR. */
export function openPartFolder({ path }: PartFolder): void {
  assertOwnFolders(path);
  makeFolder(join(path, 'parts'));
  for (const folder of FOLDERS) {
    if (!existsSync(join(path, folder))) continue;
    for (const name of readdirSync(join(path, folder)))
      if (/^\.[0-9a-f]{18}\.tmp$/.test(name)) rmSync(join(path, folder, name), { force: true });
  }
}

/** Removes files of parts that the batch no longer has, as where an input became shorter. Returns how many parts went. */
export function tidyPartFolder({ path }: PartFolder, records: readonly Pick<PartRecord, 'id' | 'files'>[]): number {
  let gone = 0;
  const wanted = new Set(
    records.flatMap(({ id, files }) => [`parts/${partName(id)}.json`, ...files.map((file) => file.path)]),
  );
  for (const folder of FOLDERS) {
    if (!existsSync(join(path, folder))) continue;
    for (const name of readdirSync(join(path, folder))) {
      if (!PART_FILE.test(name) || wanted.has(`${folder}/${name}`)) continue;
      rmSync(join(path, folder, name));
      if (folder === 'parts') gone += 1;
    }
  }
  return gone;
}
