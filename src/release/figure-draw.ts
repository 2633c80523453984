import type { Theme } from '../draw/figure.js';
import { drawCheckpoints } from './figure-checkpoints.js';
import { drawFamilies } from './figure-families.js';
import { drawForest, drawRanks } from './figure-forest.js';
import type { FigureName } from './figure-list.js';
import { drawPairs } from './figure-pairs.js';
import { drawPanels } from './figure-panels.js';
import { drawPipeline } from './figure-pipeline.js';
import { drawPrecision } from './figure-precision.js';
import { drawSelection } from './figure-selection.js';
import { drawSubstitutions } from './figure-substitutions.js';
import { drawTransfer } from './figure-transfer.js';
import type { ReleaseView } from './release.js';

/** The drawing of each figure; call it only where the figure's data are there. */
export const DRAWINGS: Readonly<Record<FigureName, (view: ReleaseView, theme: Theme) => string>> = {
  pipeline: drawPipeline,
  forest: drawForest,
  panels: drawPanels,
  precision: drawPrecision,
  pairs: drawPairs,
  families: drawFamilies,
  ranks: drawRanks,
  transfer: drawTransfer,
  selection: drawSelection,
  checkpoints: drawCheckpoints,
  substitutions: drawSubstitutions,
};
