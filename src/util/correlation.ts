/** Computes the Pearson correlation; null for fewer than two values or a constant vector. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const n = x.length;
  if (n < 2) return null;
  let mx = 0;
  let my = 0;
  for (let i = 0; i < n; i += 1) {
    mx += x[i]!;
    my += y[i]!;
  }
  mx /= n;
  my /= n;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; i += 1) {
    const dx = x[i]! - mx;
    const dy = y[i]! - my;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (isConstant(x) || isConstant(y) || xx === 0 || yy === 0) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

function isConstant(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i += 1) if (x[i] !== x[0]) return false;
  return true;
}

/** Ranks 1..n by value ascending; equal values share the mean of their ranks. */
function averageRanks(x: ArrayLike<number>): Float64Array {
  const order = Int32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || a - b);
  const ranks = new Float64Array(x.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && x[order[to]!] === x[order[from]!]) to += 1;
    for (let k = from; k < to; k += 1) ranks[order[k]!] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

/** Computes the Pearson correlation of average ranks: the rule of task maps and of leaderboards under a checkpoint (analyses 0.2). */
export function averageSpearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(averageRanks(x), averageRanks(y));
}

/** Ranks 1..n by value ascending, equal values in index order, none shared. */
function ordinalRanks(x: ArrayLike<number>): Float64Array {
  const order = Int32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || a - b);
  const ranks = new Float64Array(x.length);
  order.forEach((i, k) => {
    ranks[i] = k + 1;
  });
  return ranks;
}

/** Computes the Pearson correlation of ordinal ranks: the rule of panels (statistics 12). */
export function ordinalSpearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(ordinalRanks(x), ordinalRanks(y));
}
