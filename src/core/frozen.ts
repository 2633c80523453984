import { z } from 'zod';
import { readObject } from '../io/json.js';
import { type CorePlan, verifyCorePlan } from '../tasks/coreplan.js';
import { fail } from '../util/error.js';
import { checked } from '../util/schema.js';
import { CORE_PLAN_SCHEMA } from './freeze.js';

/** A core that `core freeze` wrote, with what is needed to find its records again. */
export interface FrozenCore {
  readonly plan: CorePlan;
  readonly models: readonly string[];
  readonly phase: string;
  /** Per panel: `response_artifact_set_sha256`. */
  readonly responseSets: ReadonlyMap<string, string>;
  readonly scoresInspected: number;
}

const documentSchema = z.object({
  schema: z.literal(CORE_PLAN_SCHEMA),
  scores_inspected: z.int().min(0).default(0),
  sources: z.object({ phase: z.string().default('primary') }).default({ phase: 'primary' }),
  common_core: z.object({
    ranked_model_ids: z.array(z.string()),
    panels: z.record(z.string(), z.object({ response_artifact_set_sha256: z.string() })),
  }),
});

/** Reads and proves a plan of ours. Errors: those of `verifyCorePlan`; SCHEMA_INVALID for a plan from elsewhere. */
export function readFrozenCore(path: string): FrozenCore {
  const plan = verifyCorePlan(path);
  const value = readObject(path);
  if (value.schema !== CORE_PLAN_SCHEMA) {
    fail(
      'SCHEMA_INVALID',
      { file: path, path: 'schema' },
      'was not written by core freeze',
      'With a released core give the answers to `infer --core` instead.',
    );
  }
  const place = { file: path };
  const { scores_inspected, sources, common_core } = checked(
    documentSchema,
    value,
    place,
    'Give the plan as `core freeze` wrote it.',
  );
  return {
    plan,
    models: common_core.ranked_model_ids,
    phase: sources.phase,
    responseSets: new Map(
      Object.entries(common_core.panels).map(([panel, block]) => [panel, block.response_artifact_set_sha256]),
    ),
    scoresInspected: scores_inspected,
  };
}
