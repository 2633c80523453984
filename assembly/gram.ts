/**
 * Dot products of rows, in float64, each sum taken in column order: a lane holds one pair, so a vector step adds the
 * same terms in the same order as a scalar loop and the result does not depend on how rows are blocked.
 *
 *   rows     R x dims f64, row after row
 *   packed   a quad of 4 right rows turned on its side:
 *              column 0: r0 r1 r2 r3 | column 1: r0 r1 r2 r3 | ...      dims x 4 f64, 32 bytes a column
 *   panel    up to PANEL quads one after the other, small enough for the second-level cache
 */

/** Right rows packed at once by `gram`: 8 quads, 77 KB at 300 columns. */
const PANEL: i32 = 8;

/** Turns 4 rows on their side; a row past `count` repeats the last one and its results are not used. */
// @ts-ignore: decorator
@inline
function pack(rows: usize, dims: i32, list: usize, count: i32, packed: usize): void {
  const stride = <usize>dims << 3;
  const r0 = rows + <usize>load<u32>(list) * stride;
  const r1 = rows + <usize>load<u32>(list + (<usize>min(1, count - 1) << 2)) * stride;
  const r2 = rows + <usize>load<u32>(list + (<usize>min(2, count - 1) << 2)) * stride;
  const r3 = rows + <usize>load<u32>(list + (<usize>min(3, count - 1) << 2)) * stride;
  for (let j: usize = 0; j < stride; j += 8) {
    const to = packed + (j << 2);
    store<f64>(to, load<f64>(r0 + j));
    store<f64>(to, load<f64>(r1 + j), 8);
    store<f64>(to, load<f64>(r2 + j), 16);
    store<f64>(to, load<f64>(r3 + j), 24);
  }
}

/** 4 left rows times a packed quad: 16 dot products to `out`, 4 x 4 f64. */
function tile(l0: usize, l1: usize, l2: usize, l3: usize, packed: usize, dims: i32, out: usize): void {
  let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
  const bytes = <usize>dims << 3;
  for (let j: usize = 0; j < bytes; j += 8) {
    const at = packed + (j << 2);
    const x = v128.load(at);
    const y = v128.load(at, 16);
    let s = v128.load64_splat(l0 + j);
    a0 = f64x2.add(a0, f64x2.mul(s, x));
    a1 = f64x2.add(a1, f64x2.mul(s, y));
    s = v128.load64_splat(l1 + j);
    b0 = f64x2.add(b0, f64x2.mul(s, x));
    b1 = f64x2.add(b1, f64x2.mul(s, y));
    s = v128.load64_splat(l2 + j);
    c0 = f64x2.add(c0, f64x2.mul(s, x));
    c1 = f64x2.add(c1, f64x2.mul(s, y));
    s = v128.load64_splat(l3 + j);
    d0 = f64x2.add(d0, f64x2.mul(s, x));
    d1 = f64x2.add(d1, f64x2.mul(s, y));
  }
  v128.store(out, a0);
  v128.store(out, a1, 16);
  v128.store(out, b0, 32);
  v128.store(out, b1, 48);
  v128.store(out, c0, 64);
  v128.store(out, c1, 80);
  v128.store(out, d0, 96);
  v128.store(out, d1, 112);
}

/** Address of the row that entry `i` of `list` names, `i` held inside the list. */
// @ts-ignore: decorator
@inline
function rowAt(rows: usize, dims: i32, list: usize, i: i32, count: i32): usize {
  return rows + <usize>load<u32>(list + (<usize>min(i, count - 1) << 2)) * (<usize>dims << 3);
}

// @ts-ignore: decorator
@inline
function copyRow(to: usize, from: usize, count: i32): void {
  if (count == 4) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
  } else {
    for (let c: usize = 0; c < <usize>count; c += 1) store<f64>(to + (c << 3), load<f64>(from + (c << 3)));
  }
}

/** Bytes of scratch that `gram` and `taskSimilarities` need. */
export function gramScratch(dims: i32, choices: i32): usize {
  const quads = max(PANEL, (choices + 3) >> 2);
  return <usize>quads * <usize>dims * 32 + 128;
}

/**
 * out[i * rightCount + j] = rows[left[i]] . rows[right[j]].
 *
 *   left, right   row numbers, u32
 *   out           leftCount x rightCount f64
 *   scratch       gramScratch(dims, 0) bytes: panel, then one 4 x 4 tile
 */
