import type { Bench } from 'tinybench';
import type { ScoreMatrix } from '../src/core/matrix.js';
import { createEngine, philoxDraw } from '../src/engine/index.js';
import { inferenceDocument } from '../src/inference/document.js';
import { runInference } from '../src/inference/index.js';

const MODELS = 27;
const STRATUM = 89;

/** A matrix of the published shape: 27 models, two panels of three families of 89 tasks, basis points. */
function publishedShape(): ScoreMatrix {
  const places = ['panel_1', 'panel_2'].flatMap((panel) =>
    ['substitution', 'pairing', 'constraint'].flatMap((family) =>
      Array.from({ length: STRATUM }, () => ({ panel, family })),
    ),
  );
  const tasks = places.map((_, t) => `task-${t}`);
  const values = Array.from({ length: MODELS }, (_, m) => [
    ...philoxDraw({ seed: 1n, stream: 0, draw: m }).indices(8000, tasks.length),
  ]);
  return {
    models: values.map((_, m) => `model-${m}`),
    tasks,
    panels: places.map(({ panel }) => panel),
    families: places.map(({ family }) => family),
    clusters: tasks,
    values: Float64Array.from(values.flatMap((row, m) => row.map((value) => value + 60 * m))),
    scale: 100,
    chance: new Float64Array(tasks.length).fill(3120),
  };
}

/** Full inference at the published size: 50,000 bootstrap draws, 100,000 sign flips, 351 pairs. */
export async function register(bench: Bench): Promise<void> {
  const matrix = publishedShape();
  const engine = await createEngine({ backend: 'wasm' });
  const inference = await runInference({ matrix, engine });
  bench
    .add('full inference, philox, wasm', async () => {
      await runInference({ matrix, engine });
    })
    .add('full inference, numpy streams, wasm', async () => {
      await runInference({ matrix, engine, plan: { rng: 'numpy', strata: 'family' } });
    })
    .add('result document', () => {
      const run = { backend: 'wasm', threads: 1, reason: 'bench', warnings: [] };
      inferenceDocument({ matrix, inference, inputs: [], run });
    });
}
