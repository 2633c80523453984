import type { ArrowColumn, ArrowFileOptions } from '../io/arrow.js';
import { csvText } from '../io/csv.js';
import { decisionColumns, verdictColumns } from './decision-columns.js';
import { byRank } from './model-ranks.js';
import { isFrozen } from './plan.js';
import type { Leaderboard, ModelResult, PairResult, TestResult } from './result.js';
import { eight, ends, intervalKey, type ResultColumn, six, tenDigits } from './result-column.js';

/** The columns of a test. `part` is the part of the record that it stands in, `prefix` begins its Arrow columns. */
function testColumns<Row>(
  version2: boolean,
  test: (row: Row) => TestResult | null,
  part: readonly string[] = [],
  prefix = '',
): ResultColumn<Row>[] {
  const kind = 'float64' as const;
  const json = (key: string) => ({ json: [...part, key], arrow: `${prefix}${key}` });
  const csv = (name: string) => (part.length === 0 ? { csv: name, form: tenDigits } : {});
  return [
    { ...json('sign_flip_p'), ...csv('sign_flip_p'), kind, value: (row) => test(row)?.p ?? null },
    { ...json('holm_p'), ...csv('holm_p'), kind, value: (row) => test(row)?.holm ?? null },
    ...ends<Row>(
      (row) => test(row)?.pInterval99 ?? null,
      [
        { arrow: `${prefix}p_low_99`, kind },
        { arrow: `${prefix}p_high_99`, kind },
      ],
      [...part, 'p_interval_99'],
    ),
    { ...json('exact_p'), kind, value: (row) => test(row)?.exactP ?? null },
    ...(version2
      ? [
          { ...json('p_kind'), kind: 'text' as const, value: (row: Row) => test(row)?.pKind ?? null },
          { ...json('exceedances'), kind, value: (row: Row) => test(row)?.exceedances ?? null },
        ]
      : []),
    { ...json('holm_could_flip'), kind: 'bool', value: (row) => test(row)?.holmCouldFlip ?? null },
  ];
}

/** A column for each label of a model's scores. */
function scoreColumns(
  json: string,
  prefix: string,
  scores: (row: ModelResult) => Readonly<Record<string, number>>,
  first: ModelResult | undefined,
): ResultColumn<ModelResult>[] {
  return Object.keys(first ? scores(first) : {}).map((label) => ({
    json: [json, label],
    arrow: `${prefix}:${label}`,
    kind: 'float64',
    value: (row) => scores(row)[label]!,
  }));
}

/** The part of a model's record that is null as a whole where no chance values are known. */
export const CHANCE_PART = 'chance_comparison';

