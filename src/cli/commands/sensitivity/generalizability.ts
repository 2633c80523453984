import { generalizabilityReport } from '../../../analyses/generalizability/generalizability.js';
import { generalizability } from '../../../analyses/generalizability/variance.js';
import type { Analysis } from './finding.js';

export const generalizabilityFinding: Analysis = async (inputs, flags) => {
  const results = generalizability({ matrix: await inputs.matrix(), target: flags.target });
  return {
    plan: { target: flags.target },
    results,
    report: generalizabilityReport(results),
    seed: null,
    streams: {},
  };
};
