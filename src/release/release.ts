import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ScoreMatrix } from '../core/matrix.js';
import { readMatrix } from '../core/matrix-file.js';
import { readInput } from '../io/file.js';
import { readObject } from '../io/json.js';
import { coreTasks, readCorePlan } from '../tasks/coreplan.js';
import type { Task } from '../tasks/task.js';
import { readTaskFiles, type TaskFiles } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { type Board, Fields, type Json, readBoard } from './board.js';
import { PUBLISHED_SCHEMA, RELEASE_FILES, RELEASE_SCHEMA } from './layout.js';
import { publishedPlan, type StatedPlan, statedPlan } from './stated-plan.js';

/** A model's way to its provider, as far as the release says. */
export interface ReleaseRoute {
  readonly model: string;
  readonly panel: string;
  readonly transport: string | null;
  readonly requestedModel: string | null;
  readonly expectedModel: string | null;
  readonly provider: string | null;
  readonly tag: string | null;
}

/** What tables, figures and the report read: one shape for our release folder and for the published document. */
export interface ReleaseView {
  readonly kind: 'folder' | 'published';
  /** `artifact_sha256` of release.json, which pins all numbers, or of the published document. */
  readonly digest: string;
  /** `artifact_sha256` of MANIFEST.json as it states it, which pins every file; null where there is none. */
  readonly address: string | null;
  readonly benchmark: string;
  readonly track: string;
  readonly claim: string;
  readonly board: Board;
  /** For the published document the procedure of its code, which it does not state. */
  readonly plan: StatedPlan;
  /** The core plan as its file has it; null where there is none. */
  readonly corePlan: Json | null;
  /** The ranked tasks in core order; null where the task files are not at hand. */
  readonly tasks: readonly Task[] | null;
  /** Null where the answers are not at hand. */
  readonly matrix: ScoreMatrix | null;
  /** Empty where nothing is known. */
  readonly routes: readonly ReleaseRoute[];
  /** Documents of `analyses/` by base name, for example `precision`. */
  readonly analyses: ReadonlyMap<string, Json>;
  /** cases.json; null where there is none. */
  readonly cases: Json | null;
}

/** Files that the published document leaves out. */
export interface Companions {
  /** The published core plan. */
  readonly core?: string;
  readonly tasks?: readonly string[];
  /** A folder with documents of analyses. */
  readonly analyses?: string;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Opens a release folder of ours, or the published release document. Nothing is proved here (`verifyRelease`). Errors:
 * INPUT_NOT_FOUND, SCHEMA_INVALID with the field.
 */
export async function openRelease(path: string, companions: Companions = {}): Promise<ReleaseView> {
  return isFolder(path) ? openFolder(path) : readReleasedJson(path, companions);
}

/** The published release document (collection 3.1), and what its companions add. Errors: SCHEMA_INVALID. */
export function readReleasedJson(path: string, companions: Companions = {}): ReleaseView {
  const document = new Fields(path, '', readObject(path));
  if (document.value.schema_version !== PUBLISHED_SCHEMA) {
    fail(
      'SCHEMA_INVALID',
      { file: path, path: 'schema_version' },
      `schema_version ${shown(document.value.schema_version)}`,
      `Give a release folder, or a document of schema ${PUBLISHED_SCHEMA}.`,
    );
  }
  const { core, tasks: taskPaths } = companions;
  const board = readBoard(document.object('analysis'));
  const files = taskPaths && taskPaths.length > 0 ? readTaskFiles(taskPaths) : null;
  return {
    kind: 'published',
    digest: document.text('artifact_sha256'),
    address: null,
    benchmark: document.text('benchmark'),
    track: document.text('track'),
    claim: document.text('claim_boundary'),
    board,
    plan: publishedPlan(board),
    corePlan: core === undefined ? null : readObject(core),
    tasks: core === undefined || files === null ? null : coreTasks(readCorePlan(core), files),
    matrix: null,
    routes: [],
    analyses: companions.analyses === undefined ? new Map() : readAnalyses(companions.analyses),
    cases: null,
  };
}

async function openFolder(dir: string): Promise<ReleaseView> {
  const at = (name: string) => join(dir, name);
  if (!existsSync(at(RELEASE_FILES.release))) {
    fail(
      'INPUT_NOT_FOUND',
      { file: dir },
      `holds no ${RELEASE_FILES.release}`,
      'Give the folder that `release build` wrote, or a published release document.',
    );
  }
  const release = new Fields(at(RELEASE_FILES.release), '', readObject(at(RELEASE_FILES.release)));
  if (release.value.schema !== RELEASE_SCHEMA) {
    fail(
      'SCHEMA_INVALID',
      { file: release.file, path: 'schema' },
      `schema ${shown(release.value.schema)}`,
      `${RELEASE_SCHEMA} is expected.`,
    );
  }
  const results = release.object('results');
  const inference = new Fields(at(RELEASE_FILES.inference), '', readObject(at(RELEASE_FILES.inference)));
  const { matrix } = await readMatrix(readInput(at(RELEASE_FILES.matrix)), {
    file: at(RELEASE_FILES.matrix),
  });
  const tasks = readTaskFiles(taskPaths(dir));
  return {
    kind: 'folder',
    digest: release.text('artifact_sha256'),
    address: statedAddress(at(RELEASE_FILES.manifest)),
    benchmark: results.text('benchmark'),
    track: results.text('track'),
    claim: results.text('claim_boundary'),
    board: readBoard(inference.object('results')),
    plan: statedPlan(release.object('plan')),
    corePlan: existsSync(at(RELEASE_FILES.core)) ? readObject(at(RELEASE_FILES.core)) : null,
    tasks: rankedIn(matrix, tasks),
    matrix,
    routes: readRoutes(readObject(at(RELEASE_FILES.roster)), at(RELEASE_FILES.roster)),
    analyses: readAnalyses(at(RELEASE_FILES.analyses)),
    cases: readObject(at(RELEASE_FILES.cases)),
  };
}

function statedAddress(manifest: string): string | null {
  if (!existsSync(manifest)) return null;
  const { artifact_sha256 } = readObject(manifest);
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
    .map((name) => join(folder, name));
}

/** Routes from models.json. */
export function readRoutes(roster: Json, file: string): ReleaseRoute[] {
  return new Fields(file, '', roster).objects('models').flatMap((model) =>
    model.objects('routes').map((route) => {
      const text = (key: string) => (typeof route.value[key] === 'string' ? (route.value[key] as string) : null);
      return {
        model: model.text('model_id'),
        panel: route.text('panel'),
        transport: text('transport'),
        requestedModel: text('requested_model'),
        expectedModel: text('expected_model'),
        provider: text('expected_provider'),
        tag: text('provider_tag'),
      };
    }),
  );
}

function readAnalyses(dir: string): Map<string, Json> {
  const names = isFolder(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  return new Map(names.sort().map((name) => [basename(name, '.json'), readObject(join(dir, name))]));
}
