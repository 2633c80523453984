import { groups, holm, uniqueTop } from '../inference/index.js';
import type { Analysis } from '../inference/read-leaderboard.js';
import type { Leaderboard, PairResult } from '../inference/result.js';
import { familiesOf } from '../release/names.js';
import type { Findings } from '../release/proofs/findings.js';
import { ordinalSpearman, pearson } from '../util/correlation.js';
import { shown } from '../util/error.js';

/** Floats of the published analysis agree to this (statistics 1.1). */
export const TOLERANCE = 1e-9;

/**
 * Proves everything of a leaderboard that follows from its own numbers, without an answer: ranks from scores, differences and directions from
 * scores, Holm from p, groups from the pairs, bands from errors, correlations from panels. What does not agree is a difference.
 */
export function proveLeaderboard(leaderboard: Leaderboard, analysis: Analysis, file: string, findings: Findings): void {
  const check = checker(file, findings);
  const { models, pairs } = leaderboard;
  proveModels(leaderboard, analysis, check);
  provePairs(leaderboard, check);
  const order = Int32Array.from({ length: models.length }, (_, i) => i).sort(
    (a, b) => models[b]!.score - models[a]!.score || a - b,
  );
  order.forEach((m, k) => {
    check(`models (${models[m]?.modelId}).point_estimate_rank`, k + 1, models[m]?.rank);
  });
  const significant = pairs.map((pair) => pair.significant);
  if (pairs.length === (models.length * (models.length - 1)) / 2) {
    const group = groups({ order, significant });
    for (const [m, model] of models.entries())
      check(`models (${model.modelId}).statistical_rank_group`, group[m], model.group);
    const top = uniqueTop({ order, significant });
    check('definitive_top_model_id', top === undefined ? null : models[top]?.modelId, analysis.definitive_top_model_id);
  }
  proveReplication(leaderboard, check);
  findings.done('models: rank, band, chance test, group', models.length);
  findings.done('pairs: difference, direction, Holm, significance', pairs.length);
}

type Check = (at: string, expected: unknown, found: unknown) => void;

/** Numbers agree within the tolerance, everything else exactly. */
function checker(file: string, findings: Findings): Check {
  return (at, expected, found) => {
    const near = typeof expected === 'number' && typeof found === 'number' && Math.abs(expected - found) <= TOLERANCE;
    if (near || expected === found) return;
    findings.add({ file, at, expected: shown(expected), found: shown(found) });
  };
}

/** A p-value of R draws is (e + 1) / (R + 1) for a whole e. */
function checkP(check: Check, at: string, p: number, draws: number): void {
  const e = p * (draws + 1) - 1;
  if (Math.abs(e - Math.round(e)) > 1e-6 || e < -1e-6 || e > draws + 1e-6)
    check(at, '(e + 1) / (R + 1) of a whole e', p);
}

function proveModels(leaderboard: Leaderboard, analysis: Analysis, check: Check): void {
  const { models, bandCritical, tasks, tasksPerFamily, plan } = leaderboard;
  const families = familiesOf(leaderboard);
  const ids = new Set(models.map(({ modelId }) => modelId));
  check('models', models.length, ids.size);
  const tested = models.flatMap(({ chance }) => chance ?? []);
  const adjusted = holm(tested.map(({ p }) => p));
  let k = 0;
  for (const model of models) {
    const at = (field: string) => `models (${model.modelId}).${field}`;
    const { coverage } = analysis.models[model.index]!;
    check(at('coverage.valid_scored'), tasks, coverage.valid_scored);
    check(at('coverage.scheduled'), tasks, coverage.scheduled);
    const mean = families.reduce((sum, f) => sum + (model.familyScores[f] ?? 0), 0);
    if (Object.values(tasksPerFamily).every((n) => n * families.length === tasks))
      check(at('flavourbench_score'), mean / families.length, model.score);
    const half = bandCritical * model.standardError;
    check(at('score_simultaneous_95_ci[0]'), model.score - half, model.simultaneous[0]);
    check(at('score_simultaneous_95_ci[1]'), model.score + half, model.simultaneous[1]);
    for (const [name, [low, high]] of [
      ['score_pointwise_95_ci', model.pointwise],
      ['bootstrap_rank_95_interval', model.rankInterval],
    ] as const)
      if (low > high) check(at(name), 'low end first', `${low}, ${high}`);
    const [best, worst] = model.rankInterval;
    if (best < 1 || worst > models.length)
      check(at('bootstrap_rank_95_interval'), `within 1 to ${models.length}`, `${best}, ${worst}`);
    const { chance } = model;
    if (chance === null) continue;
    check(at('chance_comparison.exact_chance_score'), tested[0]?.score, chance.score);
    check(at('chance_comparison.mean_difference'), model.score - chance.score, chance.meanDifference);
    checkP(check, at('chance_comparison.sign_flip_p'), chance.p, plan.flips);
    check(at('chance_comparison.holm_p'), adjusted[k], chance.holm);
    const above = chance.meanDifference > 0 && chance.holm < plan.alpha;
    check(at('chance_comparison.holm_significant_above_chance'), above, chance.aboveChance);
    k += 1;
  }
}

function provePairs(leaderboard: Leaderboard, check: Check): void {
  const { models, pairs, resolvedPairs, plan } = leaderboard;
  check('pairwise_comparisons', (models.length * (models.length - 1)) / 2, pairs.length);
  const adjusted = holm(pairs.map(({ p }) => p));
  let left = 0;
  let right = 0;
  pairs.forEach((pair, k) => {
    right += 1;
    if (right === models.length) {
      left += 1;
      right = left + 1;
    }
    const [a, b] = [models[left], models[right]];
    if (!a || !b) return;
    const at = (field: string) => `pairwise_comparisons[${k}] (${a.modelId} : ${b.modelId}).${field}`;
    check(at('left_index'), left, pair.left);
    check(at('right_index'), right, pair.right);
    check(at('mean_difference'), a.score - b.score, pair.meanDifference);
    check(at('direction'), directionOf(pair), pair.direction);
    checkP(check, at('sign_flip_p'), pair.p, plan.flips);
    check(at('holm_p'), adjusted[k], pair.holm);
    check(at('holm_significant'), pair.holm < plan.alpha, pair.significant);
    if (pair.interval[0] > pair.interval[1]) check(at('bootstrap_95_ci'), 'low end first', pair.interval.join());
  });
  const resolved = pairs.filter(({ significant }) => significant).length;
  check('resolved_pair_count', resolved, resolvedPairs);
}

function directionOf({ meanDifference: difference }: PairResult): PairResult['direction'] {
  return difference > 0 ? 'left_higher' : difference < 0 ? 'right_higher' : 'tie';
}

function proveReplication({ replication, models }: Leaderboard, check: Check): void {
  if (replication === null) return;
  const first = replication.scores.map(([a]) => a);
  const second = replication.scores.map(([, b]) => b);
  check('panel_replication.models', models.length, replication.scores.length);
  check('panel_replication.score_pearson', pearson(first, second), replication.scorePearson);
  check('panel_replication.rank_spearman', ordinalSpearman(first, second), replication.rankSpearman);
}
