/**
 * Step-down by sets over draws (decisions 3.1): maxima of studentised differences of rows.
 *
 *   exact     a draw: lane 0 .. lane L-1: y of each row                    f64, or i64 where sums pass 2^53
 *   coarse    the same in f32
 *   inverse   row j: lane 0 .. lane L-1: 1 / error of pair (j, k), or 0    f64 or f32; L a multiple of 4
 *   bounds    draw 0 .. draw N-1: no maximum of the draw is above it       f32
 *   levels    ascending statistics of the hypotheses that are active       f64
 *   counts    counts[k] draws whose maximum reaches exactly k levels       u32, levels + 1
 *
 * A maximum is bounded in f32; the f64 one, which decides, is formed where the bound reaches a threshold.
 */

/** An f32 maximum lies within this share of the f64 one, rounding to f32 included, beside the slack of its differences. */
const COARSE: f64 = 1e-6;

// @ts-ignore: decorator
@inline
function upwards(value: f64): f32 {
  return <f32>(value * (1 + COARSE));
}

/** Two values from number `d` of a row on: as they stand, or formed from sums (`rowValues`, assembly/bootstrap.ts). */
// @ts-ignore: decorator
@inline
function twoValues(row: usize, d: i32, share: v128, unit: v128, formed: bool): v128 {
  if (!formed) return v128.load(row + (<usize>d << 3));
  return f64x2.div(f64x2.div(f64x2.convert_low_i32x4_s(v128.load64_zero(row + (<usize>d << 2))), share), unit);
}

// @ts-ignore: decorator
@inline
function centred(
  rowMajor: usize, stride: usize, draws: i32, rows: i32, centres: usize, exact: usize, exactStride: usize, tasks: f64,
  scale: f64, formed: bool,
): void {
  const share = f64x2.splat(tasks);
  const unit = f64x2.splat(scale);
  const even = draws & ~1;
  for (let first = 0; first < even; first += 32) {
    const end = min(first + 32, even);
    for (let m = 0; m < rows; m += 2) {
      // Of an odd row the last lane is a copy, which stands in a lane that nothing reads.
      const upper = rowMajor + <usize>m * stride;
      const lower = rowMajor + <usize>min(m + 1, rows - 1) * stride;
      const a = v128.load64_splat(centres + (<usize>m << 3));
      const b = v128.load64_splat(centres + (<usize>min(m + 1, rows - 1) << 3));
      let to = exact + <usize>first * exactStride + (<usize>m << 3);
      for (let d = first; d < end; d += 2) {
        const p = f64x2.sub(twoValues(upper, d, share, unit, formed), a);
        const q = f64x2.sub(twoValues(lower, d, share, unit, formed), b);
        v128.store(to, i64x2.shuffle(p, q, 0, 2));
        v128.store(to + exactStride, i64x2.shuffle(p, q, 1, 3));
        to += 2 * exactStride;
      }
    }
  }
  if (even < draws)
    for (let m = 0; m < rows; m++) {
      const row = rowMajor + <usize>m * stride;
      const value = formed
        ? <f64>load<i32>(row + (<usize>even << 2)) / tasks / scale
        : load<f64>(row + (<usize>even << 3));
      const to = exact + <usize>even * exactStride + (<usize>m << 3);
      store<f64>(to, value - load<f64>(centres + (<usize>m << 3)));
    }
}

/**
 * Turns row-major values into a tile of draws, each row less its centre.
 *
 *   values    row 0: draw 0 .. draw N-1 | row 1: ...     f64, `stride` bytes a row
 *   centres   row 0 .. row R-1                           f64
 */
export function centreRows(
  values: usize,
  stride: usize,
  draws: i32,
  rows: i32,
  centres: usize,
  exact: usize,
  exactStride: usize,
): void {
  centred(values, stride, draws, rows, centres, exact, exactStride, 1, 1, false);
}

/** The same of values that stand as sums, i32. */
export function centreSums(
  sums: usize,
  stride: usize,
  draws: i32,
  rows: i32,
  centres: usize,
  exact: usize,
  exactStride: usize,
  tasks: f64,
  scale: f64,
): void {
  centred(sums, stride, draws, rows, centres, exact, exactStride, tasks, scale, true);
}

// @ts-ignore: decorator
@inline
function squared(sum: v128, left: v128, right: v128): v128 {
  const d = f64x2.sub(left, right);
  return f64x2.add(sum, f64x2.mul(d, d));
}

/**
 * Adds the squared differences of rows [from, to) and the rows from there on to `block`, draw after draw: sums of pairs, row j: lane 0
 * .. lane L-1, f64. Below the diagonal stands anything.
 */
