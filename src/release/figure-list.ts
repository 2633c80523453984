import type { FigureData, ReleaseFigure } from '../analyses/analysis.js';
import { ANALYSIS_FIGURES } from '../analyses/list.js';
import type { DrawOptions } from '../draw/look.js';
import { csvText } from '../io/csv.js';
import { fail, shown } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';
import { familyData, forestData, pairData, panelData, pipelineData, rankData } from './figure-rows.js';
import { releasedOutcomes } from './released-outcomes.js';
import type { ReleaseView } from './view.js';

/** A figure of a release: the name of its files, its number in the paper, and what it needs beside a leaderboard. */
export interface FigureEntry extends Pick<ReleaseFigure, 'name' | 'number' | 'title'> {
  readonly needs: string | null;
  /** Null where the release lacks what it needs. Loads no chart library. */
  data(view: ReleaseView): FigureData | null;
  /** Called only where there are data. */
  draw(view: ReleaseView, options: DrawOptions): Promise<string>;
}

export const LEADERBOARD_FIGURES: readonly FigureEntry[] = [
  {
    name: 'pipeline',
    number: 1,
    title: 'From environment to leaderboard',
    needs: null,
    data: pipelineData,
    draw: async (...given) => (await import('./figure-pipeline.js')).drawPipeline(...given),
  },
  {
    name: 'forest',
    number: 2,
    title: 'Scores with simultaneous intervals',
    needs: null,
    data: forestData,
    draw: async (...given) => (await import('./figure-forest.js')).drawForest(...given),
  },
  {
    name: 'panels',
    number: 3,
    title: 'Two panels',
    needs: 'a second panel of tasks',
    data: panelData,
    draw: async (...given) => (await import('./figure-panels.js')).drawPanels(...given),
  },
  {
    name: 'pairs',
    number: 5,
    title: 'Pairs',
    needs: null,
    data: pairData,
    draw: async (...given) => (await import('./figure-pairs.js')).drawPairs(...given),
  },
  {
    name: 'families',
    number: 6,
    title: 'Families',
    needs: null,
    data: familyData,
    draw: async (...given) => (await import('./figure-families.js')).drawFamilies(...given),
  },
  {
    name: 'ranks',
    number: 7,
    title: 'Rank intervals',
    needs: null,
    data: rankData,
    draw: async (...given) => (await import('./figure-forest.js')).drawRanks(...given),
  },
];

/** The figures of a release in the order of the paper. */
export const FIGURES: readonly FigureEntry[] = [
  ...LEADERBOARD_FIGURES,
  ...ANALYSIS_FIGURES.map(
    (figure): FigureEntry => ({
      ...figure,
      data: (view) => figure.data(releasedOutcomes(view)),
      draw: (view, options) => figure.draw(releasedOutcomes(view), options),
    }),
  ),
].sort((a, b) => a.number - b.number);

/** Finds a figure by its name. Errors: USAGE where there is none. */
export function figureNamed(name: string): FigureEntry {
  return (
    FIGURES.find((figure) => figure.name === name) ??
    fail(
      'USAGE',
      null,
      `there is no figure ${shown(name)}`,
      `${
        nearestHint(
          name,
          FIGURES.map((figure) => figure.name),
        )?.concat(' ') ?? ''
      }Figures: ${FIGURES.map((figure) => `${figure.number} ${figure.name}`).join(', ')}.`,
    )
  );
}

/** Writes what a figure draws as CSV; null where its input is missing. Loads no chart library. */
export function figureData(view: ReleaseView, name: string): string | null {
  const data = figureNamed(name).data(view);
  return data && csvText(data.header, data.rows);
}
