import type { Command } from 'commander';
import { assertOneEnvironment } from '../../core/comparable.js';
import { assertAskedAlike } from '../../core/stated-cells.js';
import { readStanding, readText } from '../../io/file.js';
import { type PyValue, parsePyJson, pyCanonical, pyStored } from '../../io/pyjson.js';
import { openAnswers } from '../../responses/answer-file.js';
import { compareReports, type ReportComparison } from '../../responses/compare-reports.js';
import type { SetParser } from '../../responses/parser.js';
import type { Report } from '../../responses/report.js';
import { REPORT_SEED } from '../../responses/report.js';
import { scoreFiles } from '../../responses/score-files.js';
import type { Submission, Unanswered } from '../../responses/submission.js';
import { checkReport } from '../../responses/verify-report.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { FlavourError, fail, placeText, shown } from '../../util/error.js';
import { fixed } from '../../util/format.js';
import { dataText } from '../../util/text.js';
import { oldSpelling } from '../old-spelling.js';
import { countOption, seedOption } from '../options.js';
import { chosenParser, parserOption, parserWords } from '../parser-option.js';
import { plain, printJson, printLine } from '../print.js';
import { elsewhere } from '../words-elsewhere.js';
import { forceOption, writeFiles } from '../write-output.js';

interface ScoreFlags {
  readonly tasks: string[];
  readonly core?: string;
  readonly model?: string;
  readonly out: string;
  readonly perTask?: string;
  readonly parser?: SetParser;
  readonly allowPartial?: boolean;
  readonly inference: boolean;
  readonly draws: number;
  readonly flips: number;
  readonly seed?: bigint;
  readonly expectTasks?: string;
  readonly compare?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const LISTED = 20;

function described({ task, reason, defect, ...where }: Unanswered): string {
  const place = where.file === undefined ? '' : ` (${placeText(where)})`;
  return `  ${reason.padEnd(16)} ${task}${place}${defect === undefined ? '' : `: ${defect}`}`;
}

function printSummary(path: string, report: Report, submission: Submission): void {
  const { coverage, score, diagnostic, interval } = report;
  printLine(`report: ${path}`);
  const share = fixed((100 * coverage.valid) / coverage.tasks, 1);
  printLine(`coverage: ${coverage.valid}/${coverage.tasks} (${share}%)`);
  printLine(parserWords(submission.parser, submission.reasoned));
  if (submission.aside > 0) {
    printLine(`left aside: ${submission.aside} answers to tasks that are not scored here`);
  }
  const band =
    interval === null ? '' : `  95% interval [${fixed(interval[0], 2)}, ${fixed(interval[1], 2)}], one model alone`;
  if (score !== null) printLine(`FlavourBench Score: ${fixed(score, 2)}${band}`);
  else {
    const known = diagnostic === null ? 'none, a family has no answer' : fixed(diagnostic, 2);
    printLine(`FlavourBench Score: not issued; over readable answers: ${known}${band}`);
    if (coverage.valid === coverage.tasks) {
      printLine(
        `not comparable: the task set is not the released core; to hold a report to this one: --expect-tasks ${dataText(report.document.task_set_semantic_sha256)}`,
      );
    }
  }
  for (const item of submission.unanswered.slice(0, LISTED)) printLine(plain(described(item)));
  const rest = submission.unanswered.length - LISTED;
  if (rest > 0) printLine(`  and ${rest} more; --json lists all`);
}

const rowsText = (rows: readonly PyValue[]) => rows.map((row) => `${pyCanonical(row)}\n`).join('');

/**
 * Tells whether what stands in the place of the outputs is an earlier report without its score, and its own rows: answers that were missing have
 * come since, and it gives way.
 */
function isOwnIncomplete(path: string, perTask: string | undefined): boolean {
  try {
    const text = readStanding(path);
    if (text === undefined) return false;
    const { coverage } = checkReport(text, path);
    if (coverage.valid === coverage.tasks) return false;
    const rows = perTask === undefined ? undefined : readStanding(perTask);
    if (rows === undefined) return true;
    const { per_task } = parsePyJson(text, { file: path }) as { per_task: readonly PyValue[] };
    return rows === rowsText(per_task);
  } catch (error) {
    if (error instanceof FlavourError) return false;
    throw error;
  }
}

/** Says how a report stands to another; no test is made of it, which takes more than one set of answers a model. */
function comparisonWords({ difference, higher, lower, equal }: ReportComparison, other: string): string {
  const by =
    difference === null ? 'a score is withheld' : `difference ${difference < 0 ? '' : '+'}${fixed(difference, 2)}`;
  return plain(`against ${other}: ${by}; more points on ${higher} tasks, fewer on ${lower}, as many on ${equal}`);
}

/** Compares a report with another one. Errors: REPORTS_MIXED; PROTOCOL_MIXED and DECODING_MIXED where both say how their answers were asked. */
function comparedTo(path: string, own: Parameters<typeof compareReports>[0]): ReportComparison {
  const other = { file: path, report: checkReport(readText(path), path) };
  assertAskedAlike([own, other].map(({ file, report: { asked = [] } }) => ({ name: file, asked })));
  return compareReports(own, other);
}

async function score(responses: string, flags: ScoreFlags): Promise<void> {
  const path = flags.out;
  if (flags.tasks.length > 1) assertOneEnvironment(readTaskFiles(flags.tasks).sets);
  const { submission, report } = scoreFiles({
    responses: await openAnswers(responses),
    tasks: flags.tasks,
    core: flags.core,
    parser: chosenParser(flags.parser, flags.core === undefined ? undefined : readCorePlan(flags.core), flags.core),
    model: flags.model,
    expectedTaskSetSha256: flags.expectTasks,
    ...(flags.inference
      ? {
          inference: {
            resamples: flags.draws,
            flips: flags.flips,
            seed: flags.seed ?? REPORT_SEED,
          },
        }
      : {}),
  });
  const { task_set_semantic_sha256: digest } = report.document;
  if (flags.expectTasks !== undefined && flags.expectTasks !== digest) {
    fail(
      'DIGEST_MISMATCH',
      null,
      `task set: expected ${shown(flags.expectTasks)}, found ${shown(digest)}`,
      'Give the task files of that digest, or leave --expect-tasks out.',
    );
  }
  const rows = () => rowsText(report.perTask);
  const stored = pyStored(report.document);
  const compared =
    flags.compare === undefined
      ? null
      : comparedTo(flags.compare, { file: responses, report: checkReport(stored, path) });
  await writeFiles(
    [...(flags.perTask === undefined ? [] : [{ path: flags.perTask, data: rows() }]), { path, data: stored }],
    { replace: flags.force === true || isOwnIncomplete(path, flags.perTask) },
  );
  const { coverage } = report;
  if (flags.json) {
    printJson({
      report: path,
      artifact_sha256: report.document.artifact_sha256,
      comparable: report.comparable,
      flavourbench_score: report.score,
      diagnostic_valid_score: report.diagnostic,
      confidence_interval_95: report.interval,
      coverage,
      left_aside: submission.aside,
      parser: submission.parser,
      inline_reasoning_answers: submission.reasoned,
      unanswered: submission.unanswered,
      ...(compared === null ? {} : { compared }),
    });
  } else {
    printSummary(path, report, submission);
    if (compared !== null) printLine(comparisonWords(compared, flags.compare!));
  }
  const open = coverage.missing + coverage.invalid;
  if (open > 0 && !flags.allowPartial) {
    fail(
      'INCOMPLETE',
      null,
      `no score: ${coverage.missing} tasks without an answer, ${coverage.invalid} without a readable one`,
      'Answer them, or accept the partial report with --allow-partial.',
      { exit: 3 },
    );
  }
}

/** Adds `score` to the program. */
export function register(program: Command): void {
  const command = program
    .command('score')
    .description("Score one model's answers and write its report.")
    .argument('<responses>', 'answers: JSON with one row a line or as a document, CSV, Arrow or Parquet, packed or not')
    .requiredOption('--tasks <files...>', 'task-set documents or task rows')
    .option('--core <plan>', 'score the tasks of this core plan')
    .addOption(parserOption())
    .option('--model <id>', 'only the rows of this model')
    .option('--out <file>', 'report file', 'flavourbench-report.json')
    .option('--per-task <file>', 'write one row a task too')
    .option('--allow-partial', 'exit 0 when answers are missing; the score is withheld all the same')
    .option('--no-inference', 'no interval and no chance test')
    .option('--draws <n>', 'bootstrap draws of the interval', countOption, 50_000)
    .option('--flips <n>', 'sign-flip draws of the chance test', countOption, 100_000)
    .option('--seed <n>', `seed of both (default: ${REPORT_SEED})`, seedOption)
    .option('--expect-tasks <sha256>', 'task-set digest that the report is held to')
    .option('--compare <report>', 'another report over the same tasks, read by the same parser')
    .addOption(forceOption())
    .option('--json', 'print the summary as JSON, with every task that has no readable answer')
    .action(score);
  const RELEASED = [
    'a report has the form, the strata and the streams of the released ones, and one thread makes it',
    'Leave it out; `flavourbench infer --responses FILE --tasks FILE` has the choice.',
  ] as const;
  elsewhere(command, { '--rng <name>': RELEASED, '--strata <name>': RELEASED, '--threads <n>': RELEASED });
  oldSpelling(command, '--output <file>', 'out');
  oldSpelling(command, '--bootstrap-resamples <n>', 'draws', countOption);
  oldSpelling(command, '--sign-flip-resamples <n>', 'flips', countOption);
}
