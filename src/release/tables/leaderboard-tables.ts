import { rankText } from '../../inference/model-ranks.js';
import type { TextColumn, TextTable } from '../../io/text-table.js';
import type { FamilyRule } from '../../tasks/family-rule.js';
import { mapStatistics } from '../../tasks/map-statistics.js';
import { LABELS, PORTFOLIOS } from '../../tasks/task.js';
import { coverageText, fixed } from '../../util/format.js';
import { isGrouped } from '../figure-rows.js';
import { byRank, familiesOf, familyName, isFood, modelName } from '../names.js';
import type { ReleaseView } from '../view.js';

export const left = (title: string): TextColumn => ({ title, align: 'left' });
export const right = (title: string): TextColumn => ({ title, align: 'right' });
export const centre = (title: string): TextColumn => ({ title, align: 'centre' });

const range = ([low, high]: readonly [number, number], places: number): string =>
  `[${fixed(low, places)}, ${fixed(high, places)}]`;

/** What the published families decide; their utilities stand in the task files, and in the paper for the published document. */
const DECISIONS: Readonly<Record<string, string>> = {
  substitution: 'three ingredients to stand in for an anchor',
  pairing: 'three ingredients to go with an anchor',
  constraint: 'three ingredients that keep a diet and a processing limit',
};

const PAPER_RULES = new Map<string, FamilyRule>([
  ['substitution', { utility: { 'similarity to the anchor': 0.8, coherence: 0.2 }, limits: [] }],
  ['pairing', { utility: { 'affinity with the anchor': 0.65, coherence: 0.35 }, limits: [] }],
  [
    'constraint',
    { utility: { 'similarity to the anchor': 0.7, coherence: 0.3 }, limits: ['diet', 'highest NOVA level'] },
  ],
]);

function utilityText({ utility }: FamilyRule): string {
  if (utility === null) return 'not stated';
  return Object.entries(utility)
    .map(([part, weight]) => `${weight} ${part}`)
    .join(' + ');
}

/** Tables the decision families (paper table 1); null in version 1, and where no task file says how a family is scored. */
export function decisionTable(view: ReleaseView): TextTable | null {
  const { tasksPerFamily } = view.leaderboard;
  const families = familiesOf(view.leaderboard);
  if (view.kind === 'folder' && isGrouped(view)) return null;
  const rules = view.kind === 'published' ? PAPER_RULES : view.rules;
  if (rules === undefined || families.some((family) => !rules.has(family))) return null;
  return {
    name: 'decisions',
    caption: `The task families. Each task has ${LABELS.length} candidates and ${PORTFOLIOS.length} scores.`,
    columns: [left('Family'), left('Decision'), left('Utility'), left('Hard constraint'), right('Tasks')],
    rows: families.map((family) => {
      const rule = rules.get(family)!;
      return [
        familyName(family),
        DECISIONS[family] ?? 'three of eight candidates',
        utilityText(rule),
        rule.limits.join(' and ') || 'none',
        String(tasksPerFamily[family]),
      ];
    }),
  };
}

/** Tables diagnostics of the score maps (paper table 2); null without the tasks. */
export function mapTable(view: ReleaseView): TextTable | null {
  if (view.tasks === null) return null;
  return {
    name: 'maps',
    caption:
      'Score maps by family: mean score of a random portfolio, median gap of the best two, median number of different scores.',
    columns: [left('Family'), right('Exact chance'), right('Top gap'), right('Distinct scores')],
    rows: mapStatistics(view.tasks).map((row) => [
      familyName(row.family),
      fixed(row.chance, 1),
      fixed(row.topGap, 1),
      fixed(row.distinct, 0),
    ]),
  };
}

