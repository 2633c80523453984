import { crc32, inflateRawSync } from 'node:zlib';
import { fail } from '../util/error.js';

const HINT = 'The archive is damaged or of a kind that is not read; write it again with numpy.savez.';

/** One member of an archive, unpacked. */
interface ZipMember {
  readonly name: string;
  readonly data: Buffer;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const LARGEST = 2 ** 30;

/**
 * Reads a ZIP archive (stored and deflated members) from its central directory. Everything the directory promises is checked:
 * offsets, sizes, overlap, CRC-32; encrypted, split and ZIP64 archives are refused. Code ZIP_INVALID, with the offset.
 */
export function readZip(bytes: Buffer, file: string): ZipMember[] {
  let end = bytes.length - 22;
  const stop = Math.max(0, bytes.length - 22 - 0xffff);
  while (end >= stop && !(bytes.readUInt32LE(end) === END && end + 22 + bytes.readUInt16LE(end + 20) === bytes.length))
    end -= 1;
  if (end < stop || end < 0)
    fail('ZIP_INVALID', { file, path: `at byte ${bytes.length}` }, 'no end-of-directory record', HINT);
  const count = bytes.readUInt16LE(end + 10);
  const size = bytes.readUInt32LE(end + 12);
  const start = bytes.readUInt32LE(end + 16);
  if (bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count)
    fail('ZIP_INVALID', { file, path: `at byte ${end}` }, 'a split archive', HINT);
  if (start === 0xffffffff || count === 0xffff)
    fail('ZIP_INVALID', { file, path: `at byte ${end}` }, 'a ZIP64 directory', HINT);
  if (start + size !== end)
    fail(
      'ZIP_INVALID',
      { file, path: `at byte ${end}` },
      `directory of ${size} bytes at ${start} does not end at ${end}`,
      HINT,
    );

  const members: ZipMember[] = [];
  const spans: { from: number; to: number; name: string }[] = [];
  const names = new Set<string>();
  let total = 0;
  let at = start;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL)
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, `directory entry ${i + 1} of ${count} is missing`, HINT);
    const flags = bytes.readUInt16LE(at + 8);
    const method = bytes.readUInt16LE(at + 10);
    const crc = bytes.readUInt32LE(at + 16);
    const packed = bytes.readUInt32LE(at + 20);
    const plain = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > end)
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, 'a directory entry runs past the directory', HINT);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (names.has(name))
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, `a second member ${JSON.stringify(name)}`, HINT);
    names.add(name);
    if (flags & 1)
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, `member ${JSON.stringify(name)} is encrypted`, HINT);
    if (packed === 0xffffffff || plain === 0xffffffff || local === 0xffffffff)
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, `member ${JSON.stringify(name)} has ZIP64 sizes`, HINT);
    total += plain;
    if (total > LARGEST)
      fail('ZIP_INVALID', { file, path: `at byte ${at}` }, `members unpack to more than ${LARGEST} bytes`, HINT);
    if (local + 30 > start || bytes.readUInt32LE(local) !== LOCAL)
      fail('ZIP_INVALID', { file, path: `at byte ${local}` }, `no local header for ${JSON.stringify(name)}`, HINT);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const to = from + packed;
    if (to > start)
      fail('ZIP_INVALID', { file, path: `at byte ${from}` }, `member ${JSON.stringify(name)} runs past the data`, HINT);
    spans.push({ from: local, to, name });
    members.push({
      name,
      data: unpack(bytes.subarray(from, to), { method, plain, crc, from, name }),
    });
    at = next;
  }
  if (at !== end) fail('ZIP_INVALID', { file, path: `at byte ${at}` }, 'bytes follow the last directory entry', HINT);
  spans.sort((a, b) => a.from - b.from);
  for (let i = 1; i < spans.length; i += 1) {
    if (spans[i]!.from < spans[i - 1]!.to)
      fail(
        'ZIP_INVALID',
        { file, path: `at byte ${spans[i]!.from}` },
        `members ${JSON.stringify(spans[i - 1]!.name)} and ${JSON.stringify(spans[i]!.name)} overlap`,
        HINT,
      );
  }
  return members;

  function unpack(
    packed: Buffer,
    entry: { method: number; plain: number; crc: number; from: number; name: string },
  ): Buffer {
    const { method, plain, from } = entry;
    const name = JSON.stringify(entry.name);
    let data: Buffer;
    if (method === 0) data = packed;
    else if (method === 8) {
      try {
        data = inflateRawSync(packed, { maxOutputLength: Math.max(1, plain) });
      } catch (cause) {
        fail(
          'ZIP_INVALID',
          { file, path: `at byte ${from}` },
          `member ${name} does not inflate to ${plain} bytes (${String(cause)})`,
          HINT,
        );
      }
    } else
      fail(
        'ZIP_INVALID',
        { file, path: `at byte ${from}` },
        `member ${name} uses compression method ${method}; 0 and 8 are read`,
        HINT,
      );
    if (data.length !== plain)
      fail(
        'ZIP_INVALID',
        { file, path: `at byte ${from}` },
        `member ${name} has ${data.length} bytes, its entry says ${plain}`,
        HINT,
      );
    if (crc32(data) !== entry.crc)
      fail('ZIP_INVALID', { file, path: `at byte ${from}` }, `member ${name} fails its CRC-32`, HINT);
    return data;
  }
}
