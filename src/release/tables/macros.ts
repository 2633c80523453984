import { escapeLatex } from '../../io/text-table.js';
import { PORTFOLIOS } from '../../tasks/task.js';
import { fixed } from '../../util/format.js';
import { joinedKey } from '../../util/joined.js';
import { byRank, familiesOf, modelName } from '../names.js';
import type { ReleaseView } from '../view.js';
import { spread } from './leaderboard-tables.js';

/** A LaTeX macro, or what it needs to have a value. */
export type Macro =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly needs: string };

const two = (value: number | null | undefined) => (value === null || value === undefined ? null : fixed(value, 2));

/** Fills in the 25 macros of a release (collection 3.3). */
export function releaseMacros(view: ReleaseView): Macro[] {
  const { leaderboard, corePlan } = view;
  const top = byRank(leaderboard.models)[0];
  const panels = leaderboard.replication === null ? 1 : 2;
  const perFamily = Object.values(leaderboard.tasksPerFamily);
  const cells = leaderboard.models.length * leaderboard.tasks;
  const plan = corePlan?.artifact_sha256;
  const of = (name: string, value: number | string | null | undefined, needs = ''): Macro =>
    value === null || value === undefined ? { name, needs } : { name, value: String(value) };
  return [
    of('FBModels', leaderboard.models.length),
    of('FBTasks', leaderboard.tasks),
    of('FBTasksPerFamily', spread(perFamily)),
    of('FBTasksPerPanelFamily', panelCounts(view, panels, perFamily), 'the tasks'),
    of('FBPanelCount', panels),
    of('FBFamilies', familiesOf(leaderboard).length),
    of('FBUniqueAnchors', leaderboard.clusters),
    of('FBSelectionsPerTask', PORTFOLIOS.length),
    of('FBPrefrozenScores', PORTFOLIOS.length * leaderboard.tasks),
    of('FBPrimaryCells', cells),
    of('FBPairs', leaderboard.pairs.length),
    of('FBSignificantPairs', leaderboard.resolvedPairs),
    of('FBBootstrapResamples', leaderboard.plan.draws),
    of('FBPermutationResamples', leaderboard.plan.flips),
    of('FBTopModel', top && modelName(view, top)),
    of('FBTopScore', top && fixed(top.score, 1)),
    of('FBTopCILow', top && fixed(top.simultaneous[0], 1)),
    of('FBTopCIHigh', top && fixed(top.simultaneous[1], 1)),
    of('FBTopGroup', top?.group),
    of('FBDefinitiveTop', leaderboard.top === null ? 'no' : 'yes'),
    of('FBPanelPearson', two(leaderboard.replication?.scorePearson), 'two panels'),
    of('FBPanelSpearman', two(leaderboard.replication?.rankSpearman), 'two panels'),
    of('FBIndependentClusters', leaderboard.clusters),
    of('FBCompleteCells', cells),
    of('FBPlanDigest', typeof plan === 'string' ? plan.slice(0, 12) : null, 'the core plan'),
  ];
}

/** Tasks of a panel and family: counted, or for equal families of a document without tasks an even share. */
function panelCounts(view: ReleaseView, panels: number, perFamily: readonly number[]): string | null {
  if (view.tasks !== null) {
    const counts = new Map<string, number>();
    for (const { panel, family } of view.tasks) {
      const key = joinedKey(panel, family);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return spread([...counts.values()]);
  }
  return perFamily.every((count) => count % panels === 0) ? spread(perFamily.map((count) => count / panels)) : null;
}

/** Writes the macros file. Macros without a value are left out and named in a comment. */
export function macrosText(macros: readonly Macro[]): string {
  return macros
    .map((macro) =>
      'value' in macro
        ? `\\newcommand{\\${macro.name}}{${escapeLatex(macro.value)}}\n`
        : `% ${macro.name} needs ${macro.needs}\n`,
    )
    .join('');
}
