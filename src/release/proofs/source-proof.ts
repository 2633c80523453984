import type { z } from 'zod';
import { utf8Text } from '#platform';
import { readAnalysisPlan } from '../../inference/analysis-plan.js';
import { readStatedPlan } from '../../inference/plan.js';
import { isObject, type JsonObject, parseObject } from '../../io/json.js';
import { statedParser } from '../../responses/parser-contract.js';
import { coreTasks, provedCorePlan } from '../../tasks/coreplan.js';
import { rankedTasks } from '../../tasks/task.js';
import { joinedTaskSets, openTasks, taskSetOf } from '../../tasks/taskset.js';
import { provedTasks } from '../../tasks/verify-tasks.js';
import { once } from '../../util/once.js';
import { checked } from '../../util/schema.js';

import { asStated, type Witness } from '../../witness/witness.js';
import type { ReleasedPlan } from '../plans/released-plan.js';
import {
  AS_BUILT,
  ATTEMPTS,
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

const stated = statementSchema.pick({ schema: true, plan: true, results: true, run: true });

/** Reads the sources of a release back from its folder, each proved on its own; undefined where one cannot be used. */
export async function proveSources(
  files: Inventory,
  thread: ThreadProofs,
  findings: Findings,
): Promise<ReleaseSources | undefined> {
  const release = document(files, RELEASE_FILES.release, stated, findings);
  const roster = document(files, RELEASE_FILES.roster, rosterModels, findings);
  const observed = files.get(RELEASE_FILES.observations);
  if (observed === undefined) missing(findings, RELEASE_FILES.observations);
  const tasks = proveTasks(files, findings);
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
      ...tasks,
      tasks: core ? coreTasks(core.plan, tasks.files) : rankedTasks(tasks.files.tasks),
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

function below(files: Inventory, folder: string): ReleaseFile[] {
  return [...files].filter(([name]) => name.startsWith(folder)).map(([name, bytes]) => ({ name, bytes }));
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

/** A document with tasks and without a seal: a task set of somebody's own making. */
function isUnsealed(text: string): boolean {
  return !/"(?:task_set_sha256|artifact_sha256)"/.test(text) && /"tasks"\s*:/.test(text);
}

function proveTasks(files: Inventory, findings: Findings): Pick<ReleaseSources, 'files' | 'taskFiles'> | undefined {
  const taskFiles = below(files, RELEASE_FILES.tasks);
  if (taskFiles.length === 0) {
    missing(findings, RELEASE_FILES.tasks);
    return undefined;
  }
  const paths = taskFiles.map(({ name }) => name);
  const opened = taskFiles.map(({ name, bytes }) => once(() => openTasks(name, bytes)));
  const read = findings.attempt(RELEASE_FILES.tasks, () =>
    joinedTaskSets(
      paths,
      taskFiles.map(({ name, bytes }, i) => taskSetOf(name, bytes, opened[i]!())),
    ),
  );
  let proved = 0;
  let unsealed = 0;
  taskFiles.forEach(({ name, bytes }, i) => {
    if (isUnsealed(read ? opened[i]!().text : utf8Text(bytes))) {
      findings.note(`${name} states no digests of its own: its rows were checked, and its bytes`);
      unsealed += read?.sets[i]?.tasks.length ?? 0;
      return;
    }
    const verified = findings.attempt(name, () => provedTasks(name, bytes, opened[i]!()));
    proved += verified?.tasks.length ?? 0;
  });
  if (proved > 0) findings.done('tasks: prompt, choices, map, optimum, digests', proved);
  if (unsealed > 0) {
    findings.done('tasks without digests: choices, map, optimum', unsealed);
    findings.left('where tasks without digests come from', unsealed, 'nothing but this release states their content');
  }
  return read && { files: read, taskFiles };
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