/** Lists everything that a leaderboard says of a model, in the order of the Arrow columns. */
export function modelColumns({ models, tasks, plan }: Leaderboard): ResultColumn<ModelResult>[] {
  const kind = 'float64' as const;
  const key = (before: string, after: 'ci' | 'interval') => intervalKey(plan.alpha, before, after);
  const version2 = !isFrozen(plan);
  return [
    { json: ['model_id'], arrow: 'model_id', csv: 'model_id', kind: 'text', value: (row) => row.modelId },
    { json: ['model_name'], arrow: 'model_name', csv: 'model', kind: 'text', value: (row) => row.name },
    { json: ['slot_id'], kind: 'text', value: (row) => row.slotId },
    { json: ['coverage', 'valid_scored'], csv: 'valid_scored', kind: 'int32', value: () => tasks },
    { json: ['coverage', 'scheduled'], csv: 'scheduled', kind: 'int32', value: () => tasks },
    { json: ['coverage', 'valid_scored_rate'], csv: 'coverage', form: six, kind, value: () => 1 },
    {
      json: ['flavourbench_score'],
      arrow: 'score',
      csv: 'flavourbench_score',
      form: six,
      kind,
      value: (row) => row.score,
    },
    { json: ['score_standard_error'], arrow: 'standard_error', kind, value: (row) => row.standardError },
    ...ends<ModelResult>(
      (row) => row.pointwise,
      [
        { arrow: 'pointwise_low', csv: 'pointwise_ci_low', form: six, kind },
        { arrow: 'pointwise_high', csv: 'pointwise_ci_high', form: six, kind },
      ],
      [key('score_pointwise', 'ci')],
    ),
    ...ends<ModelResult>(
      (row) => row.simultaneous,
      [
        { arrow: 'simultaneous_low', csv: 'simultaneous_ci_low', form: six, kind },
        { arrow: 'simultaneous_high', csv: 'simultaneous_ci_high', form: six, kind },
      ],
      [key('score_simultaneous', 'ci')],
    ),
    { json: ['point_estimate_rank'], arrow: 'rank', csv: 'rank', kind: 'int32', value: (row) => row.rank },
    ...ends<ModelResult>(
      (row) => row.rankInterval,
      [
        { arrow: 'rank_low', csv: 'rank_ci_low', kind: 'int32' },
        { arrow: 'rank_high', csv: 'rank_ci_high', kind: 'int32' },
      ],
      [key('bootstrap_rank', 'interval')],
    ),
    { json: ['statistical_rank_group'], arrow: 'group', csv: 'rank_group', kind: 'int32', value: (row) => row.group },
    ...(version2 ? decisionColumns() : []),
    { json: ['degenerate'], arrow: 'degenerate', kind: 'bool', value: (row) => row.degenerate },
    ...scoreColumns('family_scores', 'family', (row) => row.familyScores, models[0]),
    ...scoreColumns('stratum_scores', 'stratum', (row) => row.stratumScores, models[0]),
    {
      json: [CHANCE_PART, 'exact_chance_score'],
      arrow: 'chance_score',
      kind,
      value: (row) => row.chance?.score ?? null,
    },
    {
      json: [CHANCE_PART, 'mean_difference'],
      arrow: 'chance_difference',
      kind,
      value: (row) => row.chance?.meanDifference ?? null,
    },
    ...ends<ModelResult>(
      (row) => row.chance?.interval ?? null,
      [
        { arrow: 'chance_low', kind },
        { arrow: 'chance_high', kind },
      ],
      [CHANCE_PART, key('bootstrap', 'ci')],
    ),
    {
      json: [CHANCE_PART, 'holm_significant_above_chance'],
      arrow: 'above_chance',
      csv: 'above_exact_chance_holm',
      kind: 'bool',
      value: (row) => row.chance?.aboveChance ?? null,
    },
    ...testColumns<ModelResult>(version2, (row) => row.chance, [CHANCE_PART], 'chance_'),
  ];
}

/** Lists everything that a leaderboard says of a pair, in the order of the Arrow and of the CSV columns. */
export function pairColumns({ models, tasks, plan }: Leaderboard): ResultColumn<PairResult>[] {
  const kind = 'float64' as const;
  const id = (index: number) => models[index]!.modelId;
  const same = (name: string) => ({ json: [name], arrow: name });
  const version2 = !isFrozen(plan);
  return [
    { json: ['left_index'], arrow: 'left', kind: 'int32', value: (row) => row.left },
    { json: ['right_index'], arrow: 'right', kind: 'int32', value: (row) => row.right },
    { ...same('left_model_id'), csv: 'left_model_id', kind: 'text', value: (row) => id(row.left) },
    { ...same('right_model_id'), csv: 'right_model_id', kind: 'text', value: (row) => id(row.right) },
    { json: ['shared_valid_tasks'], csv: 'shared_valid_tasks', kind: 'int32', value: () => tasks },
    { ...same('mean_difference'), csv: 'mean_difference', form: six, kind, value: (row) => row.meanDifference },
    ...ends<PairResult>(
      (row) => row.interval,
      [
        { arrow: 'low', csv: 'ci_low', form: six, kind },
        { arrow: 'high', csv: 'ci_high', form: six, kind },
      ],
      [intervalKey(plan.alpha, 'bootstrap', 'ci')],
    ),
    { ...same('cohen_dz'), csv: 'cohen_dz', form: eight, kind, value: (row) => row.dz },
    ...testColumns<PairResult>(version2, (row) => row),
    { ...same('max_t_p'), kind, value: (row) => row.maxTP },
    {
      ...same('holm_significant'),
      csv: 'holm_significant',
      kind: 'bool',
      value: (row) => (version2 ? row.holm < plan.alpha : row.significant),
    },
    ...(version2 ? verdictColumns() : []),
    { ...same('direction'), csv: 'direction', kind: 'text', value: (row) => row.direction },
    { ...same('degenerate'), kind: 'bool', value: (row) => row.degenerate },
  ];
}

/** A model on the two panels. */
type PanelRow = readonly [modelId: string, scores: readonly [number, number]];