export function pairSquares(
  exact: usize,
  exactStride: usize,
  draws: i32,
  lanes: i32,
  from: i32,
  to: i32,
  block: usize,
): void {
  const width = <usize>lanes << 3;
  const end = exact + <usize>draws * exactStride;
  for (let j = from; j < to; j += 4) {
    // Past the last row it stands for those that lack: the same sums are formed and stored again.
    const last = to - 1;
    const r0 = <usize>j << 3, r1 = <usize>min(j + 1, last) << 3;
    const r2 = <usize>min(j + 2, last) << 3, r3 = <usize>min(j + 3, last) << 3;
    for (let k: usize = r0 & ~31; k < width; k += 32) {
      const p0 = block + (r0 >> 3) * width + k, p1 = block + (r1 >> 3) * width + k;
      const p2 = block + (r2 >> 3) * width + k, p3 = block + (r3 >> 3) * width + k;
      let a0 = v128.load(p0), a1 = v128.load(p1), a2 = v128.load(p2), a3 = v128.load(p3);
      let b0 = v128.load(p0, 16), b1 = v128.load(p1, 16), b2 = v128.load(p2, 16), b3 = v128.load(p3, 16);
      for (let at = exact; at < end; at += exactStride) {
        const x = v128.load(at + k);
        const y = v128.load(at + k, 16);
        let left = v128.load64_splat(at + r0);
        a0 = squared(a0, left, x);
        b0 = squared(b0, left, y);
        left = v128.load64_splat(at + r1);
        a1 = squared(a1, left, x);
        b1 = squared(b1, left, y);
        left = v128.load64_splat(at + r2);
        a2 = squared(a2, left, x);
        b2 = squared(b2, left, y);
        left = v128.load64_splat(at + r3);
        a3 = squared(a3, left, x);
        b3 = squared(b3, left, y);
      }
      v128.store(p0, a0);
      v128.store(p1, a1);
      v128.store(p2, a2);
      v128.store(p3, a3);
      v128.store(p0, b0, 16);
      v128.store(p1, b1, 16);
      v128.store(p2, b2, 16);
      v128.store(p3, b3, 16);
    }
  }
}

/** Adds the sums of a block of draws to the totals, and sets them back to 0; `count` f64, an even number. */
export function closeBlock(block: usize, totals: usize, count: i32): void {
  const zero = f64x2.splat(0);
  const bytes = <usize>count << 3;
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(totals + at, f64x2.add(v128.load(totals + at), v128.load(block + at)));
    v128.store(block + at, zero);
  }
}

// @ts-ignore: decorator
@inline
function raised(best: v128, left: v128, at: usize, reciprocals: v128): v128 {
  return f32x4.pmax(best, f32x4.mul(f32x4.abs(f32x4.sub(left, v128.load(at))), reciprocals));
}

/** Bytes of f32 lanes that are gone through together: of sixteen draws they stay in the first-level cache. */
const BLOCK: usize = 1024;

