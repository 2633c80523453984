/**
 * Lists the pairs of sums whose differences do not pass 63 (assembly/tiny.ts) that may reach a threshold, sixteen draws in a vector. Nodes and
 * heads are those of assembly/reaching.ts.
 *
 *   pairs    a pair: its rows                                                      i32, two a pair
 *   limits   a pair: the largest size that is too small to reach a threshold       i8
 */

const COLUMN: usize = 208;
const NODE: usize = 32;

/** Draws from number `d` on, sixteen at most, in which the difference of two rows passes a limit. */
// @ts-ignore: decorator
@inline
function passing(left: usize, right: usize, d: usize, limit: v128): v128 {
  return i8x16.gt_s(i8x16.abs(i8x16.sub(v128.load(left + d), v128.load(right + d))), limit);
}

/** Leaves the lanes of draws `from` to `end` - 1, of those that begin with draw `d`. */
// @ts-ignore: decorator
@inline
function within(hits: i32, d: i32, from: i32, end: i32): i32 {
  const low = d < from ? hits & (-1 << (from - d)) : hits;
  return d + 16 > end ? low & ((1 << (end - d)) - 1) : low;
}

/**
 * Lists the pairs of draws `from` to `from` + `draws` - 1 of the columns; returns the number of nodes, or -1 where more than `most` are needed.
 * Those that reach `least` are listed for the families of all pairs. `heads` is 0 where no family of a row is tallied. `unit` is what one in a
 * sum stands for.
 */
export function listTinyReaching(
  columns: usize,
  from: i32,
  draws: i32,
  rows: i32,
  pairs: usize,
  limits: usize,
  count: i32,
  lanes: i32,
  inverse: usize,
  unit: f64,
  least: f64,
  heads: usize,
  pairHeads: usize,
  nodes: usize,
  most: i32,
): i32 {
  if (heads) memory.fill(heads, 0xff, <usize>(draws * rows) << 2);
  memory.fill(pairHeads, 0xff, <usize>draws << 2);
  const begin = from & ~15;
  const end = from + draws;
  let found = 0;
  for (let p: usize = 0; p < <usize>count; p++) {
    const i = load<i32>(pairs + (p << 3)), j = load<i32>(pairs + (p << 3), 4);
    const left = columns + <usize>i * COLUMN, right = columns + <usize>j * COLUMN;
    const limit = v128.load8_splat(limits + p);
    let some = i8x16.splat(0);
    for (let d: usize = begin; d < <usize>end; d += 16) some = v128.or(some, passing(left, right, d, limit));
    if (!v128.any_true(some)) continue;
    const reciprocal = load<f64>(inverse + (<usize>(i * lanes + j) << 3));
    for (let d = begin; d < end; d += 16)
      for (
        let hits = within(i8x16.bitmask(passing(left, right, d, limit)), d, from, end);
        hits != 0;
        hits &= hits - 1
      ) {
        if (found >= most) return -1;
        const at = d + ctz(hits);
        const node = nodes + <usize>found * NODE;
        const apart = <i32>load<i8>(left + <usize>at) - <i32>load<i8>(right + <usize>at);
        const z = <f64>apart * unit * reciprocal;
        store<i32>(node, i);
        store<i32>(node, j, 4);
        store<f64>(node, z, 24);
        if (heads) {
          const own = heads + (<usize>(at - from) * <usize>rows << 2);
          store<i32>(node, load<i32>(own + (<usize>i << 2)), 8);
          store<i32>(node, load<i32>(own + (<usize>j << 2)), 12);
          store<i32>(own + (<usize>i << 2), found);
          store<i32>(own + (<usize>j << 2), found);
        }
        if (abs(z) >= least) {
          const head = pairHeads + (<usize>(at - from) << 2);
          store<i32>(node, load<i32>(head), 16);
          store<i32>(head, found);
        }
        found++;
      }
  }
  return found;
}
