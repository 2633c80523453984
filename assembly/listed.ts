/**
 * Adds up integer totals over listed columns, draw by draw; a column counts as often as it is listed.
 *
 *   columns   i32: column 0: row 0 .. row width-1 | column 1: ...     width is a multiple of 4
 *   lists     i32: draw 0: `length` column numbers | draw 1: ...
 *   out       i32: draw 0: row 0 .. row width-1 | draw 1: ...
 */
export function listedTotals(
  out: usize,
  columns: usize,
  width: i32,
  lists: usize,
  length: i32,
  draws: i32,
): void {
  const stride = <usize>width << 2;
  for (let d = 0; d < draws; d++, out += stride) {
    memory.fill(out, 0, stride);
    const end = lists + (<usize>length << 2);
    for (; lists < end; lists += 4) {
      const from = columns + <usize>load<u32>(lists) * stride;
      for (let k: usize = 0; k < stride; k += 16) {
        v128.store(out + k, i32x4.add(v128.load(out + k), v128.load(from + k)));
      }
    }
  }
}
