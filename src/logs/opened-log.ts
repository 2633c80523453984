import { jsonFile } from '../io/held/json-file.js';
import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { unpack } from '../io/unpack.js';
import { decodeText, isMarked, utf8Slice } from '../io/utf8.js';
import { isZip, openZip, type ZipMember } from '../io/zip.js';
import { isZstd, openZstd, type UnpackZstd } from '../io/zstd.js';
import { once } from '../util/once.js';
import { type LogRows, logRows } from './log-rows.js';

/** A file that may be a log. */
export interface LogFile {
  /** Its path, as errors name it. */
  readonly name: string;
  /** Path of the folder that it lies in, absolute: some harnesses name model and evaluation there and nowhere else. */
  readonly folder: string;
  readonly bytes: Uint8Array;
}

/** A file as a call gives it: named by the user, or found in a folder that was. */
export interface GivenFile extends LogFile {
  /** Found in a folder: that it is no log is no error. */
  readonly found?: boolean;
}

/** The files of a call in one folder. */
export interface NearFiles {
  files(): readonly LogFile[];
  /** Hears which of them was read to understand another. */
  used?(file: LogFile): void;
}

/** A file that may be a log, unpacked; what is costly is read when it is first asked for, and once. */
export interface OpenedLog {
  /** Its path, as errors name it. */
  readonly file: string;
  /** The last part of it, without the ending of a packed file. */
  readonly name: string;
  /** Names of the folders around it, the innermost last. */
  readonly folders: readonly string[];
  /** Members of an archive; undefined for any other file. */
  readonly members?: readonly ZipMember[];
  /** The object on the first line; undefined where that line is a part of a document or none. */
  readonly first: JsonObject | undefined;
  /** The JSON that the file is; undefined where it is of another kind. Errors: JSON_INVALID, JSON_DUPLICATE_KEY. */
  readonly document: unknown;
  /** Rows of a file of one JSON object a line. Errors: JSON_INVALID, SCHEMA_INVALID. */
  rows(): LogRows;
  /** The object in the first file of such a name in the same folder; undefined where there is none. */
  beside(name: RegExp): Promise<JsonObject | undefined>;
  /** Leaves the JSON that was parsed for the next who opens the file. */
  leave(): void;
}

const ARCHIVE_HINT =
  'Copy the file again; a log whose run was killed can be mended by its harness (inspect_ai: `inspect log recover`).';

let decoder: Promise<UnpackZstd> | undefined;

/**
 * Opens a file of a log; `near` gives the files in its folder. Errors: PACKED_INVALID and ZIP_INVALID for a file that is cut off or
 * damaged.
 */
export async function openLog(given: LogFile, near: NearFiles): Promise<OpenedLog> {
  const { name: file, folder } = given;
  const { bytes } = await unpack(given.bytes, file);
  if (isZip(bytes)) decoder ??= openZstd();
  const members = isZip(bytes)
    ? openZip(bytes, file, { hint: ARCHIVE_HINT, largest: 2 ** 31 + 1024 * bytes.length, zstd: await decoder })
    : undefined;
  const start = isMarked(bytes) ? 3 : 0;
  const isJson = isJsonStart(firstByte(bytes, start));
  const json = jsonFile(bytes, file);
  const alone = once(() => isOneLine(bytes));
  const first = once(() => {
    if (!isJson) return undefined;
    return objectOr(() => (alone() ? json.value() : parseJson(firstLine(bytes, start), { nonFinite: true })));
  });
  return {
    file,
    name: plainName(file),
    folders: folder.split(/[\\/]/).filter((part) => part !== ''),
    ...(members === undefined ? {} : { members }),
    get first() {
      return first();
    },
    get document() {
      if (!isJson) return undefined;
      return first() === undefined || alone() ? json.value() : undefined;
    },
    leave: () => json.leave(),
    rows: () => logRows(bytes.subarray(start), file),
    beside: async (name) => {
      const other = near.files().find((candidate) => name.test(plainName(candidate.name)));
      if (other === undefined) return undefined;
      near.used?.(other);
      const plain = await unpack(other.bytes, other.name);
      const value = parseJson(decodeText(other.name, plain.bytes), { file: other.name, nonFinite: true });
      return isObject(value) ? value : undefined;
    },
  };
}

/** Tells by its first bytes whether a file is JSON. */
export const isJsonText = (head: Uint8Array): boolean => isJsonStart(firstByte(head, isMarked(head) ? 3 : 0));

/** Tells by its first bytes whether a file may be a log: JSON, an archive, or one of them packed. */
export function mayBeLog(head: Uint8Array): boolean {
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  return isGzip || isZstd(head) || isZip(head) || isJsonText(head);
}

/** The name of a file without its folders. */
export const lastPart = (path: string): string => path.split(/[\\/]/).at(-1)!;

const plainName = (path: string) => lastPart(path).replace(/\.(?:gz|zst)$/, '');

const isJsonStart = (byte: number): boolean => byte === 0x7b || byte === 0x5b;

const BLANK: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function firstByte(bytes: Uint8Array, start: number): number {
  let at = start;
  while (BLANK.has(bytes[at])) at += 1;
  return bytes[at] ?? 0;
}

function firstLine(bytes: Uint8Array, start: number): string {
  const feed = bytes.indexOf(10, start);
  return utf8Slice(bytes, start, feed < 0 ? bytes.length : feed) ?? '';
}

/** Whether nothing but blanks follows the first line. */
function isOneLine(bytes: Uint8Array): boolean {
  const feed = bytes.indexOf(10);
  return feed < 0 || firstByte(bytes, feed) === 0;
}

function objectOr(parse: () => unknown): JsonObject | undefined {
  try {
    const value = parse();
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
