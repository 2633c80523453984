/** Computes the greatest common divisor of two numbers that are not negative. */
export function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** Computes the least common multiple of positive numbers; 1 of none. */
export function lcm(values: Iterable<bigint>): bigint {
  let multiple = 1n;
  for (const value of values) multiple = (multiple / gcd(multiple, value)) * value;
  return multiple;
}
