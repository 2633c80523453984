import type { Data, Vector } from 'apache-arrow';
import { type Column, columnOfCodes, columnOfValues, tidyCodes } from '../coded.js';
import { plainNumbers, plainValues } from '../plain-values.js';
import { sliceCodes } from '../slice-codes.js';

/** Codes of one chunk, and what each stands for. */
interface ChunkCodes {
  readonly codes: ArrayLike<number>;
  readonly texts: readonly unknown[];
}

function dictionaryCodes(data: Data): ChunkCodes {
  const texts: unknown[] = plainValues(vectorValues(data.dictionary as Vector));
  const stored = data.values as Int32Array | BigInt64Array;
  const codes = Int32Array.from({ length: data.length }, (_, i) => Number(stored[i]));
  if (data.nullCount > 0) {
    const none = texts.push(null) - 1;
    for (let i = 0; i < codes.length; i += 1) if (!data.getValid(i)) codes[i] = none;
  }
  return { codes, texts };
}

/** Codes of text whose bytes stand behind one another, as `Utf8` and `LargeUtf8` have them. */
function textCodes(data: Data): ChunkCodes {
  const slices = sliceCodes(data.values as Uint8Array);
  const stored = data.valueOffsets as Int32Array | BigInt64Array;
  const offsets = stored instanceof BigInt64Array ? Float64Array.from(stored, Number) : stored;
  const gaps = data.nullCount > 0;
  const codes = new Int32Array(data.length);
  for (let i = 0; i < codes.length; i += 1)
    codes[i] = gaps && !data.getValid(i) ? -1 : slices.code(offsets[i]!, offsets[i + 1]!);
  const texts: (string | null)[] = slices.texts();
  if (gaps) {
    const none = texts.push(null) - 1;
    for (let i = 0; i < codes.length; i += 1) if (codes[i]! < 0) codes[i] = none;
  }
  return { codes, texts };
}

/** Lists the values of a vector by place: its iterator takes twice as long. */
export function vectorValues(vector: Vector): unknown[] {
  const values = new Array<unknown>(vector.length);
  for (let i = 0; i < values.length; i += 1) values[i] = vector.get(i);
  return values;
}

/** Puts the codes of chunks behind one another: equal values of two chunks get one code. */
function joinedCodes(make: () => readonly ChunkCodes[]): Column {
  return columnOfCodes(() => {
    const chunks = make();
    const known = new Map<unknown, number>();
    const numbers = chunks.map(({ texts }) =>
      Int32Array.from(texts, (text) => {
        const value = text ?? null;
        const code = known.get(value) ?? known.size;
        known.set(value, code);
        return code;
      }),
    );
    const values = [...known.keys()];
    const codes = new Int32Array(chunks.reduce((sum, chunk) => sum + chunk.codes.length, 0));
    let at = 0;
    chunks.forEach((chunk, c) => {
      for (let i = 0; i < chunk.codes.length; i += 1, at += 1) codes[at] = numbers[c]![chunk.codes[i]!]!;
    });
    return tidyCodes(codes, values.length, (code) => values[code]);
  });
}

/**
 * Makes a column of a vector, by the quickest way that its type has: texts and dictionaries as codes, numbers without gaps as they stand in
 * memory, anything else value by value.
 */
export function vectorColumn({ DataType }: typeof import('apache-arrow'), vector: Vector): Column {
  const { type } = vector;
  if (DataType.isDictionary(type)) return joinedCodes(() => vector.data.map(dictionaryCodes));
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return joinedCodes(() => vector.data.map(textCodes));
  if (DataType.isDecimal(type)) {
    const units = 10 ** type.scale;
    return columnOfValues(() => vectorValues(vector).map((value) => (value === null ? null : Number(value) / units)));
  }
  const stored = DataType.isInt(type) || (DataType.isFloat(type) && type.precision > 0);
  if (stored && vector.nullCount === 0) return columnOfValues(() => plainNumbers(vector.toArray()));
  return columnOfValues(() => plainValues(vectorValues(vector)));
}
