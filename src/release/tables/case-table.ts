import type { ReportTable } from '../../io/report-table.js';
import { fixed } from '../../util/format.js';
import { Fields } from '../board.js';
import { familyName } from '../names.js';
import type { ReleaseView } from '../release.js';
import { left } from './leaderboard-tables.js';

export interface CaseAnswer {
  readonly model: string;
  /** The words of the answer; null where only the selection is known. */
  readonly text: string | null;
  readonly selection: string | null;
  readonly ingredients: readonly string[];
  /** Points. */
  readonly score: number | null;
}

export interface CaseStudy {
  readonly id: string;
  readonly family: string;
  readonly prompt: string;
  readonly higher: CaseAnswer;
  readonly lower: CaseAnswer;
}

function answerOf(fields: Fields): CaseAnswer {
  const optional = (key: string) =>
    fields.value[key] === null || fields.value[key] === undefined ? null : fields.text(key);
  const list = fields.value.ingredients;
  return {
    model: optional('model_name') ?? fields.text('model_id'),
    text: optional('answer'),
    selection: optional('selection'),
    ingredients: Array.isArray(list) ? list.map((name) => String(name).replaceAll('_', ' ')) : [],
    score: fields.value.score_bps === null ? null : fields.number('score_bps') / 100,
  };
}

/** The case studies of a release; null where it has none. Errors: SCHEMA_INVALID with the field. */
export function caseStudies(view: ReleaseView): CaseStudy[] | null {
  if (view.cases === null) return null;
  return new Fields('cases.json', '', view.cases).objects('cases').map((entry) => ({
    id: entry.text('task_id'),
    family: entry.text('family'),
    prompt: entry.text('prompt'),
    higher: answerOf(entry.object('higher_ranked')),
    lower: answerOf(entry.object('lower_ranked')),
  }));
}

/** The sentence of a prompt that asks: the line after `Family:`, else its first paragraph. */
export function question(prompt: string): string {
  const lines = prompt.split('\n');
  const at = lines.findIndex((line) => line.startsWith('Family:'));
  const from = lines.slice(at + 1);
  const end = from.findIndex((line) => line.trim() === '');
  return from
    .slice(0, end < 0 ? undefined : end)
    .join(' ')
    .trim();
}

const cell = ({ ingredients, score }: CaseAnswer) =>
  `${ingredients.length === 0 ? 'no selection' : ingredients.join(', ')}${score === null ? '' : ` (${fixed(score, 0)})`}`;

/** One task a family with the answers of the first and the last model (paper table 7). */
export function examplesTable(view: ReleaseView): ReportTable | null {
  const cases = caseStudies(view);
  if (cases === null) return null;
  const order = [...view.board.families];
  const place = ({ family }: CaseStudy) => (order.indexOf(family) + order.length + 1) % (order.length + 1);
  return {
    name: 'examples',
    caption: 'One task a family, chosen by hash. In brackets: the score of the answer.',
    columns: [
      left('Family'),
      { title: 'Prompt', align: 'wide' },
      { title: 'Higher-ranked selection', align: 'wide' },
      { title: 'Lower-ranked selection', align: 'wide' },
    ],
    rows: [...cases]
      .sort((a, b) => place(a) - place(b))
      .map((study) => [
        familyName(study.family),
        question(study.prompt) || 'not stated',
        cell(study.higher),
        cell(study.lower),
      ]),
  };
}
