import { checkpointsReport } from '../../../analyses/checkpoints/checkpoints.js';
import { CHECKPOINT_STREAM, checkpointAgreement } from '../../../analyses/checkpoints/other-maps.js';
import { createEngine } from '../../../engine/node.js';
import { PORTFOLIOS } from '../../../tasks/task.js';
import { type Analysis, randomOf, streamOf } from './finding.js';

export const checkpointsFinding: Analysis = async (inputs, flags) => {
  const checkpoints = await inputs.checkpoints();
  const grid = await inputs.grid();
  const random = randomOf(flags, 20260826n);
  const draws = flags.draws ?? 20_000;
  const board = await inputs.matrix();
  const T = board.tasks.length;
  const released = Float64Array.from(grid.actions, (action, at) => grid.tasks[at % T]!.scores[action]!);
  const engine = await createEngine({});
  const results = await checkpointAgreement({
    matrix: { ...board, scale: 100, values: released },
    maps: grid.tasks.map(({ id, family, panel, scores }) => ({
      id,
      family,
      panel,
      keys: PORTFOLIOS,
      scores,
      task: null,
    })),
    actions: grid.actions,
    checkpoints,
    draws,
    random,
    engine,
  }).finally(() => engine.close());
  return {
    plan: { checkpoints: checkpoints.map(({ name }) => name), draws, rng: flags.rng },
    results: { checkpoints: results },
    report: checkpointsReport(results),
    seed: random.seed,
    streams: streamOf(flags, 'anchors', CHECKPOINT_STREAM),
  };
};
