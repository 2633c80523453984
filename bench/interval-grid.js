import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createEngine, philoxDraw } from '../dist/engine/index.js';
import { layoutOf } from '../dist/engine/layout.js';
import { clusterNumbers } from '../dist/inference/decisions/effective-clusters.js';
import { binomialIntervals, showBinomial } from '../dist/inference/intervals/binomial-interval.js';
import { bootstrapT } from '../dist/inference/intervals/bootstrap-t.js';
import { constantRows } from '../dist/inference/intervals/constant.js';
import { studentErrors } from '../dist/inference/intervals/student.js';
import { exactTotals } from '../dist/inference/totals.js';
import { writeGrid } from './interval-grid-tables.js';

/*
 * node bench/interval-grid.js [--datasets 2000] [--draws 2000] [--cell NAME]... [--file bench/interval-grid.json] [--write]
 *
 * How often intervals at 95 % miss the true score, and how wide they are, for 5 to 200 clusters and four kinds of data (decisions
 * 2.4). Needs `npm run build`. Cells that the file has at the same sizes are not run again, so that a stopped run goes on
 * where it stopped. `--write` puts the tables into docs/intervals.md and src/inference/interval-grid.ts.
 */
const { values: options } = parseArgs({
  options: {
    datasets: { type: 'string', default: '2000' },
    draws: { type: 'string', default: '2000' },
    cell: { type: 'string', multiple: true, default: [] },
    file: { type: 'string', default: 'bench/interval-grid.json' },
    write: { type: 'boolean', default: false },
  },
});
const ALPHA = 0.05;
const DATASETS = Number(options.datasets);
const DRAWS = Number(options.draws);
/** Data sets that share their draws. */
const BATCH = 50;
const CLUSTERS = [5, 10, 20, 50, 200];
const SIZES = { equal: [1], unequal: [1, 2, 3, 4] };
const DATA_SEED = 13n;
const DRAW_SEED = 20260820n;