/** Largest lane of each of four vectors. */
// @ts-ignore: decorator
@inline
function largestLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.pmax(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = f32x4.pmax(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  return f32x4.pmax(i64x2.shuffle(ab, cd, 0, 2), i64x2.shuffle(ab, cd, 1, 3));
}

/** Keeps the bounds of `count` draws, one at a time where they are fewer than four: others may write behind them. */
// @ts-ignore: decorator
@inline
function keepBounds(bounds: usize, count: i32, values: v128, raise: bool): void {
  if (count >= 4) {
    v128.store(bounds, raise ? f32x4.pmax(v128.load(bounds), values) : values);
    return;
  }
  for (let i = 0; i < count; i++, bounds += 4) {
    const value = f32x4.extract_lane(values, 0);
    store<f32>(bounds, raise ? max(load<f32>(bounds), value) : value);
    values = i32x4.shuffle(values, values, 1, 2, 3, 0);
  }
}

/**
 * Bounds the largest |difference| x inverse of rows [from, to) with any other row, in each draw; `slack` f64 a row of these is what
 * rounding differences to f32 may cost.
 *
 *   rowBounds   row `from`: draw 0 .. draw N-1 | next row: ...     f32, `boundStride` bytes a row; 0: not wanted
 *   most        raised to the bounds of all these rows             f32; 0: not wanted
 *
 * With `later`, only rows after a row are compared with it: for `most` alone.
 */
export function boundMaxima(
  coarse: usize,
  coarseStride: usize,
  draws: i32,
  lanes: i32,
  from: i32,
  to: i32,
  inverse: usize,
  slack: usize,
  rowBounds: usize,
  boundStride: usize,
  most: usize,
  later: bool,
): void {
  const width = <usize>lanes << 2;
  for (let block: usize = 0; block < width; block += BLOCK)
    boundBlock(
      coarse, coarseStride, draws, width, block, min(block + BLOCK, width), from, to, inverse, slack, rowBounds,
      boundStride, most, later,
    );
}

/** `boundMaxima` by the rows of the lanes that begin at byte `block` and end before `blockEnd`. */
function boundBlock(
  coarse: usize,
  coarseStride: usize,
  draws: i32,
  width: usize,
  block: usize,
  blockEnd: usize,
  from: i32,
  to: i32,
  inverse: usize,
  slack: usize,
  rowBounds: usize,
  boundStride: usize,
  most: usize,
  later: bool,
): void {
  const last = coarse + <usize>(draws - 1) * coarseStride;
  const share = f32x4.splat(<f32>(1 + 2 * COARSE));
  for (let j = from; j < to; j++) {
    const own = <usize>j << 2;
    const row = inverse + <usize>j * width;
    const start = later ? max(own & ~15, block) : block;
    if (start >= blockEnd) break;
    const extra = f32x4.splat(upwards(load<f64>(slack + (<usize>(j - from) << 3))));
    const bounds = rowBounds != 0 ? rowBounds + <usize>(j - from) * boundStride : 0;
    for (let d = 0; d < draws; d += 4) {
      const y0 = coarse + <usize>d * coarseStride;
      const y1 = min(y0 + coarseStride, last);
      const y2 = min(y0 + 2 * coarseStride, last);
      const y3 = min(y0 + 3 * coarseStride, last);
      const l0 = v128.load32_splat(y0 + own);
      const l1 = v128.load32_splat(y1 + own);
      const l2 = v128.load32_splat(y2 + own);
      const l3 = v128.load32_splat(y3 + own);
      let b0 = f32x4.splat(0), b1 = b0, b2 = b0, b3 = b0;
      for (let k = start; k < blockEnd; k += 16) {
        const reciprocals = v128.load(row + k);
        b0 = raised(b0, l0, y0 + k, reciprocals);
        b1 = raised(b1, l1, y1 + k, reciprocals);
        b2 = raised(b2, l2, y2 + k, reciprocals);
        b3 = raised(b3, l3, y3 + k, reciprocals);
      }
      const largest = largestLanes(b0, b1, b2, b3);
      const bound = f32x4.mul(f32x4.add(f32x4.mul(largest, share), extra), share);
      const at = <usize>d << 2;
      if (bounds != 0) keepBounds(bounds + at, draws - d, bound, block > 0);
      if (most != 0) keepBounds(most + at, draws - d, bound, true);
    }
  }
}

// @ts-ignore: decorator
@inline
function distanceAdded(sum: v128, left: v128, right: v128, whole: bool): v128 {
  return whole
    ? i64x2.add(sum, i64x2.abs(i64x2.sub(left, right)))
    : f64x2.add(sum, f64x2.abs(f64x2.sub(left, right)));
}

// @ts-ignore: decorator
@inline
function storeDistances(to: usize, sums: v128, whole: bool): void {
  v128.store(to, whole ? f64x2(<f64>i64x2.extract_lane(sums, 0), <f64>i64x2.extract_lane(sums, 1)) : sums);
}

/**
 * Adds up the absolute differences of totals of every ranked pair over clusters: what a flip can attain. Sums are f64, row j: lane 0 ..
 * lane L-1, L a multiple of 8; before lane j stands anything.
 *
 *   totals   rows 0 .. 7: cluster 0 .. cluster C-1, eight f64 or, when `whole`, i64 each | rows 8 .. 15: ...
 */
export function attainableSums(totals: usize, clusters: i32, ranked: i32, lanes: i32, whole: bool, sums: usize): void {
  const blockBytes = <usize>clusters << 6;
  const rowBytes = <usize>lanes << 3;
  for (let j = 0; j < ranked; j++) {
    const left = totals + <usize>(j >> 3) * blockBytes + (<usize>(j & 7) << 3);
    for (let k = j & ~7; k < ranked; k += 8) {
      const right = totals + <usize>(k >> 3) * blockBytes;
      let a = f64x2.splat(0), b = a, c = a, d = a;
      for (let at: usize = 0; at < blockBytes; at += 64) {
        const x = v128.load64_splat(left + at);
        a = distanceAdded(a, x, v128.load(right + at), whole);
        b = distanceAdded(b, x, v128.load(right + at, 16), whole);
        c = distanceAdded(c, x, v128.load(right + at, 32), whole);
        d = distanceAdded(d, x, v128.load(right + at, 48), whole);
      }
      const to = sums + <usize>j * rowBytes + (<usize>k << 3);
      storeDistances(to, a, whole);
      storeDistances(to + 16, b, whole);
      storeDistances(to + 32, c, whole);
      storeDistances(to + 48, d, whole);
    }
  }
}
