import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createEngine, pairCount, philoxDraw } from '../dist/engine/index.js';
import { clopperPearson } from '../dist/inference/binomial.js';

/*
 * node bench/step-down-coverage.js [--datasets 1000] [--draws 2000] [--cell NAME]... [--file bench/step-down-coverage.json] [--write]
 *
 * How often rank sets at 95 % separate models wrongly, and how often the centred test rejects at 5 % where nothing differs (decisions 1.3,
 * 1.4, 3.2). Needs `npm run build`. Cells that the file has at the same sizes are not run again. `--write` puts the tables into
 * docs/rank-sets.md.
 */
const { values: options } = parseArgs({
  options: {
    datasets: { type: 'string', default: '1000' },
    draws: { type: 'string', default: '2000' },
    cell: { type: 'string', multiple: true, default: [] },
    file: { type: 'string', default: 'bench/step-down-coverage.json' },
    write: { type: 'boolean', default: false },
  },
});
const ALPHA = 0.05;
const DATASETS = Number(options.datasets);
const DRAWS = Number(options.draws);
const DATA_SEED = 1303n;
const DRAW_SEED = 20260820n;
/** Data sets of the centred test that share their flips: a row each. */
const BATCH = 50;

/** A reader of numbers of one data set. */
function randomOf(stream, draw) {
  const words = philoxDraw({ seed: DATA_SEED, stream, draw });
  const uniform = () => (words.word() + 0.5) / 2 ** 32;
  return { normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()) };
}

const equal = (models) => Array.from({ length: models }, () => 50);
/** Means `step` points apart; with the released spread, most neighbours cannot be told apart. */
const graded = (models, step) => Array.from({ length: models }, (_, m) => 50 + step * m);

/** Cells of rank sets: true means in points, and how clusters lie in strata. `limit`: most data sets that may be missed, in percent. */
const RANK_CELLS = [
  { name: '8 near-tied models over 200 clusters', means: graded(8, 0.3), clusters: 200, by: 'bootstrap', limit: 6 },
  { name: '20 near-tied models over 500 clusters', means: graded(20, 0.2), clusters: 500, by: 'bootstrap', limit: 6 },
  {
    name: '27 models over 534 clusters in 6 strata',
    means: graded(27, 0.35),
    clusters: 534,
    strata: 6,
    by: 'bootstrap',
    limit: 6,
  },
  {
    name: '27 models over 534 tasks in 6 strata, 356 clusters, some in two strata',
    means: graded(27, 0.35),
    clusters: 356,
    tasks: 534,
    strata: 6,
    by: 'bootstrap',
    limit: 6,
  },
  { name: '8 equal models over 200 clusters', means: equal(8), clusters: 200, by: 'bootstrap', limit: 8.5 },
  { name: '8 equal models over 20 clusters', means: equal(8), clusters: 20, by: 'flips', limit: 8.5 },
  { name: '8 equal models over 10 clusters', means: equal(8), clusters: 10, by: 'flips', limit: 8.5 },
  { name: '8 equal models over 5 clusters', means: equal(8), clusters: 5, by: 'flips', limit: 8.5 },
];

/** Cells of the centred test: strata whose differences are far apart and cancel; clusters in one stratum, or in `span` of them. */
const TEST_CELLS = [
  { name: '6 strata of 2 clusters', strata: 6, clusters: 2 },
  { name: '6 strata of 3 clusters', strata: 6, clusters: 3 },
  { name: '12 strata of 4 clusters', strata: 12, clusters: 4 },
  { name: '10 strata of 5 clusters', strata: 10, clusters: 5 },
  { name: '6 strata, 24 clusters in 3 of them each', strata: 6, clusters: 12, span: 3 },
].map((cell) => ({ ...cell, limit: 6.5 }));

