import { drawCheckpoints } from '../analyses/checkpoints/figure.js';
import type { CheckpointResult } from '../analyses/checkpoints/other-maps.js';
import { drawContrast } from '../analyses/contrast/figure.js';
import type { MetricResult } from '../analyses/metrics/scores.js';
import { drawPrecision } from '../analyses/precision/figure.js';
import type { PrecisionSize } from '../analyses/precision/subsets.js';
import type { RosterResult } from '../analyses/roster/omission.js';
import { drawSelection } from '../analyses/selection-figure.js';
import type { SubstitutionResult } from '../analyses/substitutions/check.js';
import { drawSubstitutions } from '../analyses/substitutions/figure.js';
import type { DrawOptions } from '../draw/look.js';
import { drawFamilies } from './figure-families.js';
import { drawForest, drawRanks } from './figure-forest.js';
import type { FigureName } from './figure-list.js';
import { drawPairs } from './figure-pairs.js';
import { drawPanels } from './figure-panels.js';
import { drawPipeline } from './figure-pipeline.js';
import { rankedModels, transfersOf, typedResults } from './source.js';
import type { ReleaseView } from './view.js';

/** The drawing of each figure; call it only where the figure's data are there. */
export const DRAWINGS: Readonly<Record<FigureName, (view: ReleaseView, options: DrawOptions) => string>> = {
  pipeline: drawPipeline,
  forest: drawForest,
  panels: drawPanels,
  precision: (view, options) =>
    drawPrecision(typedResults<{ sizes: PrecisionSize[] }>(view, 'precision')!.sizes, options),
  pairs: drawPairs,
  families: drawFamilies,
  ranks: drawRanks,
  transfer: (view, options) =>
    drawContrast(
      transfersOf(view).map(({ result, plan }) => ({
        results: result,
        plan: { threshold_points: plan.number('threshold_points'), alpha: plan.number('alpha') },
      })),
      options,
    ),
  selection: (view, options) =>
    drawSelection(
      {
        roster: typedResults<RosterResult>(view, 'roster'),
        metrics: typedResults<{ metrics: MetricResult[] }>(view, 'metrics')?.metrics ?? null,
      },
      { ...options, models: rankedModels(view) },
    ),
  checkpoints: (view, options) =>
    drawCheckpoints(typedResults<{ checkpoints: CheckpointResult[] }>(view, 'checkpoints')!.checkpoints, {
      ...options,
      models: rankedModels(view),
    }),
  substitutions: (view, options) =>
    drawSubstitutions(typedResults<{ spaces: SubstitutionResult[] }>(view, 'substitutions')!.spaces, options),
};
