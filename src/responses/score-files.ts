import { coreTasks, readCorePlan } from '../tasks/coreplan.js';
import { rankedTasks, type Task } from '../tasks/task.js';
import { readTaskFiles, readTaskRows, taskRowsDigest } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { type PlacedAnswer, readAnswers } from './file.js';
import { labReport, type Report, type ReportInference } from './report.js';
import { gatherSubmission, type Submission } from './submission.js';

export interface ScoreFilesOptions {
  readonly responses: string;
  readonly tasks: readonly string[];
  /** Core plan: its tasks, in its order. Without one, the tasks of the ranked families in file order. */
  readonly core?: string;
  /** Reads only the rows of this model. */
  readonly model?: string;
  readonly expectedTaskSetSha256?: string;
  readonly inference?: ReportInference;
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
      'Give one of the models in the file.',
    );
  }
}

/** Scores a response file against task files (collection 2.4). Errors: those of reading, matching and reporting. */
export function scoreFiles(options: ScoreFilesOptions): ScoredFiles {
  const { responses, tasks: paths, core, model, expectedTaskSetSha256, inference } = options;
  const files = readTaskFiles(paths);
  const tasks = core === undefined ? rankedTasks(files.tasks) : coreTasks(readCorePlan(core), files);
  const answers = readAnswers(responses);
  const submission = gatherSubmission({
    answers: model === undefined ? answers : ofModel(answers, model),
    tasks,
    known: files.byId,
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
  });
  return { tasks, submission, report };
}
