import type { AddListed, ListedColumns } from '../reference/listed.js';
import { openArena } from './arena.js';
import { kernelModule } from './module.js';

/** Draws made at once, so that memory does not grow with them. */
const BATCH = 1024;

/** Opens the WASM totals over listed columns. Rows are padded to whole vectors inside. */
export function openWasmListedTotals({ columns, rows }: ListedColumns): AddListed {
  const arena = openArena(kernelModule());
  const width = Math.ceil(rows / 4) * 4;
  const padded = new Int32Array((columns.length / rows) * width);
  for (let c = 0; c * rows < columns.length; c += 1) {
    padded.set(columns.subarray(c * rows, (c + 1) * rows), c * width);
  }
  const address = arena.put(padded);
  const mark = arena.mark();
  const part = new Int32Array(BATCH * width);
  return (sums, first, lists, length) => {
    const draws = lists.length / length;
    arena.reset(mark);
    const out = arena.take(BATCH * width * 4);
    const listed = arena.mark();
    for (let from = 0; from < draws; from += BATCH) {
      const now = Math.min(BATCH, draws - from);
      arena.reset(listed);
      const list = arena.put(lists.subarray(from * length, (from + now) * length));
      arena.kernels.listedTotals({ out, columns: address, width, lists: list, length, draws: now });
      arena.get(out, part);
      for (let d = 0; d < now; d += 1) {
        const at = (first + from + d) * rows;
        for (let r = 0; r < rows; r += 1) sums[at + r]! += part[d * width + r]!;
      }
    }
  };
}
