import { addOne, boundOf, reached } from './maxt';

/** Two integers from 0 to 2^63 - 1, each rounded once to f64: their halves take the place of a mantissa. */
// @ts-ignore: decorator
@inline
function doubles(integers: v128): v128 {
  const high = v128.or(i64x2.shr_u(integers, 32), i64x2.splat(0x4530000000000000));
  const low = v128.or(v128.and(integers, i64x2.splat(0xffffffff)), i64x2.splat(0x4330000000000000));
  const both = f64x2.splat(19342813118337666422669312.0);
  return f64x2.add(f64x2.sub(high, both), low);
}

// @ts-ignore: decorator
@inline
function raisedBy(best: v128, left: v128, right: v128, inverse: v128): v128 {
  return f64x2.pmax(best, f64x2.mul(f64x2.abs(f64x2.sub(left, right)), inverse));
}

/** The largest statistics of four draws whose sums stand in f64, exact as their differences are; no draw waits for another's maximum. */
function largestOfDoubles(sums: usize, ranked: i32, lanes: i32, inverse: usize, out: usize): void {
  const draw = <usize>lanes << 3;
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let i = 0; i + 1 < ranked; i++) {
    const from = sums + (<usize>i << 3);
    const one = v128.load64_splat(from);
    const two = v128.load64_splat(from + draw);
    const three = v128.load64_splat(from + 2 * draw);
    const four = v128.load64_splat(from + 3 * draw);
    const row = inverse + (<usize>(i * lanes) << 3);
    for (let at: usize = (<usize>(i + 1) << 3) & ~15; at < <usize>ranked << 3; at += 16) {
      const reciprocals = v128.load(row + at);
      const right = sums + at;
      a = raisedBy(a, one, v128.load(right), reciprocals);
      b = raisedBy(b, two, v128.load(right + draw), reciprocals);
      c = raisedBy(c, three, v128.load(right + 2 * draw), reciprocals);
      d = raisedBy(d, four, v128.load(right + 3 * draw), reciprocals);
    }
  }
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
  v128.store(out, d, 48);
}

/**
 * Writes the largest statistics of up to four draws of i64 sums; `room` holds `lanes` f64 of each draw and what is written. The first sum of a draw is
 * taken off all of them: no difference tells it, and what is left is smaller, so that less is rounded.
 */
function largestOfFour(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  room: usize,
): usize {
  let to = room;
  for (let d = 0; d < draws; d++, sums += sumStride) {
    const first = load<i64>(sums);
    for (let m: usize = 0; m < <usize>lanes; m++, to += 8) store<f64>(to, <f64>(load<i64>(sums + (m << 3)) - first));
  }
  const out = room + (<usize>lanes << 5);
  largestOfDoubles(room, ranked, lanes, inverse, out);
  return out;
}

/** The same of i64 sums. */
function largestOfIntegers(sums: usize, ranked: i32, lanes: i32, inverse: usize): v128 {
  let best = f64x2.splat(0);
  for (let i = 0; i + 1 < ranked; i++) {
    const left = v128.load64_splat(sums + (<usize>i << 3));
    const row = inverse + (<usize>(i * lanes) << 3);
    for (let at: usize = (<usize>(i + 1) << 3) & ~15; at < <usize>ranked << 3; at += 16) {
      const distance = i64x2.abs(i64x2.sub(left, v128.load(sums + at)));
      best = f64x2.pmax(best, f64x2.mul(doubles(distance), v128.load(row + at)));
    }
  }
  return best;
}

/** Largest size among f64, an even number of them. */
function largestSize(values: usize, count: i32): f64 {
  let most = f64x2.splat(0);
  const end = values + (<usize>count << 3);
  for (; values < end; values += 16) most = f64x2.pmax(most, f64x2.abs(v128.load(values)));
  return max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
}

/** A statistic of sums that were rounded to f64 lies within this share of the exact one, and this share of the largest sum over the least error. */
const ROUNDED: f64 = 1e-15;

/**
 * `tallyMaxima` for i64 sums. `room` holds 4 x `lanes` + 8 f64, in which the sums of four draws stand; where no sum and no difference passes 2^53, they
 * are `exact` there. Elsewhere a maximum of rounded sums serves unless a level lies so near that it could be wrong; then integers decide.
 */
export function tallyWideMaxima(
  sums: usize,
  sumStride: usize,
  draws: i32,
  ranked: i32,
  lanes: i32,
  inverse: usize,
  levels: usize,
  levelCount: i32,
  counts: usize,
  bounds: usize,
  room: usize,
  exact: bool,
): void {
  let four: usize = 0;
  let slack: f64 = 0;
  const unit = exact ? 0 : ROUNDED * largestSize(inverse, ranked * lanes);
  for (let d = 0; d < draws; d++, sums += sumStride) {
    if (d % 4 == 0) {
      four = largestOfFour(sums, sumStride, min(4, draws - d), ranked, lanes, inverse, room);
      if (!exact) slack = unit * largestSize(room, min(4, draws - d) * lanes);
    }
    const best = v128.load(four + ((<usize>(d % 4)) << 4));
    let largest = max(f64x2.extract_lane(best, 0), f64x2.extract_lane(best, 1));
    const off = exact ? 0 : slack + ROUNDED * largest;
    if (bounds) store<f32>(bounds + (<usize>d << 2), boundOf(largest + off));
    let level = reached(levels, levelCount, largest - off);
    if (!exact && level < levelCount && load<f64>(levels + (<usize>level << 3)) <= largest + off) {
      const pair = largestOfIntegers(sums, ranked, lanes, inverse);
      largest = max(f64x2.extract_lane(pair, 0), f64x2.extract_lane(pair, 1));
      level = reached(levels, levelCount, largest);
    }
    addOne(counts, level);
  }
}
