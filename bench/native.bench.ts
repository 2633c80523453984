import { createEngine, pairCount } from '../src/engine/index.js';
import { simulatedDesign } from './simulated.js';
import { besideNative } from './yardstick.js';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** The kernels beside native code: a leaderboard of 27 models, and a table of 1,024. */
export async function measure(): Promise<Row[]> {
  const engine = await createEngine({ backend: 'wasm' });
  const row = (name: string, value: number, unit = 'ms'): Row => ({ name, value, unit });
  const design = simulatedDesign();
  const narrow = await besideNative(engine, { design, draws: 50_000, flips: 100_000, pairs: true });
  const wide = await besideNative(engine, { design: simulatedDesign(1024), draws: 2000, flips: 4000, pairs: false });
  await engine.close();
  if (!narrow || !wide) return [];
  return [
    row('native bootstrap', narrow.native.bootstrap),
    row('native ranks', narrow.native.ranks),
    row(`native, ${pairCount(design.rows)} pair intervals`, narrow.native.pair_intervals),
    row('native flips', narrow.native.flips),
    row('native, all of it', narrow.native.total),
    row('wasm, the same', narrow.wasm),
    row('wasm over native, same work', narrow.wasm / narrow.native.total, 'x'),
    row('native, 1,024 models: 2,000 bootstraps', wide.native.bootstrap),
    row('native, 1,024 models: their ranks', wide.native.ranks),
    row('native, 1,024 models: 4,000 flips', wide.native.flips),
    row('native, 1,024 models: all of it', wide.native.total),
    row('wasm, 1,024 models: the same', wide.wasm),
    row('wasm over native, 1,024 models', wide.wasm / wide.native.total, 'x'),
  ];
}
