import { crc32, inflateRaw } from '#platform';
import { fail, shown } from '../util/error.js';
import { MOST_UNPACKED, mostUnpacked } from './packing.js';
import { utf8Slice } from './utf8.js';
import type { UnpackZstd } from './zstd.js';

/** One member of an archive. */
export interface ZipMember {
  readonly name: string;
  /** Bytes that it unpacks to. */
  readonly size: number;
  /** Unpacks it. Code ZIP_INVALID where the bytes are not what the directory promises. */
  data(): Uint8Array;
}

interface ZipOptions {
  /** What to do about an archive that is damaged. */
  readonly hint: string;
  /** Most bytes that all members together may unpack to, for a caller who takes them all; unless given `mostUnpacked` of the archive, which is the most of each. */
  readonly largest?: number;
  /** Unpacks members of method 93, which are refused without it. */
  readonly zstd?: UnpackZstd;
}

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
/** What stands in a field of 32 bits where ZIP64 has the number. */
const ELSEWHERE = 0xffffffff;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/** Tells whether bytes begin as a ZIP archive does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly plain: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Opens a ZIP archive (members stored, deflated or Zstandard) by its central directory; a member is unpacked when its data is asked for.
 * Everything that the directory promises is checked: offsets, sizes, overlap; CRC-32 of what is unpacked. Sizes and offsets may be those of ZIP64.
 * Encrypted and split archives are refused. Names are data: no caller may take one for a path. Code ZIP_INVALID, with the offset.
 */
export function openZip(bytes: Uint8Array, file: string, options: ZipOptions): ZipMember[] {
  const most = mostUnpacked(bytes.length);
  const { hint, largest = most, zstd } = options;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at: number) => view.getUint16(at, true);
  const u32 = (at: number) => view.getUint32(at, true);
  const wrong: Wrong = (at, what) => {
    const place = { file, path: `at byte ${at}` };
    return fail('ZIP_INVALID', place, what, hint);
  };
  const u64 = (at: number) => {
    const value = view.getBigUint64(at, true);
    return value <= BigInt(bytes.length) + BigInt(MOST_UNPACKED)
      ? Number(value)
      : wrong(at, `a size or an offset of ${value}`);
  };
  const reading = { u16, u32, u64, wrong };
  const { end, count, start } = directory(bytes, reading);
  const spans: { from: number; to: number; name: string }[] = [];
  const names = new Set<string>();
  const entries: Entry[] = [];
  let total = 0;
  let at = start;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > end || u32(at) !== CENTRAL) wrong(at, `directory entry ${i + 1} of ${count} is missing`);
    const nameLength = u16(at + 28);
    const next = at + 46 + nameLength + u16(at + 30) + u16(at + 32);
    if (next > end) wrong(at, 'a directory entry runs past the directory');
    const name =
      utf8Slice(bytes, at + 46, at + 46 + nameLength) ?? wrong(at, `the name of entry ${i + 1} is not valid UTF-8`);
    if (names.has(name)) wrong(at, `a second member ${shown(name)}`);
    names.add(name);
    if (u16(at + 8) & 1) wrong(at, `member ${shown(name)} is encrypted`);
    const { plain, packed, local } = placeOf(at, reading) ?? wrong(at, `member ${shown(name)} lacks its ZIP64 sizes`);
    total += plain;
    if (total > largest) wrong(at, `members of an archive of ${bytes.length} bytes unpack to more than ${largest}`);
    if (local + 30 > start || u32(local) !== LOCAL) wrong(local, `no local header for ${shown(name)}`);
    const from = local + 30 + u16(local + 26) + u16(local + 28);
    const to = from + packed;
    if (to > start) wrong(from, `member ${shown(name)} runs past the data`);
    spans.push({ from: local, to, name });
    entries.push({ name, method: u16(at + 10), crc: u32(at + 16), plain, from, to });
    at = next;
  }
  if (at !== end) wrong(at, 'bytes follow the last directory entry');
  spans.sort((a, b) => a.from - b.from);
  for (let i = 1; i < spans.length; i += 1)
    if (spans[i]!.from < spans[i - 1]!.to)
      wrong(spans[i]!.from, `members ${shown(spans[i - 1]!.name)} and ${shown(spans[i]!.name)} overlap`);
  return entries.map((entry) => ({
    name: entry.name,
    size: entry.plain,
    data: () => {
      const refuse = (what: string) => wrong(entry.from, `member ${shown(entry.name)} ${what}`);
      if (entry.plain > most)
        refuse(`unpacks to ${entry.plain} bytes; at most ${most} are read of an archive of ${bytes.length}`);
      return unpacked(bytes, entry, zstd, refuse);
    },
  }));
}