/** A reader of numbers of one data set. */
function randomOf(stream, draw) {
  const words = philoxDraw({ seed: DATA_SEED, stream, draw });
  const uniform = () => (words.word() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Half of the variance between clusters, half between the tasks of one; mean 0, variance 1. */
const HALF = Math.SQRT1_2;
const SIGMA = 0.7;
const LOG_MEAN = Math.exp(SIGMA ** 2 / 2);
const LOG_SD = LOG_MEAN * Math.sqrt(Math.exp(SIGMA ** 2) - 1);
const logNormal = (random) => (Math.exp(SIGMA * random.normal()) - LOG_MEAN) / LOG_SD;

/** Each kind makes the cells of a cluster: integers in 1 / scale points, with the true mean `truth` in points. */
const KINDS = {
  normal: {
    scale: 100,
    truth: 50,
    cells: (random, n) => graded(() => random.normal(), n),
  },
  binary: {
    scale: 1,
    truth: 0.87,
    /** One task: a success with probability .87. More: all succeed in six clusters of ten, each with .675 in the others. */
    cells(random, n, sizes) {
      const p = sizes === 'equal' ? 0.87 : random.uniform() < 0.6 ? 1 : 0.675;
      return Array.from({ length: n }, () => (random.uniform() < p ? 1 : 0));
    },
  },
  skewed: {
    scale: 100,
    truth: 50,
    cells: (random, n) => graded(() => logNormal(random), n),
  },
  strata: {
    scale: 100,
    truth: 50,
    cells: (random, n, _, shift) => graded(() => random.normal(), n, shift),
  },
};

/** Cells of a cluster of n tasks around 50 points, standard deviation 10 points. */
function graded(unit, n, shift = 0) {
  const cluster = unit();
  return Array.from({ length: n }, () => Math.round(100 * (50 + 10 * (shift + HALF * (cluster + unit())))));
}

/** Two strata at 5 clusters, three at 10, six from 20 on; their means are one standard deviation apart. */
const strataOf = (kind, clusters) => (kind === 'strata' ? Math.min(6, Math.floor((clusters + 1) / 3)) : 1);

const cells = Object.keys(KINDS).flatMap((kind) =>
  Object.keys(SIZES).flatMap((sizes) => CLUSTERS.map((clusters) => ({ kind, sizes, clusters }))),
);

/** The design whose rows are data sets `first` to `first` + BATCH - 1 of a cell. */
function designOf({ kind, sizes, clusters }, stream, first) {
  const strata = strataOf(kind, clusters);
  const { scale, cells: make } = KINDS[kind];
  const order = Array.from({ length: clusters }, (_, c) => c).sort((a, b) => (a % strata) - (b % strata) || a - b);
  const size = (c) => SIZES[sizes][Math.floor(c / strata) % SIZES[sizes].length];
  const partTotals = new Float64Array(clusters * BATCH);
  for (let row = 0; row < BATCH; row += 1) {
    const random = randomOf(stream, first + row);
    order.forEach((c, p) => {
      const shift = (c % strata) - (strata - 1) / 2;
      partTotals[p * BATCH + row] = make(random, size(c), sizes, shift).reduce((a, b) => a + b);
    });
  }
  return {
    rows: BATCH,
    ranked: BATCH,
    clusters,
    strata,
    scale,
    partCluster: Int32Array.from(order),
    partStratum: Int32Array.from(order, (c) => c % strata),
    partTasks: Int32Array.from(order, size),
    partTotals,
  };
}

/** Counts what the intervals of one kind do over the data sets of a cell. */
function tally() {
  return { below: 0, above: 0, widths: [], unbounded: 0, missed: [] };
}

function count(into, intervals, truth, unbounded) {
  for (let m = 0; m < BATCH; m += 1) {
    const [low, high] = [intervals[2 * m], intervals[2 * m + 1]];
    // Scores are sums of hundredths: an end that is the truth but for rounding does not miss it.
    const slack = 1e-9;
    const side = high < truth - slack ? 'below' : low > truth + slack ? 'above' : null;
    if (side) into[side] += 1;
    into.missed.push(side !== null);
    into.widths.push(high - low);
    if (unbounded?.[m]) into.unbounded += 1;
  }
}

const median = (values) => {
  const sorted = Float64Array.from(values).sort();
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};

const digits = (value) => Number(value.toPrecision(6));

/** What is written of one kind of interval; `percentile` are the misses that it is paired with. */
function summary({ below, above, widths, unbounded, missed }, percentile) {
  return {
    /** Data sets whose true score lies above the interval, and below it. */
    below,
    above,
    /** Data sets in which this interval alone misses, and in which the percentile interval alone does. */
    alone: missed.filter((miss, i) => miss && !percentile[i]).length,
    percentile_alone: missed.filter((miss, i) => !miss && percentile[i]).length,
    median_width: Number.isFinite(median(widths)) ? digits(median(widths)) : null,
    ...(unbounded > 0 ? { unbounded } : {}),
  };
}

async function runCell(cell, stream, engine) {
  const { kind, clusters } = cell;
  const { truth } = KINDS[kind];
  const range = kind === 'binary' ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const kinds = {
    percentile_bare: tally(),
    percentile: tally(),
    student: tally(),
    'bootstrap-t': tally(),
    binomial: tally(),
  };
  let redraws = 0;
  let effective = 0;
  let constant = 0;
  for (let first = 0; first < DATASETS; first += BATCH) {
    const design = designOf(cell, stream, first);
    const random = { kind: 'philox', seed: DRAW_SEED ^ (BigInt(first / BATCH + 1) << 32n), stream: 0 };
    const draws = { draws: DRAWS, random, scheme: 'joint' };
    const degenerate = constantRows(design, layoutOf(design));
    const binomial = binomialIntervals(design, ALPHA);
    const show = (intervals) => showBinomial({ intervals, degenerate }, binomial);
    const percentile = await engine.bootstrap(design, { ...draws, probabilities: [ALPHA / 2, 1 - ALPHA / 2] });
    const student = studentErrors({ design, exact: exactTotals(design), alpha: ALPHA, range }).rows();
    const studentised = await bootstrapT({ design, engine, draws, alpha: ALPHA, range });
    count(kinds.percentile_bare, percentile.quantiles, truth);
    count(kinds.percentile, show(percentile.quantiles), truth);
    count(kinds.student, show(student.intervals), truth);
    count(kinds['bootstrap-t'], show(studentised.intervals), truth, studentised.unbounded);
    if (binomial) count(kinds.binomial, binomial, truth);
    redraws += percentile.redraws;
    constant += degenerate.reduce((a, b) => a + b);
    effective = clusterNumbers(design).effective;
  }
  return {
    ...cell,
    strata: strataOf(kind, clusters),
    effective_clusters: digits(effective),
    redraws,
    constant,
    intervals: Object.fromEntries(
      Object.entries(kinds)
        .filter(([, { widths }]) => widths.length > 0)
        .map(([name, one]) => [name, summary(one, kinds.percentile.missed)]),
    ),
  };
}

/** JSON with a line for each kind of interval. */
function textOf({ cells: made, ...head }) {
  const line = (value) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  const one = ({ intervals, ...cell }) => {
    const fields = Object.entries(cell).map(([name, value]) => `      "${name}": ${line(value)},`);
    const lines = Object.entries(intervals).map(([name, value]) => `        "${name}": ${line(value)}`);
    return `    {\n${fields.join('\n')}\n      "intervals": {\n${lines.join(',\n')}\n      }\n    }`;
  };
  const heads = Object.entries(head).map(([name, value]) => `  "${name}": ${value},`);
  return `{\n${heads.join('\n')}\n  "cells": [\n${made.map(one).join(',\n')}\n  ]\n}\n`;
}

const nameOf = ({ kind, sizes, clusters }) => `${kind}-${sizes}-${clusters}`;
const place = (cell) => cells.findIndex((one) => nameOf(one) === nameOf(cell));
const before = existsSync(options.file) ? JSON.parse(readFileSync(options.file, 'utf8')) : {};
const fresh = { alpha: ALPHA, datasets: DATASETS, draws: DRAWS };
const same = Object.keys(fresh).every((name) => before[name] === fresh[name]);
const grid = { ...fresh, cells: same ? before.cells : [] };
const engine = await createEngine({ backend: 'wasm' });
for (const [stream, cell] of cells.entries()) {
  const name = nameOf(cell);
  const known = grid.cells.some((one) => nameOf(one) === name);
  if (options.cell.length > 0 ? !options.cell.includes(name) : known) continue;
  const start = Date.now();
  const made = await runCell(cell, stream, engine);
  grid.cells = [...grid.cells.filter((one) => nameOf(one) !== name), made].sort((a, b) => place(a) - place(b));
  writeFileSync(options.file, textOf(grid));
  const rates = Object.entries(made.intervals).map(
    ([kind, { below, above }]) => `${kind} ${((100 * (below + above)) / DATASETS).toFixed(1)} %`,
  );
  console.log(`${name}: ${rates.join(', ')}; ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
await engine.close();
if (options.write) writeGrid(grid);
