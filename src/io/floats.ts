import { fail, shown } from '../util/error.js';

/** Bytes of one number. */
export const FLOAT_BYTES = { BF16: 2, F16: 2, F32: 4, F64: 8 } as const;
export type FloatType = keyof typeof FLOAT_BYTES;

/** A rectangular table of float32 numbers. */
export interface FloatTable {
  readonly rows: number;
  readonly columns: number;
  /** rows x columns, row after row. */
  readonly values: Float32Array;
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const widened = new DataView(new ArrayBuffer(4));

/** A bfloat16 is the upper half of a float32. */
function brain(bits: number): number {
  widened.setUint16(0, bits);
  return widened.getFloat32(0);
}

interface DecodeOptions {
  readonly type: FloatType;
  readonly littleEndian?: boolean;
  /** Named in errors. */
  readonly file: string;
  /** Position of the first byte in the file, for errors. */
  readonly offset: number;
}

/**
 * Decodes floats as float32. A double is rounded to the nearest float32, as the released runtime rounds its text table
 * (compiler a.3). A number that is not finite, or does not fit, is an error with its index and byte (code NUMBER_INVALID).
 */
export function decodeFloats(bytes: Uint8Array, options: DecodeOptions): Float32Array {
  const { type, littleEndian = true, file, offset } = options;
  const width = FLOAT_BYTES[type];
  const count = bytes.length / width;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    const at = i * width;
    out[i] =
      type === 'F32'
        ? view.getFloat32(at, littleEndian)
        : type === 'F64'
          ? view.getFloat64(at, littleEndian)
          : type === 'F16'
            ? half(view.getUint16(at, littleEndian))
            : brain(view.getUint16(at, littleEndian));
    if (!Number.isFinite(out[i]!)) {
      fail(
        'NUMBER_INVALID',
        { file },
        `at byte ${offset + at}: number ${i} is ${shown(out[i])} as float32; finite numbers are expected`,
        'Remove or repair that row.',
      );
    }
  }
  return out;
}