/** Throws the error of an archive, at a byte. */
type Wrong = (at: number, what: string) => never;

interface Reading {
  readonly u16: (at: number) => number;
  readonly u32: (at: number) => number;
  readonly u64: (at: number) => number;
  readonly wrong: Wrong;
}

/** Sizes and local offset of a directory entry, from its extra field where they pass 32 bits; undefined where it lacks them. */
function placeOf(at: number, { u16, u32, u64 }: Reading) {
  const stated = [u32(at + 24), u32(at + 20), u32(at + 42)];
  if (stated.includes(ELSEWHERE)) {
    const end = at + 46 + u16(at + 28) + u16(at + 30);
    let field = at + 46 + u16(at + 28);
    while (field + 4 <= end && u16(field) !== 1) field += 4 + u16(field + 2);
    const fieldEnd = field + 4 <= end ? Math.min(end, field + 4 + u16(field + 2)) : field;
    let next = field + 4;
    for (const [i, value] of stated.entries()) {
      if (value !== ELSEWHERE) continue;
      if (next + 8 > fieldEnd) return undefined;
      stated[i] = u64(next);
      next += 8;
    }
  }
  return { plain: stated[0]!, packed: stated[1]!, local: stated[2]! };
}

/** Finds the directory by the record at the end. */
function directory(bytes: Uint8Array, reading: Reading): { end: number; count: number; start: number } {
  const { u16, u32, wrong } = reading;
  let end = bytes.length - 22;
  const stop = Math.max(0, bytes.length - 22 - 0xffff);
  while (end >= stop && !(u32(end) === END && end + 22 + u16(end + 20) === bytes.length)) end -= 1;
  if (end < stop || end < 0) wrong(bytes.length, 'no end-of-directory record: the archive is cut off');
  const count = u16(end + 10);
  const size = u32(end + 12);
  const start = u32(end + 16);
  if (u16(end + 4) !== 0 || u16(end + 8) !== count) wrong(end, 'a split archive');
  const locator = end - 20;
  if (locator >= 0 && u32(locator) === LOCATOR64) return directory64(locator, { count, size, start }, reading);
  if (start === ELSEWHERE || size === ELSEWHERE) wrong(end, 'a ZIP64 directory without its locator');
  if (start + size !== end) wrong(end, `directory of ${size} bytes at ${start} does not end at ${end}`);
  return { end, count, start };
}

/** Finds the directory of a ZIP64 archive, which agrees with the record of 32 bits where that says anything. */
function directory64(
  locator: number,
  stated: { readonly count: number; readonly size: number; readonly start: number },
  { u32, u64, wrong }: Reading,
): { end: number; count: number; start: number } {
  const end = u64(locator + 8);
  if (end + 56 > locator || u32(end) !== END64) wrong(locator, 'no ZIP64 record where the locator points');
  if (end + 12 + u64(end + 4) !== locator) wrong(end, 'the ZIP64 record does not end at its locator');
  if (u32(locator + 4) !== 0 || u32(locator + 16) > 1 || u64(end + 24) !== u64(end + 32)) wrong(end, 'a split archive');
  const [count, size, start] = [u64(end + 32), u64(end + 40), u64(end + 48)];
  const differs =
    (stated.count !== 0xffff && stated.count !== count) ||
    (stated.size !== ELSEWHERE && stated.size !== size) ||
    (stated.start !== ELSEWHERE && stated.start !== start);
  if (differs) wrong(end, 'the two directory records disagree');
  if (start + size !== end) wrong(end, `directory of ${size} bytes at ${start} does not end at ${end}`);
  return { end, count, start };
}

function unpacked(
  bytes: Uint8Array,
  { method, plain, crc, from, to }: Entry,
  zstd: UnpackZstd | undefined,
  wrong: (what: string) => never,
): Uint8Array {
  const packed = bytes.subarray(from, to);
  const unpack = method === 8 ? inflateRaw : method === 93 ? zstd : undefined;
  let data: Uint8Array;
  if (method === 0) data = packed;
  else if (unpack === undefined)
    return wrong(`uses compression method ${method}; 0 and 8${zstd === undefined ? '' : ' and 93'} are read`);
  else {
    try {
      data = unpack(packed, plain);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      wrong(`does not unpack to ${plain} bytes: ${why}`);
    }
  }
  if (data.length !== plain) wrong(`has ${data.length} bytes, its entry says ${plain}`);
  if (crc32(data) !== crc) wrong('fails its CRC-32');
  return data;
}
