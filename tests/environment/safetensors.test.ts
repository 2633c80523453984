import { describe, expect, it } from 'vitest';
import { readSafetensors } from '../../src/io/safetensors.js';
import { floatBytes, safetensors } from '../support/environment-files.js';

const two = floatBytes([1, 2]);
const entry = (begin: number, end: number, shape: unknown = [2], dtype: unknown = 'F32') => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});
const read = (bytes: Buffer) => readSafetensors(bytes, 'x.safetensors');

describe('the reader of safetensors files', () => {
  it.each([
    ['F16', '<f2', [1.5, -0.25, 65504, 2 ** -24]],
    ['F32', '<f4', [1.5, -0.25, 3e38, 1e-40]],
    ['F64', '<f8', [1.5, -0.25, 0.1, 1e-300]],
  ])('reads %s as float32', (dtype, descr, values) => {
    const data = floatBytes(values, descr);
    const header = { a: { dtype, shape: [2, 2], data_offsets: [0, data.length] } };
    expect([...read(safetensors(header, data)).read('a')]).toEqual(values.map(Math.fround));
  });

  it('reads several tensors in any order, padding and metadata', () => {
    const header = { b: entry(8, 16), __metadata__: { format: 'pt' }, a: entry(0, 8) };
    const data = Buffer.concat([two, floatBytes([3, 4])]);
    const file = read(safetensors(`${JSON.stringify(header)}    `, data));
    expect([...file.read('b')]).toEqual([3, 4]);
    expect(file.metadata.get('format')).toBe('pt');
  });

  it('holds a tensor called __proto__ like any other', () => {
    const header = `{"__proto__":${JSON.stringify(entry(0, 8))}}`;
    expect([...read(safetensors(header, two)).read('__proto__')]).toEqual([1, 2]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['a file shorter than a length', Buffer.alloc(7), /7 bytes; the header length alone/],
    ['a header past the cap', Buffer.alloc(64, 0xff), /header of 18446744073709551615 bytes; at most/],
    ['a header past the file', safetensors({ a: entry(0, 8) }, two).subarray(0, 20), /in a file of 20/],
    ['a header that is no object', safetensors('[]', two), /at byte 8: the header does not begin/],
    ['a header that is no text', safetensors('{\xff', two).fill(0xff, 9, 10), /not valid UTF-8/],
    ['a header cut short', safetensors('{"a":', two), /x.safetensors header, line 1/],
    ['a tensor named twice', safetensors('{"a":{},"a":{}}', two), /"a" stands twice/],
    ['an unknown dtype', safetensors({ a: entry(0, 8, [2], 'F33') }, two), /"a" has dtype "F33"/],
    ['a negative shape', safetensors({ a: entry(0, 8, [-2]) }, two), /shape \[-2\]; a list of counts/],
    ['a fractional shape', safetensors({ a: entry(0, 8, [0.5]) }, two), /shape \[0.5\]/],
    [
      'a size that is not shape x dtype',
      safetensors({ a: entry(0, 8, [3]) }, two),
      /spans 8 bytes \(0 to 8\); shape \[3\] of F32 needs 12/,
    ],
    ['a shape whose product overflows', safetensors({ a: entry(0, 8, [2 ** 40, 2 ** 40]) }, two), /spans 8 bytes/],
    ['offsets the wrong way round', safetensors({ a: entry(8, 0) }, two), /spans -8 bytes/],
    ['offsets past the data', safetensors({ a: entry(0, 16, [4]) }, two), /tensors end at 16, the file holds 8/],
    [
      'bytes after the tensors',
      safetensors({ a: entry(0, 8) }, Buffer.concat([two, two])),
      /end at 8, the file holds 16/,
    ],
    [
      'overlapping tensors',
      safetensors({ a: entry(0, 8), b: entry(4, 8, [1]) }, two),
      /"b" begins at 4, which overlaps/,
    ],
    [
      'a gap between tensors',
      safetensors({ a: entry(0, 4, [1]), b: entry(8, 12, [1]) }, Buffer.alloc(12)),
      /leaves a gap after/,
    ],
    [
      'metadata that is no text',
      safetensors({ __metadata__: { a: 1 } }, Buffer.alloc(0)),
      /__metadata__ "a" is not text/,
    ],
  ])('refuses by name %s', (_, bytes, message) => {
    expect(() => read(bytes)).toThrow(message);
  });

  it('refuses a number that is not finite, with its byte, and tensors that it cannot read', () => {
    const header = { a: entry(0, 8), b: entry(8, 16, [1], 'I64') };
    const bytes = safetensors(header, Buffer.concat([floatBytes([1, Number.NaN]), two]));
    const start = 8 + JSON.stringify(header).length;
    expect(() => read(bytes).read('a')).toThrow(`at byte ${start + 4}: number 1 is NaN`);
    expect(() => read(bytes).read('b')).toThrow('"b" is I64; BF16, F16, F32 and F64 are read');
    expect(() => read(bytes).read('c')).toThrow('no tensor "c"; it has "a", "b"');
  });

  it('refuses a double that does not fit float32', () => {
    const bytes = safetensors({ a: entry(0, 8, [1], 'F64') }, floatBytes([1e39], '<f8'));
    expect(() => read(bytes).read('a')).toThrow(/number 0 is Infinity as float32/);
  });
});
