import type { ReportTable } from '../io/report-table.js';
import { coverageText, fixed } from '../util/format.js';
import { type AgreementRow, checkpointRows, METRIC_NAME, metricRows, substitutionRows } from './analysis-rows.js';
import { byRank, withoutProvider } from './names.js';
import { centre, left, right } from './tables/leaderboard-tables.js';
import type { ReleaseView } from './view.js';

const three = (x: number) => fixed(x, 3);

function leaderName(view: ReleaseView, id: string): string {
  const model = view.leaderboard.models.find((one) => one.modelId === id);
  return model === undefined ? id : withoutProvider(model.name);
}

const order = ({ pairOrder }: AgreementRow) => `${fixed(100 * pairOrder, 1)}%`;

/** Other summaries of the same answers (paper table 4). */
export function metricsTable(view: ReleaseView): ReportTable | null {
  const rows = metricRows(view);
  const leader = byRank(view.leaderboard.models)[0]?.modelId ?? '';
  const score = METRIC_NAME.flavourbench_score!;
  if (rows === null) return null;
  const primary = { label: score, correlation: 1, pairOrder: 1, leader };
  const others = rows.filter(({ label }) => label !== score);
  return {
    name: 'metrics',
    caption: 'Other summaries of the same decisions against the score.',
    columns: [left('Score summary'), right('Rank ρ'), right('Pair order'), left('Point leader')],
    rows: [rows.find(({ label }) => label === score) ?? primary, ...others].map((row) => [
      row.label,
      three(row.correlation),
      order(row),
      leaderName(view, row.leader),
    ]),
  };
}

/** The same answers under other reward maps (paper table 5). */
export function checkpointTable(view: ReleaseView): ReportTable | null {
  const rows = checkpointRows(view);
  return rows === null
    ? null
    : {
        name: 'checkpoints',
        caption: 'Other reward maps on the same tasks and answers. Task-map ρ: median over the tasks.',
        columns: [
          left('Reward map'),
          right('Task-map ρ'),
          right('Model-rank ρ'),
          right('Pair order'),
          left('Point leader'),
        ],
        rows: rows.map((row) => [
          row.label,
          three(row.taskMap),
          three(row.correlation),
          order(row),
          leaderName(view, row.leader),
        ]),
      };
}

/** Observed substitutions (paper table 6). */
export function substitutionTable(view: ReleaseView): ReportTable | null {
  const rows = substitutionRows(view);
  return rows === null
    ? null
    : {
        name: 'substitutions',
        caption:
          'Observed substitutes among candidates of their food group; novel pairs were not in the training part.',
        columns: [
          left('Checkpoint'),
          centre(`Percentile [${coverageText(0.05)} CI]`),
          right('Novel pairs'),
          right('Hit@10'),
        ],
        rows: rows.map((row) => [
          row.space,
          `${three(row.percentile)} [${three(row.low)}, ${three(row.high)}]`,
          row.novel === null ? 'none' : three(row.novel.percentile),
          three(row.hitAt10),
        ]),
      };
}
