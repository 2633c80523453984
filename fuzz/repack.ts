import { crc32, deflateRawSync } from 'node:zlib';
import { isZip, openZip } from '../src/io/zip.js';
import type { Dice } from './dice.js';

interface Member {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Writes an archive with right sizes and check sums, so that what is wrong is inside. */
function zipped(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, data } of members) {
    const label = Buffer.from(name);
    const packed = deflateRawSync(data);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(label.length, 22);
    const offset = Buffer.alloc(16);
    offset.writeUInt32LE(at, 12);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), facts, label, packed);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, offset.subarray(2), label);
    at += 4 + facts.length + label.length + packed.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

/** Changes one member of an archive and writes it anew, whole; undefined for what is no archive. */
export function mutateInside(
  bytes: Buffer,
  dice: Dice,
  change: (data: Buffer) => { readonly bytes: Buffer; readonly how: string },
): { readonly bytes: Buffer; readonly how: string } | undefined {
  if (!isZip(bytes)) return undefined;
  try {
    const members = openZip(bytes, 'seed', { hint: '' }).map(({ name, data }) => ({ name, data: data() }));
    if (members.length === 0) return undefined;
    const at = dice.below(members.length);
    const { bytes: data, how } = change(Buffer.from(members[at]!.data));
    const changed = members.map((member, i) => (i === at ? { name: member.name, data } : member));
    return { bytes: zipped(changed), how: `${how} in ${members[at]!.name}` };
  } catch {
    return undefined;
  }
}
