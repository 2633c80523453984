/**
 * Cohen's dz of paired values: plain mean over plain standard deviation (divisor n - 1) of the task differences,
 * unweighted and unclustered (statistics 8). The values are integers, so a constant difference is seen exactly: 0 when it
 * is zero, null otherwise.
 */
export function cohenDz(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  const n = left.length;
  const first = left[0]! - right[0]!;
  let constant = true;
  let sum = 0;
  for (let t = 0; t < n; t += 1) {
    const d = left[t]! - right[t]!;
    if (d !== first) constant = false;
    sum += d;
  }
  if (constant) return first === 0 ? 0 : null;
  const mean = sum / n;
  let squares = 0;
  for (let t = 0; t < n; t += 1) {
    const d = left[t]! - right[t]! - mean;
    squares += d * d;
  }
  return mean / Math.sqrt(squares / (n - 1));
}
