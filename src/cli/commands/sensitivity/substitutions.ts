import { substitutionCheck } from '../../../analyses/substitutions/check.js';
import { SUBSTITUTION_STREAMS } from '../../../analyses/substitutions/estimate.js';
import { substitutionsReport } from '../../../analyses/substitutions/substitutions.js';
import { type Analysis, randomOf, streamOf } from './finding.js';

export const substitutionsFinding: Analysis = async (inputs, flags) => {
  const environments = await inputs.environments();
  const { test, train } = await inputs.substitutions();
  const random = randomOf(flags, 20260826n);
  const draws = flags.draws ?? 50_000;
  const { coverage, results } = substitutionCheck({
    spaces: environments.map(({ space }) => space),
    test,
    train,
    minGroup: flags.minGroup,
    draws,
    alpha: flags.alpha,
    random,
  });
  return {
    plan: {
      environments: environments.map(({ space: { name }, sha256 }) => ({ name, sha256 })),
      draws,
      min_group: flags.minGroup,
      alpha: flags.alpha,
      rng: flags.rng,
    },
    results: { coverage, spaces: results },
    report: substitutionsReport(coverage, results),
    seed: random.seed,
    streams: {
      ...streamOf(flags, 'all', SUBSTITUTION_STREAMS.all),
      ...streamOf(flags, 'novel', SUBSTITUTION_STREAMS.novel),
    },
  };
};
