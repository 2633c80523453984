import type { Data, Vector } from 'apache-arrow';
import {
  type CodedColumn,
  type Column,
  columnOfCodes,
  columnOfValues,
  joinedCodes,
  tidyCodes,
  valuesOfCodes,
} from '../coded.js';
import type { Budget } from '../held/table-bound.js';
import { dateText, plainNumbers, plainValues, shortDecimal, timeText } from '../plain-values.js';
import { sliceCodes } from '../slice-codes.js';

/** Precision of floats of 16 bits, which stand for the shortest decimal that is nearest to them (reading 1.6). */
const HALF = 0;

/** Types of the library by their number: what it decodes as text itself loses a byte order mark at its start. */
const TYPE = { dictionary: -1, utf8: 5, largeUtf8: 20 } as const;

function dictionaryCodes(data: Data, budget?: Budget): CodedColumn {
  budget?.spend('values', data.dictionary!.length);
  const texts: unknown[] = plainValues(vectorValues(data.dictionary as Vector));
  const stored = data.values as Int32Array | BigInt64Array;
  const codes = Int32Array.from({ length: data.length }, (_, i) => Number(stored[i]));
  if (data.nullCount > 0) {
    const none = texts.push(null) - 1;
    for (let i = 0; i < codes.length; i += 1) if (!data.getValid(i)) codes[i] = none;
  }
  return tidyCodes(codes, texts.length, (code) => texts[code] ?? null);
}

/** Codes of text whose bytes stand behind one another, as `Utf8` and `LargeUtf8` have them. */
function textCodes(data: Data): CodedColumn {
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
  return tidyCodes(codes, texts.length, (code) => texts[code] ?? null);
}

/** Tells whether a value is a list, which the library gives as a vector. */
const isVector = (value: unknown): value is Vector =>
  typeof value === 'object' && value !== null && 'data' in value && 'type' in value;

/** Lists the values of a vector by place: its iterator takes twice as long. Texts, and lists of them, come as they are stored. */
export function vectorValues(vector: Vector, budget?: Budget): unknown[] {
  const { typeId } = vector.type;
  if (typeId === TYPE.utf8 || typeId === TYPE.largeUtf8) return valuesOfCodes(joinedCodes(vector.data.map(textCodes)));
  if (typeId === TYPE.dictionary && vector.data.length > 0)
    return valuesOfCodes(joinedCodes(vector.data.map((data) => dictionaryCodes(data, budget))));
  const values = new Array<unknown>(vector.length);
  for (let i = 0; i < values.length; i += 1) {
    const value: unknown = vector.get(i);
    values[i] = isVector(value) ? vectorValues(value) : value;
  }
  return values;
}

/**
 * Makes a column of a vector, by the quickest way that its type has: texts and dictionaries as codes, numbers without gaps as they stand in
 * memory, days and times as texts, which are no scores (reading 1.3), anything else value by value. Errors: BOUND_EXCEEDED for more values than the budget has.
 */
export function vectorColumn({ DataType }: typeof import('apache-arrow'), vector: Vector, budget: Budget): Column {
  const { type } = vector;
  const each = () => {
    budget.spend('values', vector.length);
    return vectorValues(vector);
  };
  if (DataType.isDictionary(type))
    return columnOfCodes(() => joinedCodes(vector.data.map((data) => dictionaryCodes(data, budget))));
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type))
    return columnOfCodes(() => joinedCodes(vector.data.map(textCodes)));
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return columnOfValues(() => each().map(dateText));
  if (DataType.isTime(type)) return columnOfValues(() => each().map((value) => timeText(value, type.unit)));
  if (DataType.isDecimal(type)) {
    const units = 10 ** type.scale;
    return columnOfValues(() => each().map((value) => (value === null ? null : Number(value) / units)));
  }
  if (DataType.isFloat(type) && type.precision === HALF)
    return columnOfValues(() => each().map((value) => (typeof value === 'number' ? shortDecimal(value, 10) : value)));
  const stored = DataType.isInt(type) || (DataType.isFloat(type) && type.precision > 0);
  if (stored && vector.nullCount === 0) return columnOfValues(() => plainNumbers(vector.toArray()));
  return columnOfValues(() => plainValues(each()));
}
