import { type Analysis, isOfSchema, type ReleaseFigure, type ReleaseTable } from './analysis.js';
import { checkpoints } from './checkpoints/checkpoints.js';
import { contrast } from './contrast/contrast.js';
import { coverage } from './coverage/coverage.js';
import { filter } from './filter/filter.js';
import { generalizability } from './generalizability/generalizability.js';
import { metrics } from './metrics/metrics.js';
import { power } from './power/power.js';
import { precision } from './precision/precision.js';
import { rankAudit } from './rank-audit/rank-audit.js';
import { roster } from './roster/roster.js';
import { substitutions } from './substitutions/substitutions.js';
import { weights } from './weights/weights.js';

/** An analysis of whatever plan, results and options. */
export type AnyAnalysis = Analysis<object, object, object>;

/** The checks of `sensitivity`, in the order of the paper. */
export const SENSITIVITY: readonly AnyAnalysis[] = [
  precision,
  generalizability,
  roster,
  filter,
  metrics,
  weights,
  checkpoints,
  substitutions,
];

/** Schema of the list that `sensitivity all` writes beside the documents. */
export const SENSITIVITY_INDEX = 'flavourbench-sensitivity/1';

/** Every analysis. There is no other list of them: commands, figures and tables of a release and the verifier read this one. */
export const ANALYSES: readonly AnyAnalysis[] = [...SENSITIVITY, rankAudit, power, coverage, contrast];

/** Finds the analysis that writes documents of a schema; undefined where none does. */
export function analysisOfSchema(schema: unknown): AnyAnalysis | undefined {
  return ANALYSES.find((analysis) => isOfSchema(analysis.schema, schema));
}

/** The figures of a release that analyses give. */
export const ANALYSIS_FIGURES: readonly ReleaseFigure[] = ANALYSES.flatMap(({ figures = [] }) => figures);

/** The tables of a release that analyses give. */
export const ANALYSIS_TABLES: readonly ReleaseTable[] = ANALYSES.flatMap(({ tables = [] }) => tables);
