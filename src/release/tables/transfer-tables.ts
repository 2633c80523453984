import { familyTable, mainTable, seedTable } from '../../analyses/contrast/tables.js';
import type { ReportTable } from '../../io/report-table.js';
import { analysisOf, transfersOf } from '../source.js';
import type { ReleaseView } from '../view.js';
import { left } from './leaderboard-tables.js';

const TABLES = { main: mainTable, families: familyTable, seeds: seedTable } as const;

/** A table of the transfer study (paper tables 8, 13, 14); null where there is no transfer analysis. */
export function transferTable(view: ReleaseView, part: keyof typeof TABLES): ReportTable | null {
  const results = transfersOf(view).map(({ result }) => result);
  return results.length === 0 ? null : TABLES[part](results);
}

/** What the study fixed before any outcome (paper table 12); null without its frozen plan. */
export function transferProtocolTable(view: ReleaseView): ReportTable | null {
  const plan = analysisOf(view, 'flavourbench-transfer-plan/1');
  if (plan === null) return null;
  const base = plan.object('base_model');
  const decoding = plan.object('decoding');
  const inference = plan.object('inference');
  const list = (key: string) => {
    const value = plan.value[key];
    return Array.isArray(value) ? value.map(String).join(', ') : 'not stated';
  };
  return {
    name: 'transfer-protocol',
    caption: 'The transfer study as it was frozen.',
    columns: [left('Component'), left('Frozen value')],
    rows: [
      ['Base', `${base.text('id')}, revision ${base.text('revision')}`],
      ['Conditions', list('conditions')],
      ['Training seeds', list('seeds')],
      [
        'Decoding',
        `${decoding.flag('greedy') ? 'greedy' : 'sampled'}; thinking ${decoding.flag('thinking') ? 'on' : 'off'}; ${decoding.number('max_new_tokens')} new tokens`,
      ],
      ['Primary score', `${plan.text('estimand')}; unparseable responses score zero`],
      [
        'Inference',
        `${inference.number('draws')} crossed bootstraps; ${inference.number('flips')} anchor sign flips; alpha ${inference.number('alpha')}`,
      ],
      ['Practical threshold', `${inference.number('threshold_points')} points`],
    ],
  };
}
