import type { TextTable } from '../../io/text-table.js';
import { fixed } from '../../util/format.js';
import type { CaseAnswer, CaseStudy } from '../cases.js';
import { familiesOf, familyName } from '../names.js';
import type { ReleaseView } from '../view.js';
import { left } from './leaderboard-tables.js';

/** Finds the sentence of a prompt that asks: the line after `Family:`, else its first paragraph. */
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

/** Tables one task a family with the answers of the first and the last model (paper table 7). */
export function examplesTable(view: ReleaseView): TextTable | null {
  const { cases } = view;
  if (cases === null) return null;
  const order = familiesOf(view.leaderboard);
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
