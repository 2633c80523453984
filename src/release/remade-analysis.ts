import { z } from 'zod';
import { utf8Text } from '#platform';
import { aboutSchema, followInputs } from '../analyses/about.js';
import { rankedByScore } from '../analyses/analysis.js';
import { CHECK_PLAN_SCHEMA } from '../analyses/check-plan.js';
import { statedOptions } from '../analyses/declared-options.js';
import { type AnyAnalysis, analysisOfSchema, SENSITIVITY } from '../analyses/list.js';
import { orderOf } from '../analyses/model-order.js';
import type { Engine, OnProgress } from '../engine/engine.js';
import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowColumn } from '../io/arrow.js';
import { columnsCsv } from '../io/csv.js';
import { type Envelope, envelope, type InputFile, type RunFacts } from '../io/envelope.js';
import { type JsonObject, parseObject } from '../io/json.js';
import { PROBE_SCHEMA, STUDY_PLAN_SCHEMAS } from '../transfer/condition.js';
import { SEAL_SCHEMAS } from '../transfer/seal-schema.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { RNG_ID } from '../util/version.js';
import { AS_BUILT, type ReleaseFile, textFile } from './release-files.js';
import { type InputRole, type Ranked, releaseInputs } from './release-inputs.js';
import type { ReleaseSources } from './release-sources.js';

/** Why an analysis was not run again that could have been. */
export const NOT_RUN = 'not run again';

/** What a document says of the call that made it. */
const callSchema = z.object({
  plan: z.looseObject({}),
  about: aboutSchema.optional(),
  rng: z.string().nullable(),
  seed: z
    .string()
    .regex(/^\d{1,20}$/, 'an unsigned 64-bit integer in quotes expected')
    .transform(BigInt)
    .nullable(),
});

/** Schemas of plans and seals that lie beside what was made by them, and of the probe, whose learner no release runs again. */
const KEPT: readonly string[] = [...STUDY_PLAN_SCHEMAS, ...SEAL_SCHEMAS, CHECK_PLAN_SCHEMA, PROBE_SCHEMA];

/** What a release gives its analyses. */
export interface AnalysisSetting {
  readonly sources: ReleaseSources;
  readonly ranked: Ranked;
  readonly engine: Engine;
  /** Files of the release by their role. */
  readonly files: readonly (InputFile & { readonly role: InputRole })[];
  /** What every document of the release says of the run. */
  readonly run: RunFacts;
  /** Run them again; else their results are taken as their documents state them. */
  readonly again: boolean;
  readonly onProgress?: OnProgress;
}

/** An analysis of a release as the release holds it. */
export interface RemadeAnalysis {
  /** Name of its document in the release. */
  readonly name: string;
  /** The document and the tables that follow from it. */
  readonly files: readonly ReleaseFile[];
  /** Results of the run; null where it was not run again. */
  readonly results: object | null;
  /** Why it was not run again; null where it was. */
  readonly left: string | null;
}

/**
 * Makes an analysis of a release again: what its document says of the call is asked once more of the files of the release, and everything in
 * the document follows, digests of its inputs included. One that needs what a release does not hold keeps its document; its tables follow from
 * that. Errors: SCHEMA_INVALID with file and path; those of the analysis.
 */
export async function remadeAnalysis({ name, bytes }: ReleaseFile, setting: AnalysisSetting): Promise<RemadeAnalysis> {
  const document = parseObject(utf8Text(bytes), { file: name });
  const analysis = analysisOfSchema(document.schema);
  if (!analysis) return other(name, bytes, document, setting);
  const { schema } = analysis;
  const call = checked(callSchema, document, { file: name }, AS_BUILT);
  checked(schema.plan, call.plan, { file: name, path: 'plan' }, AS_BUILT);
  const ran = !setting.again
    ? NOT_RUN
    : SENSITIVITY.includes(analysis)
      ? await rerun(analysis, call, setting)
      : `a release does not run ${analysis.name} again`;
  if (typeof ran !== 'string')
    return {
      name,
      files: [textFile(name, ran.text), ...(await tablesOf(name, ran.columns, ran.document.results_sha256))],
      results: ran.document.results,
      left: null,
    };
  // Tables follow from what an analysis has at hand when it runs, so that they stand as they are where it does not.
  const base = `${name.slice(0, -'.json'.length)}.`;
  if (!setting.again)
    return {
      name,
      files: setting.sources.analyses.filter((file) => file.name.startsWith(base)),
      results: null,
      left: ran,
    };
  const plan = checked(schema.plan, document.plan, { file: name, path: 'plan' }, AS_BUILT);
  const outcome = {
    plan,
    results: checked(schema.results, document.results, { file: name, path: 'results' }, AS_BUILT),
    models: rankedByScore(setting.ranked.matrix, orderOf(plan)),
  };
  const tables = await tablesOf(name, analysis.columns(outcome), String(document.results_sha256));
  return { name, files: [{ name, bytes }, ...tables], results: null, left: ran };
}

/**
 * The plan of a study or of a check and the seal of a study, which tables and documents name, and the probe of `transfer demo`; in a release of version 0.1.0 any other
 * document. Errors: SCHEMA_INVALID for one that this program does not write.
 */
function other(name: string, bytes: Uint8Array, { schema }: JsonObject, { sources }: AnalysisSetting): RemadeAnalysis {
  if (KEPT.some((id) => id === schema) || sources.rules === 1)
    return { name, files: [{ name, bytes }], results: null, left: 'nothing in a release computes it' };
  return fail(
    'SCHEMA_INVALID',
    { file: name, path: 'schema' },
    `${shown(schema)} is no schema of an analysis`,
    'A release holds documents of analyses that this program writes; leave others out.',
  );
}

interface Rerun {
  readonly document: Envelope<object, object>;
  readonly text: string;
  readonly columns: readonly ArrowColumn[];
}

/** Runs an analysis again; what it lacks, in words, where the release does not hold it. */
async function rerun(
  analysis: AnyAnalysis,
  call: z.output<typeof callSchema>,
  { sources, ranked, engine, files, run, onProgress }: AnalysisSetting,
): Promise<Rerun | string> {
  const withInference = call.about === undefined || call.about.inference_sha256 !== null;
  const given = releaseInputs({ sources, ranked, engine, files, withInference, onProgress });
  const followed = followInputs(given.inputs);
  try {
    const ran = await analysis.run(followed.inputs, statedOptions(analysis.options, call));
    const { plan, results, rng, seed, streams, warnings } = ran;
    const { document, text } = envelope({
      ...{ schema: analysis.schema.id, plan, inputs: given.used(), rng: rng && RNG_ID[rng], seed, streams, results },
      about: await followed.about(),
      run: { ...run, warnings },
    });
    return { document, text, columns: analysis.columns(ran) };
  } catch (error) {
    if (error instanceof FlavourError && error.code === 'INPUT_MISSING') return `it needs ${error.message}`;
    throw error;
  }
}

/** The tables beside a document. */
async function tablesOf(name: string, columns: readonly ArrowColumn[], resultsSha256: string): Promise<ReleaseFile[]> {
  const base = name.replace(/\.json$/, '');
  return [
    { name: `${base}.arrow`, bytes: await arrowFile({ columns, metadata: { results_sha256: resultsSha256 } }) },
    textFile(`${base}.csv`, columnsCsv(columns)),
  ];
}
