/** Sum in the order NumPy adds contiguous doubles: eight running sums, halves past 128 values. */
function pairwiseSum(values: ArrayLike<number>, from = 0, to = values.length): number {
  const count = to - from;
  if (count < 8) {
    let sum = 0;
    for (let i = from; i < to; i += 1) sum += values[i]!;
    return sum;
  }
  if (count > 128) {
    const half = from + (count >> 1) - ((count >> 1) % 8);
    return pairwiseSum(values, from, half) + pairwiseSum(values, half, to);
  }
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let f = 0;
  let g = 0;
  let h = 0;
  let i = from;
  for (; i + 8 <= to; i += 8) {
    a += values[i]!;
    b += values[i + 1]!;
    c += values[i + 2]!;
    d += values[i + 3]!;
    e += values[i + 4]!;
    f += values[i + 5]!;
    g += values[i + 6]!;
    h += values[i + 7]!;
  }
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (; i < to; i += 1) sum += values[i]!;
  return sum;
}

/** Computes the mean of doubles as NumPy forms it, to the last bit. Released reports carry such means. */
export function pairwiseMean(values: ArrayLike<number>): number {
  return pairwiseSum(values) / values.length;
}
