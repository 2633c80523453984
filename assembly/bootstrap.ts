import { philoxWords } from './philox';

/**
 * Bootstrap of integer part totals: how often a draw takes each part, then exact sums of totals by stratum.
 *
 *   counts   a draw: i16 a part, in part order, one spare at the end      draws x stride bytes
 *   table    a tile of 8 rows: the parts of a stratum two by two, a row's two totals side by side
 *              pair 0: r0p0 r0p1 r1p0 r1p1 .. r7p0 r7p1 | pair 1: ...     i16, 32 bytes a pair
 *            an odd stratum ends with a pair whose second totals are 0. Strata follow one another in a tile.
 *   sums     a draw: stratum 0: row 0 .. row R-1 | stratum 1: ...         i32, R a multiple of 8
 *
 * Totals wider than 16 bits come as planes of digits, each plane a row of its own.
 */

/** Pairs of parts taken before the next rows: 512 pairs of a tile are 16 KB, and stay in the first-level cache. */
const CHUNK: i32 = 512;

/** A count that reaches 2^15 would no longer multiply as a signed 16-bit number. */
const COUNT_LIMIT: i32 = 0x8000;

/** Adds one to the count of each index; true if a count left its range. */
// @ts-ignore: decorator
@inline
function tally(counts: usize, indices: usize, count: i32): bool {
  let allBits: i32 = 0;
  const end = indices + (<usize>count << 2);
  for (; indices < end; indices += 4) {
    const at = counts + (<usize>load<u32>(indices) << 1);
    const value = <i32>load<u16>(at) + 1;
    allBits |= value;
    store<u16>(at, value);
  }
  return (allBits & COUNT_LIMIT) != 0;
}

/** Is some stratum without a drawn part? */
function emptyStratum(counts: usize, starts: usize, strata: i32): bool {
  for (let s = 0; s < strata; s++) {
    let at = counts + (<usize>load<i32>(starts + (<usize>s << 2)) << 1);
    const end = counts + (<usize>load<i32>(starts + (<usize>s << 2), 4) << 1);
    let found = false;
    for (; at + 16 <= end && !found; at += 16) found = v128.any_true(v128.load(at));
    for (; at < end && !found; at += 2) found = load<u16>(at) != 0;
    if (!found) return true;
  }
  return false;
}

/** Makes part counts from cluster counts; `clusterOf` is u32 a part. */
// @ts-ignore: decorator
@inline
function gather(counts: usize, clusters: usize, clusterOf: usize, parts: i32): void {
  for (let p: usize = 0; p < <usize>parts; p++)
    store<u16>(counts + (p << 1), load<u16>(clusters + (<usize>load<u32>(clusterOf + (p << 2)) << 1)));
}

/**
 * Makes the part counts of `draws` joint draws (statistics 5.6). `clusterOf` 0 says that part p is cluster p.
 * `scratch` holds the words and the cluster counts of one draw. Returns the number of redraws, -1 - d if draw d has no
 * complete attempt, -2^30 if a count passed 32,767.
 */
export function jointCounts(
  counts: usize,
  stride: usize,
  draws: i32,
  parts: i32,
  clusters: i32,
  clusterOf: usize,
  starts: usize,
  strata: i32,
  firstLow: u32,
  firstHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
  attempts: i32,
  scratch: usize,
): i32 {
  const tallied = scratch + (<usize>((clusters + 31) & ~31) << 2);
  let redraws = 0;
  let draw = (<u64>firstHigh << 32) | firstLow;
  for (let d = 0; d < draws; d++, draw++, counts += stride) {
    let attempt = 0;
    const target = clusterOf ? tallied : counts;
    for (; attempt <= attempts; attempt++) {
      philoxWords(scratch, clusters, <u32>attempt << 22, <u32>draw, <u32>(draw >> 32), stream, seedLow, seedHigh, clusters);
      memory.fill(target, 0, <usize>clusters << 1);
      if (tally(target, scratch, clusters)) return -(1 << 30);
      if (clusterOf) gather(counts, tallied, clusterOf, parts);
      if (!emptyStratum(counts, starts, strata)) break;
    }
    if (attempt > attempts) return -1 - d;
    redraws += attempt;
  }
  return redraws;
}

/**
 * Makes the part counts of `draws` stratified draws: each stratum draws its parts among themselves, words run on
 * (statistics 5.7).
 */
