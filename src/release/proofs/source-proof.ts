import type { z } from 'zod';
import { utf8Text } from '#platform';
import { readAnalysisPlan } from '../../inference/analysis-plan.js';
import { readStatedPlan } from '../../inference/plan.js';
import { isObject, type JsonObject, parseObject } from '../../io/json.js';
import { statedParser } from '../../responses/parser-contract.js';
import { coreTasks, provedCorePlan } from '../../tasks/coreplan.js';
import { rankedTasks } from '../../tasks/task.js';
import { checked } from '../../util/schema.js';

import { asStated, type Witness } from '../../witness/witness.js';
import type { ReleasedPlan } from '../plans/released-plan.js';
import {
  AS_BUILT,
  ATTEMPTS,
  below,
  type Inventory,
  RELEASE_FILES,
  RELEASE_SCHEMAS,
  type ReleaseFile,
  textOf,
} from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { rosterAsked, rosterModels } from '../released-models.js';
import { statementSchema } from '../statement.js';
import { missing } from './file-proof.js';
import type { Findings } from './findings.js';
import type { ThreadProofs } from './line-proof.js';
import { proveObservations } from './observation-proof.js';
import { proveOldRules } from './old-rules-proof.js';
import type { ReadTasks } from './task-proof.js';

const stated = statementSchema.pick({ schema: true, plan: true, results: true, run: true });

/** Reads the sources of a release back from its folder, each proved on its own; undefined where one cannot be used. */
export async function proveSources(
  files: Inventory,
  { taskFiles, files: tasks }: ReadTasks,
  thread: ThreadProofs,
  findings: Findings,
): Promise<ReleaseSources | undefined> {
  const release = document(files, RELEASE_FILES.release, stated, findings);
  const roster = document(files, RELEASE_FILES.roster, rosterModels, findings);
  const observed = files.get(RELEASE_FILES.observations);
  if (observed === undefined) missing(findings, RELEASE_FILES.observations);
  const observations = observed ? await proveObservations(observed, thread.answers, findings) : [];
  if (!release || !roster || !tasks || observed === undefined) return undefined;
  return findings.attempt(RELEASE_FILES.release, () => {
    const {
      benchmark,
      track,
      claim_boundary: claim,
      licence,
      core_plan,
      response_parser,
      response_parser_sha256,
    } = release.results;
    const place = { file: RELEASE_FILES.release, path: 'results.response_parser' };
    const rules = release.schema === RELEASE_SCHEMAS[1] ? 1 : 2;
    const core = core_plan ? proveCorePlan(files, findings) : null;
    if (core === undefined) return undefined;
    const standing = release.results.analysis_plan;
    const analysisPlan = standing?.kind === 'planned' ? proveAnalysisPlan(files, standing.witnesses, findings) : null;
    if (analysisPlan === undefined) return undefined;
    const sources: ReleaseSources = {
      title: { benchmark, track, claim, licence },
      plan: readStatedPlan(release.plan, RELEASE_FILES.release),
      analysisPlan,
      taskFiles,
      files: tasks,
      tasks: core ? coreTasks(core.plan, tasks) : rankedTasks(tasks.tasks),
      core,
      models: roster.models.map(({ model_id }) => model_id),
      roster: roster.models.map((model) => ({
        modelId: model.model_id,
        name: model.model_name,
        slotId: model.slot_id,
      })),
      observations,
      parser: statedParser({ parser: response_parser, parser_sha256: response_parser_sha256 }, place),
      rules,
      version: release.run.version,
      phase: phaseOf(core?.document),
      asked: rules === 1 ? null : rosterAsked(roster),
      journals: journals(files),
      analyses: below(files, RELEASE_FILES.analyses),
    };
    if (rules === 1) proveOldRules(release.results, sources, findings);
    return sources;
  });
}

function phaseOf(core: JsonObject | undefined): string {
  const { phase } = isObject(core?.sources) ? core.sources : {};
  return typeof phase === 'string' ? phase : 'primary';
}

function document<S extends z.ZodType>(
  files: Inventory,
  name: string,
  schema: S,
  findings: Findings,
): z.output<S> | undefined {
  const text = textOf(files, name);
  if (text === undefined) {
    missing(findings, name);
    return undefined;
  }
  return findings.attempt(name, () => checked(schema, parseObject(text, { file: name }), { file: name }, AS_BUILT));
}

function journals(files: Inventory): ReleaseFile[] {
  return [...files]
    .flatMap(([name, bytes]) => {
      const found = ATTEMPTS.exec(name);
      return found ? [{ name, bytes, number: Number(found[1] ?? 1) }] : [];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ name, bytes }) => ({ name, bytes }));
}

function proveAnalysisPlan(
  files: Inventory,
  witnesses: readonly Witness[] = [],
  findings: Findings,
): ReleasedPlan | undefined {
  const name = RELEASE_FILES.plan;
  const bytes = files.get(name);
  if (!bytes) {
    missing(findings, name);
    return undefined;
  }
  return findings.attempt(name, () => ({
    plan: readAnalysisPlan(utf8Text(bytes), name),
    bytes,
    witnesses: asStated(witnesses),
    token: files.get(RELEASE_FILES.planToken) ?? null,
  }));
}

function proveCorePlan(files: Inventory, findings: Findings): ReleaseSources['core'] | undefined {
  const name = RELEASE_FILES.core;
  const bytes = files.get(name);
  if (!bytes) {
    missing(findings, name);
    return undefined;
  }
  return findings.attempt(name, () => ({
    plan: provedCorePlan(name, bytes),
    document: parseObject(utf8Text(bytes), { file: name }),
    bytes,
  }));
}
