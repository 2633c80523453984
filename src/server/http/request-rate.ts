/** Addresses that are remembered at once; past them the one that asked longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;

/**
 * Makes what tells whether one more request of an address may be answered: `rate` a second on average, and as many at once. Milliseconds
 * come from `ticks`. Returns 0 where it may, else the seconds until it may.
 */
export function requestRate(rate: number, ticks: () => number): (address: string) => number {
  const buckets = new Map<string, { left: number; at: number }>();
  return (address) => {
    const now = ticks();
    const before = buckets.get(address);
    const left = before === undefined ? rate : Math.min(rate, before.left + ((now - before.at) * rate) / 1000);
    buckets.delete(address);
    buckets.set(address, { left: left >= 1 ? left - 1 : left, at: now });
    if (buckets.size > MOST_ADDRESSES) buckets.delete(buckets.keys().next().value!);
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / rate));
  };
}
