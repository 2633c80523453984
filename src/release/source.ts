import type { RankedModel } from '../analyses/analysis.js';
import type { StudyResult } from '../analyses/contrast/study.js';
import { BASE, CONTROL, TREATMENT } from '../transfer/condition.js';
import { Fields, type Json } from './board.js';
import { modelName } from './names.js';
import type { ReleaseView } from './view.js';

/** A document among the analyses of a release, found by its schema; null where there is none. */
export function analysisOf(view: ReleaseView, schema: string): Fields | null {
  for (const [name, document] of view.analyses)
    if (document.schema === schema) return new Fields(`analyses/${name}.json`, '', document);
  return null;
}

/** `results` of the sensitivity analysis of that name; null where the release has none. */
export function sensitivityOf(view: ReleaseView, name: string): Fields | null {
  return analysisOf(view, `flavourbench-sensitivity-${name}/1`)?.object('results') ?? null;
}

/** The same, as the type that its analysis writes. */
export function typedResults<R>(view: ReleaseView, name: string): R | null {
  return (sensitivityOf(view, name)?.value as R | undefined) ?? null;
}

/** The models of a release as figures of analyses name and order them. */
export function rankedModels(view: ReleaseView): RankedModel[] {
  return view.leaderboard.models.map((model) => ({
    id: model.modelId,
    name: modelName(view, model),
    rank: model.rank,
  }));
}

/** A reward-transfer evaluation and the threshold that its plan names. */
export interface TransferDocument {
  readonly result: StudyResult;
  readonly plan: Fields;
}

/** The transfer evaluations, primary first; empty where there are none. Errors: SCHEMA_INVALID with the field. */
export function transfersOf(view: ReleaseView): TransferDocument[] {
  return [...view.analyses]
    .filter(([, document]) => document.schema === 'flavourbench-transfer-analysis/1')
    .map(([name, document]) => {
      const fields = new Fields(`analyses/${name}.json`, '', document);
      return { result: studyOf(fields.object('results')), plan: fields.object('plan') };
    })
    .sort((a, b) => (a.result.stage < b.result.stage ? -1 : 1));
}

/** Proves every field that tables and figures read of a study. */
function studyOf(results: Fields): StudyResult {
  results.text('stage');
  results.number('tasks');
  const contrast = results.object('contrast');
  contrast.number('estimate');
  contrast.number('sign_flip_p');
  contrast.range('interval');
  const conditions = results.objects('conditions');
  for (const condition of conditions) {
    condition.number('score');
    const families = condition.object('families');
    for (const family of Object.keys(families.value)) families.object(family).number('score');
    for (const run of condition.objects('runs')) run.number('score');
  }
  const names = new Set(conditions.map((condition) => condition.text('condition')));
  for (const name of [CONTROL, TREATMENT]) if (!names.has(name)) results.object(`condition ${name}`);
  for (const name of names) if (![BASE, CONTROL, TREATMENT].includes(name)) results.object(`condition ${name}`);
  return results.value as Json as unknown as StudyResult;
}
