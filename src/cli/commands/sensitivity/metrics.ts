import { metricsReport } from '../../../analyses/metrics/metrics.js';
import { metricScores } from '../../../analyses/metrics/scores.js';
import { panelMajor } from '../../../inference/rank-agreement.js';
import type { Analysis } from './finding.js';

export const metricsFinding: Analysis = async (inputs) => {
  const grid = await inputs.grid();
  const boards = metricScores({
    models: grid.models,
    strata: panelMajor(await inputs.matrix()),
    maps: grid.tasks.map(({ scores }) => scores),
    chance: grid.tasks.map(({ chance }) => chance),
    actions: grid.actions,
  });
  return {
    plan: {},
    results: {
      metrics: boards.map(({ metric, values, agreement }) => ({
        metric,
        values: Object.fromEntries(grid.models.map((model, m) => [model, values[m]!])),
        ...agreement,
      })),
    },
    report: metricsReport(grid.models, boards),
    seed: null,
    streams: {},
  };
};
