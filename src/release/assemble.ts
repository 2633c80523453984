import type { Protocol } from '../collect/protocol.js';
import { assertComparable, assertOneEnvironment } from '../core/comparable.js';
import type { Decoding } from '../core/decoding.js';
import { incomplete, type ScoreMatrix } from '../core/matrix.js';

import { outlines } from '../core/task-outline.js';
import type { Engine, OnProgress } from '../engine/engine.js';
import { standingOf } from '../inference/analysis-plan.js';
import { leaderboardCsv, pairwiseCsv } from '../inference/columns.js';

import { runInference } from '../inference/infer.js';
import { inferenceDocument } from '../inference/inference-document.js';
import { statedInferencePlan } from '../inference/plan.js';
import type { Inference } from '../inference/result.js';
import type { Standing } from '../inference/standing.js';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { envelope, type InputFile, inputFile } from '../io/envelope.js';
import type { JsonObject } from '../io/json.js';
import type { FlavourError } from '../util/error.js';
import { RNG_ID } from '../util/version.js';
import { type CandidateCells, candidateCells, candidateMatrix, simulatedIn } from './candidate-cells.js';
import { casesDocument } from './cases.js';
import { derivedTables } from './derived-tables.js';
import { encodeTables, type TableContent } from './encode.js';
import { proveJournal, type ReleasedJournal } from './journal.js';
import { observationLines } from './observation.js';
import { namedTokens } from './plans/check-plans.js';
import type { JournalProof, ThreadProofs } from './proofs/line-proof.js';
import { releaseCard } from './release-card.js';
import {
  analysisDocuments,
  type Inventory,
  RELEASE_FILES,
  RELEASE_SCHEMAS,
  type ReleaseFile,
  textFile,
} from './release-files.js';
import type { ReleaseSources } from './release-sources.js';
import { modelNames, rosterDocument } from './released-models.js';
import { analysisInputs, remadeAnalyses } from './remade-analyses.js';
import type { RemadeAnalysis } from './remade-analysis.js';
import { statement } from './statement.js';

/** Everything that follows from the sources, before it is encoded. */
export interface AssembledRelease {
  /** How the leaderboard stands to a plan; absent where the release does not say. */
  readonly standing?: Standing;
  /** The one protocol of all answers; null where they state none, absent where the release does not say. */
  readonly protocol?: Protocol | null;
  /** Every value that an answer states to be drawn with. */
  readonly decoding: Decoding;
  readonly candidates: CandidateCells;
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** `results` of inference.json. */
  readonly results: JsonObject;
  /** models.json. */
  readonly roster: ReturnType<typeof rosterDocument>;
  /** cases.json. */
  readonly cases: ReturnType<typeof casesDocument>;
  /** Files of analyses as the release holds them. */
  readonly analyses: readonly ReleaseFile[];
  /** How each analysis was made again. */
  readonly remade: readonly RemadeAnalysis[];
  /** observations.jsonl. */
  readonly observations: Uint8Array;
  /** The other derived text files by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Derived tables by base name. */
  readonly tables: ReadonlyMap<string, TableContent>;
  /** The files of those tables, but for those that are still being made. */
  readonly encoded: readonly ReleaseFile[];
  readonly late: Promise<readonly ReleaseFile[]>;
  readonly journals: readonly { readonly name: string; readonly journal: ReleasedJournal }[];
  /** `artifact_sha256` of release.json. */
  readonly digest: string;
}

/** A release that is verified: its files, and what is proved of them meanwhile. */
export interface KnownFiles {
  readonly files: Inventory;
  readonly thread: ThreadProofs;
}

export interface AssembleOptions {
  readonly known?: KnownFiles;
  /** Take the results of analyses as their documents state them. */
  readonly quick?: boolean;
  /** Hears of an analysis that cannot be made again; without it the error is thrown. */
  readonly onProblem?: (file: string, error: FlavourError) => void;
  readonly onProgress?: OnProgress;
}

/** What documents of a release say of the run: the same on every machine, so that a release does not tell where it was built. */
const runOf = ({ version }: Pick<ReleaseSources, 'version'>) => ({
  ...{ version, backend: 'wasm', threads: 1, reason: 'one form everywhere', warnings: [] },
});

/**
 * Makes all derived content of a release: scores, core, matrix, inference, tables, cases, card. A build writes it, a verification
 * holds the files against it. Errors: INCOMPLETE (exit 3) where a ranked cell has no readable answer, and those of its parts.
 */
