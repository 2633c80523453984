/**
 * Studentised bootstrap values of integer part totals (decisions 2.4): t = (value - score) / error, draw by draw, in the order of
 * operations of src/engine/linearised.ts.
 *
 *   counts     a draw: u16 a part, as bootstrap.ts makes them                          draws x stride bytes
 *   slots      the parts of unit after unit: u32 byte of its totals in a tile | u32 meta | u32 byte of its count | u32 0 |
 *              f64 0 | u32 class of the part | u32 class of the unit                   32 bytes a slot
 *   meta       stratum x 2 + 1 for the last part of a unit
 *   parts      classes of parts: f64 tasks | u32 stratum | u32 0                       16 bytes a class
 *   starts     classes of units: where their classes of parts begin in `members`       u32, one more than classes
 *   entries    a draw: the slots with a drawn part: as in slots | f64 times drawn |
 *              f64 times drawn x leverage scale of the unit | as in slots              32 bytes an entry, `slotCount` of room
 *   ends       a draw: u32 bytes of its entries
 *   sums       a draw: stratum 0: f64 row 0 .. row 8k-1 | stratum 1: ...               f64, exact
 *   sizes      a draw: stratum after stratum: f64 tasks drawn | f64 factor of an influence
 *   table      a tile of 8 rows: slot after slot, f64 totals of the rows               64 bytes a slot
 */

const LAST: u32 = 1;

/**
 * Turns sums of `stratumSums` into doubles, the planes of digits put together, and their last row, tasks, into sizes and factors. `rows` is
 * padded to whole tiles in `sums`.
 */
export function doubleSums(
  digits: usize,
  draws: i32,
  strata: i32,
  lanes: i32,
  rows: i32,
  planes: i32,
  bits: i32,
  scale: f64,
  sums: usize,
  sizes: usize,
): void {
  const width = rows + 1;
  const rowBytes = <usize>((rows + 7) & ~7) << 3;
  const f = <f64>strata;
  for (let i = draws * strata; i > 0; i--, digits += <usize>lanes << 2, sums += rowBytes, sizes += 16) {
    let value: f64 = 0;
    for (let m = 0; m <= rows; m++) {
      let joined: i64 = 0;
      for (let k = planes - 1; k >= 0; k--)
        joined = (joined << bits) + <i64>load<i32>(digits + (<usize>(k * width + m) << 2));
      value = <f64>joined;
      if (m < rows) store<f64>(sums + (<usize>m << 3), value);
    }
    store<f64>(sizes, value);
    store<f64>(sizes, 1.0 / (f * value * scale) / value, 8);
  }
}

/** Lists the drawn slots; returns the end of the entries. */
function listDrawn(counts: usize, slots: usize, slotCount: i32, entries: usize): usize {
  const end = slots + (<usize>slotCount << 5);
  for (; slots < end; slots += 32) {
    const count = <u32>load<u16>(counts + <usize>load<u32>(slots, 8));
    v128.store(entries, v128.load(slots));
    v128.store(entries, v128.load(slots, 16), 16);
    store<f64>(entries, <f64>count, 8);
    entries += count > 0 ? 32 : 0;
  }
  return entries;
}

/** Sums q q over copies of parts, a sum a stratum, where no unit spans strata. */
function sumShares(entries: usize, end: usize, shares: usize, cross: usize): void {
  let at = cross;
  let sum: f64 = 0;
  for (; entries < end; entries += 32) {
    const to = cross + (<usize>(load<u32>(entries, 4) >> 1) << 3);
    if (to != at) {
      store<f64>(at, sum);
      at = to;
      sum = load<f64>(at);
    }
    const q = load<f64>(shares + (<usize>load<u32>(entries, 24) << 3));
    sum += load<f64>(entries, 8) * q * q;
  }
  store<f64>(at, sum);
}

/** Where the parts of the unit end whose first entry stands at `entry`. */
function endOfUnit(entry: usize): usize {
  while ((load<u32>(entry, 4) & LAST) == 0) entry += 32;
  return entry + 32;
}

/** Sums q q' over copies of units, strata x strata, where units span them. */
function sumSpanned(entries: usize, end: usize, shares: usize, cross: usize, width: i32): void {
  for (let entry = entries; entry < end; ) {
    const next = endOfUnit(entry);
    for (let i = entry; i < next; i += 32) {
      const kq = load<f64>(i, 8) * load<f64>(shares + (<usize>load<u32>(i, 24) << 3));
      const row = cross + (<usize>((load<u32>(i, 4) >> 1) * width) << 3);
      for (let j = entry; j < next; j += 32) {
        const at = row + (<usize>(load<u32>(j, 4) >> 1) << 3);
        store<f64>(at, load<f64>(at) + kq * load<f64>(shares + (<usize>load<u32>(j, 24) << 3)));
      }
    }
    entry = next;
  }
}