/** Sums by part of a rows x tasks table. */
function designOf(table, { stratum, cluster, clusters, strata }) {
  const rows = table.length;
  const keys = [...new Set(stratum.map((s, t) => s * clusters + cluster[t]))].sort((a, b) => a - b);
  const place = new Map(keys.map((key, p) => [key, p]));
  const partTasks = new Int32Array(keys.length);
  const partTotals = new Float64Array(keys.length * rows);
  stratum.forEach((s, t) => {
    const p = place.get(s * clusters + cluster[t]);
    partTasks[p] += 1;
    table.forEach((row, m) => {
      partTotals[p * rows + m] += row[t];
    });
  });
  return {
    rows,
    ranked: rows,
    clusters,
    strata,
    scale: 100,
    partCluster: Int32Array.from(keys, (key) => key % clusters),
    partStratum: Int32Array.from(keys, (key) => Math.floor(key / clusters)),
    partTasks,
    partTotals,
  };
}

/** Scores of a data set: a part of each task and cluster that all models share, and one of their own; in hundredths of points. */
function scores({ means, clusters, tasks = clusters, strata = 1 }, random) {
  const cluster = Array.from({ length: tasks }, (_, t) => t % clusters);
  const stratum = Array.from({ length: tasks }, (_, t) => t % strata);
  const common = cluster.map(() => 8 * random.normal());
  const table = means.map((mean) => {
    const own = Array.from({ length: clusters }, () => 5 * random.normal());
    return cluster.map((c, t) => Math.round(100 * (mean + common[t] + own[c] + 5 * random.normal())));
  });
  return designOf(table, { stratum, cluster, clusters, strata });
}

/** Does a set separate a pair that is equal, or in the wrong order? */
function separatesWrongly(above, means) {
  return means.some((left, j) => means.some((right, k) => above(j, k) && !(left > right)));
}

async function rankCell(cell, stream, engine) {
  const { means, by } = cell;
  const models = means.length;
  const rankSets = { alpha: ALPHA, excluded: new Uint8Array(pairCount(models)) };
  let simultaneous = 0;
  const marginal = new Float64Array(models);
  let separated = 0;
  for (let d = 0; d < DATASETS; d += 1) {
    const design = scores(cell, randomOf(stream, d));
    const random = { kind: 'philox', seed: DRAW_SEED ^ (BigInt(d + 1) << 32n), stream: by === 'flips' ? 1 : 0 };
    const exact = 2 ** design.clusters <= DRAWS;
    const made =
      by === 'bootstrap'
        ? await engine.bootstrap(design, { draws: DRAWS, random, scheme: 'joint', probabilities: [], rankSets })
        : exact
          ? await engine.exactFlips(design, { rankSets })
          : await engine.flips(design, { draws: DRAWS, random, rankSets });
    const { simultaneous: all, marginalAbove, marginalBelow } = made.rankSets;
    simultaneous += Number(separatesWrongly((j, k) => all[j * models + k] === 1, means));
    separated += all.reduce((a, b) => a + b, 0);
    means.forEach((mean, j) => {
      marginal[j] += Number(
        means.some(
          (other, k) =>
            (marginalAbove[j * models + k] && !(mean > other)) || (marginalBelow[j * models + k] && !(other > mean)),
        ),
      );
    });
  }
  return {
    simultaneous,
    marginal_mean: marginal.reduce((a, b) => a + b, 0) / models,
    marginal_most: Math.max(...marginal),
    pairs_separated: Number((separated / DATASETS).toFixed(2)),
  };
}

/** Differences of one row in each stratum and cluster: strata are far apart and their means cancel. */
function nullRows({ strata, clusters, span = 1 }, stream, first) {
  const total = (strata / span) * clusters;
  const parts = Array.from({ length: total * span }, (_, i) => {
    const c = Math.floor(i / span);
    return { c, s: ((c % (strata / span)) * span + (i % span)) % strata };
  });
  const table = Array.from({ length: BATCH }, (_, row) => {
    const random = randomOf(stream, first + row);
    const shared = Array.from({ length: total }, () => random.normal());
    return parts.map(({ c, s }) => {
      const noise = span > 1 ? Math.SQRT1_2 * (shared[c] + random.normal()) : random.normal();
      return Math.round(1000 * (6 * (s % 2 === 0 ? 1 : -1) + noise));
    });
  });
  return designOf(table, {
    stratum: parts.map(({ s }) => s),
    cluster: parts.map(({ c }) => c),
    clusters: total,
    strata,
  });
}

