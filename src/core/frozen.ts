import { type CorePlan, verifyCorePlan } from '../tasks/coreplan.js';
import { FlavourError } from '../util/error.js';
import { readJson } from '../util/json.js';
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

interface Document {
  readonly schema?: string;
  readonly scores_inspected?: number;
  readonly sources?: { readonly phase?: string };
  readonly common_core: {
    readonly ranked_model_ids: readonly string[];
    readonly panels: Readonly<Record<string, { readonly response_artifact_set_sha256: string }>>;
  };
}

/** Reads and proves a plan of ours. Errors: those of `verifyCorePlan`; SCHEMA_INVALID for a plan from elsewhere. */
export function readFrozenCore(path: string): FrozenCore {
  const plan = verifyCorePlan(path);
  const { schema, scores_inspected, sources, common_core } = readJson(path) as Document;
  if (schema !== CORE_PLAN_SCHEMA) {
    throw new FlavourError('SCHEMA_INVALID', `${path} was not written by core freeze`, {
      hint: 'With a released core give the answers to `infer --core` instead.',
      where: { file: path, path: 'schema' },
    });
  }
  return {
    plan,
    models: common_core.ranked_model_ids,
    phase: sources?.phase ?? 'primary',
    responseSets: new Map(
      Object.entries(common_core.panels).map(([panel, block]) => [
        panel,
        block.response_artifact_set_sha256,
      ]),
    ),
    scoresInspected: scores_inspected ?? 0,
  };
}