/** Leverage scale of one copy of a unit whose classes of parts stand from `from` to `to`; 0 where it is alone in all its strata. */
function scaleOf(
  from: usize, to: usize, parts: usize, shares: usize, cross: usize, width: i32, sizes: usize, f: f64,
): f64 {
  let a: f64 = 0;
  let remainder: f64 = 0;
  let others: f64 = 0;
  let alone = true;
  for (let i = from; i < to; i += 4) {
    const part = <usize>load<u32>(i);
    const n = load<f64>(parts + (part << 4));
    const s = load<u32>(parts + (part << 4), 8);
    const q = load<f64>(shares + (part << 3));
    const size = load<f64>(sizes + (<usize>s << 4));
    if (size != n) alone = false;
    a += q;
    remainder += q * ((size - n) / size);
    const row = cross + (<usize>(s * width) << 3);
    for (let j = from; j < to; j += 4) {
      const other = <usize>load<u32>(j);
      const r = load<f64>(shares + (other << 3));
      const sum = load<f64>(row + (<usize>load<u32>(parts + (other << 4), 8) << 3));
      others += f * q * (f * r) * (sum - q * r);
    }
  }
  return alone ? 0 : (a * a) / (remainder * remainder + max<f64>(0, others));
}

/**
 * Lists what `draws` draws have taken, with the leverage scales. `width` is the number of strata where units span them, else 0.
 * `scratch` holds f64 a class of parts, strata x max(1, width) and a class of units.
 */
export function drawnUnits(
  counts: usize,
  stride: usize,
  draws: i32,
  slots: usize,
  slotCount: i32,
  parts: usize,
  partCount: i32,
  starts: usize,
  members: usize,
  unitCount: i32,
  strata: i32,
  width: i32,
  sizes: usize,
  scratch: usize,
  entries: usize,
  ends: usize,
): void {
  const f = <f64>strata;
  const shares = scratch;
  const cross = shares + (<usize>partCount << 3);
  const crossBytes = <usize>(strata * max(1, width)) << 3;
  const scales = cross + crossBytes;
  for (let d = 0; d < draws; d++) {
    const end = listDrawn(counts, slots, slotCount, entries);
    store<u32>(ends, <u32>(end - entries));
    for (let c: usize = 0; c < <usize>partCount; c++) {
      const size = load<f64>(sizes + (<usize>load<u32>(parts + (c << 4), 8) << 4));
      store<f64>(shares + (c << 3), load<f64>(parts + (c << 4)) / size / f);
    }
    memory.fill(cross, 0, crossBytes);
    if (width) sumSpanned(entries, end, shares, cross, width);
    else sumShares(entries, end, shares, cross);
    for (let u: usize = 0; u < <usize>unitCount; u++) {
      const from = members + (<usize>load<u32>(starts + (u << 2)) << 2);
      const to = members + (<usize>load<u32>(starts + (u << 2), 4) << 2);
      store<f64>(scales + (u << 3), scaleOf(from, to, parts, shares, cross, width, sizes, f));
    }
    for (let entry = entries; entry < end; entry += 32)
      store<f64>(entry, load<f64>(entry, 8) * load<f64>(scales + (<usize>load<u32>(entry, 28) << 3)), 16);
    counts += stride;
    entries += <usize>slotCount << 5;
    ends += 4;
    sizes += <usize>strata << 4;
  }
}

/** Bytes of a class of parts in a draw: twice f64 N_s | twice f64 factor of an influence | f64 n D_s of a tile's rows. */
const SHARES: usize = 96;

/** Puts what the influences of all classes of parts on a tile's rows share in a draw. */
function putShares(parts: usize, partCount: i32, sums: usize, rowBytes: usize, sizes: usize, shares: usize): void {
  for (let c = 0; c < partCount; c++, parts += 16, shares += SHARES) {
    const s = <usize>load<u32>(parts, 8);
    const n = v128.load64_splat(parts);
    const from = sums + s * rowBytes;
    v128.store(shares, v128.load64_splat(sizes + (s << 4)));
    v128.store(shares, v128.load64_splat(sizes + (s << 4), 8), 16);
    v128.store(shares, f64x2.mul(n, v128.load(from)), 32);
    v128.store(shares, f64x2.mul(n, v128.load(from, 16)), 48);
    v128.store(shares, f64x2.mul(n, v128.load(from, 32)), 64);
    v128.store(shares, f64x2.mul(n, v128.load(from, 48)), 80);
  }
}

