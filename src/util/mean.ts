/** Sum in the order NumPy adds contiguous doubles: eight running sums, halves past 128 values. */
export function pairwiseSum(values: ArrayLike<number>, from = 0, to = values.length): number {
  const count = to - from;
  if (count < 8) {
    let sum = 0;
    for (let i = from; i < to; i += 1) sum += values[i] as number;
    return sum;
  }
  if (count > 128) {
    const half = from + (count >> 1) - ((count >> 1) % 8);
    return pairwiseSum(values, from, half) + pairwiseSum(values, half, to);
  }
  const at = (i: number) => values[i] as number;
  let [a, b, c, d] = [at(from), at(from + 1), at(from + 2), at(from + 3)];
  let [e, f, g, h] = [at(from + 4), at(from + 5), at(from + 6), at(from + 7)];
  let i = from + 8;
  for (; i + 8 <= to; i += 8) {
    a += at(i);
    b += at(i + 1);
    c += at(i + 2);
    d += at(i + 3);
    e += at(i + 4);
    f += at(i + 5);
    g += at(i + 6);
    h += at(i + 7);
  }
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (; i < to; i += 1) sum += at(i);
  return sum;
}

/** Mean of doubles as NumPy forms it, to the last bit. Released reports carry such means. */
export function pairwiseMean(values: ArrayLike<number>): number {
  return pairwiseSum(values) / values.length;
}
