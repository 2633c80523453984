import { readFileSync, writeFileSync } from 'node:fs';
import { clopperPearson } from '../dist/inference/binomial.js';

/** Kinds of interval, in the order of columns. */
const INTERVALS = ['percentile', 'student', 'bootstrap-t', 'binomial'];
const DATA = {
  normal: 'Graded scores (normal)',
  binary: '0/1 scores, true share .87',
  skewed: 'Skewed scores (log-normal)',
  strata: 'Several strata with clusters nested in them',
};

const percent = (count, of) => ((100 * count) / of).toFixed(1);

/**
 * Does an interval err significantly more often than the percentile one on the same data sets? The 95 % limit of the paired difference of
 * two shares lies above zero: b data sets that this one alone misses, c that percentile alone does, n in all.
 */
function errsMore({ alone: b, percentile_alone: c }, n) {
  return b - c > 1.959963984540054 * Math.sqrt(b + c - (b - c) ** 2 / n);
}

const missedBy = ({ below, above }) => below + above;

/** The cell as the program has it: shares missed, widths as multiples of the percentile interval's, which kinds err more than it. */
function figuresOf({ kind, sizes, clusters, effective_clusters, intervals }, datasets) {
  const names = INTERVALS.filter((name) => intervals[name]);
  const width = (name) =>
    intervals[name].median_width === null
      ? null
      : Number((intervals[name].median_width / intervals.percentile.median_width).toFixed(3));
  return {
    kind,
    sizes,
    clusters,
    effective: effective_clusters,
    bare: missedBy(intervals.percentile_bare),
    missed: Object.fromEntries(names.map((name) => [name, missedBy(intervals[name])])),
    widths: Object.fromEntries(names.map((name) => [name, width(name)])),
    worse: names.filter((name) => errsMore(intervals[name], datasets)),
  };
}

const literal = (value) => JSON.stringify(value).replaceAll('"', "'").replaceAll(',', ', ');

function rowOf(cell, datasets) {
  const { kind, sizes, clusters, effective, bare, missed, widths, worse } = figuresOf(cell, datasets);
  return literal([kind, sizes, clusters, effective, bare, Object.values(missed), Object.values(widths), worse]);
}

function sourceOf(grid) {
  return `/** Kinds of interval in the order of their figures; binomial only where it exists. */
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
export const GRID_DATASETS = ${grid.datasets};

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

/** bench/interval-grid.json as \`node bench/interval-grid.js --write\` puts it here. */
const ROWS: readonly Row[] = [
${grid.cells.map((cell) => `  ${rowOf(cell, grid.datasets)},`).join('\n')}
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
`;
}

/** The default by the rule of the program (decisions 2.4), which a test holds against it; in italics where it misses more than nominal. */
function defaultOf({ widths, worse, missed }, { alpha, datasets }) {
  const holds = (name) => clopperPearson({ count: missed[name], trials: datasets, confidence: 0.95 })[0] <= alpha;
  const fitting = ['binomial', 'student', 'bootstrap-t'].filter(
    (name) => widths[name] != null && widths[name] <= 1.5 && !worse.includes(name),
  );
  const least = [...fitting].sort((a, b) => missed[a] - missed[b])[0];
  const name = fitting.find(holds) ?? least ?? 'percentile';
  return holds(name) ? name : `*${name}*`;
}

/** Two decimals, three where two would hide on which side of 1.5 it is. */
const widthOf = (width) => width.toFixed(Math.abs(width - 1.5) < 0.005 ? 3 : 2);

/** One table a kind of data: misses in percent and, in brackets, the median width over that of the percentile interval. */
function pageOf(grid) {
  const lines = [];
  for (const [kind, title] of Object.entries(DATA)) {
    const cells = grid.cells.filter((cell) => cell.kind === kind);
    const names = ['percentile', 'percentile_bare', 'student', 'bootstrap-t', 'binomial'].filter(
      (name) => kind === 'binary' || (name !== 'percentile_bare' && name !== 'binomial'),
    );
    const heads = ['clusters', 'effective', ...names.map((name) => name.replace('_', ', ')), 'default'];
    lines.push(
      '',
      `### ${title}`,
      '',
      `| ${heads.join(' | ')} |`,
      `|---|${names.map(() => '---:|').join('')}---:|---|`,
    );
    for (const cell of cells) {
      const figures = figuresOf(cell, grid.datasets);
      const fields = names.map((name) => {
        const one = cell.intervals[name];
        if (!one) return '';
        const rate = percent(missedBy(one), grid.datasets);
        if (name.startsWith('percentile')) return rate;
        const width = figures.widths[name] === null ? 'all' : widthOf(figures.widths[name]);
        return `${rate}${figures.worse.includes(name) ? ' more' : ''} (${width})`;
      });
      const effective = Number(cell.effective_clusters.toFixed(1));
      const chosen = defaultOf(figures, grid);
      lines.push(`| ${cell.clusters} ${cell.sizes} | ${effective} | ${fields.join(' | ')} | ${chosen} |`);
    }
  }
  return lines.join('\n');
}

/** Writes the table of the program and the tables of the page. Run \`npm run format\` after it. */
export function writeGrid(grid) {
  writeFileSync(new URL('../src/inference/intervals/interval-grid.ts', import.meta.url), sourceOf(grid));
  const page = new URL('../docs/intervals.md', import.meta.url);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- grid -->');
  const after = rest.split('<!-- end of grid -->')[1];
  writeFileSync(page, `${before}<!-- grid -->${pageOf(grid)}\n<!-- end of grid -->${after}`);
}