/** Influence of a part on two rows: (D N - n D_s) x factor; `share` is n D_s. */
// @ts-ignore: decorator
@inline
function influence(row: usize, size: v128, share: usize, factor: v128): v128 {
  return f64x2.mul(f64x2.sub(f64x2.mul(v128.load(row), size), v128.load(share)), factor);
}

/** Squared errors of a tile's rows, 8 f64; of its first half alone, the others 0, unless `whole`. */
// @ts-ignore: decorator
@inline
function sumSquares(table: usize, entries: usize, end: usize, shares: usize, squares: usize, whole: bool): void {
  let a = f64x2.splat(0), b = a, c = a, e = a;
  for (; entries < end; entries += 32) {
    // Influences of the parts of a unit so far.
    let own = shares + <usize>load<u32>(entries, 24) * SHARES;
    let row = table + <usize>load<u32>(entries);
    let size = v128.load(own), factor = v128.load(own, 16);
    let p = influence(row, size, own + 32, factor), q = influence(row + 16, size, own + 48, factor);
    let u = a, v = a;
    if (whole) {
      u = influence(row + 32, size, own + 64, factor);
      v = influence(row + 48, size, own + 80, factor);
    }
    while (!(load<u32>(entries, 4) & LAST)) {
      entries += 32;
      own = shares + <usize>load<u32>(entries, 24) * SHARES;
      row = table + <usize>load<u32>(entries);
      size = v128.load(own);
      factor = v128.load(own, 16);
      p = f64x2.add(p, influence(row, size, own + 32, factor));
      q = f64x2.add(q, influence(row + 16, size, own + 48, factor));
      if (whole) {
        u = f64x2.add(u, influence(row + 32, size, own + 64, factor));
        v = f64x2.add(v, influence(row + 48, size, own + 80, factor));
      }
    }
    const weight = v128.load64_splat(entries, 16);
    a = f64x2.add(a, f64x2.mul(weight, f64x2.mul(p, p)));
    b = f64x2.add(b, f64x2.mul(weight, f64x2.mul(q, q)));
    if (whole) {
      c = f64x2.add(c, f64x2.mul(weight, f64x2.mul(u, u)));
      e = f64x2.add(e, f64x2.mul(weight, f64x2.mul(v, v)));
    }
  }
  v128.store(squares, a);
  v128.store(squares, b, 16);
  v128.store(squares, c, 32);
  v128.store(squares, e, 48);
}

/**
 * Forms t of the first `rows` of the 8 rows of a tile for the listed draws: `out` is row-major, `outStride` bytes a row. Draws in which both
 * the distance and the error are 0, so that t is NaN, are counted in `undefinedDraws`, u32 a row.
 *
 *   sums      of the tile's rows in the first draw; `rowBytes` from stratum to stratum, the padded rows of all tiles
 *   scores    f64 a row
 *   scratch   192 bytes, and 96 a class of parts
 */
export function studentiseRows(
  table: usize,
  entries: usize,
  slotCount: i32,
  ends: usize,
  sums: usize,
  rowBytes: usize,
  sizes: usize,
  parts: usize,
  partCount: i32,
  draws: i32,
  strata: i32,
  scale: f64,
  scores: usize,
  rows: i32,
  out: usize,
  outStride: usize,
  undefinedDraws: usize,
  scratch: usize,
): void {
  const squares = scratch;
  const line = scratch + 128;
  const shares = scratch + 192;
  const f = f64x2.splat(<f64>strata);
  const unit = f64x2.splat(scale);
  for (let d = 0; d < draws; d++, out += 8) {
    const end = entries + <usize>load<u32>(ends);
    putShares(parts, partCount, sums, rowBytes, sizes, shares);
    if (rows > 4) sumSquares(table, entries, end, shares, squares, true);
    else sumSquares(table, entries, end, shares, squares, false);
    for (let m: usize = 0; m < 64; m += 16) {
      let value = f64x2.splat(0);
      for (let s: usize = 0; s < <usize>strata; s++)
        value = f64x2.add(value, f64x2.div(v128.load(sums + s * rowBytes + m), v128.load64_splat(sizes + (s << 4))));
      const distance = f64x2.sub(f64x2.div(f64x2.div(value, f), unit), v128.load(scores + m));
      v128.store(line + m, f64x2.div(distance, f64x2.sqrt(v128.load(squares + m))));
    }
    let to = out;
    for (let m: usize = 0; m < <usize>rows; m++, to += outStride) {
      const t = load<f64>(line + (m << 3));
      store<f64>(to, t);
      if (t == t) continue;
      const count = undefinedDraws + (m << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
    entries += <usize>slotCount << 5;
    ends += 4;
    sums += <usize>strata * rowBytes;
    sizes += <usize>strata << 4;
  }
}
