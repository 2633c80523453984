import { drawReader, type PhiloxDraw, philoxKey } from '../philox.js';
import { openArena } from './arena.js';
import { kernelModule } from './module.js';

/** The kernel stores whole groups of so many words. */
const GROUP = 32;

/** A stream whose draws are read one after the other. */
export interface DrawnStream {
  readonly seed: bigint;
  /** Stream number, below 2^32. */
  readonly stream: number;
  /** Words that are made at once: as many as a draw takes as a rule. It may take more. */
  readonly run: number;
}

/**
 * Opens the draws of a stream, the words of `philoxDraw` made by the kernels. One draw is read at a time: opening one ends the one before.
 * Errors: USAGE where the seed is no unsigned 64-bit integer.
 */
export function openWasmDraws({ seed, stream, run }: DrawnStream): (draw: number) => PhiloxDraw {
  const [seedLow, seedHigh] = philoxKey(seed);
  const arena = openArena(kernelModule());
  const count = Math.ceil(Math.max(1, run) / GROUP) * GROUP;
  const out = arena.take(count * 4);
  const words = new Uint32Array(arena.memory.buffer, out, count);
  let at = 0;
  let first = 0;
  let drawLow = 0;
  let drawHigh = 0;
  const make = () => {
    arena.kernels.philoxWords({ out, count, first, drawLow, drawHigh, stream, seedLow, seedHigh, scale: 0 });
    first += count / 4;
    at = 0;
  };
  const reader = drawReader(() => {
    if (at === count) make();
    return words[at++]!;
  });
  return (draw) => {
    first = 0;
    drawLow = draw >>> 0;
    drawHigh = Math.floor(draw / 2 ** 32);
    make();
    return reader;
  };
}
