import {
  type AnalysisSchema,
  isOfSchema,
  type Outcome,
  type RankedModel,
  type ReleasedOutcomes,
} from '../analyses/analysis.js';
import type { JsonObject } from '../io/json.js';
import { checked } from '../util/schema.js';
import { modelName, withoutProvider } from './names.js';
import type { ReleaseView } from './view.js';

const HINT = 'Give a release as it was built.';

/** Documents that were read into outcomes, so that each is checked once. */
const read = new WeakMap<JsonObject, Omit<Outcome<unknown, unknown>, 'models'>>();

/** Reads plan and results of a document of an analysis. Errors: SCHEMA_INVALID with the path. */
export function statedOutcome<P, R>({ plan, results }: AnalysisSchema<P, R>, file: string, document: JsonObject) {
  const known = read.get(document) ?? {
    plan: checked(plan, document.plan, { file, path: 'plan' }, HINT),
    results: checked(results, document.results, { file, path: 'results' }, HINT),
  };
  read.set(document, known);
  return known as { readonly plan: P; readonly results: R };
}

/** Names the models of a release as figures and tables of analyses name and order them. */
function rankedModels(view: ReleaseView): RankedModel[] {
  return view.leaderboard.models.map((model) => ({
    modelId: model.modelId,
    name: modelName(view, model),
    short: withoutProvider(model.name),
    rank: model.rank,
    rankTied: model.rankTied,
  }));
}

/** Reads the outcomes of analyses that a release holds from its documents. Errors of `of`: SCHEMA_INVALID with the path. */
export function releasedOutcomes(view: ReleaseView): ReleasedOutcomes {
  const models = rankedModels(view);
  return {
    models,
    of: ({ schema }) =>
      [...view.analyses].flatMap(([name, document]) =>
        isOfSchema(schema, document.schema)
          ? [{ ...statedOutcome(schema, `analyses/${name}.json`, document), models }]
          : [],
      ),
  };
}