export function stratifiedCounts(
  counts: usize,
  stride: usize,
  draws: i32,
  parts: i32,
  starts: usize,
  strata: i32,
  firstLow: u32,
  firstHigh: u32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
  scratch: usize,
): i32 {
  let draw = (<u64>firstHigh << 32) | firstLow;
  for (let d = 0; d < draws; d++, draw++, counts += stride) {
    philoxWords(scratch, parts, 0, <u32>draw, <u32>(draw >> 32), stream, seedLow, seedHigh, 0);
    memory.fill(counts, 0, <usize>parts << 1);
    for (let s = 0; s < strata; s++) {
      const start = load<i32>(starts + (<usize>s << 2));
      const size = load<i32>(starts + (<usize>s << 2), 4) - start;
      const base = counts + (<usize>start << 1);
      let allBits: i32 = 0;
      for (let i = start; i < start + size; i++) {
        const word = <u64>load<u32>(scratch + (<usize>i << 2));
        const at = base + (<usize>((word * <u64>size) >> 32) << 1);
        const value = <i32>load<u16>(at) + 1;
        allBits |= value;
        store<u16>(at, value);
      }
      if (allBits & COUNT_LIMIT) return -(1 << 30);
    }
  }
  return 0;
}

/** Makes part counts from given cluster counts, u16, `draws` rows of `clusters`. */
export function gatherCounts(
  counts: usize,
  stride: usize,
  draws: i32,
  parts: i32,
  clusters: i32,
  clusterOf: usize,
  given: usize,
): void {
  for (let d = 0; d < draws; d++, counts += stride, given += <usize>clusters << 1) {
    if (clusterOf) gather(counts, given, clusterOf, parts);
    else memory.copy(counts, given, <usize>parts << 1);
  }
}

/** Sets a byte a draw: 1 where some stratum has no drawn part. */
export function markEmpty(counts: usize, stride: usize, draws: i32, starts: usize, strata: i32, marks: usize): void {
  for (let d = 0; d < draws; d++, counts += stride, marks++) store<u8>(marks, emptyStratum(counts, starts, strata));
}

/** Four draws by eight rows: adds the pairs [0, pairs) to the sums, which are set first when `fresh`. */
// @ts-ignore: decorator
@inline
function tile4(
  table: usize, pairs: i32, c0: usize, c1: usize, c2: usize, c3: usize, s0: usize, s1: usize, s2: usize, s3: usize,
  fresh: bool,
): void {
  let a0 = i32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, d0 = a0, d1 = a0, e0 = a0, e1 = a0;
  if (!fresh) {
    a0 = v128.load(s0);
    a1 = v128.load(s0, 16);
    b0 = v128.load(s1);
    b1 = v128.load(s1, 16);
    d0 = v128.load(s2);
    d1 = v128.load(s2, 16);
    e0 = v128.load(s3);
    e1 = v128.load(s3, 16);
  }
  const end = table + (<usize>pairs << 5);
  for (let k: usize = 0; table < end; table += 32, k += 4) {
    const x = v128.load(table);
    const y = v128.load(table, 16);
    let c = v128.load32_splat(c0 + k);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(c, x));
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(c, y));
    c = v128.load32_splat(c1 + k);
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(c, x));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(c, y));
    c = v128.load32_splat(c2 + k);
    d0 = i32x4.add(d0, i32x4.dot_i16x8_s(c, x));
    d1 = i32x4.add(d1, i32x4.dot_i16x8_s(c, y));
    c = v128.load32_splat(c3 + k);
    e0 = i32x4.add(e0, i32x4.dot_i16x8_s(c, x));
    e1 = i32x4.add(e1, i32x4.dot_i16x8_s(c, y));
  }
  v128.store(s0, a0);
  v128.store(s0, a1, 16);
  v128.store(s1, b0);
  v128.store(s1, b1, 16);
  v128.store(s2, d0);
  v128.store(s2, d1, 16);
  v128.store(s3, e0);
  v128.store(s3, e1, 16);
}

/** Adds up counts times totals: sums of `lanes` rows (a multiple of 8) for `draws` draws (a multiple of 4). */
export function stratumSums(
  counts: usize,
  stride: usize,
  draws: i32,
  starts: usize,
  strata: i32,
  table: usize,
  lanes: i32,
  sums: usize,
): void {
  const drawBytes = <usize>strata * <usize>lanes << 2;
  for (let tile = 0; tile < lanes; tile += 8) {
    for (let s = 0; s < strata; s++) {
      const start = load<i32>(starts + (<usize>s << 2));
      const pairs = (load<i32>(starts + (<usize>s << 2), 4) - start + 1) >> 1;
      const out = sums + (<usize>(s * lanes + tile) << 2);
      for (let done = 0; done < pairs; done += CHUNK) {
        const now = min(CHUNK, pairs - done);
        let c = counts + (<usize>(start + 2 * done) << 1);
        let to = out;
        for (let d = 0; d < draws; d += 4) {
          tile4(
            table, now, c, c + stride, c + 2 * stride, c + 3 * stride, to, to + drawBytes, to + 2 * drawBytes,
            to + 3 * drawBytes, done == 0,
          );
          c += 4 * stride;
          to += 4 * drawBytes;
        }
        table += <usize>now << 5;
      }
    }
  }
}

