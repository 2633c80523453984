import { philoxWords } from './philox';

/**
 * Adds up integer totals over random subsets: `take` of `size` members of each stratum without replacement, by partial
 * Fisher-Yates. The words of a draw run on through its strata.
 *
 *   columns   i32: member 0: row 0 .. row width-1 | member 1: ...     width is a multiple of 4
 *   members   i32: stratum 0: column numbers | stratum 1: ...
 *   sizes, takes   i32: one a stratum
 *   out       i32: draw 0: row 0 .. row width-1 | draw 1: ...
 *   words     u32: room for all takes, rounded up to 32
 *   places    i32: room for the largest size; the members of a stratum as the shuffle leaves them
 */
export function subsetTotals(
  out: usize,
  columns: usize,
  width: i32,
  members: usize,
  sizes: usize,
  takes: usize,
  strata: i32,
  words: usize,
  places: usize,
  firstLow: u32,
  firstHigh: u32,
  draws: i32,
  stream: u32,
  seedLow: u32,
  seedHigh: u32,
): void {
  let total = 0;
  for (let s = 0; s < strata; s++) total += load<i32>(takes + (<usize>s << 2));
  const stride = <usize>width << 2;
  for (let d = 0; d < draws; d++) {
    const draw = ((<u64>firstHigh << 32) | firstLow) + <u64>d;
    philoxWords(words, total, 0, <u32>draw, <u32>(draw >> 32), stream, seedLow, seedHigh, 0);
    const row = out + <usize>d * stride;
    memory.fill(row, 0, stride);
    let word = words;
    let list = members;
    for (let s = 0; s < strata; s++) {
      const size = load<i32>(sizes + (<usize>s << 2));
      const take = load<i32>(takes + (<usize>s << 2));
      memory.copy(places, list, <usize>size << 2);
      for (let i = 0; i < take; i++) {
        const j = i + <i32>((<u64>load<u32>(word) * <u64>(size - i)) >> 32);
        const at = places + (<usize>j << 2);
        const chosen = load<i32>(at);
        store<i32>(at, load<i32>(places + (<usize>i << 2)));
        const from = columns + <usize>chosen * stride;
        for (let k: usize = 0; k < stride; k += 16) {
          v128.store(row + k, i32x4.add(v128.load(row + k), v128.load(from + k)));
        }
        word += 4;
      }
      list += <usize>size << 2;
    }
  }
}
