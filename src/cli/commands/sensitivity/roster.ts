import { rosterOmission } from '../../../analyses/roster/omission.js';
import { rosterReport } from '../../../analyses/roster/roster.js';
import { corePool } from './core-pool.js';
import type { Analysis } from './finding.js';

export const rosterFinding: Analysis = async (inputs) => {
  const { options, warnings } = await corePool(inputs);
  const results = rosterOmission(options);
  return {
    plan: { selection_seed: options.seed, per_stratum: options.perStratum },
    results,
    report: rosterReport(results),
    seed: null,
    streams: {},
    warnings,
  };
};
