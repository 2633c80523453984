/**
 * Reward maps: every k-of-n portfolio of a task, its utility, and the map in basis points (compiler b.4, b.5).
 *
 *   utility(S) = a * (sum of singles in S) + b * (sum of pairs in S),   a = w1 / k,  b = w2 / C(k,2)
 *
 * Canonical order of addition: items join in ascending order, item t adds p[t], then q[s,t] for the members s before
 * it.
 *
 * Per task, one after the other:
 *   singles    n f64                       anchor (or direction) with choice i
 *   pairs      n(n-1)/2 f64                (0,1), (0,2), ... (1,2), ...
 *   weights    2 f64                       a, b
 *   allowed    u32                         bit i: choice i may be used
 *   conflicts  ceil(n(n-1)/2 / 32) u32     bit of a pair: the two exclude each other
 *   scores     C(n,k) u16                  lexicographic keys
 *   summary    6 i32                       status, first optimum, optima, rounded mean, margin, feasible keys
 *   scratch    C(n,k) + 2 f64, once        utilities of the task at hand; U below
 *
 * Infeasible utilities are NaN inside: pmin and pmax skip them, and the clamp sends them to 0.
 */

/** Most choices a task may have: at most 120 pairs and 12,870 keys. */
const MOST: i32 = 16;

const P: usize = memory.data(16 * 8 + 16, 16);
const Q: usize = memory.data(120 * 8 + 16, 16);
/** Items chosen so far and the utility after each, for the general walk. */
const CHOSEN: usize = memory.data(16 * 4, 16);
const PARTIAL: usize = memory.data(17 * 8, 16);
/** Per 3-of-8 key: bits of its members, bits of its pairs. */
const MEMBERS: usize = memory.data(56 * 4, 16);
const PAIRS: usize = memory.data(56 * 4, 16);

const OK: i32 = 0;
const FEW_FEASIBLE: i32 = 1;
const FLAT: i32 = 2;
const TIED: i32 = 3;

// @ts-ignore: decorator
@inline
function pairAt(i: i32, j: i32, n: i32): i32 {
  return i * n - ((i * (i + 1)) >> 1) + (j - i - 1);
}

function scale(from: usize, to: usize, count: i32, by: f64): void {
  const factor = f64x2.splat(by);
  const whole = <usize>(count & ~1) << 3;
  for (let j: usize = 0; j < whole; j += 16) v128.store(to + j, f64x2.mul(factor, v128.load(from + j)));
  if (count & 1) store<f64>(to + whole, by * load<f64>(from + whole));
}

function fillTables(): void {
  let key: usize = 0;
  for (let i = 0; i < 8; i += 1)
    for (let j = i + 1; j < 8; j += 1)
      for (let k = j + 1; k < 8; k += 1) {
        store<u32>(MEMBERS + key, (1 << i) | (1 << j) | (1 << k));
        store<u32>(PAIRS + key, (1 << pairAt(i, j, 8)) | (1 << pairAt(i, k, 8)) | (1 << pairAt(j, k, 8)));
        key += 4;
      }
}
fillTables();

/** The 56 utilities of 3 of 8; two neighbouring third members a step, the odd one overwritten by the next step. */
function utilities3of8(U: usize): void {
  let to = U;
  for (let i = 0; i < 6; i += 1) {
    const pi = load<f64>(P + (<usize>i << 3));
    const rowI = Q + (<usize>pairAt(i, i + 1, 8) << 3);
    for (let j = i + 1; j < 7; j += 1) {
      const base = f64x2.splat(pi + load<f64>(P + (<usize>j << 3)) + load<f64>(rowI + (<usize>(j - i - 1) << 3)));
      const single = P + (<usize>(j + 1) << 3);
      const first = rowI + (<usize>(j - i) << 3);
      const second = Q + (<usize>pairAt(j, j + 1, 8) << 3);
      const bytes = <usize>(7 - j) << 3;
      for (let k: usize = 0; k < bytes; k += 16) {
        let u = f64x2.add(base, v128.load(single + k));
        u = f64x2.add(u, v128.load(first + k));
        u = f64x2.add(u, v128.load(second + k));
        v128.store(to + k, u);
      }
      to += bytes;
    }
  }
}

/** Marks infeasible keys of 3 of 8; returns how many are feasible. */
function forbid3of8(U: usize, allowed: u32, conflicts: u32): i32 {
  if ((allowed & 0xff) == 0xff && conflicts == 0) return 56;
  let feasible = 0;
  const banned = ~allowed;
  for (let key: usize = 0; key < 56; key += 1) {
    const bad = (load<u32>(MEMBERS + (key << 2)) & banned) | (load<u32>(PAIRS + (key << 2)) & conflicts);
    if (bad != 0) store<f64>(U + (key << 3), NaN);
    else feasible += 1;
  }
  return feasible;
}