export async function assembleRelease(
  sources: ReleaseSources,
  engine: Engine,
  options: AssembleOptions = {},
): Promise<AssembledRelease> {
  const { title, plan, taskFiles, files, tasks, core } = sources;
  const { known } = options;
  const run = runOf(sources);
  assertOneEnvironment(files.sets);
  const candidates = candidateCells({
    observations: sources.observations,
    models: sources.models,
    files,
    panels: outlines(files),
    core: new Set(tasks.map(({ id }) => id)),
    asked: sources.asked,
    parser: sources.parser,
  });
  const alike = assertComparable(candidates.cells);
  const protocol = sources.asked === null ? undefined : alike.protocol;
  const { decoding } = alike;
  const answers = candidateMatrix(candidates, tasks);
  if (answers.matrix === null) throw incomplete(answers.missing, answers.cells);
  const { matrix } = answers;
  const names = modelNames(candidates, sources.roster);
  const texts = new Map<string, string>();
  const roster = rosterDocument(candidates, names, sources.asked !== null);
  texts.set(RELEASE_FILES.roster, `${canonicalJson(roster)}\n`);
  const found = known?.files.get(RELEASE_FILES.observations);
  const observations = observationLines(candidates.ordered, found);
  const proved = observations === found ? (await known?.thread.answers)?.sha256 : undefined;
  const inference = await runInference({ matrix, names, plan, engine });
  const sound = await known?.thread.journals;
  const journals = sources.journals.map(({ name, bytes }) => ({
    name,
    journal: sound?.get(name)?.journal ?? proveJournal(bytes, name),
  }));
  const digests = { observations: proved ?? sha256(observations), journals: sound };
  const inputs = inputsOf({ sources, observations, digests, texts });
  const planned = sources.analysisPlan;
  const stands = standingOf(
    planned?.plan ?? null,
    { matrix, plan: inference.plan, parser: answers.parser },
    planned?.witnesses,
  );
  const standing = sources.asked === null ? undefined : stands;
  const inferred = inferenceDocument({
    matrix,
    inference,
    ...(planned === null ? {} : { standing }),
    fromAnswers: true,
    parser: answers.parser,
    reasoned: answers.reasoned,
    corePlanSha256: core?.plan.artifactSha256,
    inputs,
    run,
  });
  const resultsSha256 = inferred.document.results_sha256;
  texts.set(RELEASE_FILES.inference, inferred.text);
  texts.set(RELEASE_FILES.leaderboard, leaderboardCsv(inference));
  texts.set(RELEASE_FILES.pairwise, pairwiseCsv(inference));
  const cases = casesDocument({ candidates, tasks, files, inference });
  texts.set(RELEASE_FILES.cases, `${canonicalJson(cases)}\n`);
  const tables = derivedTables({ sources, candidates, matrix, inference, protocol, resultsSha256 });
  const { encoded, late } = await encodeTables(tables, known?.thread);
  const ranked = { candidates, matrix, inference, results: inferred.document.results };
  const remade = await remadeAnalyses(
    {
      ...{ sources, ranked, engine, run, again: !options.quick, onProgress: options.onProgress },
      files: analysisInputs(inputs, encoded, inferred.text),
    },
    options.onProblem,
  );
  const analyses =
    sources.rules === 1
      ? sources.analyses
      : [
          ...remade.flatMap((one) => one.files),
          ...namedTokens(sources.analyses, analysisDocuments(sources.analyses)),
        ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const results = statement({
    title,
    protocol,
    decoding,
    standing,
    candidates,
    matrix,
    inference,
    resultsSha256,
    sets: files.sets.map((set, i) => ({ name: taskFiles[i]!.name, set })),
    core,
    journals,
    analyses,
    texts,
  });
  const { document, text } = envelope({
    schema: RELEASE_SCHEMAS[sources.rules],
    plan: statedInferencePlan(inference.plan),
    inputs,
    rng: RNG_ID[plan.rng],
    seed: plan.seed,
    streams: inference.streams,
    results,
    run,
  });
  texts.set(RELEASE_FILES.release, text);
  texts.set(
    RELEASE_FILES.card,
    releaseCard({
      rules: sources.rules,
      title,
      protocol,
      decoding,
      standing,
      inference,
      candidates,
      resultsSha256,
      simulated: simulatedIn(candidates),
      hasCore: sources.core !== null,
      journals: journals.length,
      analyses: analyses.map(({ name }) => name),
    }),
  );
  return {
    protocol,
    decoding,
    standing,
    candidates,
    matrix,
    inference,
    results: inferred.document.results,
    analyses,
    remade,
    roster,
    cases,
    observations,
    texts,
    tables,
    encoded,
    late,
    journals,
    digest: document.artifact_sha256,
  };
}

function inputsOf(options: {
  readonly sources: ReleaseSources;
  readonly observations: Uint8Array;
  /** SHA-256 of files that were digested before. */
  readonly digests: { readonly observations: string; readonly journals: ReadonlyMap<string, JournalProof> | undefined };
  readonly texts: ReadonlyMap<string, string>;
}): InputFile[] {
  const { sources, observations, digests, texts } = options;
  const { taskFiles, core, analysisPlan, journals } = sources;
  return [
    ...taskFiles.map(({ bytes }) => inputFile('tasks', bytes)),
    ...(core ? [inputFile('core', core.bytes)] : []),
    ...(analysisPlan ? [inputFile('plan', analysisPlan.bytes)] : []),
    { role: 'observations', sha256: digests.observations, bytes: observations.length },
    inputFile('models', textFile(RELEASE_FILES.roster, texts.get(RELEASE_FILES.roster)!).bytes),
    ...journals.map(({ name, bytes }) => {
      const known = digests.journals?.get(name)?.sha256;
      return known === undefined
        ? inputFile('attempts', bytes)
        : { role: 'attempts', sha256: known, bytes: bytes.length };
    }),
  ];
}
