import { z } from 'zod';
import {
  aboutDifferences,
  aboutSchema,
  answersDigest,
  boundBy,
  candidatesDigest,
  matrixDigest,
  type Subject,
} from '../analyses/about.js';
import { analysisOfSchema, SENSITIVITY_INDEX } from '../analyses/list.js';
import { inferenceDigest } from '../inference/inference-document.js';
import { readArrow } from '../io/arrow.js';
import type { JsonObject } from '../io/json.js';
import { parserName } from '../responses/parser.js';
import { PORTFOLIOS, rankedTasks } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { dataText } from '../util/text.js';
import type { AssembledRelease } from './assemble.js';
import type { Difference } from './proofs/differences.js';
import { RELEASE_FILES, type ReleaseFile } from './release-files.js';
import type { ReleaseSources } from './release-sources.js';

/** Makes something once, when it is first asked for. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What a release that was made again has of the things that its analyses looked at. */
export function subjectOf(sources: ReleaseSources, assembled: AssembledRelease): Subject {
  const { candidates, matrix, results } = assembled;
  const { models } = candidates;
  const actionOf = (model: string, task: string) => {
    const selection = candidates.cells.get(model)?.get(task)?.scoring.selection ?? null;
    return selection === null ? -1 : PORTFOLIOS.indexOf(selection);
  };
  return {
    models,
    parser: parserName(sources.parser),
    matrix_sha256: lazy(() => matrixDigest(matrix)),
    inference_sha256: lazy(() => inferenceDigest(results)),
    core_sha256: () => sources.core?.plan.artifactSha256 ?? null,
    answers_sha256: lazy(() =>
      answersDigest({
        models,
        tasks: sources.tasks,
        actions: Int32Array.from(models.flatMap((model) => sources.tasks.map(({ id }) => actionOf(model, id)))),
      }),
    ),
    candidates_sha256: lazy(() => {
      const tasks = rankedTasks(sources.files.tasks);
      const cells = models.flatMap((model) => tasks.map(({ id }) => candidates.cells.get(model)?.get(id)?.scoring));
      return candidatesDigest({
        models,
        tasks: tasks.map(({ id, panel, family, category }) => ({ id, panel, family, category })),
        valid: Uint8Array.from(cells, (scoring) => Number(scoring?.scoreBps != null)),
        scores: Float64Array.from(cells, (scoring) => scoring?.scoreBps ?? 0),
      });
    }),
  };
}

/** What a document says of the parser of the answers that it read. */
const runSchema = z.looseObject({ run: z.looseObject({ response_parser: z.string() }) });

/** What to do about an analysis of something else. */
const AGAIN =
  'Run the analysis again on the matrix, answers, core and inference of this release; documents of version 0.1.0 do not say what they are about.';

/**
 * Lists where a document of an analysis is about another leaderboard than a release. Documents that are about none, or that no analysis of this
 * program writes, give nothing. With `unbound` a document that does not say what it is about is passed over.
 */
export function foreignIn(
  file: string,
  document: JsonObject,
  subject: Subject,
  options: { readonly unbound: boolean },
): Difference[] {
  const needs = analysisOfSchema(document.schema)?.needs.inputs ?? [];
  if (boundBy(needs).length === 0) return [];
  if (document.about === undefined) {
    if (options.unbound) return [];
    return [{ file, at: 'about', expected: 'digests of what the analysis looked at', found: 'none' }];
  }
  const about = aboutSchema.safeParse(document.about);
  if (!about.success)
    return [{ file, at: 'about', expected: 'digests of what the analysis looked at', found: 'another form' }];
  const found = aboutDifferences(about.data, subject, needs).map((difference) => ({ file, ...difference }));
  const parser = runSchema.safeParse(document).data?.run.response_parser;
  if (parser !== undefined && subject.parser !== undefined && parser !== subject.parser)
    found.push({ file, at: 'run.response_parser', expected: subject.parser, found: parser });
  return found;
}

const indexSchema = z.object({
  analyses: z.array(z.object({ name: z.string(), results_sha256: z.string().nullish() })),
});

/**
 * Lists the tables that belong to other results than the documents beside them, and where the list of `sensitivity all` gives other results of a
 * document that is there.
 */
export async function strayIn(files: readonly ReleaseFile[], documents: ReadonlyMap<string, JsonObject>) {
  const known = new Set([...documents.values()].map(({ results_sha256 }) => results_sha256));
  const found: Difference[] = [];
  const hold = (file: string, at: string, digest: unknown) => {
    if (digest === undefined || digest === null || known.has(digest)) return;
    found.push({ file, at, expected: 'results of a document beside it', found: dataText(digest) });
  };
  for (const { name, bytes } of files)
    if (name.endsWith('.arrow'))
      hold(name, 'metadata results_sha256', (await readArrow(bytes, name)).metadata.get('results_sha256'));
  for (const [file, document] of documents) {
    const index = document.schema === SENSITIVITY_INDEX ? indexSchema.safeParse(document) : undefined;
    for (const { name, results_sha256 } of index?.data?.analyses ?? [])
      if (documents.has(`${RELEASE_FILES.analyses}${name}.json`)) hold(file, `analyses (${name})`, results_sha256);
  }
  return found;
}

/** Refuses analyses of another leaderboard than that of a release. Errors: ANALYSIS_FOREIGN (exit 4) with file, place and both digests. */
export function assertOwnAnalyses(
  analyses: ReadonlyMap<string, JsonObject>,
  subject: Subject,
  options: { readonly unbound: boolean },
): void {
  for (const [file, document] of analyses) refuse(foreignIn(file, document, subject, options));
}

/** Errors: ANALYSIS_FOREIGN (exit 4) for the first difference, where there is one. */
export function refuse([first]: readonly Difference[]): void {
  if (first === undefined) return;
  const { file, at, expected, found } = first;
  fail(
    'ANALYSIS_FOREIGN',
    { file, path: at },
    `the analysis is about something else than the release: expected ${expected}, found ${found}`,
    AGAIN,
    { exit: 4 },
  );
}