/** Utilities of k of n by a walk over ascending members; returns how many keys are feasible. */
function utilities(U: usize, n: i32, k: i32, allowed: u32, conflicts: usize): i32 {
  let feasible = 0;
  let to = U;
  let depth = 0;
  store<i32>(CHOSEN, -1);
  store<f64>(PARTIAL, 0);
  while (depth >= 0) {
    const at = CHOSEN + (<usize>depth << 2);
    const item = load<i32>(at) + 1;
    if (item > n - (k - depth)) {
      depth -= 1;
      continue;
    }
    store<i32>(at, item);
    let u = load<f64>(PARTIAL + (<usize>depth << 3)) + load<f64>(P + (<usize>item << 3));
    if (((allowed >> item) & 1) == 0) u = NaN;
    for (let d = 0; d < depth; d += 1) {
      const pair = pairAt(load<i32>(CHOSEN + (<usize>d << 2)), item, n);
      u += load<f64>(Q + (<usize>pair << 3));
      if ((load<u32>(conflicts + (<usize>(pair >> 5) << 2)) >> (pair & 31)) & 1) u = NaN;
    }
    depth += 1;
    if (depth < k) {
      store<f64>(PARTIAL + (<usize>depth << 3), u);
      store<i32>(CHOSEN + (<usize>depth << 2), item);
    } else {
      store<f64>(to, u);
      to += 8;
      if (!isNaN(u)) feasible += 1;
      depth -= 1;
    }
  }
  return feasible;
}

/** Utilities to basis points and the summary of one task. */
function finish(U: usize, keys: i32, feasible: i32, leastFeasible: i32, leastRange: f64, scores: usize, summary: usize): void {
  store<f64>(U + (<usize>keys << 3), NaN);
  const bytes = <usize>keys << 3;
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  for (let j: usize = 0; j < bytes; j += 16) {
    const u = v128.load(U + j);
    low = f64x2.pmin(low, u);
    high = f64x2.pmax(high, u);
  }
  const lo = min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1));
  const range = max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) - lo;
  store<i32>(summary, feasible, 20);
  if (feasible < leastFeasible || range < leastRange) {
    memory.fill(scores, 0, <usize>keys << 1);
    memory.fill(summary, 0, 20);
    store<i32>(summary, feasible < leastFeasible ? FEW_FEASIBLE : FLAT);
    return;
  }
  const floor = f64x2.splat(lo);
  const width = f64x2.splat(range);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const full = f64x2.splat(10000);
  let sum = 0;
  let optima = 0;
  let second = 0;
  let optimal = -1;
  for (let key = 0; key < keys; key += 2) {
    let x = f64x2.div(f64x2.sub(v128.load(U + (<usize>key << 3)), floor), width);
    x = f64x2.pmin(one, f64x2.pmax(zero, x));
    const bps = i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(full, x)));
    const left = i32x4.extract_lane(bps, 0);
    const right = i32x4.extract_lane(bps, 1);
    store<u16>(scores + (<usize>key << 1), left);
    sum += left + right;
    if (left == 10000) {
      if (optima == 0) optimal = key;
      optima += 1;
    } else second = max(second, left);
    if (key + 1 < keys) store<u16>(scores + (<usize>key << 1), right, 2);
    if (right == 10000) {
      if (optima == 0) optimal = key + 1;
      optima += 1;
    } else second = max(second, right);
  }
  const mean = sum / keys;
  const rest = (sum - mean * keys) << 1;
  store<i32>(summary, optima == 1 ? OK : TIED);
  store<i32>(summary, optimal, 4);
  store<i32>(summary, optima, 8);
  store<i32>(summary, rest > keys || (rest == keys && (mean & 1) == 1) ? mean + 1 : mean, 12);
  store<i32>(summary, optima == 1 ? 10000 - second : 0, 16);
}

/** Maps of `tasks` tasks; 3 of 8 takes its own path, any other k of n (n at most 16) the general walk. Same digits. */
export function portfolioMaps(
  tasks: i32, n: i32, k: i32, singles: usize, pairs: usize, weights: usize, allowed: usize, conflicts: usize,
  leastFeasible: i32, leastRange: f64, scores: usize, summary: usize, scratch: usize,
): void {
  if (n > MOST || k > n || k < 1) unreachable();
  const pairsOf = (n * (n - 1)) >> 1;
  const words = (pairsOf + 31) >> 5;
  let keys = 1;
  for (let i = 0; i < k; i += 1) keys = (keys * (n - i)) / (i + 1);
  const special = n == 8 && k == 3;
  for (let t = 0; t < tasks; t += 1) {
    scale(singles, P, n, load<f64>(weights));
    scale(pairs, Q, pairsOf, load<f64>(weights, 8));
    let feasible: i32;
    if (special) {
      utilities3of8(scratch);
      feasible = forbid3of8(scratch, load<u32>(allowed), load<u32>(conflicts));
    } else {
      feasible = utilities(scratch, n, k, load<u32>(allowed), conflicts);
    }
    finish(scratch, keys, feasible, leastFeasible, leastRange, scores, summary);
    singles += <usize>n << 3;
    pairs += <usize>pairsOf << 3;
    weights += 16;
    allowed += 4;
    conflicts += <usize>words << 2;
    scores += <usize>keys << 1;
    summary += 24;
  }
}
