/**
 * Sums that were kept of earlier draws, made into those of another design: other rows, strata weighed otherwise.
 */

/** Whether four lanes are made of four that stand side by side. */
// @ts-ignore: decorator
@inline
function areTogether(sources: v128): bool {
  const first = i32x4.splat(i32x4.extract_lane(sources, 0));
  return i32x4.all_true(i32x4.eq(sources, i32x4.add(first, i32x4(0, 1, 2, 3))));
}

/** Four i32, from lanes that stand anywhere. */
// @ts-ignore: decorator
@inline
function fourOf(lanes: usize, sources: v128): v128 {
  const first = lanes + (<usize>i32x4.extract_lane(sources, 0) << 2);
  if (areTogether(sources)) return v128.load(first);
  let four = v128.load32_zero(first);
  four = v128.load32_lane(lanes + (<usize>i32x4.extract_lane(sources, 1) << 2), four, 1);
  four = v128.load32_lane(lanes + (<usize>i32x4.extract_lane(sources, 2) << 2), four, 2);
  return v128.load32_lane(lanes + (<usize>i32x4.extract_lane(sources, 3) << 2), four, 3);
}

/**
 * Picks bootstrap sums of `draws` draws out of those that were kept.
 *
 *   kept      a draw: stratum 0 (lane 0 .. lane from-1) | stratum 1 | ...                 i32
 *   sources   lane 0 .. lane L-1: the lane that each is made of                            i32
 *   factors   stratum 0: lane 0 .. lane L-1: what it is multiplied by | stratum 1: ...    i32; L a multiple of 4
 *   sums      a draw: stratum 0 (lane 0 .. lane L-1) | stratum 1 | ...                    i32
 */
export function pickSums(
  kept: usize,
  from: i32,
  draws: i32,
  strata: i32,
  lanes: i32,
  sources: usize,
  factors: usize,
  sums: usize,
): void {
  const end = sources + (<usize>lanes << 2);
  for (let d = 0; d < draws; d++) {
    let factor = factors;
    for (let s = 0; s < strata; s++, kept += <usize>from << 2) {
      for (let at = sources; at < end; at += 16, factor += 16, sums += 16) {
        v128.store(sums, i32x4.mul(fourOf(kept, v128.load(at)), v128.load(factor)));
      }
    }
  }
}

/**
 * Weighs flipped sums of strata into those of a test: row m gets (sum over s of alpha_sm x its sum + beta_sm x that of the tasks) / (2^shift x odd),
 * a division that leaves nothing, and what rounding left of it besides, in integers modulo 2^64. A factor is its lower 32 bits, as a signed number,
 * and what is left of its upper ones: products of the first are of 64 bits, those of the others matter modulo 2^32.
 *
 *   sums      a draw: stratum 0 (row 0 .. row width-1) | stratum 1 | ...                i32; the last row of a stratum is that of its tasks
 *   sources   rows 0 to 3: rows of a stratum that they are made of, then of the rest | rows 4 to 7: ...    i32; as many more as fill four
 *   factors   rows 0 to 3: stratum 0: lower alphas | upper | lower betas | upper || stratum 1: ... ||| rows 4 to 7: ...    i32
 *   inverse   that of `odd` modulo 2^64                                                 i64
 *   rest      a draw: flipped sums of what rounding left; with `restStride` 0 nothing   i32
 *   out       a draw: row 0 .. row rows-1                                               i64, rows a multiple of 4
 */
export function weighSums(
  sums: usize,
  sumStride: usize,
  draws: i32,
  strata: i32,
  width: i32,
  rows: i32,
  sources: usize,
  factors: usize,
  shift: i32,
  inverse: usize,
  rest: usize,
  restStride: usize,
  out: usize,
  outStride: usize,
): void {
  const times = v128.load64_splat(inverse);
  const divides = shift != 0 || load<i64>(inverse) != 1;
  const stratum = <usize>width << 2;
  for (let d = 0; d < draws; d++, sums += sumStride, rest += restStride, out += outStride) {
    let factor = factors;
    let source = sources;
    for (let to = out; to < out + (<usize>rows << 3); to += 32, source += 32) {
      const own = v128.load(source);
      let from = sums;
      let low = i64x2.splat(0);
      let high = low;
      let upper = low;
      for (let s = 0; s < strata; s++, from += stratum, factor += 64) {
        const row = fourOf(from, own);
        const tasks = v128.load32_splat(from + stratum - 4);
        const alpha = v128.load(factor);
        const beta = v128.load(factor, 32);
        low = i64x2.add(low, i64x2.add(i64x2.extmul_low_i32x4_s(row, alpha), i64x2.extmul_low_i32x4_s(tasks, beta)));
        high = i64x2.add(high, i64x2.add(i64x2.extmul_high_i32x4_s(row, alpha), i64x2.extmul_high_i32x4_s(tasks, beta)));
        const more = i32x4.add(i32x4.mul(row, v128.load(factor, 16)), i32x4.mul(tasks, v128.load(factor, 48)));
        upper = i32x4.add(upper, more);
      }
      low = i64x2.add(low, i64x2.shl(i64x2.extend_low_i32x4_u(upper), 32));
      high = i64x2.add(high, i64x2.shl(i64x2.extend_high_i32x4_u(upper), 32));
      if (divides) {
        low = i64x2.mul(i64x2.shr_s(low, shift), times);
        high = i64x2.mul(i64x2.shr_s(high, shift), times);
      }
      if (restStride) {
        const left = fourOf(rest, v128.load(source, 16));
        low = i64x2.add(low, i64x2.extend_low_i32x4_s(left));
        high = i64x2.add(high, i64x2.extend_high_i32x4_s(left));
      }
      v128.store(to, low);
      v128.store(to, high, 16);
    }
  }
}
