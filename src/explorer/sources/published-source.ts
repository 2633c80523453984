import { utf8Text } from '#platform';
import { analysisOfSchema } from '../../analyses/list.js';
import { type JsonObject, parseObject } from '../../io/json.js';
import { publishedRoutes } from '../../published/published-routes.js';
import { publishedView } from '../../published/published-view.js';
import type { ReleaseRoute } from '../../release/released-models.js';
import { type CorePlan, corePlanOf, coreTasks } from '../../tasks/coreplan.js';
import type { TaskSet } from '../../tasks/task.js';
import { joinedTaskSets, taskSetOf } from '../../tasks/taskset.js';
import { FlavourError } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import type { HeldFile } from './held-file.js';
import type { Opened } from './opened.js';
import { analysesOf, statedOf } from './release-source.js';

/** What stands beside the published document among the files of a call. */
interface Beside {
  core: { readonly plan: CorePlan; readonly document: JsonObject } | null;
  readonly sets: { readonly name: string; readonly set: TaskSet }[];
  routes: readonly ReleaseRoute[];
  readonly analyses: Map<string, JsonObject>;
}

/** Opens the published document with what goes with it: core plan, task sets, route manifest, analyses. Errors: those of `publishedView` and `coreTasks`. */
export async function openPublished(file: HeldFile, document: JsonObject, files: readonly HeldFile[]): Promise<Opened> {
  const { core, sets, routes, analyses } = await besideOf(files.filter((other) => other !== file));
  const named = sets.map(({ name }) => name);
  const tasks =
    core && sets.length > 0
      ? coreTasks(
          core.plan,
          joinedTaskSets(
            named,
            sets.map(({ set }) => set),
          ),
        )
      : null;
  const view = {
    ...publishedView(document, file.name, { corePlan: core?.document ?? null, tasks, analyses }),
    routes,
  };
  const { leaderboard } = view;
  return {
    kind: 'published',
    name: plain(view.benchmark),
    reading: `${plain(view.track)}. Read from the published document: ${counted(leaderboard.models.length, 'model')}, ${counted(leaderboard.tasks, 'task')}, as it states them.`,
    warnings: [
      'the document holds no scores of single tasks: what asks for them cannot be shown, and nothing be computed anew',
    ],
    files: [...files],
    matrix: null,
    stated: statedOf(view),
    release: view,
    analyses: analysesOf(view),
    answers: null,
    ledger: null,
    digests: async () => [['Published document, as it states it', view.digest]],
    inventory: null,
  };
}

/** Finds out what other files are by trying them; what is none of them is left alone. */
async function besideOf(files: readonly HeldFile[]): Promise<Beside> {
  const found: Beside = { core: null, sets: [], routes: [], analyses: new Map() };
  for (const file of files) {
    const bytes = await file.bytes();
    const document = tried(() => parseObject(utf8Text(bytes), { file: file.name }));
    if (document === null) continue;
    const plan = tried(() => corePlanOf(file.name, bytes));
    const set = plan === null ? tried(() => taskSetOf(file.name, bytes)) : null;
    const routes = (plan ?? set) ? null : tried(() => publishedRoutes(document, file.name));
    if (plan) found.core = { plan, document };
    else if (set) found.sets.push({ name: file.name, set });
    else if (routes) found.routes = routes;
    else if (analysisOfSchema(document.schema))
      found.analyses.set(file.name.replace(/^.*\//, '').replace(/\.json$/, ''), document);
  }
  return found;
}

function tried<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FlavourError) return null;
    throw error;
  }
}
