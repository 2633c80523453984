import { precisionReport } from '../../../analyses/precision/precision.js';
import { PRECISION_STREAM, precision } from '../../../analyses/precision/subsets.js';
import { openWasmSubsetTotals } from '../../../engine/wasm/subset.js';
import { type Analysis, randomOf, streamOf } from './finding.js';
import type { SensitivityFlags } from './inputs.js';

export const precisionFinding: Analysis = async (inputs, flags) => {
  const matrix = await inputs.matrix();
  const strata = new Set(matrix.panels.map((panel, t) => `${panel}/${matrix.families[t]}`)).size;
  const sizes = plannedSizes(flags, matrix.tasks.length, strata);
  const draws = flags.draws ?? 5000;
  const random = randomOf(flags, 20260824n);
  const results = precision({
    matrix,
    resolved: await inputs.resolved(),
    sizes,
    draws,
    random,
    totals: openWasmSubsetTotals(),
  });
  return {
    plan: { sizes, draws, rng: flags.rng },
    results: { sizes: results },
    report: precisionReport(results, matrix.models.length),
    seed: random.seed,
    streams: Object.assign({}, ...sizes.map((n) => streamOf(flags, `subsets_${n}`, PRECISION_STREAM + n))),
  };
};

/** Sizes in ascending order; a replay has one generator for all, so there the published ones come first. */
function plannedSizes({ sizes, rng }: SensitivityFlags, tasks: number, strata: number): number[] {
  const published = [30, 60, 90, 150, 270].filter((n) => n < tasks && n % strata === 0);
  const given = sizes ?? defaultSizes(published, tasks, strata);
  const ascending = [...new Set(given)].filter((n) => n !== tasks).sort((a, b) => a - b);
  return rng === 'numpy' ? [...new Set([...published, ...ascending])] : ascending;
}

/** The published sizes, or for a smaller matrix even shares of its strata. */
function defaultSizes(published: readonly number[], tasks: number, strata: number) {
  if (published.length >= 3) return published;
  const each = Math.floor(tasks / strata);
  const shares = [0.1, 0.2, 0.35, 0.5, 0.75].map((share) => strata * Math.round(each * share));
  return shares.filter((n) => n > 0 && n < tasks);
}
