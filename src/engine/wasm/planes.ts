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
 * Planes for totals up to `largest` in size, taken up to `times` times in all. One plane when `largest` fits `laneBits`
 * bits, sign included, and the sums fit i32.
 */
export function planesFor(largest: number, times: number, laneBits: number): Planes {
  if (largest < 2 ** (laneBits - 1) && largest * times < 2 ** 31) return { planes: 1, bits: 0 };
  const bits = Math.min(laneBits - 1, 31 - bitLength(times));
  return { planes: Math.ceil((bitLength(largest) + 2) / bits), bits };
}

/** Digit `plane` of an integer. */
export function digit(total: number | bigint, plane: number, { planes, bits }: Planes): number {
  if (planes === 1) return Number(total);
  if (typeof total === 'bigint') {
    const shifted = total >> BigInt(plane * bits);
    return Number(plane === planes - 1 ? shifted : shifted & ((1n << BigInt(bits)) - 1n));
  }
  const shifted = Math.floor(total / 2 ** (plane * bits));
  return plane === planes - 1 ? shifted : shifted - Math.floor(shifted / 2 ** bits) * 2 ** bits;
}
