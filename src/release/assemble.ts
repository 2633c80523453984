import { utf8Text } from '#platform';
import type { Asked } from '../collect/asked.js';
import type { Protocol } from '../collect/protocol.js';
import { assertComparable, assertOneEnvironment } from '../core/comparable.js';
import { outlines } from '../core/ledger-records.js';
import { incomplete, type ScoreMatrix } from '../core/matrix.js';
import type { RosterEntry } from '../core/model-roster.js';
import { validityColumns } from '../core/validity.js';
import type { Engine } from '../engine/engine.js';
import { standingOf } from '../inference/analysis-plan.js';
import { inferenceTables, leaderboardCsv, pairwiseCsv } from '../inference/columns.js';
import { runInference } from '../inference/infer.js';
import { inferenceDocument } from '../inference/inference-document.js';
import { type OpenPlan, statedInferencePlan } from '../inference/plan.js';
import type { Inference } from '../inference/result.js';
import { type Standing, standingWords } from '../inference/standing.js';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { envelope, type InputFile, inputFile } from '../io/envelope.js';
import { type JsonObject, parseObject } from '../io/json.js';
import type { SetParser } from '../responses/parser.js';
import { matrixColumns } from '../scores/matrix-file.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { Task } from '../tasks/task.js';
import type { TaskFiles } from '../tasks/taskset.js';
import { RNG_ID } from '../util/version.js';
import {
  type CandidateCells,
  candidateCells,
  candidateMatrix,
  candidateValidity,
  simulatedIn,
} from './candidate-cells.js';
import { caseStudies, casesDocument } from './cases.js';
import type { TableContent } from './encode.js';
import { proveJournal, type ReleasedJournal } from './journal.js';
import { type Observation, observationLines } from './observation.js';
import { observationColumns } from './observation-columns.js';
import type { ThreadProofs } from './proofs/line-proof.js';
import { releaseCard } from './release-card.js';
import { type Inventory, RELEASE_FILES, RELEASE_SCHEMA, type ReleaseFile, textFile } from './release-files.js';
import { modelNames, rosterDocument, rosterRoutes } from './released-models.js';
import type { ReleasedPlan } from './released-plan.js';
import { type ReleaseTitle, statement } from './statement.js';
import type { ReleaseView } from './view.js';

/** What a release is made of; everything else in it follows. */
export interface ReleaseSources {
  readonly title: ReleaseTitle;
  readonly plan: OpenPlan;
  /** A plan that was frozen before; null where there is none. */
  readonly analysisPlan: ReleasedPlan | null;
  /** Task files, in the order of `files.sets`. */
  readonly taskFiles: readonly ReleaseFile[];
  readonly files: TaskFiles;
  /** Ranked tasks in order. */
  readonly tasks: readonly Task[];
  readonly core: {
    readonly plan: CorePlan;
    readonly document: JsonObject;
    readonly bytes: Uint8Array;
  } | null;
  /** Ranked models in order. */
  readonly models: readonly string[];
  readonly roster: readonly RosterEntry[];
  readonly observations: Iterable<Observation>;
  /** Parser of the answers. */
  readonly parser: SetParser;
  readonly phase: string;
  /** How models were asked, by what the keys of their records bind; null for a release of version 0.1.0, which does not say. */
  readonly asked: ReadonlyMap<string, Asked> | null;
  readonly journals: readonly ReleaseFile[];
  readonly analyses: readonly ReleaseFile[];
}

/** Everything that follows from the sources, before it is encoded. */
export interface AssembledRelease {
  /** How the leaderboard stands to a plan; absent where the release does not say. */
  readonly standing?: Standing;
  /** The one protocol of all answers; null where they state none, absent where the release does not say. */
  readonly protocol?: Protocol | null;
  readonly candidates: CandidateCells;
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  /** `results` of inference.json. */
  readonly results: JsonObject;
  /** models.json. */
  readonly roster: ReturnType<typeof rosterDocument>;
  /** cases.json. */
  readonly cases: ReturnType<typeof casesDocument>;
  /** observations.jsonl. */
  readonly observations: Uint8Array;
  /** The other derived text files by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Derived tables by base name. */
  readonly tables: ReadonlyMap<string, TableContent>;
  readonly journals: readonly { readonly name: string; readonly journal: ReleasedJournal }[];
  /** `artifact_sha256` of release.json. */
  readonly digest: string;
}

/** A release that is verified: its files, and what is proved of them meanwhile. */
export interface KnownFiles {
  readonly files: Inventory;
  readonly thread: ThreadProofs;
}

/** The same on every machine, so that a release does not tell where it was built. */
const RUN = { backend: 'wasm', threads: 1, reason: 'one form everywhere', warnings: [] };

/**
 * Makes all derived content of a release: scores, core, matrix, inference, tables, cases, card. A build writes it, a verification
 * holds the files against it. Errors: INCOMPLETE (exit 3) where a ranked cell has no readable answer, and those of its parts.
 */
