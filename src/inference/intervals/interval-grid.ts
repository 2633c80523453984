/** Kinds of interval in the order of their figures; binomial only where it exists. */
const KINDS = ['percentile', 'student', 'bootstrap-t', 'binomial'] as const;

export type GridInterval = (typeof KINDS)[number];

/** Figures of one cell of the grid of intervals (decisions 2.4). */
export interface GridCell {
  readonly kind: 'normal' | 'binary' | 'skewed' | 'strata';
  /** Clusters of one task each, or of 1, 2, 3 and 4 tasks. */
  readonly sizes: 'equal' | 'unequal';
  readonly clusters: number;
  readonly effective: number;
  /** Data sets whose true score the percentile interval misses if a row without variation shows one point. */
  readonly bare: number;
  /** The same where it shows the binomial interval, and for the other kinds. */
  readonly missed: Partial<Readonly<Record<GridInterval, number>>>;
  /** Median width over that of the percentile interval; null where the median is infinite. */
  readonly widths: Partial<Readonly<Record<GridInterval, number | null>>>;
  /** Kinds that err significantly more often than percentile, paired by data set. */
  readonly worse: readonly GridInterval[];
}

/** Data sets of a cell. */
export const GRID_DATASETS = 2000;

/** kind, sizes, clusters, effective, bare, missed, widths, worse */
type Row = readonly [
  GridCell['kind'],
  GridCell['sizes'],
  number,
  number,
  number,
  readonly number[],
  readonly (number | null)[],
  readonly GridInterval[],
];

/** bench/interval-grid.json as `node bench/interval-grid.js --write` puts it here. */
const ROWS: readonly Row[] = [
  ['normal', 'equal', 5, 5, 315, [315, 101, 106], [1, 1.611, 2.104], []],
  ['normal', 'equal', 10, 10, 173, [173, 90, 96], [1, 1.222, 1.299], []],
  ['normal', 'equal', 20, 20, 141, [141, 99, 97], [1, 1.098, 1.113], []],
  ['normal', 'equal', 50, 50, 127, [127, 110, 117], [1, 1.038, 1.04], []],
  ['normal', 'equal', 200, 200, 101, [101, 96, 96], [1, 1.01, 1.009], []],
  ['normal', 'unequal', 5, 3.90323, 357, [357, 41, 133], [1, 2.56, 2.59], []],
  ['normal', 'unequal', 10, 8.13846, 211, [211, 79, 118], [1, 1.415, 1.411], []],
  ['normal', 'unequal', 20, 16.6667, 147, [147, 80, 89], [1, 1.154, 1.158], []],
  ['normal', 'unequal', 50, 41.4493, 123, [123, 96, 105], [1, 1.058, 1.057], []],
  ['normal', 'unequal', 200, 166.667, 121, [121, 113, 113], [1, 1.013, 1.011], []],
  ['binary', 'equal', 5, 5, 1019, [39, 0, 0, 39], [1, 1.259, 1.667, 1.186], []],
  ['binary', 'equal', 10, 10, 518, [6, 1, 0, 6], [1, 1.057, 3.242, 1.434], []],
  ['binary', 'equal', 20, 20, 151, [15, 3, 15, 15], [1, 0.976, 3.868, 1.219], []],
  ['binary', 'equal', 50, 50, 103, [103, 207, 41, 53], [1, 1.037, 1.299, 1.099], ['student']],
  ['binary', 'equal', 200, 200, 96, [96, 101, 113, 72], [1, 0.99, 1.024, 1.031], ['student', 'bootstrap-t']],
  ['binary', 'unequal', 5, 3.90323, 619, [619, 586, 610], [1, 1.732, 3.333], []],
  ['binary', 'unequal', 10, 8.13846, 254, [254, 162, 166], [1, 1.142, 3.5], []],
  ['binary', 'unequal', 20, 16.6667, 185, [185, 145, 34], [1, 1.123, 1.657], []],
  ['binary', 'unequal', 50, 41.4493, 136, [136, 124, 63], [1, 1.062, 1.148], []],
  ['binary', 'unequal', 200, 166.667, 106, [106, 111, 97], [1, 1.016, 1.03], []],
  ['skewed', 'equal', 5, 5, 401, [401, 191, 131], [1, 1.624, 2.265], []],
  ['skewed', 'equal', 10, 10, 265, [265, 169, 135], [1, 1.224, 1.383], []],
  ['skewed', 'equal', 20, 20, 186, [186, 147, 118], [1, 1.1, 1.18], []],
  ['skewed', 'equal', 50, 50, 130, [130, 114, 107], [1, 1.037, 1.077], []],
  ['skewed', 'equal', 200, 200, 115, [115, 114, 119], [1, 1.01, 1.02], []],
  ['skewed', 'unequal', 5, 3.90323, 364, [364, 67, 151], [1, 2.599, 2.886], []],
  ['skewed', 'unequal', 10, 8.13846, 277, [277, 130, 140], [1, 1.416, 1.465], []],
  ['skewed', 'unequal', 20, 16.6667, 187, [187, 125, 118], [1, 1.149, 1.199], []],
  ['skewed', 'unequal', 50, 41.4493, 133, [133, 108, 102], [1, 1.056, 1.09], []],
  ['skewed', 'unequal', 200, 166.667, 123, [123, 116, 103], [1, 1.013, 1.026], []],
  ['strata', 'equal', 5, 4.8, 494, [494, 73, 0], [1, 2.535, null], []],
  ['strata', 'equal', 10, 9.81818, 239, [239, 98, 17], [1, 1.343, 2.491], []],
  ['strata', 'equal', 20, 19.6364, 180, [180, 103, 12], [1, 1.172, 1.841], []],
  ['strata', 'equal', 50, 49.8462, 115, [115, 98, 83], [1, 1.032, 1.076], []],
  ['strata', 'equal', 200, 199.96, 106, [106, 102, 100], [1, 1.008, 1.01], []],
  ['strata', 'unequal', 5, 4.23529, 459, [459, 53, 4], [1, 2.793, null], []],
  ['strata', 'unequal', 10, 8.35052, 225, [225, 87, 13], [1, 1.502, 2.827], []],
  ['strata', 'unequal', 20, 16.701, 152, [152, 82, 22], [1, 1.24, 1.958], []],
  ['strata', 'unequal', 50, 41.0657, 113, [113, 97, 87], [1, 1.072, 1.126], []],
  ['strata', 'unequal', 200, 165.095, 107, [107, 102, 109], [1, 1.019, 1.018], []],
];

const named = <Value>(values: readonly Value[]): Partial<Record<GridInterval, Value>> =>
  Object.fromEntries(values.map((value, i) => [KINDS[i]!, value]));

export const INTERVAL_GRID: readonly GridCell[] = ROWS.map(
  ([kind, sizes, clusters, effective, bare, missed, widths, worse]) => ({
    ...{ kind, sizes, clusters, effective, bare, worse },
    missed: named(missed),
    widths: named(widths),
  }),
);
