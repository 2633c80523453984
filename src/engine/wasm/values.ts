import type { ClusterDesign } from '../design.js';
import type { BootstrapRequest } from '../engine.js';
import type { Layout } from '../layout.js';
import type { Arena } from './arena.js';
import { rowBytes, type ValueMaker } from './draws.js';
import type { Kernels } from './kernels.js';
import type { Runner } from './runner.js';

/** Bootstrap values draw-major, draws x rows, made in blocks of rows that fit the memory. */
export async function valueTable(
  arena: Arena<Kernels>,
  runner: Runner,
  design: ClusterDesign,
  layout: Layout,
  request: BootstrapRequest,
  how: { readonly valueBytes: number; readonly make: ValueMaker },
): Promise<Float64Array> {
  const { rows } = design;
  const { draws } = request;
  const out = new Float64Array(draws * rows);
  const capacity = Math.max(1, Math.floor(how.valueBytes / rowBytes(draws)));
  for (let from = 0; from < rows; from += capacity) {
    arena.reset();
    const here = Array.from({ length: Math.min(capacity, rows - from) }, (_, k) => from + k);
    const session = { arena, runner, design, request };
    const { matrix } = await how.make(session, layout, here, { keep: true, ranked: 0 });
    for (const [k, row] of here.entries()) {
      const values = new Float64Array(arena.memory.buffer, matrix.values + k * matrix.stride, draws);
      for (let draw = 0; draw < draws; draw++) out[draw * rows + row] = values[draw]!;
    }
  }
  return out;
}
