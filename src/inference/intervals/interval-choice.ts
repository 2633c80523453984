import { type ClusterDesign, weighing } from '../../engine/design.js';
import { layoutOf } from '../../engine/layout.js';
import { clusterUnits, linearisation } from '../../engine/linearised.js';
import { general, thousands } from '../../util/format.js';
import { clopperPearson } from '../binomial.js';
import { clusterNumbers } from '../decisions/effective-clusters.js';
import { binomialIntervals, outcomesOf } from './binomial-interval.js';
import { GRID_DATASETS, type GridCell, type GridInterval, INTERVAL_GRID } from './interval-grid.js';
import { loneStrata } from './lone-strata.js';

/** Level of the intervals of the grid. */
const GRID_ALPHA = 0.05;
/** A default interval is at most this many times as wide as the percentile one (decisions 2.4). */
const WIDEST = 1.5;
/** Effective clusters below which percentile intervals are warned of, and for 0/1 data. */
const FEW = 50;
const FEW_BINARY = 200;
/** Clusters of the grid up to which 0/1 tasks are said to be too few for any interval to be good. */
const FEW_TASKS = 10;
/** Skewness of influences, in the middle of the models, from which data count as skewed. */
const SKEWED = 1;
/** Effective over counted clusters from which they count as equal. */
const EQUAL = 0.9;

/** A table as the grid sees it: the cell that is nearest, and what the table is itself. */
export interface IntervalSituation {
  readonly cell: GridCell;
  readonly effective: number;
  /** Whether some stratum has one cluster, so that Student intervals do not exist. */
  readonly lone: boolean;
}

export interface SituationOptions {
  /** Cells of the matrix. */
  readonly values: ArrayLike<number>;
  readonly design: ClusterDesign;
}

/**
 * Finds the cell of the grid that is most like a table (decisions 2.4). The kind of data: 0/1, else several strata, else skewed where the
 * skewness of the influences, of the model in the middle, is 1 or more, else normal. Clusters are equal where the effective number is at least .9 of
 * their number, for 0/1 data where a binomial interval exists. Among those cells it is the one whose effective number of clusters is
 * nearest by ratio. Errors: those of `layoutOf`.
 */
export function intervalSituation({ values, design }: SituationOptions): IntervalSituation {
  const { clusters, effective } = clusterNumbers(design);
  const binary = outcomesOf(values, design.scale / weighing(design)) !== null;
  const kind = binary ? 'binary' : design.strata > 1 ? 'strata' : skewness(design) >= SKEWED ? 'skewed' : 'normal';
  const even = binary ? binomialIntervals(design, GRID_ALPHA) !== null : effective >= EQUAL * clusters;
  const far = (cell: GridCell) => Math.abs(Math.log(effective / cell.effective));
  const cell = INTERVAL_GRID.filter((one) => one.kind === kind && (one.sizes === 'equal') === even).reduce(
    (nearest, one) => (far(one) < far(nearest) ? one : nearest),
  );
  return { cell, effective, lone: loneStrata(design).length > 0 };
}

/** Absolute skewness of the influences of clusters: that of the model in the middle; 0 where nothing varies. */
function skewness(design: ClusterDesign): number {
  const { ranked, clusters } = design;
  const layout = layoutOf(design);
  const { measure, influenceOf, order } = linearisation(design, layout, clusterUnits(design));
  measure(new Uint8Array(layout.parts).fill(1));
  const squares = new Float64Array(ranked);
  const cubes = new Float64Array(ranked);
  for (const c of order) {
    const influence = influenceOf(c);
    for (let m = 0; m < ranked; m += 1) {
      const r = influence[m]!;
      squares[m] = squares[m]! + r * r;
      cubes[m] = cubes[m]! + r * r * r;
    }
  }
  const found = cubes.map((cube, m) =>
    squares[m] === 0 ? 0 : Math.abs(cube / clusters) / (squares[m]! / clusters) ** 1.5,
  );
  return found.sort()[ranked >> 1]!;
}

export interface IntervalChoice {
  readonly interval: GridInterval;
  readonly reason: string;
}

/**
 * Chooses the default interval of `rank-audit` (decisions 2.4): of binomial, Student's and bootstrap-t those that in that cell of the grid err
 * not significantly more often than the percentile interval and are at most 1.5 times as wide; of these the first that holds, else the
 * one that missed least; percentile where there is none.
 */