export function gram(
  rows: usize, dims: i32, left: usize, leftCount: i32, right: usize, rightCount: i32, out: usize, scratch: usize,
): void {
  const quadBytes = <usize>dims << 5;
  const square = scratch + <usize>PANEL * quadBytes;
  for (let panel = 0; panel < rightCount; panel += PANEL << 2) {
    const quads = min(PANEL, (rightCount - panel + 3) >> 2);
    for (let q = 0; q < quads; q += 1) {
      const from = panel + (q << 2);
      pack(rows, dims, right + (<usize>from << 2), min(4, rightCount - from), scratch + <usize>q * quadBytes);
    }
    for (let i = 0; i < leftCount; i += 4) {
      const l0 = rowAt(rows, dims, left, i, leftCount);
      const l1 = rowAt(rows, dims, left, i + 1, leftCount);
      const l2 = rowAt(rows, dims, left, i + 2, leftCount);
      const l3 = rowAt(rows, dims, left, i + 3, leftCount);
      const high = min(4, leftCount - i);
      for (let q = 0; q < quads; q += 1) {
        tile(l0, l1, l2, l3, scratch + <usize>q * quadBytes, dims, square);
        const from = panel + (q << 2);
        const wide = min(4, rightCount - from);
        for (let r = 0; r < high; r += 1) {
          copyRow(out + ((<usize>(i + r) * rightCount + from) << 3), square + (<usize>r << 5), wide);
        }
      }
    }
  }
}

/**
 * The cosines one task needs: its anchor (or direction) with every choice, and every two choices.
 *
 *   members   tasks x (1 + choices) row numbers, u32: anchor, then choices in label order
 *   singles   tasks x choices f64
 *   pairs     tasks x choices(choices-1)/2 f64, order (0,1), (0,2), ... (1,2), ...
 *   scratch   gramScratch(dims, choices) bytes: the packed choices, then one 4 x 4 tile
 *
 * Left rows are anchor, choice 0, ... choice n-2; a tile whose pairs all stand below the diagonal is left out.
 */
export function taskSimilarities(
  rows: usize, dims: i32, members: usize, tasks: i32, choices: i32, singles: usize, pairs: usize, scratch: usize,
): void {
  const quadBytes = <usize>dims << 5;
  const quads = (choices + 3) >> 2;
  const square = scratch + <usize>quads * quadBytes;
  for (let t = 0; t < tasks; t += 1) {
    const list = members + (<usize>(choices + 1) << 2);
    for (let q = 0; q < quads; q += 1) {
      pack(rows, dims, members + (<usize>(1 + (q << 2)) << 2), min(4, choices - (q << 2)), scratch + <usize>q * quadBytes);
    }
    for (let i = 0; i < choices; i += 4) {
      const l0 = rowAt(rows, dims, members, i, choices);
      const l1 = rowAt(rows, dims, members, i + 1, choices);
      const l2 = rowAt(rows, dims, members, i + 2, choices);
      const l3 = rowAt(rows, dims, members, i + 3, choices);
      for (let q = i >> 2; q < quads; q += 1) {
        tile(l0, l1, l2, l3, scratch + <usize>q * quadBytes, dims, square);
        storeProducts(square, i, q << 2, choices, singles, pairs);
      }
    }
    members = list;
    singles += <usize>choices << 3;
    pairs += <usize>((choices * (choices - 1)) >> 1) << 3;
  }
}

/**
 * Stores the 4 x 4 products of left rows i.. and choices j.. where they belong: row 0 is the anchor, row i is choice i
 * - 1.
 */
function storeProducts(square: usize, i: i32, j: i32, choices: i32, singles: usize, pairs: usize): void {
  const wide = min(4, choices - j);
  const high = min(4, choices - i);
  for (let r = 0; r < high; r += 1) {
    const first = i + r - 1;
    for (let c = 0; c < wide; c += 1) {
      const second = j + c;
      const value = load<f64>(square + (<usize>((r << 2) + c) << 3));
      if (first < 0) store<f64>(singles + (<usize>second << 3), value);
      else if (first < second) {
        const at = first * choices - ((first * (first + 1)) >> 1) + (second - first - 1);
        store<f64>(pairs + (<usize>at << 3), value);
      }
    }
  }
}
