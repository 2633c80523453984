import { groups, holm, uniqueTop } from '../inference/index.js';
import { leaderboardCsv, pairwiseCsv } from '../inference/tables.js';
import type { Board, BoardPair } from '../release/board.js';
import type { Findings } from '../release/proofs/findings.js';
import { ordinalSpearman, pearson } from '../util/correlation.js';
import { shown } from '../util/error.js';

/** Floats of the published analysis agree to this (statistics 1.1). */
export const TOLERANCE = 1e-9;

/**
 * Everything of a leaderboard that follows from its own numbers, without an answer: ranks from scores, differences and directions from
 * scores, Holm from p, groups from the pairs, bands from errors, correlations from panels. What does not agree is a difference.
 */
export function proveBoard(board: Board, file: string, findings: Findings): void {
  const check = checker(file, findings);
  const { models, pairs } = board;
  proveModels(board, check);
  provePairs(board, check);
  const order = Int32Array.from({ length: models.length }, (_, i) => i).sort(
    (a, b) => models[b]!.score - models[a]!.score || a - b,
  );
  order.forEach((m, k) => {
    check(`models (${models[m]?.id}).point_estimate_rank`, k + 1, models[m]?.rank);
  });
  const significant = pairs.map((pair) => pair.significant);
  if (pairs.length === (models.length * (models.length - 1)) / 2) {
    const group = groups({ order, significant });
    for (const [m, model] of models.entries())
      check(`models (${model.id}).statistical_rank_group`, group[m], model.group);
    const top = uniqueTop({ order, significant });
    check('definitive_top_model_id', top === undefined ? null : models[top]?.id, board.topModel);
  }
  proveReplication(board, check);
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

function proveModels(board: Board, check: Check): void {
  const { models, bandCritical, families, flips, alpha } = board;
  const ids = new Set(models.map(({ id }) => id));
  check('models', models.length, ids.size);
  const tested = models.flatMap(({ chance }) => chance ?? []);
  const adjusted = holm(tested.map(({ p }) => p));
  let k = 0;
  for (const model of models) {
    const at = (field: string) => `models (${model.id}).${field}`;
    check(at('coverage.valid_scored'), board.tasks, model.valid);
    check(at('coverage.scheduled'), board.tasks, model.scheduled);
    const mean = families.reduce((sum, f) => sum + (model.familyScores[f] ?? 0), 0);
    if (Object.values(board.tasksPerFamily).every((n) => n * families.length === board.tasks))
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
    check(at('chance_comparison.mean_difference'), model.score - chance.score, chance.difference);
    checkP(check, at('chance_comparison.sign_flip_p'), chance.p, flips);
    check(at('chance_comparison.holm_p'), adjusted[k], chance.holm);
    const above = chance.difference > 0 && chance.holm < alpha;
    check(at('chance_comparison.holm_significant_above_chance'), above, chance.above);
    k += 1;
  }
}

function provePairs(board: Board, check: Check): void {
  const { models, pairs, alpha, flips } = board;
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
    const at = (field: string) => `pairwise_comparisons[${k}] (${a.id} : ${b.id}).${field}`;
    check(at('left_index'), left, pair.left);
    check(at('right_index'), right, pair.right);
    check(at('mean_difference'), a.score - b.score, pair.difference);
    check(at('direction'), directionOf(pair), pair.direction);
    checkP(check, at('sign_flip_p'), pair.p, flips);
    check(at('holm_p'), adjusted[k], pair.holm);
    check(at('holm_significant'), pair.holm < alpha, pair.significant);
    if (pair.interval[0] > pair.interval[1]) check(at('bootstrap_95_ci'), 'low end first', pair.interval.join());
  });
  const resolved = pairs.filter(({ significant }) => significant).length;
  check('resolved_pair_count', resolved, board.resolvedPairs);
}

function directionOf({ difference }: BoardPair): BoardPair['direction'] {
  return difference > 0 ? 'left_higher' : difference < 0 ? 'right_higher' : 'tie';
}

function proveReplication({ replication, models }: Board, check: Check): void {
  if (replication === null) return;
  const first = replication.scores.map(([a]) => a);
  const second = replication.scores.map(([, b]) => b);
  check('panel_replication.models', models.length, replication.scores.length);
  check('panel_replication.score_pearson', pearson(first, second), replication.pearson);
  check('panel_replication.rank_spearman', ordinalSpearman(first, second), replication.spearman);
}

/** The two released tables as the board's numbers give them (collection 3.2). */
export function boardTables(board: Board): {
  readonly leaderboard: string;
  readonly pairwise: string;
} {
  const models = board.models.map((model, index) => ({
    ...model,
    index,
    modelId: model.id,
    chance: model.chance && { aboveChance: model.chance.above },
  }));
  const names = board.models.map(({ id, name, slot }) => ({ modelId: id, name, slotId: slot }));
  const pairs = board.pairs.map((pair) => ({ ...pair, meanDifference: pair.difference }));
  return {
    leaderboard: leaderboardCsv({ tasks: board.tasks, models }, names),
    pairwise: pairwiseCsv({ tasks: board.tasks, models, pairs }),
  };
}