async function testCell(cell, stream, engine) {
  const rejected = { plain: 0, centred: 0 };
  let enumerated = false;
  for (let first = 0; first < DATASETS; first += BATCH) {
    const design = nullRows(cell, stream, first);
    const random = { kind: 'philox', seed: DRAW_SEED ^ (BigInt(first + 1) << 32n), stream: 1 };
    enumerated = 2 ** design.clusters <= DRAWS;
    for (const test of ['sign-flip', 'centred']) {
      const counts = enumerated
        ? await engine.exactFlips(design, { test })
        : await engine.flips(design, { draws: DRAWS, random, test });
      for (const reached of counts.rows)
        rejected[test === 'centred' ? 'centred' : 'plain'] += Number((reached + 1) / (counts.draws + 1) < ALPHA);
    }
  }
  return { ...rejected, enumerated };
}

const share = (count) => {
  const [low, high] = clopperPearson({ count: Math.round(count), trials: DATASETS, confidence: 0.95 });
  return `${((100 * count) / DATASETS).toFixed(1)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
};

function tables(results) {
  const rank = RANK_CELLS.filter(({ name }) => results[name]).map((cell) => {
    const { simultaneous, marginal_mean, marginal_most, pairs_separated } = results[cell.name];
    return `| ${cell.name} | ${cell.by} | ${share(simultaneous)} | ${cell.limit} | ${((100 * marginal_mean) / DATASETS).toFixed(1)} | ${((100 * marginal_most) / DATASETS).toFixed(1)} | ${pairs_separated} |`;
  });
  const test = TEST_CELLS.filter(({ name }) => results[name]).map((cell) => {
    const { plain, centred } = results[cell.name];
    return `| ${cell.name} | ${share(centred)} | ${cell.limit} | ${share(plain)} |`;
  });
  return [
    '| data | sets from | simultaneous sets miss, % | at most | a marginal set misses, % | the worst of them | pairs separated |',
    '|---|---|---|---|---|---|---|',
    ...rank,
    '',
    '| data | centred test rejects, % | at most | plain test rejects, % |',
    '|---|---|---|---|',
    ...test,
  ].join('\n');
}

const written = existsSync(options.file) ? JSON.parse(readFileSync(options.file, 'utf8')) : null;
const results = written?.datasets === DATASETS && written.draws === DRAWS ? written.cells : {};
const engine = await createEngine({ backend: 'wasm' });
for (const [stream, cell] of [...RANK_CELLS, ...TEST_CELLS].entries()) {
  const { name } = cell;
  if (options.cell.length > 0 ? !options.cell.includes(name) : results[name]) continue;
  results[name] = await (cell.means ? rankCell : testCell)(cell, 100 + stream, engine);
  process.stderr.write(`${name}: ${JSON.stringify(results[name])}\n`);
  writeFileSync(
    options.file,
    `${JSON.stringify({ datasets: DATASETS, draws: DRAWS, seeds: [String(DATA_SEED), String(DRAW_SEED)], cells: results }, null, 2)}\n`,
  );
}
await engine.close();
const text = tables(results);
if (options.write) {
  const page = new URL('../docs/rank-sets.md', import.meta.url);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- coverage -->\n');
  const after = rest.slice(rest.indexOf('<!-- end -->'));
  writeFileSync(page, `${before}<!-- coverage -->\n${text}\n${after}`);
} else process.stdout.write(`${text}\n`);