/** Tables the leaderboard (paper table 3). */
export function leaderboardTable(view: ReleaseView): TextTable {
  const {
    tasks,
    models,
    plan: { alpha },
  } = view.leaderboard;
  const grouped = isGrouped(view);
  const letters = grouped ? '' : ' Two models that share a letter are not told apart, which is not the same as equal.';
  return {
    name: 'leaderboard',
    caption: `The leaderboard: every score over the same ${tasks} tasks. A point rank is no claim that neighbours differ.${letters}`,
    columns: [
      right('Rank'),
      left('Model'),
      right('FB Score'),
      centre(`simultaneous ${coverageText(alpha)} CI`),
      ...(grouped
        ? [centre(`rank ${coverageText(alpha)} CI`), centre('group')]
        : [centre('rank set'), centre('letters')]),
    ],
    rows: byRank(models).map((model) => [
      rankText(model),
      modelName(view, model),
      fixed(model.score, 1),
      range(model.simultaneous, 1),
      ...(grouped
        ? [range(model.rankInterval, 0), String(model.group)]
        : [model.rankSet === null ? '' : range(model.rankSet, 0), model.letters ?? '']),
    ]),
  };
}

/** Tables the scores by family (paper table 10). */
export function familyTable(view: ReleaseView): TextTable {
  const { models } = view.leaderboard;
  const families = familiesOf(view.leaderboard);
  return {
    name: 'families',
    caption: 'Mean score in each family.',
    columns: [left('Model'), ...families.map((family) => right(familyName(family)))],
    rows: byRank(models).map((model) => [
      modelName(view, model),
      ...families.map((family) => fixed(model.familyScores[family]!, 1)),
    ]),
  };
}

/** Tables the way to each model by panel (paper table 9); null where no route is known. */
export function routeTable(view: ReleaseView): TextTable | null {
  const { routes, leaderboard } = view;
  if (routes.length === 0) return null;
  const panels = leaderboard.replication?.panels ?? [...new Set(routes.map(({ panel }) => panel))].sort();
  const distinct = (values: readonly (string | null)[]) =>
    [...new Set(values.map((value) => value ?? 'not stated'))].join(' + ') || 'not stated';
  return {
    name: 'routes',
    caption: 'Routes by panel, without automatic fallback.',
    columns: [left('Model'), left('Backend'), ...panels.map((panel) => left(`${panelTitle(panel)} route`))],
    rows: byRank(leaderboard.models).map((model) => {
      const own = routes.filter((route) => route.model === model.modelId);
      return [
        modelName(view, model),
        distinct(own.map(({ transport }) => transport)),
        ...panels.map((panel) =>
          distinct(
            own
              .filter((route) => route.panel === panel)
              .map(({ tag, provider, expectedModel }) => tag ?? provider ?? expectedModel),
          ),
        ),
      ];
    }),
  };
}

function panelTitle(panel: string): string {
  const words = panel.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Words how many, or from how few to how many. */
export function spread(counts: readonly number[]): string {
  const low = Math.min(...counts);
  const high = Math.max(...counts);
  return low === high ? String(low) : `${low}–${high}`;
}

/** Tables what was fixed before collection (paper table 11). */
export function protocolTable(view: ReleaseView): TextTable {
  const { leaderboard } = view;
  const things = isFood(view) ? 'ingredients' : 'items';
  return {
    name: 'protocol',
    caption: 'Constants of design and inference.',
    columns: [left('Quantity'), left('Value')],
    rows: (
      [
        ['Models', leaderboard.models.length],
        ['Collection panels', leaderboard.replication === null ? 1 : 2],
        ['Primary tasks per model', leaderboard.tasks],
        ['Unique anchor clusters', leaderboard.clusters],
        ['Tasks per family', spread(Object.values(leaderboard.tasksPerFamily))],
        [`Candidate ${things}`, LABELS.length],
        [`Selected ${things}`, PORTFOLIOS[0]!.length],
        ['Scored portfolios per task', PORTFOLIOS.length],
        ['Complete response cells', leaderboard.models.length * leaderboard.tasks],
        ['Bootstrap replicates', leaderboard.plan.draws],
        ['Sign-flip replicates', leaderboard.plan.flips],
        ['Pairwise hypotheses', leaderboard.pairs.length],
        ['Shared cells per pair', leaderboard.tasks],
        ['Common-core rule', view.corePlan === null ? 'not stated' : 'Status/parser only; score-blind'],
      ] as const
    ).map(([quantity, value]) => [quantity, String(value)]),
  };
}
