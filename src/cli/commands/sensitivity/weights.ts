import type { ScoreMatrix } from '../../../core/matrix.js';
import { boardScores, descending, panelMajor } from '../../../sensitivity/board.js';
import { familyWeights } from '../../../sensitivity/weights.js';
import { weightsReport } from '../../../sensitivity/weights-report.js';
import type { Analysis } from './finding.js';

/** models x families: mean over panels of the stratum means, in points. */
async function familyScores(matrix: ScoreMatrix): Promise<Float64Array> {
  const strata = panelMajor(matrix);
  const families = [...new Set(strata.map(({ family }) => family))];
  const out = new Float64Array(matrix.models.length * families.length);
  families.forEach((family, f) => {
    const own = strata.filter((stratum) => stratum.family === family);
    boardScores(matrix, own).forEach((score, m) => {
      out[m * families.length + f] = score;
    });
  });
  return out;
}

export const weightsFinding: Analysis = async (inputs) => {
  const matrix = await inputs.matrix();
  const results = familyWeights({ models: matrix.models, families: await familyScores(matrix) });
  const order = [...descending(boardScores(matrix, panelMajor(matrix)))];
  return {
    plan: { least_percent: 20, most_percent: 50, step_percent: 1 },
    results,
    report: weightsReport(
      results,
      order.map((m) => matrix.models[m] as string),
    ),
    seed: null,
    streams: {},
  };
};
