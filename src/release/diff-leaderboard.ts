import { byRank } from '../inference/model-ranks.js';
import type { Interval, Leaderboard, ModelResult, PairResult } from '../inference/result.js';
import { joinedKey } from '../util/joined.js';

type Both<T> = readonly [first: T, second: T];

export interface ModelChange {
  readonly model_id: string;
  readonly score: Both<number>;
  readonly rank: Both<number>;
  /** Null where a release knows no shared ranks. */
  readonly rank_tied: Both<boolean | null>;
  readonly group: Both<number>;
  /** Null where a release states none. */
  readonly letters: Both<string | null>;
  readonly rank_interval: Both<Interval>;
  /** Null where a release states none. */
  readonly rank_set: Both<Interval | null>;
  readonly simultaneous: Both<Interval>;
  readonly pointwise: Both<Interval>;
}

export interface PairChange {
  readonly left_model_id: string;
  readonly right_model_id: string;
  /** Significant in the second release only, in the first only, or in both with the sign turned. */
  readonly change: 'gained' | 'lost' | 'turned';
  readonly difference: Both<number>;
  readonly holm_p: Both<number>;
}

/** Pairs by their two ids in order, seen from the first. */
function pairsOf({ models, pairs }: Leaderboard): Map<string, PairResult> {
  const id = (index: number) => models[index]!.modelId;
  return new Map(
    pairs.flatMap((pair) => {
      const turned: PairResult = {
        ...pair,
        left: pair.right,
        right: pair.left,
        meanDifference: -pair.meanDifference,
      };
      return [
        [joinedKey(id(pair.left), id(pair.right)), pair],
        [joinedKey(id(pair.right), id(pair.left)), turned],
      ] as const;
    }),
  );
}

function changeOf(a: PairResult, b: PairResult): PairChange['change'] | null {
  if (a.significant !== b.significant) return b.significant ? 'gained' : 'lost';
  const turned = a.significant && Math.sign(a.meanDifference) !== Math.sign(b.meanDifference);
  return turned ? 'turned' : null;
}

/** Lists the models of both leaderboards in the order of the second's ranks. */
export function modelChanges(first: Leaderboard, second: Leaderboard): ModelChange[] {
  const before = new Map(first.models.map((model) => [model.modelId, model]));
  return byRank(second.models).flatMap((model) => {
    const old: ModelResult | undefined = before.get(model.modelId);
    return old
      ? {
          model_id: model.modelId,
          score: [old.score, model.score] as const,
          rank: [old.rank, model.rank] as const,
          rank_tied: [old.rankTied, model.rankTied] as const,
          group: [old.group, model.group] as const,
          letters: [old.letters, model.letters] as const,
          rank_interval: [old.rankInterval, model.rankInterval] as const,
          rank_set: [old.rankSet, model.rankSet] as const,
          simultaneous: [old.simultaneous, model.simultaneous] as const,
          pointwise: [old.pointwise, model.pointwise] as const,
        }
      : [];
  });
}

/** Lists the pairs of both leaderboards whose verdict differs. */
export function pairChanges(first: Leaderboard, second: Leaderboard): PairChange[] {
  const before = pairsOf(first);
  const id = (index: number) => second.models[index]!.modelId;
  return second.pairs.flatMap((pair) => {
    const old = before.get(joinedKey(id(pair.left), id(pair.right)));
    const change = old && changeOf(old, pair);
    return old && change
      ? {
          left_model_id: id(pair.left),
          right_model_id: id(pair.right),
          change,
          difference: [old.meanDifference, pair.meanDifference] as const,
          holm_p: [old.holm, pair.holm] as const,
        }
      : [];
  });
}
