import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { readNpy, readNpz } from '../../src/io/npy.js';
import { readSafetensors } from '../../src/io/safetensors.js';
import { FlavourError } from '../../src/util/error.js';
import { floatBytes, npy, safetensors } from '../support/environment-files.js';

const read = (bytes: Buffer) => readNpy(bytes, 'x.npy');
const array = npy({ shape: [2], values: [1, 2] });

describe('the reader of npy files', () => {
  it.each([
    ['<f4', 1],
    ['>f4', 2],
    ['<f8', 3],
    ['>f8', 1],
    ['<f2', 1],
  ])('reads %s, version %i', (descr, version) => {
    const values = [0.5, -2, 1.25, 3, 4, 5];
    const made = read(npy({ shape: [2, 3], values, descr, version }));
    expect([...made.values]).toEqual(values);
    expect(made.shape).toEqual([2, 3]);
  });

  it('turns column order into row order', () => {
    const made = read(npy({ shape: [2, 3], values: [1, 2, 3, 4, 5, 6], fortran: true }));
    expect([...made.values]).toEqual([1, 3, 5, 2, 4, 6]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['another kind of file', Buffer.from('PK\x03\x04 something'), /at byte 0: the numpy magic/],
    ['an unknown version', npy({ shape: [1], values: [1], version: 9 }), /at byte 6: format version 9/],
    ['a file that ends in its header', array.subarray(0, 40), /header of \d+ bytes in a file of 40/],
    [
      'a header past the cap',
      Buffer.concat([Buffer.from('\x93NUMPY\x02\x00\xff\xff\xff\x7f', 'latin1'), array]),
      /at most 65536/,
    ],
    [
      'a pickle',
      npy({
        shape: [1],
        values: [1],
        header: "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n",
      }),
      /dtype "\|O"/,
    ],
    [
      'an integer array',
      npy({
        shape: [1],
        values: [1],
        header: "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }\n",
      }),
      /dtype "<i4"/,
    ],
    [
      'code instead of a header',
      npy({ shape: [1], values: [1], header: "__import__('os')\n" }),
      /is not a plain array description/,
    ],
    [
      'a negative shape',
      npy({
        shape: [1],
        values: [1],
        header: "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }\n",
      }),
      /not a plain array/,
    ],
    ['too few numbers', npy({ shape: [3], values: [1, 2] }), /8 bytes of data, shape \(3\) of F32 needs 12/],
    ['too many numbers', npy({ shape: [1], values: [1, 2] }), /8 bytes of data, shape \(1\) of F32 needs 4/],
    ['an infinite number', npy({ shape: [1], values: [Number.POSITIVE_INFINITY] }), /number 0 is Infinity/],
  ])('refuses by name %s', (_, bytes, message) => {
    expect(() => read(bytes)).toThrow(message);
  });
});

/** The archive with a locator that points one byte further. */
function moved(bytes: Buffer): Buffer {
  const at = bytes.length - 22 - 20 + 8;
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 1n, at);
  return bytes;
}

describe('the reader of npz files', () => {
  it('reads stored and deflated members', () => {
    const bytes = zip([
      { name: 'a.npy', data: array },
      { name: 'b.npy', data: npy({ shape: [1], values: [7] }), method: 8 },
    ]);
    const made = readNpz(bytes, 'x.npz');
    expect([...made.keys()]).toEqual(['a', 'b']);
    expect([...made.get('b')!.values]).toEqual([7]);
  });

  const member = { name: 'a.npy', data: array };
  const good = zip([member]);
  it.each<[string, Buffer, RegExp]>([
    ['no archive', Buffer.alloc(100), /no end-of-directory record/],
    ['an empty file', Buffer.alloc(0), /no end-of-directory record/],
    ['a truncated archive', good.subarray(0, good.length - 5), /no end-of-directory record/],
    ['bytes before the archive', Buffer.concat([Buffer.alloc(3), good]), /does not end at/],
    ['a wrong CRC', zip([{ ...member, crc: 1 }]), /member "a.npy" fails its CRC-32/],
    ['a wrong size', zip([{ ...member, plain: 5 }]), /has \d+ bytes, its entry says 5/],
    [
      'a deflate bomb',
      zip([{ name: 'a.npy', data: Buffer.alloc(100_000), method: 8, plain: 10 }]),
      /does not unpack to 10 bytes/,
    ],
    ['encryption', zip([{ ...member, flags: 1 }]), /is encrypted/],
    ['another method', zip([{ ...member, stated: 12 }]), /compression method 12/],
    ['a name twice', zip([member, member]), /a second member "a.npy"/],
    ['an offset past the data', zip([{ ...member, offset: 10_000 }]), /no local header for "a.npy"/],
    ['sizes of 64 bits that are not there', zip([{ ...member, plain: 0xffffffff }]), /lacks its ZIP64 sizes/],
    ['a size past all bounds', zip([{ ...member, plain: 2 ** 50 }], { zip64: true }), /a size or an offset of/],
    ['an offset of 64 bits past the data', zip([{ ...member, offset: 10_000 }], { zip64: true }), /no local header/],
    ['a ZIP64 record that is cut off', zip([member], { zip64: true }).subarray(0, -30), /cut off/],
    ['a locator that points elsewhere', moved(zip([member], { zip64: true })), /where the locator points/],
    ['a member that is no array', zip([{ name: 'a.txt', data: array }]), /"a.txt" is not a .npy array/],
    ['overlapping members', zip([member, { ...member, name: 'b.npy', offset: 0 }]), /overlap/],
    ['a damaged array', zip([{ name: 'a.npy', data: Buffer.alloc(20) }]), /x.npz:a.npy: at byte 0/],
  ])('refuses by name %s', (_, bytes, message) => {
    expect(() => readNpz(bytes, 'x.npz')).toThrow(message);
  });
});

describe('readers of arrays', () => {
  const readers: [string, (bytes: Buffer) => unknown, Buffer][] = [
    ['npy', read, npy({ shape: [2, 2], values: [1, 2, 3, 4] })],
    ['npz', (bytes) => readNpz(bytes, 'x'), zip([{ name: 'a.npy', data: array, method: 8 }])],
    [
      'safetensors',
      (bytes) => readSafetensors(bytes, 'x').tensors,
      safetensors({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 8] } }, floatBytes([1, 2])),
    ],
  ];
  it.each(readers)('read or refuse a changed, cut or random file of %s, without a crash', (_, reader, whole) => {
    const tried = (bytes: Buffer) => {
      try {
        reader(bytes);
      } catch (error) {
        if (!(error instanceof FlavourError)) throw error;
      }
    };
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, value, end) => {
        const changed = Buffer.from(whole);
        changed[at] = value;
        tried(changed);
        tried(whole.subarray(0, end));
      }),
      { numRuns: 400 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => tried(Buffer.from(bytes))));
  });
});
