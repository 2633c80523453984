import { choice, type WordSource } from '../engine/numpy.js';
import { openWasmDraws } from '../engine/wasm/draw-words.js';
import { pcgWordSource } from '../engine/wasm/numpy.js';

/** Where subsets come from: a counter-based stream, or the replay of published generators. */
type SubsetSource =
  | { readonly kind: 'philox'; readonly seed: bigint; readonly stream: number; readonly first?: number }
  /** One generator for all strata, used in order. */
  | { readonly kind: 'numpy'; readonly generator: WordSource }
  /** One generator a stratum. */
  | { readonly kind: 'numpy-strata'; readonly seeds: readonly bigint[] };

/** Draws that take `take` of `size` positions without replacement in every stratum. */
interface SubsetStream {
  /** The next draw: one list of positions a stratum, in strata order. */
  next(): readonly Int32Array[];
}

interface SubsetSizes {
  readonly sizes: readonly number[];
  readonly takes: readonly number[];
}

/** Opens a stream of subsets. Under philox the words of one draw run on through its strata. */
export function subsetStream({ sizes, takes }: SubsetSizes, source: SubsetSource): SubsetStream {
  if (source.kind === 'philox') {
    const { seed, stream } = source;
    const open = openWasmDraws({ seed, stream, run: takes.reduce((sum, take) => sum + take, 0) });
    let draw = source.first ?? 0;
    return {
      next() {
        const words = open(draw);
        draw += 1;
        return sizes.map((size, s) => words.subset(size, takes[s]!));
      },
    };
  }
  const generators = source.kind === 'numpy' ? sizes.map(() => source.generator) : source.seeds.map(pcgWordSource);
  return {
    next: () => sizes.map((size, s) => choice(generators[s]!, size, takes[s]!)),
  };
}
