/** Orthonormal basis of the columns of a matrix given by rows, by modified Gram-Schmidt; dependent columns drop out. */
function basis(rows: readonly (readonly number[])[]): number[][] {
  const out: number[][] = [];
  const columns = rows[0]?.length ?? 0;
  for (let c = 0; c < columns; c += 1) {
    const v = rows.map((row) => row[c]!);
    for (let pass = 0; pass < 2; pass += 1) {
      for (const q of out) {
        const dot = q.reduce((sum, x, i) => sum + x * v[i]!, 0);
        q.forEach((x, i) => {
          v[i] = v[i]! - dot * x;
        });
      }
    }
    const length = Math.hypot(...v);
    if (length > 1e-9) out.push(v.map((x) => x / length));
  }
  return out;
}

export interface PairFit {
  readonly rank: number;
  /** What no sum over pairs can give, per row. */
  readonly residuals: readonly number[];
}

/** Least-squares fit of values by sums over the pairs of each set (singles lie in the span of pairs). */
export function pairFit(sets: readonly (readonly number[])[], values: readonly number[]): PairFit {
  const n = 1 + Math.max(...sets.flat());
  const rows = sets.map((set) => {
    const row = new Array<number>((n * (n - 1)) / 2).fill(0);
    set.forEach((i, a) => {
      for (const j of set.slice(a + 1)) row[i * n - (i * (i + 1)) / 2 + (j - i - 1)] = 1;
    });
    return row;
  });
  const q = basis(rows);
  const residuals = [...values];
  for (const column of q) {
    const dot = column.reduce((sum, x, i) => sum + x * residuals[i]!, 0);
    column.forEach((x, i) => {
      residuals[i] = residuals[i]! - dot * x;
    });
  }
  return { rank: q.length, residuals };
}
