import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import pl from 'nodejs-polars';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inferenceTables } from '../../src/inference/columns.js';
import { readLeaderboard } from '../../src/inference/read-leaderboard.js';
import { encodeTables } from '../../src/release/encode.js';
import { cliInline } from '../support/cli-inline.js';
import { taskRow } from '../tasks/support.js';

type Row = Record<string, unknown>;

const MODELS = ['a "quoted", é', 'b/two', 'c three', '=d'];
let folder: string;
let duck: DuckDBConnection;
const at = (...names: string[]) => join(folder, ...names);

/** Numbers of 64 bits are numbers here: none of ours is past 2^53. */
const plain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

/** The rows of a file, read by DuckDB or Polars, which share no line with this program. */
const READERS: readonly (readonly [string, RegExp, (path: string) => Promise<Row[]>])[] = [
  [
    'DuckDB',
    /\.(parquet|csv|jsonl)$/,
    async (path) => {
      const from = path.endsWith('.csv') ? `read_csv('${path}', header = true)` : `'${path}'`;
      return (await duck.runAndReadAll(`SELECT * FROM ${from}`)).getRowObjectsJS().map(plain);
    },
  ],
  [
    'Polars',
    /\.(arrow|parquet|csv)$/,
    async (path) => {
      const table = path.endsWith('.arrow')
        ? pl.readIPC(readFileSync(path))
        : path.endsWith('.csv')
          ? pl.readCSV(path)
          : pl.readParquet(readFileSync(path));
      return (table.toRecords() as Row[]).map(plain);
    },
  ],
];

/** Reads a file with every program that knows its form, and holds each against what it should say. */
async function readBack(path: string, expected: readonly Row[]): Promise<number> {
  const readers = READERS.filter(([, forms]) => forms.test(path));
  for (const [name, , read] of readers) expect([name, await read(path)]).toEqual([name, expected]);
  return readers.length;
}

async function done(...args: string[]): Promise<void> {
  expect(await cliInline([...args, '--draws', '200', '--flips', '300', '--quiet'])).toMatchObject({ code: 0 });
}

