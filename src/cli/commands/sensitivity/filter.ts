import { FILTER_STREAM, filterComparison } from '../../../analyses/filter/comparison.js';
import { filterReport } from '../../../analyses/filter/filter.js';
import { rosterOmission } from '../../../analyses/roster/omission.js';
import { corePool } from './core-pool.js';
import { type Analysis, randomOf, streamOf } from './finding.js';

export const filterFinding: Analysis = async (inputs, flags) => {
  const { options, selected, warnings } = await corePool(inputs);
  const { pool, panels, families } = options;
  const gateModel = flags.gateModel ?? rosterOmission(options).most_influential;
  const tasks = pool.tasks.map(({ id }) => inputs.task(id));
  const random = randomOf(flags, 20260825n);
  const draws = flags.draws ?? 20_000;
  const results = filterComparison({
    pool,
    maps: tasks.map(({ scores }) => scores),
    chance: tasks.map(({ chance }) => chance),
    margin: tasks.map(({ margin }) => margin),
    selected,
    gateModel,
    panels,
    families,
    draws,
    alpha: flags.alpha,
    random,
  });
  return {
    plan: { draws, gate_model: gateModel, alpha: flags.alpha, rng: flags.rng },
    results,
    report: filterReport(results),
    seed: random.seed,
    streams: streamOf(flags, 'subsets', FILTER_STREAM),
    warnings,
  };
};
