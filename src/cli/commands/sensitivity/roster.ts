import { rosterOmission } from '../../../sensitivity/roster.js';
import { rosterReport } from '../../../sensitivity/roster-report.js';
import type { Analysis } from './finding.js';

export const rosterFinding: Analysis = async (inputs) => {
  const pool = await inputs.pool();
  const { seed, strata } = inputs.core();
  const perStratum = strata[0]?.ids.length ?? 0;
  const results = rosterOmission({
    pool,
    panels: [...new Set(strata.map(({ panel }) => panel))],
    families: [...new Set(strata.map(({ family }) => family))],
    seed,
    perStratum,
  });
  return {
    plan: { selection_seed: seed, per_stratum: perStratum },
    results,
    report: rosterReport(results),
    seed: null,
    streams: {},
  };
};
