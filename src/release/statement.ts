import { z } from 'zod';
import { protocolWords } from '../collect/asked.js';
import { type Protocol, protocolSchema } from '../collect/protocol.js';
import { type Decoding, decodingWords } from '../core/decoding.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { validityDigest } from '../core/validity.js';
import { statedStrata } from '../inference/inference-document.js';
import type { Inference } from '../inference/result.js';
import { type Standing, standingWords } from '../inference/standing.js';
import { canonicalDigest, setDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import type { JsonObject } from '../io/json.js';
import { responseParserFields } from '../responses/parser-contract.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { TaskSet } from '../tasks/task.js';
import { witnessesField } from '../witness/witness.js';
import { absentCells, type CandidateCells, candidateValidity, reasonedCells, simulatedIn } from './candidate-cells.js';
import type { ReleasedJournal } from './journal.js';
import { RELEASE_FILES, RELEASE_SCHEMAS, type ReleaseFile } from './release-files.js';

/** What no verification of files can show; stated in every release and after every PASS. */
export const LIMITS: readonly string[] = [
  'that the answers came from the named models: a record proves that it was not changed after it was sealed, not who wrote it',
  'that no other answers were collected and left out before the ledger was sealed',
  'that the score maps measure anything but agreement with the reference they were made from',
  'who made the release: compare its digest with one you trust (--expect)',
];

/** What the makers say of a release; nothing computes it. */
export interface ReleaseTitle {
  readonly benchmark: string;
  readonly track: string;
  readonly claim: string;
  readonly licence: string;
}

/** The protocol of all answers as release.json states it; without a digest where the answers state none. */
const releasedProtocol = z.union([
  protocolSchema.extend({ words: z.string() }),
  z.object({ name: z.literal('unstated'), sha256: z.null(), words: z.string() }),
]);

/** Reads back what release.json says of the protocol; absent where it says nothing, null where the answers state none. */
export function statedProtocol(stated: z.infer<typeof releasedProtocol> | undefined): Protocol | null | undefined {
  if (stated === undefined || stated.sha256 === null) return stated && null;
  const { words: _, ...protocol } = stated;
  return protocol;
}

/** release.json, as far as a view or a proof reads it. */
export const statementSchema = z.looseObject({
  schema: z.enum(Object.values(RELEASE_SCHEMAS)),
  artifact_sha256: z.string(),
  plan: z.unknown(),
  run: z.looseObject({ version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/, 'a version such as 0.1.0 expected') }),
  results: z.looseObject({
    benchmark: z.string(),
    track: z.string(),
    claim_boundary: z.string(),
    licence: z.string(),
    core_plan: z.looseObject({}).nullish(),
    protocol: releasedProtocol.optional(),
    decoding: z.looseObject({ words: z.string() }).optional(),
    response_parser: z.string().optional(),
    response_parser_sha256: z.string().optional(),
    analysis_plan: z
      .looseObject({
        kind: z.enum(['planned', 'exploratory']),
        words: z.string(),
        witnesses: witnessesField.optional(),
      })
      .optional(),
  }),
});

