import type { Board, BoardModel, BoardPair, Range } from './board.js';

type Both<T> = readonly [first: T, second: T];

export interface ModelChange {
  readonly model_id: string;
  readonly score: Both<number>;
  readonly rank: Both<number>;
  readonly group: Both<number>;
  readonly rank_interval: Both<Range>;
  readonly simultaneous: Both<Range>;
  readonly pointwise: Both<Range>;
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
function pairsOf(board: Board): Map<string, BoardPair> {
  const id = (index: number) => board.models[index]!.id;
  return new Map(
    board.pairs.flatMap((pair) => {
      const turned: BoardPair = {
        ...pair,
        left: pair.right,
        right: pair.left,
        difference: -pair.difference,
      };
      return [
        [`${id(pair.left)}\0${id(pair.right)}`, pair],
        [`${id(pair.right)}\0${id(pair.left)}`, turned],
      ] as const;
    }),
  );
}

function changeOf(a: BoardPair, b: BoardPair): PairChange['change'] | null {
  if (a.significant !== b.significant) return b.significant ? 'gained' : 'lost';
  const turned = a.significant && Math.sign(a.difference) !== Math.sign(b.difference);
  return turned ? 'turned' : null;
}

/** Models of both boards in the order of the second's ranks. */
export function boardChanges(first: Board, second: Board): ModelChange[] {
  const before = new Map(first.models.map((model) => [model.id, model]));
  return [...second.models]
    .sort((a, b) => a.rank - b.rank)
    .flatMap((model) => {
      const old: BoardModel | undefined = before.get(model.id);
      return old
        ? {
            model_id: model.id,
            score: [old.score, model.score] as const,
            rank: [old.rank, model.rank] as const,
            group: [old.group, model.group] as const,
            rank_interval: [old.rankInterval, model.rankInterval] as const,
            simultaneous: [old.simultaneous, model.simultaneous] as const,
            pointwise: [old.pointwise, model.pointwise] as const,
          }
        : [];
    });
}

/** Pairs of both boards whose verdict differs. */
export function pairChanges(first: Board, second: Board): PairChange[] {
  const before = pairsOf(first);
  const id = (index: number) => second.models[index]!.id;
  return second.pairs.flatMap((pair) => {
    const old = before.get(`${id(pair.left)}\0${id(pair.right)}`);
    const change = old && changeOf(old, pair);
    return old && change
      ? {
          left_model_id: id(pair.left),
          right_model_id: id(pair.right),
          change,
          difference: [old.difference, pair.difference] as const,
          holm_p: [old.holm, pair.holm] as const,
        }
      : [];
  });
}
