import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { matrixDigest } from '../analyses/about.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { inferenceDigest } from '../inference/inference-document.js';
import { readStatedPlan } from '../inference/plan.js';
import { readLeaderboard } from '../inference/read-leaderboard.js';
import { readInput, storedFile } from '../io/file.js';
import type { JsonObject } from '../io/json.js';
import { readObject } from '../io/read-file.js';
import { readMatrix } from '../scores/matrix-file.js';
import type { Task } from '../tasks/task.js';
import { readTaskFiles } from '../tasks/task-files.js';
import { statedRules, type TaskFiles } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';
import { caseStudies, casesSchema } from './cases.js';
import { AS_BUILT, RELEASE_FILES } from './release-files.js';
import { rosterRoutes, rosterSchema } from './released-models.js';
import { statedProtocol, statementSchema } from './statement.js';
import { assertOwnAnalyses } from './subject.js';
import type { ReleaseView } from './view.js';

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Opens a release folder of ours. Nothing is proved here (`verifyRelease`). Errors: INPUT_NOT_FOUND where it holds no
 * release; SCHEMA_INVALID with the field; TASK_UNKNOWN for a ranked task that is in no task file.
 */
export async function openRelease(dir: string): Promise<ReleaseView> {
  const at = (name: string) => join(dir, name);
  if (!existsSync(at(RELEASE_FILES.release))) {
    fail(
      'INPUT_NOT_FOUND',
      { file: dir },
      `holds no ${RELEASE_FILES.release}`,
      'Give the folder that `release build` wrote, or a published release document.',
    );
  }
  const place = (name: string, path?: string) => ({ file: at(name), path });
  const read = (name: string) => readObject(storedFile(at(name)));
  const release = checked(statementSchema, read(RELEASE_FILES.release), place(RELEASE_FILES.release), AS_BUILT);
  const { matrix } = await readMatrix(readInput(storedFile(at(RELEASE_FILES.matrix))), place(RELEASE_FILES.matrix));
  const roster = checked(rosterSchema, read(RELEASE_FILES.roster), place(RELEASE_FILES.roster), AS_BUILT);
  const cases = checked(casesSchema, read(RELEASE_FILES.cases), place(RELEASE_FILES.cases), AS_BUILT);
  const inference = read(RELEASE_FILES.inference);
  const corePlan = existsSync(at(RELEASE_FILES.core)) ? read(RELEASE_FILES.core) : null;
  const analyses = readAnalyses([at(RELEASE_FILES.analyses)]);
  const leaderboard = readLeaderboard(inference.results, place(RELEASE_FILES.inference, 'results'), AS_BUILT);
  const subject = {
    models: leaderboard.models.map(({ modelId }) => modelId),
    matrix_sha256: () => matrixDigest(matrix),
    inference_sha256: () => inferenceDigest(inference.results as object),
    core_sha256: () => (corePlan === null ? null : dataText(corePlan.artifact_sha256)),
  };
  assertOwnAnalyses(analyses, subject, { unbound: release.results.protocol === undefined });
  const files = readTaskFiles(taskPaths(dir));
  return {
    kind: 'folder',
    digest: release.artifact_sha256,
    address: statedAddress(at(RELEASE_FILES.manifest)),
    benchmark: release.results.benchmark,
    track: release.results.track,
    claim: release.results.claim_boundary,
    protocol: statedProtocol(release.results.protocol),
    standing: release.results.analysis_plan?.words,
    leaderboard,
    plan: readStatedPlan(release.plan, at(RELEASE_FILES.release)),
    corePlan,
    tasks: rankedIn(matrix, files),
    rules: statedRules(files),
    matrix,
    routes: rosterRoutes(roster),
    analyses,
    cases: caseStudies(cases),
  };
}

function statedAddress(manifest: string): string | null {
  if (!existsSync(manifest)) return null;
  const { artifact_sha256 } = readObject(storedFile(manifest));
  return typeof artifact_sha256 === 'string' ? artifact_sha256 : null;
}

/** The tasks of a matrix, in its order. Errors: TASK_UNKNOWN. */
function rankedIn(matrix: ScoreMatrix, files: TaskFiles): Task[] {
  return matrix.tasks.map((id) => {
    const task = files.byId.get(id);
    if (task) return task;
    return fail('TASK_UNKNOWN', null, `the matrix has task ${shown(id)}; no task file has it`, 'Give every task file.');
  });
}

/** Task files of a release, in the order of their names. */
function taskPaths(dir: string): string[] {
  const folder = join(dir, RELEASE_FILES.tasks);
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => storedFile(join(folder, name)));
}

/**
 * Reads the JSON documents of folders of analyses, by base name in the order of names; a folder that is not there has none. Errors: JSON_INVALID;
 * USAGE for two of one name.
 */
export function readAnalyses(dirs: readonly string[]): Map<string, JsonObject> {
  const paths = dirs.flatMap((dir) =>
    isFolder(dir)
      ? readdirSync(dir)
          .filter((name) => name.endsWith('.json'))
          .map((name) => ({ name: basename(name, '.json'), path: join(dir, name) }))
      : [],
  );
  const found = new Map<string, JsonObject>();
  for (const { name, path } of paths.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.has(name))
      fail('USAGE', { file: path }, `a second document of the name ${name}`, 'Leave one of the two out, or rename it.');
    found.set(name, readObject(path));
  }
  return found;
}