export function chooseInterval({ cell, lone }: IntervalSituation): IntervalChoice {
  if (lone) return { interval: 'percentile', reason: 'student needs two clusters in every stratum' };
  const interval = defaultOf(cell);
  const beside = interval === 'percentile' ? '' : `, percentile ${rate(cell, 'percentile')}`;
  return { interval, reason: `${likeness(cell)}, ${interval} missed ${rate(cell, interval)}${beside}` };
}

/**
 * Says how the intervals in force did in the grid on tables like this one, where they missed significantly more often than nominal; of percentile
 * intervals also where effective clusters are fewer than 50, for 0/1 data 200 (decisions 2.4). Null where there is nothing to say.
 */
export function intervalWarning(situation: IntervalSituation, interval: GridInterval): string | null {
  const { cell, effective, lone } = situation;
  const percentile = interval === 'percentile';
  const few = percentile && effective < (cell.kind === 'binary' ? FEW_BINARY : FEW);
  if (cell.missed[interval] === undefined) return null;
  if (!few && holds(cell, interval)) return interval === defaultOf(cell) ? wideBinomial(cell, effective) : null;
  // Beside a kind that holds, another that holds too is no better.
  const other = lone || holds(cell, interval) ? '' : (alternative(cell) ?? ', and no kind of interval did well');
  const point =
    percentile && cell.bare > cell.missed.percentile!
      ? ` (${share(cell.bare)} if rows without variation showed one point)`
      : '';
  return `${opening(situation, interval)}: ${likeness(cell)}, ${interval} intervals at 95 % missed the true score in ${rate(cell, interval)}${point}${other}`;
}

function opening({ cell, effective, lone }: IntervalSituation, interval: GridInterval): string {
  const clusters = `${general(effective, effective < 1000 ? 3 : 6)} effective cluster${effective === 1 ? '' : 's'}`;
  if (lone || interval !== defaultOf(cell) || holds(cell, interval)) return `intervals rest on ${clusters}`;
  return alternative(cell) === null
    ? `no interval is good with ${clusters}`
    : `no interval of up to ${WIDEST} times the usual width is good with ${clusters}`;
}

/** Few 0/1 tasks: the binomial interval holds where the others break down, and says little. */
function wideBinomial(cell: GridCell, effective: number): string | null {
  const { kind, sizes, clusters, bare } = cell;
  if (kind !== 'binary' || sizes !== 'equal' || clusters > FEW_TASKS) return null;
  const trials = Math.round(effective);
  const [low, high] = clopperPearson({ count: Math.round(0.87 * trials), trials, confidence: 1 - GRID_ALPHA });
  return `no interval is good with ${trials} 0/1 tasks: ${likeness(cell)}, percentile intervals missed the true score in ${share(bare)} if rows without variation showed one point, and the binomial interval of a share near .87, which holds, is ${(high - low).toFixed(2)} wide`;
}

/** Kinds that may stand in for the percentile interval, in order of preference. */
const OTHERS = ['binomial', 'student', 'bootstrap-t'] as const;

/** Finds the default of a cell by the rule of `chooseInterval`. */
export function defaultOf(cell: GridCell): GridInterval {
  const { widths, worse, missed } = cell;
  const fitting = OTHERS.filter((name) => (widths[name] ?? WIDEST + 1) <= WIDEST && !worse.includes(name));
  const holding = fitting.find((name) => holds(cell, name));
  return holding ?? fitting.sort((a, b) => missed[a]! - missed[b]!)[0] ?? 'percentile';
}

/** Tells whether an interval of the grid misses no more often than nominal beyond simulation error (95 % Clopper-Pearson limit). */
export function holds({ missed }: GridCell, interval: GridInterval): boolean {
  const count = missed[interval];
  if (count === undefined) return false;
  return clopperPearson({ count, trials: GRID_DATASETS, confidence: 0.95 })[0] <= GRID_ALPHA;
}

/** Names the kind of interval that does hold in a cell, at whatever width; null where none does. */
function alternative(cell: GridCell): string | null {
  const other = OTHERS.find((name) => cell.widths[name] && holds(cell, name));
  if (other === undefined) return null;
  return `; --interval ${other} missed ${rate(cell, other)} and is about ${cell.widths[other]!.toFixed(1)} times as wide`;
}

const KINDS = { normal: 'graded', binary: '0/1', skewed: 'skewed', strata: 'stratified' } as const;

const likeness = ({ kind, sizes, clusters }: GridCell): string =>
  `of ${thousands(GRID_DATASETS)} simulated ${KINDS[kind]} data sets with ${clusters} ${sizes} clusters`;

const share = (count: number): string => `${((100 * count) / GRID_DATASETS).toFixed(1)} %`;

const rate = ({ missed }: GridCell, interval: GridInterval): string => share(missed[interval]!);
