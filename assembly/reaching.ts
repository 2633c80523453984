/**
 * Step-down over the differences that reach a threshold (decisions 1.3): a draw matters to a family by these alone.
 *
 *   exact      a draw: lane 0 .. lane L-1: y of each row           i32, i64 or f64 (`kind` 0, 1, 2); L a multiple of 4
 *   coarse     the same in f32
 *   limits     block 0: row 0 | row 1 .. row R-1 || block 1: ..., 32 lanes of a row each: a difference in f32 that is smaller cannot
 *              reach a threshold; no number at j <= i and past the last lane    f32
 *   inverse    row i: lane 0 .. lane L-1: 1 / error of the pair    f64
 *   nodes      row i, row j, next node of row i, next of row j, next that may matter to a family of all pairs, i32; at byte 24
 *              (y_i - y_j) / error, f64
 *   heads      draw 0: row 0 .. row R-1 | draw 1: ...: the first node that names the row, -1: none    i32
 *   pairHeads  a draw: the first node that may matter to a family of all pairs, -1: none              i32
 *
 * The hypotheses of a family stand in classes of equal statistics, the largest first; they leave class by class. `counts[k]` is by how
 * much the number of draws that reach class k, with all classes before it gone, differs from that of class k - 1.
 */

const NODE: usize = 32;
/** The place of a pair that takes no part in a family. */
const NO_PART: i32 = i32.MIN_VALUE;
/** Bytes of a block of lanes. */
const BLOCK: usize = 128;

/** Rounds exact values to f32; lanes in groups of four. */
export function coarseLanes(
  exact: usize, exactStride: usize, draws: i32, lanes: i32, kind: i32, coarse: usize, coarseStride: usize,
): void {
  for (let d = 0; d < draws; d++, exact += exactStride, coarse += coarseStride) {
    if (kind == 0)
      for (let m: usize = 0; m < <usize>lanes << 2; m += 16)
        v128.store(coarse + m, f32x4.convert_i32x4_s(v128.load(exact + m)));
    else if (kind == 1)
      for (let m: usize = 0; m < <usize>lanes; m++)
        store<f32>(coarse + (m << 2), <f32>(<f64>load<i64>(exact + (m << 3))));
    else
      for (let m: usize = 0; m < <usize>lanes << 2; m += 16) {
        const a = f32x4.demote_f64x2_zero(v128.load(exact + (m << 1)));
        const b = f32x4.demote_f64x2_zero(v128.load(exact + (m << 1), 16));
        v128.store(coarse + m, i64x2.shuffle(a, b, 0, 2));
      }
  }
}

/** Keeps the pairs of row i with rows `first` + the bits of `hits`; returns the number of nodes, past `most` where they do not fit. */
function keepNodes(
  hits: i32, i: i32, first: i32, lanes: i32, exact: usize, kind: i32, inverse: usize, least: f64, heads: usize,
  pairHead: usize, nodes: usize, found: i32, most: i32,
): i32 {
  for (; hits != 0; hits &= hits - 1) {
    if (found >= most) return most + 1;
    const j = first + ctz(hits);
    const own = exact + (<usize>i << (kind == 0 ? 2 : 3));
    const other = exact + (<usize>j << (kind == 0 ? 2 : 3));
    let difference: f64;
    if (kind == 0) difference = <f64>(load<i32>(own) - load<i32>(other));
    else if (kind == 1) difference = <f64>(load<i64>(own) - load<i64>(other));
    else difference = load<f64>(own) - load<f64>(other);
    const node = nodes + <usize>found * NODE;
    const headI = heads + (<usize>i << 2);
    const headJ = heads + (<usize>j << 2);
    store<i32>(node, i);
    store<i32>(node, j, 4);
    store<i32>(node, load<i32>(headI), 8);
    store<i32>(node, load<i32>(headJ), 12);
    const z = difference * load<f64>(inverse + (<usize>(i * lanes + j) << 3));
    store<f64>(node, z, 24);
    store<i32>(headI, found);
    store<i32>(headJ, found);
    if (abs(z) >= least) {
      store<i32>(node, load<i32>(pairHead), 16);
      store<i32>(pairHead, found);
    }
    found++;
  }
  return found;
}

/** Lanes that hold a number. */
// @ts-ignore: decorator
@inline
function numbers(limits: v128): v128 {
  return f32x4.eq(limits, limits);
}

/** Tells whether a comparison holds in some lane. */
// @ts-ignore: decorator
@inline
function f32x4Some(lanes: v128): bool {
  return i32x4.bitmask(lanes) != 0;
}

