/** Sums over draws run in blocks of this many draws, then over the blocks in order (statistics 5.3). */
export const BLOCK_DRAWS = 1024;

/** Adds f(0), ..., f(n-1) in blocks of 1,024, then the block sums in order: the one order of summation of every backend (statistics 5.3). */
export function blockedSum(n: number, term: (draw: number) => number): number {
  let total = 0;
  for (let start = 0; start < n; start += BLOCK_DRAWS) {
    const end = Math.min(start + BLOCK_DRAWS, n);
    let block = 0;
    for (let draw = start; draw < end; draw++) block += term(draw);
    total += block;
  }
  return total;
}

/** Forms the standard deviation over draws: divisor n - 1, two passes, 0 for a single draw (statistics 5.3). */
export function standardError(n: number, value: (draw: number) => number): number {
  if (n < 2) return 0;
  const mean = blockedSum(n, value) / n;
  const squares = blockedSum(n, (draw) => {
    const d = value(draw) - mean;
    return d * d;
  });
  return Math.sqrt(squares / (n - 1));
}
