import type { TextTable } from '../../io/text-table.js';
import { STUDY_PLAN_SCHEMAS } from '../../transfer/condition.js';
import { studyPlanSchema } from '../../transfer/study-plan-schema.js';
import { checked } from '../../util/schema.js';
import type { ReleaseView } from '../view.js';
import { left } from './leaderboard-tables.js';

/** What the transfer study fixed before any outcome (paper table 12); null without its frozen plan. Errors: SCHEMA_INVALID. */
export function transferProtocolTable(view: ReleaseView): TextTable | null {
  const found = [...view.analyses].find(([, { schema }]) => STUDY_PLAN_SCHEMAS.some((id) => id === schema));
  if (found === undefined) return null;
  const [name, document] = found;
  const plan = checked(studyPlanSchema, document, { file: `analyses/${name}.json` }, 'Give a release as it was built.');
  const { base_model: base, decoding, inference } = plan;
  return {
    name: 'transfer-protocol',
    caption: 'The transfer study as it was frozen.',
    columns: [left('Component'), left('Frozen value')],
    rows: [
      ['Base', `${base.id}, revision ${base.revision}`],
      ['Conditions', plan.conditions.join(', ')],
      ['Training seeds', plan.seeds.join(', ')],
      [
        'Decoding',
        `${decoding.greedy ? 'greedy' : 'sampled'}; thinking ${decoding.thinking ? 'on' : 'off'}; ${decoding.max_new_tokens} new tokens`,
      ],
      ['Primary score', `${plan.estimand}; unparseable responses score zero`],
      [
        'Inference',
        `${inference.draws} crossed bootstraps; ${inference.flips} anchor sign flips; alpha ${inference.alpha}`,
      ],
      ['Practical threshold', `${inference.threshold_points} points`],
    ],
  };
}
