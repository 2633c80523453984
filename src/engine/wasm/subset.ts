import { philoxKey } from '../philox.js';
import { checkSubsets, type SubsetTotals } from '../subset.js';
import { openArena } from './arena.js';
import { kernelModule } from './module.js';

/** Draws made at once, so that memory does not grow with them. */
const BATCH = 8192;

/** Opens the WASM subset totals. Rows are padded to whole vectors inside. */
export function openWasmSubsetTotals(): SubsetTotals {
  const arena = openArena(kernelModule());
  return (request) => {
    checkSubsets(request);
    const { rows, members, takes, draws, first: start = 0, seed, stream } = request;
    const width = Math.ceil(rows / 4) * 4;
    const count = request.columns.length / rows;
    const padded = new Int32Array(count * width);
    for (let c = 0; c < count; c += 1) {
      padded.set(request.columns.subarray(c * rows, (c + 1) * rows), c * width);
    }
    arena.reset();
    const columns = arena.put(padded);
    const list = arena.put(Int32Array.from(members.flatMap((part) => [...part])));
    const sizes = arena.put(Int32Array.from(members, ({ length }) => length));
    const taken = arena.put(Int32Array.from(takes));
    const total = takes.reduce((sum, take) => sum + take, 0);
    const words = arena.take((total + 32) * 4);
    const places = arena.take(Math.max(...members.map(({ length }) => length)) * 4);
    const batch = Math.min(BATCH, draws);
    const at = arena.take(batch * width * 4);
    const [seedLow, seedHigh] = philoxKey(seed);
    const place = {
      out: at,
      columns,
      width,
      members: list,
      sizes,
      takes: taken,
      strata: members.length,
      words,
      places,
      stream,
      seedLow,
      seedHigh,
    };
    const out = new Int32Array(draws * rows);
    const part = new Int32Array(batch * width);
    for (let first = 0; first < draws; first += batch) {
      const now = Math.min(batch, draws - first);
      arena.kernels.subsetTotals({
        ...place,
        firstLow: (start + first) >>> 0,
        firstHigh: Math.floor((start + first) / 2 ** 32),
        draws: now,
      });
      arena.get(at, part);
      for (let d = 0; d < now; d += 1) {
        out.set(part.subarray(d * width, d * width + rows), (first + d) * rows);
      }
    }
    return out;
  };
}
