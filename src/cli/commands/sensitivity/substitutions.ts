import { readSubstitutions } from '../../../sensitivity/substitution-events.js';
import { SUBSTITUTION_STREAMS, substitutionCheck } from '../../../sensitivity/substitutions.js';
import { substitutionsReport } from '../../../sensitivity/substitutions-report.js';
import { FlavourError } from '../../../util/error.js';
import { type Analysis, randomOf, streamOf } from './finding.js';

export const substitutionsFinding: Analysis = async (inputs, flags) => {
  const spaces = await inputs.spaces();
  if (flags.substitutionsTrain === undefined) {
    throw new FlavourError('USAGE', '--substitutions needs --substitutions-train', {
      hint: 'Pairs seen in training are what the novel pairs are told apart from.',
    });
  }
  const random = randomOf(flags, 20260826n);
  const draws = flags.draws ?? 50_000;
  const { coverage, results } = substitutionCheck({
    spaces,
    test: readSubstitutions(flags.substitutions as string),
    train: readSubstitutions(flags.substitutionsTrain),
    minGroup: flags.minGroup,
    draws,
    alpha: flags.alpha,
    random,
  });
  return {
    plan: { draws, min_group: flags.minGroup, alpha: flags.alpha, rng: flags.rng },
    results: { coverage, spaces: results },
    report: substitutionsReport(coverage, results),
    seed: random.seed,
    streams: {
      ...streamOf(flags, 'all', SUBSTITUTION_STREAMS.all),
      ...streamOf(flags, 'novel', SUBSTITUTION_STREAMS.novel),
    },
  };
};
