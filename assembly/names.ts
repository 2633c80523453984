/**
 * Index of names by their bytes.
 *
 *   index    slots (mask + 1 i32, -1 free), then for each number the start and end of its name, 2 u32
 */

/** Hashes the length and the last sixteen bytes: ids differ towards their ends. */
function hash(start: usize, end: usize): u32 {
  let h: u32 = 0x811c9dc5 ^ <u32>(end - start);
  for (let i = end - start > 16 ? end - 16 : start; i < end; i++) {
    h = (h ^ <u32>load<u8>(i)) * 0x01000193;
  }
  return h ^ (h >> 15);
}

/** Finds the number of a name in an index, or -1. */
export function findName(index: usize, mask: u32, start: usize, end: usize): i32 {
  const names = index + ((<usize>mask + 1) << 2);
  let slot = hash(start, end) & mask;
  let number = load<i32>(index + (<usize>slot << 2));
  while (number >= 0) {
    const from = <usize>load<u32>(names + (<usize>number << 3));
    const to = <usize>load<u32>(names + (<usize>number << 3), 4);
    if (to - from == end - start && memory.compare(from, start, end - start) == 0) return number;
    slot = (slot + 1) & mask;
    number = load<i32>(index + (<usize>slot << 2));
  }
  return -1;
}

/** Puts the next name into an index; the caller keeps a free slot. */
export function insertName(index: usize, mask: u32, number: i32, start: usize, end: usize): void {
  const names = index + ((<usize>mask + 1) << 2);
  let slot = hash(start, end) & mask;
  while (load<i32>(index + (<usize>slot << 2)) >= 0) slot = (slot + 1) & mask;
  store<i32>(index + (<usize>slot << 2), number);
  store<u32>(names + (<usize>number << 3), <u32>start);
  store<u32>(names + (<usize>number << 3), <u32>end, 4);
}

/**
 * Looks up a column of names, as Arrow keeps one.
 *
 *   text      name 0 | name 1 | ...                              UTF-8
 *   offsets   start of name 0 | start of name 1 | ... | end      i32, count + 1
 *   numbers   number of each name, or -1                         i32
 */
export function findNames(
  index: usize,
  mask: u32,
  text: usize,
  offsets: usize,
  count: i32,
  numbers: usize,
): void {
  let from = text + <usize>load<u32>(offsets);
  for (let n: usize = 0; n < <usize>count; n++) {
    const to = text + <usize>load<u32>(offsets + ((n + 1) << 2));
    store<i32>(numbers + (n << 2), findName(index, mask, from, to));
    from = to;
  }
}
