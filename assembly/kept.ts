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
        const own = v128.load(at);
        const first = kept + (<usize>i32x4.extract_lane(own, 0) << 2);
        let four: v128;
        if (areTogether(own)) four = v128.load(first);
        else {
          four = v128.load32_zero(first);
          four = v128.load32_lane(kept + (<usize>i32x4.extract_lane(own, 1) << 2), four, 1);
          four = v128.load32_lane(kept + (<usize>i32x4.extract_lane(own, 2) << 2), four, 2);
          four = v128.load32_lane(kept + (<usize>i32x4.extract_lane(own, 3) << 2), four, 3);
        }
        v128.store(sums, i32x4.mul(four, v128.load(factor)));
      }
    }
  }
}

/**
 * Weighs flipped sums of strata into those of a test: row m gets (sum over s of alpha_sm x its sum + beta_sm x that of the tasks) / (2^shift x odd),
 * a division that leaves nothing, and what rounding left of it besides, in integers modulo 2^64.
 *
 *   sums      a draw: stratum 0 (row 0 .. row width-1) | stratum 1 | ...     i32; the last row of a stratum is that of its tasks
 *   sources   row of a stratum that each row is made of, and of the rest     u32, u32
 *   factors   row 0: alpha_0 beta_0 alpha_1 beta_1 ... | row 1: ...          i64
 *   inverse   that of `odd` modulo 2^64                                      i64
 *   rest      a draw: flipped sums of what rounding left; with `restStride` 0 nothing  i32
 *   out       a draw: row 0 .. row rows-1                                    i64
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
  const times = load<i64>(inverse);
  const stratum = <usize>width << 2;
  for (let d = 0; d < draws; d++, sums += sumStride, rest += restStride, out += outStride) {
    let factor = factors;
    for (let m: usize = 0; m < <usize>rows; m++) {
      let from = sums + (<usize>load<u32>(sources + (m << 3)) << 2);
      let tasks = sums + stratum - 4;
      let sum: i64 = 0;
      for (let s = 0; s < strata; s++, from += stratum, tasks += stratum, factor += 16) {
        sum += <i64>load<i32>(from) * load<i64>(factor) + <i64>load<i32>(tasks) * load<i64>(factor, 8);
      }
      let own = (sum >> shift) * times;
      if (restStride) own += <i64>load<i32>(rest + (<usize>load<u32>(sources + (m << 3), 4) << 2));
      store<i64>(out + (m << 3), own);
    }
  }
}