// @ts-ignore: decorator
@inline
function reaches(left: v128, right: v128, limit: v128): v128 {
  return f32x4.ge(f32x4.abs(f32x4.sub(left, right)), limit);
}

/**
 * Lists the pairs of each draw that may reach a threshold; returns the number of nodes, or -1 where more than `most` are needed. Those
 * that reach `least` are listed for the families of all pairs.
 */
export function listReaching(
  coarse: usize,
  coarseStride: usize,
  draws: i32,
  rows: i32,
  lanes: i32,
  limits: usize,
  exact: usize,
  exactStride: usize,
  kind: i32,
  inverse: usize,
  least: f64,
  heads: usize,
  pairHeads: usize,
  nodes: usize,
  most: i32,
): i32 {
  memory.fill(heads, 0xff, <usize>(draws * rows) << 2);
  memory.fill(pairHeads, 0xff, <usize>draws << 2);
  const end = coarse + <usize>draws * coarseStride;
  const never = f32x4.splat(NaN);
  const width = <usize>lanes << 2;
  let found = 0;
  for (let block: usize = 0; block < width; block += BLOCK) {
    const blockEnd = min(block + BLOCK, width);
    for (let i = 0; i + 1 < rows; i += 2) {
      const left = <usize>i << 2;
      let lane = max(block, (left + 4) & ~15);
      let at = limits + block * <usize>rows + <usize>i * BLOCK + lane - block;
      for (; lane < blockEnd; lane += 32, at += 32) {
        const a = v128.load(at), b = v128.load(at + BLOCK);
        // Past the last lanes of a block nothing is reached.
        const more = lane + 16 < blockEnd;
        const c = more ? v128.load(at, 16) : never, e = more ? v128.load(at + BLOCK, 16) : never;
        if (!f32x4Some(v128.or(v128.or(numbers(a), numbers(b)), v128.or(numbers(c), numbers(e))))) continue;
        for (let y = coarse; y < end; y += coarseStride) {
          const u = v128.load(y + lane);
          const v = v128.load(y + lane, 16);
          const l = v128.load32_splat(y + left);
          const m = v128.load32_splat(y + left, 4);
          const p = reaches(l, u, a), q = reaches(m, u, b), r = reaches(l, v, c), t = reaches(m, v, e);
          if (!f32x4Some(v128.or(v128.or(p, q), v128.or(r, t)))) continue;
          const d = <i32>((y - coarse) / coarseStride);
          const j = <i32>(lane >> 2);
          const from = exact + <usize>d * exactStride;
          const head = heads + <usize>(d * rows << 2);
          const pairHead = pairHeads + (<usize>d << 2);
          const first = i32x4.bitmask(p) | (i32x4.bitmask(r) << 4);
          const second = i32x4.bitmask(q) | (i32x4.bitmask(t) << 4);
          found = keepNodes(first, i, j, lanes, from, kind, inverse, least, head, pairHead, nodes, found, most);
          found = keepNodes(second, i + 1, j, lanes, from, kind, inverse, least, head, pairHead, nodes, found, most);
        }
        if (found > most) return -1;
      }
    }
  }
  return found;
}

/**
 * Adds a statistic z of class p to a front: those that no other outdoes in a class as late or later, f64 and i32 in 16 bytes, the
 * last class first. Returns the new length.
 */
// @ts-ignore: decorator
@inline
function advance(front: usize, length: i32, p: i32, z: f64): i32 {
  let at = 0;
  while (at < length && load<i32>(front + (<usize>at << 4), 8) >= p) at++;
  if (at > 0) {
    const before = front + (<usize>(at - 1) << 4);
    if (load<f64>(before) >= z) return length;
    if (load<i32>(before, 8) == p) at--;
  }
  let next = at;
  while (next < length && load<f64>(front + (<usize>next << 4)) <= z) next++;
  const to = front + (<usize>at << 4);
  if (next != at + 1 && next < length) memory.copy(to + 16, front + (<usize>next << 4), <usize>(length - next) << 4);
  store<f64>(to, z);
  store<i32>(to, p, 8);
  return length - next + at + 1;
}

