/**
 * Totals too wide for a kernel's lanes are cut into digits of `bits` bits, the last one signed. A plane of digits sums
 * exactly in i32, and the planes are put together in i64.
 */
export interface Planes {
  readonly planes: number;
  readonly bits: number;
}

const bitLength = (x: number): number => (x < 1 ? 0 : Math.floor(Math.log2(x)) + 1);

/**
 * Cuts totals up to `largest` in size, taken up to `times` times in all, into planes. One plane when `largest` fits `laneBits`
 * bits, sign included, and the sums fit i32.
 */
export function planesFor(largest: number, times: number, laneBits: number): Planes {
  if (largest < 2 ** (laneBits - 1) && largest * times < 2 ** 31) return { planes: 1, bits: 0 };
  const bits = Math.min(laneBits - 1, 31 - bitLength(times));
  return { planes: Math.ceil((bitLength(largest) + 2) / bits), bits };
}

/** Reads digits: plane p of an integer. */
export type DigitReader = (total: number | bigint, plane: number) => number;

/** Opens a reader for numbers up to 2^53, or for bigints. */
export function digitReader({ planes, bits }: Planes, kind: 'number' | 'bigint'): DigitReader {
  if (planes === 1) return Number;
  if (kind === 'bigint') {
    const mask = (1n << BigInt(bits)) - 1n;
    return (total, plane) => {
      const shifted = (total as bigint) >> BigInt(plane * bits);
      return Number(plane === planes - 1 ? shifted : shifted & mask);
    };
  }
  const base = 2 ** bits;
  const units = Array.from({ length: planes }, (_, plane) => 1 / base ** plane);
  return (total, plane) => {
    const shifted = Math.floor((total as number) * units[plane]!);
    return plane === planes - 1 ? shifted : shifted - Math.floor(shifted / base) * base;
  };
}
