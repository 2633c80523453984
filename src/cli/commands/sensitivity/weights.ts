import { familyWeights } from '../../../analyses/weights/grid.js';
import { weightsReport } from '../../../analyses/weights/weights.js';
import type { ScoreMatrix } from '../../../core/matrix.js';
import {
  descending,
  equalWeights,
  panelMajor,
  stratifiedScores,
  stratifiedTotal,
} from '../../../inference/rank-agreement.js';
import type { Analysis } from './finding.js';

/** models x families: mean over panels of the stratum means, as integers in one common unit. */
function familyTotals({ models, tasks, values, ...columns }: ScoreMatrix): Float64Array {
  const strata = panelMajor(columns);
  const all = equalWeights(strata.map((stratum) => stratum.tasks.length)).weights;
  const families = [...new Set(strata.map(({ family }) => family))].map((family) => {
    const own = strata.flatMap((stratum, s) => (stratum.family === family ? [s] : []));
    return {
      strata: own.map((s) => strata[s]!),
      weights: own.map((s) => all[s]!),
    };
  });
  const panels = equalWeights(families.map((family) => family.strata.length)).weights;
  return Float64Array.from(
    models.flatMap((_, m) =>
      families.map(
        (family, f) =>
          panels[f]! * stratifiedTotal((t) => values[m * tasks.length + t]!, family.strata, family.weights),
      ),
    ),
  );
}

export const weightsFinding: Analysis = async (inputs) => {
  const matrix = await inputs.matrix();
  const results = familyWeights({ models: matrix.models, families: familyTotals(matrix) });
  const order = [...descending(stratifiedScores(matrix, panelMajor(matrix)))];
  return {
    plan: { least_percent: 20, most_percent: 50, step_percent: 1 },
    results,
    report: weightsReport(
      results,
      order.map((m) => matrix.models[m]!),
    ),
    seed: null,
    streams: {},
  };
};
