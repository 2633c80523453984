import { familyOrder } from '../../inference/strata.js';
import { pText, type TextTable } from '../../io/text-table.js';
import { BASE, CONTROL, type ConditionSummary, TREATMENT } from '../../transfer/condition.js';
import { coverageText, fixed } from '../../util/format.js';
import type { StudyResults } from './study.js';

const two = (x: number | undefined) => (x === undefined ? '' : fixed(x, 2));
const signed = (x: number) => `${x < 0 ? '−' : '+'}${fixed(Math.abs(x), 2)}`;

const TITLE = { primary: 'Anchor-disjoint transfer', secondary: 'Public-map replication' };
const FAMILY: Readonly<Record<string, string>> = {
  substitution: 'Substitution',
  pairing: 'Pairing',
  constraint: 'Constraints',
};

const condition = (result: StudyResults, name: string): ConditionSummary | undefined =>
  result.conditions.find((summary) => summary.condition === name);

const right = (title: string) => ({ title, align: 'right' as const });
const left = (title: string) => ({ title, align: 'left' as const });

/** Lists the scores of the three conditions and the effect, one row an evaluation (paper table 8). */
export function mainTable(results: readonly StudyResults[], alpha = 0.05): TextTable {
  return {
    name: 'transfer-main',
    caption: 'Reward transfer. Scores average the training seeds except the unmodified base.',
    columns: [
      left('Evaluation (n)'),
      right('Base'),
      right('Control'),
      right('SFT'),
      { title: `Δ [${coverageText(alpha)} CI]`, align: 'centre' },
      right('p'),
    ],
    rows: results.map((result) => {
      const { estimate, interval, sign_flip_p } = result.contrast;
      return [
        `${TITLE[result.stage]} (${result.tasks})`,
        two(condition(result, BASE)?.score),
        two(condition(result, CONTROL)?.score),
        two(condition(result, TREATMENT)?.score),
        `${signed(estimate)} [${two(interval[0])}, ${two(interval[1])}]`,
        pText(sign_flip_p),
      ];
    }),
  };
}

/** Lists descriptive family scores (paper table 13). */
export function familyTable(results: readonly StudyResults[]): TextTable {
  return {
    name: 'transfer-families',
    caption: 'Descriptive scores by task family; not separate confirmatory hypotheses.',
    columns: [left('Evaluation'), left('Family'), right('Base'), right('Control'), right('SFT'), right('Δ')],
    rows: results.flatMap((result) => {
      const of = (name: string, family: string) => condition(result, name)?.families[family]?.score;
      const families = familyOrder(Object.keys(condition(result, CONTROL)?.families ?? {}));
      return families.map((family) => [
        TITLE[result.stage],
        FAMILY[family] ?? family,
        two(of(BASE, family)),
        two(of(CONTROL, family)),
        two(of(TREATMENT, family)),
        signed(of(TREATMENT, family)! - of(CONTROL, family)!),
      ]);
    }),
  };
}

/** Lists matched training seeds (paper table 14). */
export function seedTable(results: readonly StudyResults[]): TextTable {
  const seeds = [...new Set(results.flatMap(({ training_seeds }) => training_seeds))].sort((a, b) => a - b);
  const suffix = (result: StudyResults) => (result.stage === 'primary' ? 'transfer' : 'public');
  return {
    name: 'transfer-seeds',
    caption: 'Matched training-seed scores. Each difference compares models of the same seed.',
    columns: [
      left('Seed'),
      ...results.flatMap((result) => ['Control', 'SFT', 'Δ'].map((title) => right(`${title} (${suffix(result)})`))),
    ],
    rows: seeds.map((seed) => [
      String(seed),
      ...results.flatMap((result) => {
        const k = result.training_seeds.indexOf(seed);
        if (k < 0) return ['', '', ''];
        return [
          two(condition(result, CONTROL)?.runs[k]?.score),
          two(condition(result, TREATMENT)?.runs[k]?.score),
          signed(result.contrast.per_seed[k]!),
        ];
      }),
    ]),
  };
}