export interface StatementOptions {
  readonly title: ReleaseTitle;
  /** Null where the answers state none; absent in a release that does not say. */
  readonly protocol?: Protocol | null;
  readonly decoding: Decoding;
  /** How the leaderboard stands to a plan; absent in a release that does not say. */
  readonly standing?: Standing;
  readonly candidates: CandidateCells;
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  readonly resultsSha256: string;
  readonly sets: readonly { readonly name: string; readonly set: TaskSet }[];
  readonly core: { readonly plan: CorePlan; readonly document: JsonObject } | null;
  readonly journals: readonly { readonly name: string; readonly journal: ReleasedJournal }[];
  readonly analyses: readonly ReleaseFile[];
  /** Texts of the derived files by name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Digest of the sorted digests of the answers in a core or of a panel. */
function responseSet(
  candidates: CandidateCells,
  keep: (cell: CandidateCells['ordered'][number]) => boolean,
): JsonObject {
  const digests = candidates.ordered.filter(keep).map(({ observation }) => observation.digest);
  return { count: digests.length, set_sha256: setDigest(digests) };
}

/** Makes the `results` of release.json: what was released, from what, and what it says, by digest. */
export function statement(options: StatementOptions): JsonObject {
  const { title, protocol, decoding, standing, candidates, matrix, inference, core, texts } = options;
  const table = (filename: string) => ({
    filename,
    sha256: sha256(texts.get(filename)!),
  });
  return {
    status: 'complete_common_core',
    benchmark: title.benchmark,
    track: title.track,
    claim_boundary: title.claim,
    licence: title.licence,
    ...(protocol === undefined
      ? {}
      : { protocol: { ...(protocol ?? { name: 'unstated', sha256: null }), words: protocolWords(protocol) } }),
    ...(Object.keys(decoding).length === 0
      ? {}
      : { decoding: { values: decoding, sha256: canonicalDigest(decoding), words: decodingWords(decoding) } }),
    ...(protocol === undefined
      ? {}
      : { ...responseParserFields(candidates.parser), inline_reasoning_answers: reasonedCells(candidates) }),
    ...(standing === undefined ? {} : { analysis_plan: { ...standing, words: standingWords(standing) } }),
    simulated: simulatedIn(candidates).size > 0,
    scores_inspected_before_freeze: core?.document.scores_inspected ?? null,
    design: {
      panel_count: new Set(matrix.panels).size,
      ranked_models: matrix.models.length,
      primary_tasks_per_model: matrix.tasks.length,
      primary_model_task_cells: matrix.values.length,
      family_task_counts: inference.tasksPerFamily,
      strata: statedStrata(inference),
      unique_anchor_clusters: inference.clusters,
      failed_or_unparseable_cells_in_primary_score: 0,
      complete_response_matrix_required: true,
    },
    core_plan: core && {
      filename: RELEASE_FILES.core,
      artifact_sha256: core.plan.artifactSha256,
      physical_sha256: core.plan.physicalSha256,
    },
    task_sets: options.sets.map(({ name, set }) => ({
      filename: name,
      panel: set.panel,
      tasks: set.tasks.length,
      physical_sha256: set.physicalSha256,
      task_set_sha256: set.taskSetSha256 ?? null,
    })),
    responses: {
      ...responseSet(candidates, () => true),
      ranked: responseSet(candidates, ({ inCore }) => inCore),
      panels: Object.fromEntries(
        [...candidates.panels.keys()].map((panel) => [
          panel,
          responseSet(candidates, ({ task }) => task.panel === panel),
        ]),
      ),
      absent_candidate_cells: absentCells(candidates),
    },
    validity_matrices: Object.fromEntries(
      candidateValidity(candidates).map((validity) => [validity.panel, validityDigest(validity)]),
    ),
    journals: options.journals.map(({ name, journal }) => ({
      filename: name,
      lines: journal.lines,
      head: journal.head,
      withheld_lines: journal.withheld,
    })),
    score_matrix_sha256: canonicalDigest({
      models: matrix.models,
      tasks: matrix.tasks,
      values: [...matrix.values],
    }),
    inference: {
      filename: RELEASE_FILES.inference,
      results_sha256: options.resultsSha256,
      resolved_pair_count: inference.resolvedPairs,
      definitive_top_model_id: inference.top === null ? null : matrix.models[inference.top],
    },
    tables: {
      leaderboard: table(RELEASE_FILES.leaderboard),
      pairwise: table(RELEASE_FILES.pairwise),
    },
    cases: table(RELEASE_FILES.cases),
    analyses: options.analyses.map(({ name, bytes }) => ({
      filename: name,
      sha256: sha256(bytes),
    })),
    cannot_be_verified: LIMITS,
  };
}