/** Lists everything that a replication says of a model, in the order of the Arrow columns. */
export function replicationColumns({ replication }: Leaderboard): ResultColumn<PanelRow>[] {
  const [first = '', second = ''] = replication?.panels ?? [];
  const kind = 'float64' as const;
  return [
    { json: ['model_id'], arrow: 'model_id', kind: 'text', value: ([id]) => id },
    { json: [first], arrow: 'first_panel', kind, value: ([, scores]) => scores[0] },
    { json: [second], arrow: 'second_panel', kind, value: ([, scores]) => scores[1] },
    { json: ['difference'], arrow: 'difference', kind, value: ([, scores]) => scores[1] - scores[0] },
  ];
}

/** Pairs each model with its scores on two panels; none where panels are not two. */
export function replicationRows({ models, replication }: Leaderboard): PanelRow[] {
  return replication === null ? [] : models.map(({ modelId }, m) => [modelId, replication.scores[m]!]);
}

/** Makes the JSON record of a row. */
export function jsonRecord<Row>(columns: readonly ResultColumn<Row>[], row: Row): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { json, value } of columns) {
    if (json === undefined) continue;
    let place: Record<string | number, unknown> = record;
    json.forEach((key, depth) => {
      const next = json[depth + 1];
      if (next === undefined) place[key] = value(row);
      else {
        place[key] ??= typeof next === 'number' ? [] : {};
        place = place[key] as Record<string | number, unknown>;
      }
    });
  }
  return record;
}

function arrowColumns<Row>(columns: readonly ResultColumn<Row>[], rows: readonly Row[]): ArrowColumn[] {
  return columns.flatMap(({ arrow, kind, value }) =>
    arrow === undefined ? [] : [{ name: arrow, kind, values: rows.map(value) } as ArrowColumn],
  );
}

export type InferenceTable = 'models' | 'pairs' | 'replication';

/** Makes the three tables beside a result document, as Arrow and Parquet have them; their metadata name the document. */
export function inferenceTables(
  inference: Leaderboard,
  resultsSha256: string,
): Readonly<Record<InferenceTable, Required<ArrowFileOptions>>> {
  const metadata = { results_sha256: resultsSha256, alpha: String(inference.plan.alpha) };
  return {
    models: { columns: arrowColumns(modelColumns(inference), inference.models), metadata },
    pairs: { columns: arrowColumns(pairColumns(inference), inference.pairs), metadata },
    replication: { columns: arrowColumns(replicationColumns(inference), replicationRows(inference)), metadata },
  };
}

function csvTable<Row>(columns: readonly ResultColumn<Row>[], rows: readonly Row[]): string {
  const field = ({ value, form = String }: ResultColumn<Row>, row: Row): string => {
    const said = value(row);
    return said === null ? '' : typeof said === 'number' ? form(said) : String(said);
  };
  return csvText(
    columns.map(({ csv }) => csv!),
    rows.map((row) => columns.map((column) => field(column, row))),
  );
}

/** The ranks of the released table, and of one of version 2, where a rank set is never beside an interval of ranks. */
const RANKS_CSV = {
  released: ['rank', 'rank_group', 'rank_ci_low', 'rank_ci_high'],
  version2: ['rank', 'rank_tied', 'rank_set_low', 'rank_set_high', 'letters'],
} as const;

const SCORES_CSV: readonly string[] = [
  'model',
  'model_id',
  'flavourbench_score',
  'pointwise_ci_low',
  'pointwise_ci_high',
  'simultaneous_ci_low',
  'simultaneous_ci_high',
  'valid_scored',
  'scheduled',
  'coverage',
  'above_exact_chance_holm',
];

/** Writes the leaderboard table, as released (collection 3.2) or with rank sets: by rank, then model id; floats `%.6f`. */
export function leaderboardCsv(leaderboard: Leaderboard): string {
  const columns = new Map(modelColumns(leaderboard).map((column) => [column.csv, column]));
  const ranks = isFrozen(leaderboard.plan) ? RANKS_CSV.released : RANKS_CSV.version2;
  return csvTable(
    [...ranks, ...SCORES_CSV].map((name) => columns.get(name)!),
    byRank(leaderboard.models),
  );
}

/** Writes the released table of pairs (collection 3.2): differences `%.6f`, dz `%.8f`, p `%.10g`. */
export function pairwiseCsv(leaderboard: Leaderboard): string {
  return csvTable(
    pairColumns(leaderboard).filter(({ csv }) => csv !== undefined),
    leaderboard.pairs,
  );
}
