import { latin1Text } from '#platform';
import { pyStored } from '../../io/pyjson.js';
import { decodeText } from '../../io/utf8.js';
import { placed, whereOf } from '../../responses/answer.js';
import type { PlacedAnswer } from '../../responses/answer-rows.js';
import { answersIn } from '../../responses/answers-in.js';
import { HEAD, kindOfHead } from '../../responses/file-kind.js';
import { DEFAULT_PARSER, type SetParser } from '../../responses/parser.js';
import { statedParser } from '../../responses/parser-contract.js';
import { labReport, REPORT_SEED, type Report } from '../../responses/report.js';
import { gatherSubmission, type Unanswered } from '../../responses/submission.js';
import { type CorePlan, corePlanOf, coreTasks } from '../../tasks/coreplan.js';
import { rankedTasks } from '../../tasks/task.js';
import { joinedTaskSets, taskRowsDigest, taskSetOf, writtenRows } from '../../tasks/taskset.js';
import { FlavourError, fail } from '../../util/error.js';

/** A file by its name. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Answers to score, and what they answer. */
export interface AnswersToScore {
  readonly answers: NamedBytes;
  /** The model whose rows are scored; the first one unless given. */
  readonly model?: string;
  readonly tasks: readonly NamedBytes[];
  /** Core plan that says which of the tasks are scored; all ranked ones without it. */
  readonly core: NamedBytes | null;
}

/** A row that is no answer to a task, and why. */
export interface BadRow extends RowPlace {
  readonly reason: string;
}

/** Where a row stands, 1-based: its line, and its place in a list or a table. */
interface RowPlace {
  readonly line?: number;
  readonly row?: number;
}

/** Answers of one model, scored. */
export interface ScoredAnswers extends Pick<Report, 'score' | 'diagnostic' | 'interval' | 'families' | 'coverage'> {
  /** Models in the file, by first appearance; empty names for rows that name none. */
  readonly models: readonly string[];
  readonly model: string;
  /** The report as `score` writes it, byte for byte. */
  readonly report: string;
  readonly parser: SetParser;
  /** Rows that are no answers, the first so many; and how many there are. */
  readonly bad: readonly BadRow[];
  readonly badCount: number;
  readonly unanswered: readonly Unanswered[];
  /** Basis points by task id; null where a task has no readable answer. */
  readonly points: ReadonlyMap<string, number> | null;
}

const ANSWERS = 'Give rows of JSON, CSV, Arrow or Parquet: task_id, and answer, response or selection.';

/** Bad rows that are kept. */
const KEPT = 500;

/** Reads a row; one that cannot be read is handed over. */
function readOr(read: () => PlacedAnswer, wrong: (error: FlavourError) => void): PlacedAnswer | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    wrong(error);
    return undefined;
  }
}

/**
 * Scores the answers of one model as `score` does (collection 2.4), but for rows that are none: these are listed and passed by. Errors: those of task
 * files and core; SCHEMA_INVALID where no row is an answer to a task; those of the report.
 */
export async function scoreAnswers({ answers, model: asked, tasks, core }: AnswersToScore): Promise<ScoredAnswers> {
  refuseOtherKinds(answers);
  const files = joinedTaskSets(
    tasks.map(({ name }) => name),
    tasks.map(({ name, bytes }) => taskSetOf(name, bytes)),
  );
  const plan = core && corePlanOf(core.name, core.bytes);
  const scored = plan ? coreTasks(plan, files) : rankedTasks(files.tasks);
  const bad: BadRow[] = [];
  let badCount = 0;
  const wrong = ({ line, row }: RowPlace, reason: string) => {
    badCount += 1;
    if (bad.length < KEPT) bad.push({ line, row, reason });
  };
  const models = new Set<string>();
  const known: PlacedAnswer[] = [];
  const firsts = new Map<string, PlacedAnswer>();
  for await (const read of answersIn(answers.bytes, answers.name)) {
    const answer = readOr(read, ({ message, where }) => wrong(where ?? {}, message));
    if (answer === undefined) continue;
    const { model, task } = answer.answer;
    if (!files.byId.has(task)) {
      wrong(whereOf(answer), `task ${JSON.stringify(task)} is none of these tasks`);
      continue;
    }
    models.add(model);
    const before = firsts.get(`${model}\n${task}`);
    if (before !== undefined) {
      wrong(whereOf(answer), `a second answer to task ${JSON.stringify(task)}; the first stands in ${placed(before)}`);
      continue;
    }
    firsts.set(`${model}\n${task}`, answer);
    known.push(answer);
  }
  const [first] = models;
  if (first === undefined)
    fail(
      'SCHEMA_INVALID',
      { file: answers.name },
      `no row is an answer to one of these tasks${bad[0] ? `; ${bad[0].reason}` : ''}`,
      ANSWERS,
    );
  const model = asked ?? first;
  const parser = parserOf(plan, core?.name);
  const submission = gatherSubmission({
    answers: known.filter(({ answer }) => answer.model === model),
    tasks: scored,
    known: files.byId,
    parser,
  });
  const report = labReport({
    tasks: scored,
    submission,
    taskSetSha256: taskRowsDigest({
      rows: new Map(tasks.flatMap(({ name, bytes }) => writtenRows(decodeText(name, bytes), name))),
      tasks: scored,
      withPanel: plan !== null,
    }),
    inference: { resamples: 50_000, flips: 100_000, seed: REPORT_SEED },
  });
  const { score, diagnostic, interval, families, coverage } = report;
  const { codes, unanswered } = submission;
  const complete = coverage.valid === coverage.tasks;
  return {
    ...{ score, diagnostic, interval, families, coverage, model, parser, bad, badCount, unanswered },
    models: [...models],
    report: pyStored(report.document),
    points: complete ? new Map(scored.map((task, t) => [task.id, task.scores[codes[t]!]!])) : null,
  };
}

/** Says what a file is that holds no answers. Errors: USAGE. */
function refuseOtherKinds({ name, bytes }: NamedBytes): void {
  const where = { file: name };
  if (bytes.length === 0) fail('USAGE', where, 'is empty: it holds no answer', ANSWERS);
  const kind = kindOfHead(latin1Text(bytes, 0, Math.min(bytes.length, HEAD)));
  if (kind === 'tasks') fail('USAGE', where, 'is a task set, no answers', ANSWERS);
  if (kind === 'table') fail('USAGE', where, 'is a table without the columns of answers', ANSWERS);
}

/** The parser that the core was frozen with, else v4. Errors: SCHEMA_INVALID for an unknown one. */
function parserOf(plan: CorePlan | null, file: string | undefined): SetParser {
  if (plan?.parser === undefined) return DEFAULT_PARSER;
  const { parser, parserSha256: parser_sha256 } = plan;
  return statedParser({ parser, parser_sha256 }, { ...(file === undefined ? {} : { file }), path: 'sources.parser' });
}
