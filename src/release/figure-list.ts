import { transferFigureData } from '../analyses/contrast/marks.js';
import { csvText } from '../io/csv.js';
import { checkpointSheet, precisionSheet, selectionSheet, substitutionSheet } from './analysis-rows.js';
import {
  familySheet,
  forestSheet,
  pairSheet,
  panelSheet,
  pipelineSheet,
  rankSheet,
  type Sheet,
} from './figure-rows.js';
import { transfersOf } from './source.js';
import type { ReleaseView } from './view.js';

/** Figures in the order of the paper: the name of their files, their number there, and what they need beside a leaderboard. */
export const FIGURES = [
  { name: 'pipeline', number: 1, title: 'From environment to leaderboard', needs: null },
  { name: 'forest', number: 2, title: 'Scores with simultaneous intervals', needs: null },
  { name: 'panels', number: 3, title: 'Two panels', needs: 'a second panel of tasks' },
  { name: 'precision', number: 4, title: 'Precision', needs: 'the precision analysis' },
  { name: 'pairs', number: 5, title: 'Pairs', needs: null },
  { name: 'families', number: 6, title: 'Families', needs: null },
  { name: 'ranks', number: 7, title: 'Rank intervals', needs: null },
  {
    name: 'transfer',
    number: 8,
    title: 'Reward transfer',
    needs: 'an analysis by transfer contrast',
  },
  {
    name: 'selection',
    number: 9,
    title: 'Task filter and score',
    needs: 'the roster or the metrics analysis',
  },
  {
    name: 'checkpoints',
    number: 10,
    title: 'Other reward maps',
    needs: 'the checkpoints analysis',
  },
  {
    name: 'substitutions',
    number: 11,
    title: 'Observed substitutions',
    needs: 'the substitutions analysis',
  },
] as const;

export type FigureEntry = (typeof FIGURES)[number];
export type FigureName = FigureEntry['name'];

const text = (sheet: Sheet | null) => sheet && csvText(sheet.header, sheet.rows);

const CSV: Readonly<Record<FigureName, (view: ReleaseView) => string | null>> = {
  pipeline: (view) => text(pipelineSheet(view)),
  forest: (view) => text(forestSheet(view)),
  panels: (view) => text(panelSheet(view)),
  precision: (view) => text(precisionSheet(view)),
  pairs: (view) => text(pairSheet(view)),
  families: (view) => text(familySheet(view)),
  ranks: (view) => text(rankSheet(view)),
  transfer: (view) => {
    const results = transfersOf(view).map(({ result }) => result);
    return results.length === 0 ? null : transferFigureData(results);
  },
  selection: (view) => text(selectionSheet(view)),
  checkpoints: (view) => text(checkpointSheet(view)),
  substitutions: (view) => text(substitutionSheet(view)),
};

/** What a figure draws, as CSV; null where its input is missing. Loads no chart library. */
export function figureData(view: ReleaseView, name: FigureName): string | null {
  return CSV[name](view);
}
