import { sha256 } from '#platform';
import { analysisOfSchema } from '../../analyses/list.js';
import type { ScoreMatrix } from '../../core/matrix.js';
import { INFERENCE_SCHEMAS } from '../../inference/inference-document.js';
import { readStatedPlan } from '../../inference/plan.js';
import { readLeaderboard } from '../../inference/read-leaderboard.js';
import { isObject, type JsonObject } from '../../io/json.js';
import { readMatrix } from '../../scores/matrix-file.js';
import { counted } from '../../util/format.js';
import { dataText, plain } from '../../util/text.js';
import type { HeldFile } from './held-file.js';
import type { Opened, OpenedAnalysis, Stated } from './opened.js';
import { statedInference } from './stated-inference.js';

/** A file that is a JSON document of ours. */
export interface ReadDocument {
  readonly file: HeldFile;
  readonly document: JsonObject;
}

const AS_WRITTEN = 'Give the document as the command wrote it.';

/** Tells whether a document is the result of a command that a page shows. */
export function isResult({ schema }: JsonObject): boolean {
  return isInference(schema) || analysisOfSchema(schema) !== undefined;
}

const isInference = (schema: unknown) => Object.values<unknown>(INFERENCE_SCHEMAS).includes(schema);

/**
 * Opens results of `infer`, `rank-audit`, `sensitivity` and other analyses: one document, or a folder of several. A matrix of scores among the files
 * belongs to them where it has the models that they speak of. Errors: SCHEMA_INVALID with the field.
 */
export async function openResult(documents: readonly ReadDocument[], files: readonly HeldFile[]): Promise<Opened> {
  const inference = documents.find(({ document }) => isInference(document.schema));
  const matrix = inference ? await matrixAmong(inference, files) : null;
  const analyses = documents.flatMap(analysisOf);
  const known = new Set(documents.map(({ file }) => file));
  return {
    kind: 'result',
    name: titleOf(documents),
    reading: readingOf(documents),
    warnings: [
      ...documents.flatMap(({ document }) => warningsOf(document)),
      ...(inference && !matrix
        ? ['the result holds no scores of single tasks: give the table beside it to see them, and to choose otherwise']
        : []),
    ],
    files: files.filter((file) => known.has(file)),
    matrix,
    stated: inference ? statedOf(inference, matrix) : null,
    release: null,
    analyses,
    answers: null,
    ledger: null,
    digests: async () =>
      Promise.all(documents.map(async ({ file }) => [file.name, sha256(await file.bytes())] as const)),
    inventory: null,
  };
}

/** What pages about one analysis are called. */
const TITLES: Readonly<Record<string, string>> = {
  'rank-audit': 'Which ranks the data support',
  power: 'How many tasks it takes',
  coverage: 'How often intervals and tests err',
};

function titleOf(documents: readonly ReadDocument[]): string {
  if (documents.some(({ document }) => isInference(document.schema))) return 'Scores, and what they support';
  const [first, ...others] = documents.map(({ document }) => analysisOfSchema(document.schema)!.name);
  return others.length > 0 ? `${documents.length} analyses` : (TITLES[first!] ?? `${first}: what the data show`);
}

/** What the first run that says it read, and from how many documents a page has it. */
function readingOf(documents: readonly ReadDocument[]): string {
  const count = documents.length;
  const from = `Shown from ${counted(count, 'document')} of results, as ${count === 1 ? 'it states' : 'they state'} them.`;
  for (const { document } of documents) {
    const { run } = document;
    const read = isObject(run) && isObject(run.read) ? run.read.text : null;
    if (typeof read === 'string') return `${plain(read).replace(/\.?$/, '.')} ${from}`;
  }
  return from;
}

/** What a run had to say; a document of another make says nothing. */
function warningsOf({ run }: JsonObject): string[] {
  const said = isObject(run) && Array.isArray(run.warnings) ? run.warnings : [];
  return said.slice(0, 100).map((text) => plain(dataText(text)));
}

function analysisOf({ file, document }: ReadDocument): OpenedAnalysis[] {
  const analysis = analysisOfSchema(document.schema);
  if (analysis === undefined) return [];
  const name = file.name.replace(/^.*\//, '').replace(/\.json$/i, '');
  return [{ name, file: file.name, analysis, document }];
}

function statedOf({ file, document }: ReadDocument, matrix: ScoreMatrix | null): Stated {
  const plan = readStatedPlan(document.plan, file.name);
  const leaderboard = readLeaderboard(document.results, { file: file.name, path: 'results' }, AS_WRITTEN);
  return {
    plan,
    inference: statedInference({ leaderboard, plan, matrix, warnings: [], name: (_, name) => plain(name) }),
  };
}

/** The matrix that a page was given beside a result: the file called `matrix.arrow` of the same models. */
async function matrixAmong({ document }: ReadDocument, files: readonly HeldFile[]): Promise<ScoreMatrix | null> {
  const file = files.find(({ name }) => /(^|\/)matrix\.arrow$/.test(name));
  if (!file) return null;
  const { matrix } = await readMatrix(await file.bytes(), { file: file.name });
  const { models } = isObject(document.results) ? document.results : {};
  const ids = Array.isArray(models) ? models.map((model) => (isObject(model) ? model.model_id : null)) : [];
  return ids.length === matrix.models.length && matrix.models.every((id, m) => ids[m] === id) ? matrix : null;
}