export async function assembleRelease(
  sources: ReleaseSources,
  engine: Engine,
  known?: KnownFiles,
): Promise<AssembledRelease> {
  const { title, plan, taskFiles, files, tasks, core } = sources;
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
  const comparable = assertComparable(candidates.cells);
  const protocol = sources.asked === null ? undefined : comparable;
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
  const inputs = inputsOf({ sources, observations, digest: proved ?? sha256(observations), texts });
  const inference = await runInference({ matrix, names, plan, engine });
  const planned = sources.analysisPlan;
  const stands = standingOf(planned?.plan ?? null, { matrix, plan: inference.plan }, planned?.witnesses);
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
    run: RUN,
  });
  const resultsSha256 = inferred.document.results_sha256;
  texts.set(RELEASE_FILES.inference, inferred.text);
  texts.set(RELEASE_FILES.leaderboard, leaderboardCsv(inference));
  texts.set(RELEASE_FILES.pairwise, pairwiseCsv(inference));
  const cases = casesDocument({ candidates, tasks, files, inference });
  texts.set(RELEASE_FILES.cases, `${canonicalJson(cases)}\n`);
  const sound = await known?.thread.journals;
  const journals = sources.journals.map(({ name, bytes }) => ({
    name,
    journal: sound?.get(name)?.journal ?? proveJournal(bytes, name),
  }));
  const results = statement({
    title,
    protocol,
    standing,
    candidates,
    matrix,
    inference,
    resultsSha256,
    sets: files.sets.map((set, i) => ({ name: taskFiles[i]!.name, set })),
    core,
    journals,
    analyses: sources.analyses,
    texts,
  });
  const { document, text } = envelope({
    schema: RELEASE_SCHEMA,
    plan: statedInferencePlan(inference.plan),
    inputs,
    rng: RNG_ID[plan.rng],
    seed: plan.seed,
    streams: inference.streams,
    results,
    run: RUN,
  });
  texts.set(RELEASE_FILES.release, text);
  texts.set(
    RELEASE_FILES.card,
    releaseCard({
      title,
      protocol,
      standing,
      inference,
      candidates,
      resultsSha256,
      simulated: simulatedIn(candidates),
      hasCore: sources.core !== null,
      journals: journals.length,
      analyses: sources.analyses.map(({ name }) => name),
    }),
  );
  const { models, pairs, replication } = inferenceTables(inference, resultsSha256);
  const tables = new Map<string, TableContent>([
    [
      'validity',
      {
        columns: validityColumns({
          matrices: candidateValidity(candidates),
          chosen: candidates.cells,
          phase: sources.phase,
        }),
        metadata: { schema: 'flavourbench-validity/1' },
      },
    ],
    ['observations', { columns: observationColumns(candidates.ordered), metadata: {} }],
    [
      'matrix',
      {
        columns: matrixColumns(matrix),
        metadata: {
          schema: 'flavourbench-score-matrix/1',
          scale: String(matrix.scale),
          ...(protocol === undefined ? {} : { sources: JSON.stringify({ protocol: protocol?.sha256 ?? 'unstated' }) }),
        },
      },
    ],
    ['models', models],
    ['pairs', pairs],
    ['replication', replication],
  ]);
  return {
    protocol,
    standing,
    candidates,
    matrix,
    inference,
    results: inferred.document.results,
    roster,
    cases,
    observations,
    texts,
    tables,
    journals,
    digest: document.artifact_sha256,
  };
}

function inputsOf(options: {
  readonly sources: ReleaseSources;
  readonly observations: Uint8Array;
  readonly digest: string;
  readonly texts: ReadonlyMap<string, string>;
}): InputFile[] {
  const { sources, observations, digest, texts } = options;
  const { taskFiles, core, analysisPlan, journals } = sources;
  return [
    ...taskFiles.map(({ bytes }) => inputFile('tasks', bytes)),
    ...(core ? [inputFile('core', core.bytes)] : []),
    ...(analysisPlan ? [inputFile('plan', analysisPlan.bytes)] : []),
    { role: 'observations', sha256: digest, bytes: observations.length },
    inputFile('models', textFile(RELEASE_FILES.roster, texts.get(RELEASE_FILES.roster)!).bytes),
    ...journals.map(({ bytes }) => inputFile('attempts', bytes)),
  ];
}

/** Gives the view of a release that is in memory, as `openRelease` would give it from the folder. */
export function viewOf(sources: ReleaseSources, assembled: AssembledRelease): ReleaseView {
  const start = RELEASE_FILES.analyses.length;
  return {
    kind: 'folder',
    digest: assembled.digest,
    address: null,
    benchmark: sources.title.benchmark,
    track: sources.title.track,
    claim: sources.title.claim,
    leaderboard: assembled.inference,
    plan: assembled.inference.plan,
    corePlan: sources.core?.document ?? null,
    tasks: sources.tasks,
    matrix: assembled.matrix,
    routes: rosterRoutes(assembled.roster),
    analyses: new Map(
      sources.analyses
        .filter(({ name }) => name.endsWith('.json'))
        .map(({ name, bytes }) => [name.slice(start, -'.json'.length), parseObject(utf8Text(bytes), { file: name })]),
    ),
    cases: caseStudies(assembled.cases),
    protocol: assembled.protocol,
    standing: assembled.standing && standingWords(assembled.standing),
  };
}
