import { utf8Text } from '#platform';
import { matrixDigest } from '../../analyses/about.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { inferenceDigest } from '../../inference/inference-document.js';
import { readStatedPlan } from '../../inference/plan.js';
import { readLeaderboard } from '../../inference/read-leaderboard.js';
import { type JsonObject, parseObject } from '../../io/json.js';
import { readMatrix } from '../../scores/matrix-file.js';
import type { Task } from '../../tasks/task.js';
import { joinedTaskSets, statedRules, type TaskFiles, taskSetOf } from '../../tasks/taskset.js';
import { fail, shown } from '../../util/error.js';
import { checked } from '../../util/schema.js';
import { dataText } from '../../util/text.js';
import { caseStudies, casesSchema } from '../cases.js';
import { AS_BUILT, RELEASE_FILES, RELEASE_SCHEMAS } from '../release-files.js';
import { rosterRoutes, rosterSchema } from '../released-models.js';
import { statedProtocol, statementSchema } from '../statement.js';
import { assertOwnAnalyses } from '../subject.js';
import type { ReleaseView } from '../view.js';

/** The files of a release, wherever they lie: in a folder, in an archive, on a server. */
export interface ReleaseStore {
  /** What stands for the whole in errors: the path of its folder. */
  readonly place: string;
  /** Names of all files, with `/`, sorted. */
  readonly names: readonly string[];
  /** Bytes of one of them. Errors: those of reading. */
  bytes(name: string): Promise<Uint8Array>;
}

/**
 * Reads a release of ours into what its figures, tables and pages show. Nothing is proved here (`proveRelease`). Errors: INPUT_NOT_FOUND where it
 * lacks a file; SCHEMA_INVALID with the field; TASK_UNKNOWN for a ranked task that is in no task file; ANALYSIS_FOREIGN.
 */
export async function readRelease(store: ReleaseStore): Promise<ReleaseView> {
  const present = new Set(store.names);
  const at = (name: string) => `${store.place}/${name}`;
  const place = (name: string, path?: string) => ({ file: at(name), path });
  const bytes = async (name: string): Promise<Uint8Array> => {
    if (present.has(name)) return store.bytes(name);
    return fail(
      'INPUT_NOT_FOUND',
      { file: store.place },
      `holds no ${name}`,
      'Give the folder that `release build` wrote, or a published release document.',
    );
  };
  const read = async (name: string) => parseObject(utf8Text(await bytes(name)), { file: at(name) });
  const release = checked(statementSchema, await read(RELEASE_FILES.release), place(RELEASE_FILES.release), AS_BUILT);
  const { matrix } = await readMatrix(await bytes(RELEASE_FILES.matrix), place(RELEASE_FILES.matrix));
  const roster = checked(rosterSchema, await read(RELEASE_FILES.roster), place(RELEASE_FILES.roster), AS_BUILT);
  const cases = checked(casesSchema, await read(RELEASE_FILES.cases), place(RELEASE_FILES.cases), AS_BUILT);
  const inference = await read(RELEASE_FILES.inference);
  const corePlan = present.has(RELEASE_FILES.core) ? await read(RELEASE_FILES.core) : null;
  const analyses = new Map<string, JsonObject>();
  for (const name of below(store, RELEASE_FILES.analyses, '.json'))
    analyses.set(name.slice(RELEASE_FILES.analyses.length, -'.json'.length), await read(name));
  const leaderboard = readLeaderboard(inference.results, place(RELEASE_FILES.inference, 'results'), AS_BUILT);
  const subject = {
    models: leaderboard.models.map(({ modelId }) => modelId),
    matrix_sha256: () => matrixDigest(matrix),
    inference_sha256: () => inferenceDigest(inference.results as object),
    core_sha256: () => (corePlan === null ? null : dataText(corePlan.artifact_sha256)),
  };
  assertOwnAnalyses(analyses, subject, { unbound: release.schema === RELEASE_SCHEMAS[1] });
  const taskFiles = below(store, RELEASE_FILES.tasks, '');
  const sets = await Promise.all(taskFiles.map(async (name) => taskSetOf(at(name), await bytes(name))));
  const files = joinedTaskSets(taskFiles.map(at), sets);
  const manifest = present.has(RELEASE_FILES.manifest) ? (await read(RELEASE_FILES.manifest)).artifact_sha256 : null;
  return {
    kind: 'folder',
    digest: release.artifact_sha256,
    address: typeof manifest === 'string' ? manifest : null,
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

/** Names right below a folder, with an ending. */
function below({ names }: ReleaseStore, folder: string, end: string): string[] {
  return names.filter(
    (name) => name.startsWith(folder) && name.endsWith(end) && !name.slice(folder.length).includes('/'),
  );
}

/** The tasks of a matrix, in its order. Errors: TASK_UNKNOWN. */
function rankedIn(matrix: ScoreMatrix, files: TaskFiles): Task[] {
  return matrix.tasks.map((id) => {
    const task = files.byId.get(id);
    if (task) return task;
    return fail('TASK_UNKNOWN', null, `the matrix has task ${shown(id)}; no task file has it`, 'Give every task file.');
  });
}
