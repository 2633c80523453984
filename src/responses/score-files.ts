import { readText } from '../io/file.js';
import { coreTasks } from '../tasks/coreplan.js';
import { rankedTasks, type Task } from '../tasks/task.js';
import { readCorePlan, readTaskFiles, readTaskRows } from '../tasks/task-files.js';
import { taskRowsDigest } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';
import { readAnswers } from './answer-file.js';
import type { PlacedAnswer } from './answer-rows.js';
import type { SetParser } from './parser.js';
import { statedParser } from './parser-contract.js';
import { labReport, REPORT_SEED, type Report, type ReportInference } from './report.js';
import type { ReportDocument } from './report-schema.js';
import { gatherSubmission, type Submission } from './submission.js';
import { assertSameReport, checkReport } from './verify-report.js';

interface ScoreFilesOptions {
  /** A response file of JSON, or answers that were read (`openAnswers`). */
  readonly responses: string | Iterable<PlacedAnswer>;
  readonly tasks: readonly string[];
  /** Core plan: its tasks, in its order. Without one, the tasks of the ranked families in file order. */
  readonly core?: string;
  /** Reads only the rows of this model. */
  readonly model?: string;
  readonly expectedTaskSetSha256?: string;
  readonly inference?: ReportInference;
  /** v4 unless given. */
  readonly parser?: SetParser;
  readonly bindsParser?: boolean;
}

export interface ScoredFiles {
  readonly tasks: readonly Task[];
  readonly submission: Submission;
  readonly report: Report;
}

function* ofModel(answers: Iterable<PlacedAnswer>, model: string): Generator<PlacedAnswer> {
  const others = new Set<string>();
  let found = false;
  for (const item of answers) {
    if (item.answer.model === model) {
      found = true;
      yield item;
    } else others.add(item.answer.model);
  }
  if (!found) {
    const list = [...others].slice(0, 8).map(shown).join(', ');
    fail(
      'MODEL_UNKNOWN',
      null,
      `no row of model ${shown(model)}; there are ${list}`,
      nearestHint(model, [...others]) ?? 'Name the model as the file does.',
    );
  }
}

/** Scores a response file against task files (collection 2.4). Errors: those of reading, matching and reporting. */
export function scoreFiles(options: ScoreFilesOptions): ScoredFiles {
  const { responses, tasks: paths, core, model, expectedTaskSetSha256, inference, parser, bindsParser } = options;
  const files = readTaskFiles(paths);
  const tasks = core === undefined ? rankedTasks(files.tasks) : coreTasks(readCorePlan(core), files);
  const answers = typeof responses === 'string' ? readAnswers(responses) : responses;
  const submission = gatherSubmission({
    answers: model === undefined ? answers : ofModel(answers, model),
    tasks,
    known: files.byId,
    parser,
  });
  const report = labReport({
    tasks,
    submission,
    taskSetSha256: taskRowsDigest({
      rows: readTaskRows(paths),
      tasks,
      withPanel: core !== undefined,
    }),
    expectedTaskSetSha256,
    inference,
    bindsParser,
  });
  return { tasks, submission, report };
}

interface VerifyReportOptions {
  readonly report: string;
  /** Task files and the answers: when given, everything is scored again and compared. */
  readonly tasks?: readonly string[];
  readonly responses?: string | Iterable<PlacedAnswer>;
  readonly core?: string;
  readonly model?: string;
  /** Seed of the inference that is made again; that of the laboratory kit unless given. */
  readonly seed?: bigint;
}

interface VerifiedReport {
  readonly document: ReportDocument;
  /** True where tasks and responses were read and scored again: without that, a report can be consistent and made up. */
  readonly rescored: boolean;
}

/**
 * Verifies a laboratory report: its digest, its schema, everything that follows from its rows; and, given the task and
 * response files, everything else by scoring them again. Errors: VERIFY_FAILED (exit 4) names the first difference.
 */
export function verifyReport(options: VerifyReportOptions): VerifiedReport {
  const { report: path, tasks, responses, core, model, seed = REPORT_SEED } = options;
  const text = readText(path);
  const document = checkReport(text, path);
  if (tasks === undefined || responses === undefined) return { document, rescored: false };
  const { inference, task_set_binding, task_set_semantic_sha256 } = document;
  const again = scoreFiles({
    responses,
    tasks,
    core,
    model,
    parser: statedParser(document, { file: path, path: 'parser' }),
    // Reports of version 0.1.0 state the name alone.
    bindsParser: document.parser_sha256 !== undefined,
    expectedTaskSetSha256: task_set_binding === 'declared' ? task_set_semantic_sha256 : undefined,
    inference:
      inference === null
        ? undefined
        : { resamples: inference.bootstrap_resamples, flips: inference.sign_flip_resamples, seed },
  });
  assertSameReport(text, again.report, path);
  return { document, rescored: true };
}