/** Counts a draw in all classes that its front reaches; `levels` are those of the classes, descending, and at last the threshold. */
function countFront(front: usize, length: i32, levels: usize, classes: i32, counts: usize): void {
  for (let e = 0; e < length; e++) {
    const at = front + (<usize>e << 4);
    const z = load<f64>(at);
    const p = load<i32>(at, 8);
    let low = e + 1 < length ? load<i32>(at, 24) + 1 : 0;
    let high = classes;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (load<f64>(levels + (<usize>middle << 3)) <= z) high = middle;
      else low = middle + 1;
    }
    if (low > p) continue;
    const first = counts + (<usize>low << 2);
    const last = counts + (<usize>(p + 1) << 2);
    store<i32>(first, load<i32>(first) + 1);
    store<i32>(last, load<i32>(last) - 1);
  }
}

/** The class of a statistic: `place` says the class of the hypothesis that the row is above, or -1 less it for that it is below. */
// @ts-ignore: decorator
@inline
function classOf(place: i32, above: bool, last: i32): i32 {
  if (place >= 0) return above ? place : last;
  return above ? last : -1 - place;
}

/**
 * Tallies listed draws for the families of the pairs that name a row.
 *
 *   places    row r: lane k: class of "r is above k" in the family of r, or -1 less that of "r is below k"     i32, rows x rows
 *   levels    a family: `levelStride` bytes: descending, the threshold behind them                             f64
 *   classes   a family: classes besides the last, which stays; -1: not wanted                                  i32
 *   counts    a family: `countStride` bytes: classes + 2                                                       i32
 *   front     16 bytes a row
 */
export function tallyRowFamilies(
  heads: usize,
  nodes: usize,
  draws: i32,
  rows: i32,
  places: usize,
  levels: usize,
  levelStride: usize,
  classes: usize,
  counts: usize,
  countStride: usize,
  front: usize,
): void {
  for (let d = 0; d < draws; d++)
    for (let r = 0; r < rows; r++, heads += 4) {
      let next = load<i32>(heads);
      const own = load<i32>(classes + (<usize>r << 2));
      if (next < 0 || own < 0) continue;
      const ownLevels = levels + <usize>r * levelStride;
      const threshold = load<f64>(ownLevels + (<usize>own << 3));
      const row = places + (<usize>(r * rows) << 2);
      let length = 0;
      while (next >= 0) {
        const node = nodes + <usize>next * NODE;
        const z = load<f64>(node, 24);
        const first = r == load<i32>(node);
        next = first ? load<i32>(node, 8) : load<i32>(node, 12);
        if (abs(z) < threshold) continue;
        const other = first ? load<i32>(node, 4) : load<i32>(node);
        const place = load<i32>(row + (<usize>other << 2));
        if (place == NO_PART) continue;
        length = advance(front, length, classOf(place, first == z > 0, own), abs(z));
      }
      if (length > 0) countFront(front, length, ownLevels, own, counts + <usize>r * countStride);
    }
}

/**
 * Tallies listed draws for a family of all pairs: `places` as above, at i < j; where pairs are not `ordered` both hypotheses of a pair are
 * one, and leave together. `front` holds 16 bytes a class, the last included. With `fronts` not 0 fronts are left there, one after
 * the other, the length of each in the last 4 bytes of its first entry and 0 in those of the others. Returns the number of entries.
 */
export function tallyPairFamily(
  pairHeads: usize,
  nodes: usize,
  draws: i32,
  rows: i32,
  places: usize,
  levels: usize,
  classes: i32,
  ordered: bool,
  counts: usize,
  front: usize,
  fronts: usize,
): i32 {
  const threshold = load<f64>(levels + (<usize>classes << 3));
  let left = 0;
  for (let d = 0; d < draws; d++, pairHeads += 4) {
    let length = 0;
    for (let next = load<i32>(pairHeads); next >= 0; ) {
      const node = nodes + <usize>next * NODE;
      const z = load<f64>(node, 24);
      next = load<i32>(node, 16);
      if (abs(z) < threshold) continue;
      const place = load<i32>(places + (<usize>(load<i32>(node) * rows + load<i32>(node, 4)) << 2));
      if (place == NO_PART) continue;
      const own = ordered ? classOf(place, z > 0, classes) : place >= 0 ? place : -1 - place;
      length = advance(front, length, own, abs(z));
    }
    if (length == 0) continue;
    countFront(front, length, levels, classes, counts);
    if (fronts == 0) continue;
    const to = fronts + (<usize>left << 4);
    for (let e = 0; e < length; e++) store<i32>(front + (<usize>e << 4), e == 0 ? length : 0, 12);
    memory.copy(to, front, <usize>length << 4);
    left += length;
  }
  return left;
}