interface Results {
  readonly models: readonly Row[];
  readonly pairwise_comparisons: readonly Row[];
  readonly panel_replication: { readonly models: readonly Row[] };
}
const resultsAt = (...names: string[]): Results => JSON.parse(readFileSync(at(...names), 'utf8')).results;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'other-readers-'));
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  const lines = MODELS.flatMap((model, m) =>
    Array.from({ length: 24 }, (_, t) =>
      [
        `"${model.replaceAll('"', '""')}"`,
        `t${t}`,
        'pq'[(t >> 1) % 2],
        'xy'[t % 2],
        `k${t >> 2}`,
        ((t * 37 + m * 11) % 60) + 15 * m + 0.25,
        20 + (t % 7),
      ].join(),
    ),
  );
  writeFileSync(at('scores.csv'), ['model,task,panel,family,cluster,score,chance', ...lines].join('\n'));
  await done('infer', '--scores', at('scores.csv'), '--margin', '5', '--out', at('infer'));
  await done('rank-audit', at('scores.csv'), '--out', at('audit'));
});
afterAll(() => {
  duck.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

/** Where the document has what a column of a table says: names that differ; `a.0` is the first end of an interval. */
const MODEL = {
  ...{ model_id: '', model_name: '', score: 'flavourbench_score', standard_error: 'score_standard_error' },
  ...{ pointwise_low: 'score_pointwise_95_ci.0', pointwise_high: 'score_pointwise_95_ci.1' },
  ...{ simultaneous_low: 'score_simultaneous_95_ci.0', simultaneous_high: 'score_simultaneous_95_ci.1' },
  ...{ rank: 'point_estimate_rank', rank_low: 'bootstrap_rank_95_interval.0' },
  ...{ rank_high: 'bootstrap_rank_95_interval.1', group: 'statistical_rank_group', rank_tied: '' },
  ...{ rank_set_low: 'rank_set_simultaneous.0', rank_set_high: 'rank_set_simultaneous.1' },
  ...{ rank_set_marginal_low: 'rank_set_marginal.0', rank_set_marginal_high: 'rank_set_marginal.1' },
  ...{ score_low: 'score_bounds.0', score_high: 'score_bounds.1', letters: '', interval_unbounded: '', degenerate: '' },
  ...{ 'family:x': 'family_scores.x', 'family:y': 'family_scores.y' },
  ...{ 'stratum:p/x': 'stratum_scores.p/x', 'stratum:p/y': 'stratum_scores.p/y' },
  ...{ 'stratum:q/x': 'stratum_scores.q/x', 'stratum:q/y': 'stratum_scores.q/y' },
  ...{ chance_score: 'chance_comparison.exact_chance_score', chance_difference: 'chance_comparison.mean_difference' },
  ...{ chance_low: 'chance_comparison.bootstrap_95_ci.0', chance_high: 'chance_comparison.bootstrap_95_ci.1' },
  ...{ above_chance: 'chance_comparison.holm_significant_above_chance' },
  ...{ chance_sign_flip_p: 'chance_comparison.sign_flip_p', chance_holm_p: 'chance_comparison.holm_p' },
  ...{ chance_p_low_99: 'chance_comparison.p_interval_99.0', chance_p_high_99: 'chance_comparison.p_interval_99.1' },
  ...{ chance_exact_p: 'chance_comparison.exact_p', chance_p_kind: 'chance_comparison.p_kind' },
  ...{ chance_exceedances: 'chance_comparison.exceedances' },
  chance_holm_could_flip: 'chance_comparison.holm_could_flip',
};
const PAIR = {
  ...{ left: 'left_index', right: 'right_index', left_model_id: '', right_model_id: '', mean_difference: '' },
  ...{ low: 'bootstrap_95_ci.0', high: 'bootstrap_95_ci.1', cohen_dz: '', sign_flip_p: '', holm_p: '' },
  ...{ p_low_99: 'p_interval_99.0', p_high_99: 'p_interval_99.1', exact_p: '', p_kind: '', exceedances: '' },
  ...{ holm_could_flip: '', max_t_p: '', holm_significant: '', max_t_step_p: '', significant: '', decision: '' },
  ...{ floor: '', differing_clusters: '', untestable: '', clusters_needed: '', decision_could_turn: '' },
  ...{ equal_p: 'equal_within.p', equal_holm_p: 'equal_within.holm_p', equal: 'equal_within.equal' },
  ...{ direction: '', degenerate: '' },
};
const BOARD = {
  ...{ rank: 'point_estimate_rank', rank_tied: '', rank_set_low: 'rank_set_simultaneous.0' },
  ...{ rank_set_high: 'rank_set_simultaneous.1', letters: '', model: 'model_name', model_id: '' },
  ...{ flavourbench_score: '', pointwise_ci_low: 'score_pointwise_95_ci.0' },
  ...{ pointwise_ci_high: 'score_pointwise_95_ci.1', simultaneous_ci_low: 'score_simultaneous_95_ci.0' },
  ...{ simultaneous_ci_high: 'score_simultaneous_95_ci.1', valid_scored: 'coverage.valid_scored' },
  ...{ scheduled: 'coverage.scheduled', coverage: 'coverage.valid_scored_rate' },
  above_exact_chance_holm: 'chance_comparison.holm_significant_above_chance',
};
const TESTED = {
  ...{
    left_model_id: '',
    right_model_id: '',
    shared_valid_tasks: '',
    mean_difference: '',
    ci_low: 'bootstrap_95_ci.0',
  },
  ...{ ci_high: 'bootstrap_95_ci.1', cohen_dz: '', sign_flip_p: '', holm_p: '', holm_significant: '', significant: '' },
  ...{ decision: '', floor: '', differing_clusters: '', equal_within: 'equal_within.equal', direction: '' },
};
const AUDITED = {
  ...{ model: '', score: '', low: '', high: '', rank: '', rank_tied: '', rank_set_low: 'rank_set_simultaneous.0' },
  ...{ rank_set_high: 'rank_set_simultaneous.1', letters: '', rank_low: '', rank_high: '', group: '' },
  ...{ separable_from: '', separable_from_next: '' },
};

/** The row of a table that a part of the document gives. */
function rowOf(part: unknown, places: Readonly<Record<string, string>>): Row {
  return Object.fromEntries(
    Object.entries(places).map(([name, place]) => {
      let value = part as Row | null | undefined;
      for (const key of (place || name).split('.')) value = value?.[key] as Row | null | undefined;
      return [name, value ?? null];
    }),
  );
}

describe('results read by DuckDB and Polars', () => {
  it('of infer say in Arrow, Parquet and CSV what the document says', async () => {
    const {
      models,
      pairwise_comparisons: pairs,
      panel_replication: replication,
    } = resultsAt('infer', 'inference.json');
    expect(models.map(({ model_id }: Row) => model_id)).toEqual(MODELS);
    expect(pairs).toHaveLength(6);
    const tables = {
      models: models.map((row) => rowOf(row, MODEL)),
      pairs: pairs.map((row) => rowOf(row, PAIR)),
    };
    const panels = replication.models.map(({ model_id, p, q, difference }: Row) => {
      return { model_id, first_panel: p, second_panel: q, difference };
    });
    expect(await readBack(at('infer', 'replication.arrow'), panels)).toBe(1);
    // The Parquet twins are those of a release.
    const leaderboard = readLeaderboard(resultsAt('infer', 'inference.json'), {
      file: 'inference.json',
    });
    const columns = inferenceTables(leaderboard, '');
    for (const name of ['models', 'pairs'] as const) {
      expect(await readBack(at('infer', `${name}.arrow`), tables[name])).toBe(1);
      const { encoded } = await encodeTables(new Map([[name, columns[name]]]));
      const [, twin] = encoded;
      writeFileSync(at(twin!.name), twin!.bytes);
      expect(await readBack(at(twin!.name), tables[name])).toBe(2);
    }
    // In CSV by rank, and with the digits of the published tables.
    const digits: Record<string, (value: number) => number> = {
      cohen_dz: (value) => Number(value.toFixed(8)),
      ...Object.fromEntries(['sign_flip_p', 'holm_p'].map((name) => [name, (value) => Number(value.toPrecision(10))])),
      floor: (value) => value,
    };
    const printed = (row: Row): Row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const form = digits[name] ?? ((exact: number) => Math.round(exact * 1e6) / 1e6);
          return [name, typeof value === 'number' ? form(value) : value];
        }),
      );
    const board = models.map((row) => rowOf(row, BOARD)).sort((a, b) => Number(a.rank) - Number(b.rank));
    const tested = pairs.map((row) => printed(rowOf(row, TESTED)));
    expect(await readBack(at('infer', 'pairwise.csv'), tested)).toBe(2);
    expect(await readBack(at('infer', 'leaderboard.csv'), board.map(printed))).toBe(2);
  });

  it('of rank-audit say in Arrow and CSV what the document says', async () => {
    const { models } = resultsAt('audit', 'rank-audit.json');
    const rows = models.map((row) => rowOf(row, AUDITED));
    expect(rows).toHaveLength(MODELS.length);
    expect(await readBack(at('audit', 'rank-audit.arrow'), rows)).toBe(1);
    expect(await readBack(at('audit', 'rank-audit.csv'), rows)).toBe(2);
  });

  it('of rescore say in Parquet, Arrow, CSV and JSON lines what was answered, row by row', async () => {
    const tasks = ['substitution', 'pairing', 'constraint'].map((family) => taskRow(`${family}-1`, { family }));
    writeFileSync(at('tasks.jsonl'), tasks.map((row) => JSON.stringify(row)).join('\n'));
    const answers = [
      ['FINAL_SELECTION: C,A,B', 'ABC'],
      ['**FINAL_SELECTION: F, G, H**', 'FGH'],
      ['I cannot say.', 'no_marker'],
      ['FINAL_SELECTION: A,A,B', 'duplicate_label'],
    ] as const;
    const reasons = { no_marker: 'no FINAL_SELECTION in the answer', duplicate_label: 'one candidate twice' };
    const rows = Array.from({ length: 48 }, (_, i) => {
      const task = tasks[i % 3]!;
      return { model_id: MODELS[(i >> 2) % 4], task_id: task.task_id, response: answers[i % 4]![0] };
    });
    mkdirSync(at('answers'));
    writeFileSync(at('answers', 'some.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const expected = rows.map((row, i) => {
      const { family, selection_scores_bps: scores } = tasks[i % 3] as { family: string; selection_scores_bps: Row };
      const [, said] = answers[i % 4]!;
      const valid = said in scores;
      return {
        ...{ model: row.model_id, task: row.task_id, family, selection: valid ? said : null },
        ...{ outcome: valid ? 'ok' : said, reason: valid ? null : reasons[said as keyof typeof reasons] },
        ...{ score_bps: valid ? scores[said] : null, file: at('answers', 'some.jsonl'), line: i + 1, row: null },
      };
    });
    const programs = { parquet: 2, arrow: 1, csv: 2, jsonl: 1 };
    for (const [format, count] of Object.entries(programs)) {
      const out = at(`rescored-${format}`);
      const call = [
        'rescore',
        at('answers', 'some.jsonl'),
        '--tasks',
        at('tasks.jsonl'),
        '--out',
        out,
        '--format',
        format,
      ];
      expect((await cliInline(call)).code).toBe(0);
      const [name, ...others] = readdirSync(join(out, 'rows'));
      expect(others).toEqual([]);
      expect(await readBack(join(out, 'rows', name!), expected)).toBe(count);
    }
  });
});
