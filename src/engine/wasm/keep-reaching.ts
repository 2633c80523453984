/** The draws whose bounds reach a threshold: bounds from draw 0 on, f32, or u8 where they are places (assembly/tiny.ts). */
export interface Reach {
  readonly bounds: number;
  readonly bytes: 4 | 1;
  readonly threshold: number;
}

/** Moves what draws lie in, `stride` bytes each from `at` on, to `to` where their bounds reach a threshold; returns how many these are. */
export function keepReaching(
  memory: WebAssembly.Memory,
  { bounds, threshold, bytes: size }: Reach,
  { at, to, stride }: { readonly at: number; readonly to: number; readonly stride: number },
  first: number,
  draws: number,
): number {
  const bytes = new Uint8Array(memory.buffer);
  const own =
    size === 1
      ? new Uint8Array(memory.buffer, bounds + first, draws)
      : new Float32Array(memory.buffer, bounds + first * 4, draws);
  let found = 0;
  for (let d = 0; d < draws; d++)
    if (own[d]! >= threshold) {
      const [from, into] = [at + d * stride, to + stride * found++];
      if (from !== into) bytes.copyWithin(into, from, from + stride);
    }
  return found;
}