/**
 * Forms values from sums: mean over strata of row / tasks, over `scale` (statistics 5.8). Rows 0 .. rows-1 of the sums
 * are rows, row `rows` is tasks. `values` is row-major, `valueStride` bytes a row; this writes columns 0 .. draws-1.
 */
export function ratios(
  sums: usize,
  draws: i32,
  strata: i32,
  lanes: i32,
  rows: i32,
  scale: f64,
  values: usize,
  valueStride: usize,
): void {
  const f = f64x2.splat(<f64>strata);
  const unit = f64x2.splat(scale);
  const drawBytes = <usize>(strata * lanes) << 2;
  // Two rows after the other: what is stored lies side by side then.
  for (let m = 0; m < rows; m += 2, values += 2 * valueStride) {
    const whole = m + 1 < rows;
    let from = sums;
    for (let d: usize = 0; d < <usize>draws << 3; d += 8, from += drawBytes) {
      let value = f64x2.splat(0);
      let at = from;
      for (let s = 0; s < strata; s++, at += <usize>lanes << 2) {
        const tasks = f64x2.splat(<f64>load<i32>(at + (<usize>rows << 2)));
        value = f64x2.add(value, f64x2.div(f64x2.convert_low_i32x4_s(v128.load64_zero(at + (<usize>m << 2))), tasks));
      }
      value = f64x2.div(f64x2.div(value, f), unit);
      store<f64>(values + d, f64x2.extract_lane(value, 0));
      if (whole) store<f64>(values + valueStride + d, f64x2.extract_lane(value, 1));
    }
  }
}

/**
 * Turns sums of one stratum, draw after draw, into rows of sums, `rowStride` bytes a row: where every draw has as many tasks a sum takes half the
 * room of its value, and says as much.
 */
export function sumRows(sums: usize, draws: i32, lanes: i32, rows: i32, out: usize, rowStride: usize): void {
  const drawBytes = <usize>lanes << 2;
  for (let m = 0; m < rows; m += 4, sums += 16, out += rowStride << 2) {
    const left = rows - m;
    let from = sums;
    for (let d: usize = 0; d < <usize>draws << 2; d += 4, from += drawBytes) {
      const four = v128.load(from);
      v128.store32_lane(out + d, four, 0);
      if (left > 1) v128.store32_lane(out + rowStride + d, four, 1);
      if (left > 2) v128.store32_lane(out + 2 * rowStride + d, four, 2);
      if (left > 3) v128.store32_lane(out + 3 * rowStride + d, four, 3);
    }
  }
}

/** Forms values from a row of such sums, as `ratios` does. */
export function rowValues(sums: usize, n: i32, tasks: f64, scale: f64, values: usize): void {
  const share = f64x2.splat(tasks);
  const unit = f64x2.splat(scale);
  const end = sums + (<usize>(n & ~1) << 2);
  for (; sums < end; sums += 8, values += 16)
    v128.store(values, f64x2.div(f64x2.div(f64x2.convert_low_i32x4_s(v128.load64_zero(sums)), share), unit));
  if (n & 1) store<f64>(values, <f64>load<i32>(sums) / tasks / scale);
}

/** Digit `row` of every plane put together: planes of `width` rows, the last one signed. */
// @ts-ignore: decorator
@inline
function joined(at: usize, row: i32, width: i32, planes: i32, bits: i32): f64 {
  let value: i64 = 0;
  for (let k = planes - 1; k >= 0; k--)
    value = (value << bits) + <i64>load<i32>(at + (<usize>(k * width + row) << 2));
  return <f64>value;
}

/** `ratios` for totals in planes of digits: row r of plane k is sum row k x width + r, worth 2^(bits k). */
export function wideRatios(
  sums: usize,
  draws: i32,
  strata: i32,
  lanes: i32,
  rows: i32,
  scale: f64,
  values: usize,
  valueStride: usize,
  width: i32,
  planes: i32,
  bits: i32,
): void {
  for (let d = 0; d < draws; d++, values += 8) {
    for (let m = 0; m < rows; m++) {
      let value: f64 = 0;
      for (let s = 0; s < strata; s++) {
        const at = sums + (<usize>(s * lanes) << 2);
        value += joined(at, m, width, planes, bits) / joined(at, rows, width, planes, bits);
      }
      store<f64>(values + <usize>m * valueStride, value / <f64>strata / scale);
    }
    sums += <usize>(strata * lanes) << 2;
  }
}
