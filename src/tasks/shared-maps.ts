import { choose, emptyMaps, type PortfolioMaps } from '../engine/maps.js';
import { joined, type Piece, type Shares, workKey } from '../shares/ranged-work.js';
import { type MapBatch, type MapTask, scoreMaps } from './score-maps.js';

/** What a map comes to, beside its scores: one number a task. */
const FACTS = ['status', 'optimal', 'optima', 'chance', 'margin', 'feasible'] as const;

function pieceOf(maps: PortfolioMaps): Piece {
  const facts = FACTS.map((name) => [name, Float64Array.from(maps[name])] as const);
  return { scores: Float64Array.from(maps.scores), ...Object.fromEntries(facts) };
}

function mapsOf(pieces: readonly Piece[], keys: number): PortfolioMaps {
  const whole = (name: string): Uint16Array => Uint16Array.from(joined(pieces, name));
  const status = Uint8Array.from(joined(pieces, 'status'));
  const [optimal, optima, chance] = [whole('optimal'), whole('optima'), whole('chance')];
  return {
    keys,
    scores: whole('scores'),
    status,
    optimal,
    optima,
    chance,
    margin: whole('margin'),
    feasible: whole('feasible'),
  };
}

/** All of a task that decides its map, but for the rows that it refers to. */
function decisive({ anchorRow, choiceRows, weights, allowed, conflicts, stated }: MapTask) {
  const own = stated && { ...stated, singles: [...stated.singles], pairs: [...stated.pairs] };
  return [anchorRow, choiceRows, weights, allowed, conflicts ? [...conflicts] : null, own ?? null];
}

/** Scores every portfolio of every task by ranges of tasks, or all of them here; a process that does but a share gets maps of nothing. */
export function sharedMaps(shares: Shares | undefined, batch: MapBatch): PortfolioMaps {
  if (shares === undefined) return scoreMaps(batch);
  const { rows, dims, choices, select, leastFeasible, leastRange, tasks } = batch;
  const keys = choose(choices, select);
  const rules = { dims, choices, select, leastFeasible, leastRange };
  const pieces = shares.piecesNow({
    what: 'maps',
    units: tasks.length,
    key: () => workKey({ what: 'maps', ...rules, tasks: tasks.map(decisive) }, [rows]),
    lengths: (_, count) => ({
      scores: count * keys,
      ...Object.fromEntries(FACTS.map((name) => [name, count])),
    }),
    range: (first, count) => pieceOf(scoreMaps({ ...batch, tasks: tasks.slice(first, first + count) })),
  });
  return shares.partial ? emptyMaps(tasks.length, keys) : mapsOf(pieces, keys);
}
