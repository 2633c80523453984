import type { WordSource } from '../numpy-integers.js';
import { advance } from '../pcg64.js';
import { openArena } from './arena.js';
import type { Kernels } from './kernels.js';
import { kernelModule } from './module.js';

const BLOCK = 1 << 16;

/** The 32-bit outputs of NumPy's `PCG64(seed)`, made by the kernels a block at a time. */
export function pcgWordSource(seed: bigint): WordSource {
  const arena = openArena<Kernels>(kernelModule());
  const state = arena.put(advance(seed, 0));
  const out = arena.take(BLOCK * 4);
  const words = new Uint32Array(BLOCK);
  let used = BLOCK;
  return {
    nextUint32() {
      if (used === BLOCK) {
        arena.kernels.pcgWords(state, out, BLOCK);
        arena.get(out, words);
        used = 0;
      }
      return words[used++]!;
    },
  };
}
