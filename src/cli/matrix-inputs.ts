import type { Command } from 'commander';
import { gapWords } from '../core/gaps.js';
import { incomplete, type MissingCell, type ScoreMatrix } from '../core/matrix.js';
import type { ExtraCells } from '../core/matrix-answers.js';
import type { MatrixRead } from '../core/matrix-cells.js';
import { choiceWords } from '../core/model-choice.js';
import { type RosterEntry, readRoster, rosterRows } from '../core/model-roster.js';
import { keptTasks, taskChoiceWords } from '../core/task-choice.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { inputSize } from '../io/open-input.js';
import { inputFileAt } from '../io/read-file.js';
import { decodeText } from '../io/utf8.js';
import type { SetParser } from '../responses/parser.js';
import { withChance } from '../scores/chance.js';
import { readScores } from '../scores/score-paths.js';
import type { Reading } from '../scores/scores-reading.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';
import { collected } from './options.js';
import { chosenParser, parserOption } from './parser-option.js';
import { modelChoice, type RowFlags, rowOptions } from './row-options.js';
import { columnOptions, type TableFlags, unitOptions } from './table-options.js';
import { type TaskFlags, taskChoice } from './task-options.js';

export interface MatrixInputOptions extends TableFlags, RowFlags, Pick<TaskFlags, 'withoutTasks' | 'withoutFamilies'> {
  readonly responses?: readonly string[];
  readonly tasks?: readonly string[];
  readonly core?: string;
  readonly parser?: SetParser;
  /** One table, or evaluation logs. */
  readonly scores?: readonly string[];
  readonly chance?: string;
  readonly roster?: string;
}

/** A matrix and where it came from. */
export interface MatrixInputs extends MatrixRead {
  readonly inputs: readonly InputFile[];
  /** Per model, in matrix order. */
  readonly names?: readonly RosterEntry[];
  readonly fromAnswers: boolean;
  /** What was read of `--scores`. */
  readonly reading?: Reading;
  readonly corePlanSha256?: string;
  readonly extra?: ExtraCells;
  /** Parser of answers, and how many of them held reasoning. */
  readonly parser?: SetParser;
  readonly reasoned?: number;
}

/** Adds the options that name a complete score matrix, the same for every command that takes one. */
export function matrixOptions(command: Command): Command {
  const inputs = command
    .argument('[files...]', 'scores: a table, or evaluation logs; or --responses with --tasks')
    .option(
      '--responses <files...>',
      'answers, as JSON, JSON lines, CSV, Arrow or Parquet: a text, or a selection such as ABC',
    )
    .option('--tasks <files...>', 'task sets or task rows the answers belong to; with --responses')
    .option('--core <plan>', 'common-core plan that names the columns and their order')
    .addOption(parserOption())
    .option('--scores <file>', 'the same as FILE...: a table, or evaluation logs, one at a time', collected)
    .option('--clusters <file>', 'CSV task,cluster: tasks of --scores that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts of --scores that weigh the same')
    .option('--chance <file>', 'CSV task,value: score of a random answer, in the unit of --scores')
    .option('--metric <name>', 'metric or scorer of logs; of a table, rows to take by its text column metric')
    .option('--filter <name>', 'filter of lm-evaluation-harness logs')
    .option('--roster <file>', 'models to rank, in order: one id a line, CSV with model_id, or a document with models');
  return rowOptions(columnOptions(unitOptions(inputs)));
}

/**
 * Reads the complete score matrix (models x tasks) that a call names, from answers or from a table. `withheld` is given
 * every missing cell before INCOMPLETE is thrown (exit 3). Errors: USAGE where options do not go together; INCOMPLETE where
 * cells are missing; those of the readers.
 */
export async function matrixInputs(
  options: MatrixInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<MatrixInputs> {
  const { responses, tasks, core, scores, scale, quantize } = options;
  if (scores === undefined && (responses === undefined || tasks === undefined))
    fail(
      'USAGE',
      null,
      'no scores to infer from',
      'Give FILE..., a table or logs; or --responses FILE... with --tasks FILE...',
    );
  if (scores !== undefined && (responses ?? tasks ?? core) !== undefined)
    fail(
      'USAGE',
      null,
      'scores (FILE... or --scores) go with neither --responses, --tasks nor --core',
      'Give one or the other.',
    );
  if (scores !== undefined && options.parser !== undefined)
    fail('USAGE', null, '--parser goes with --responses', 'Scores hold no answers to read.');
  const foreign = scores === undefined ? ABOUT_SCORES.find((name) => options[name] !== undefined) : undefined;
  if (foreign !== undefined)
    fail(
      'USAGE',
      null,
      `--${foreign.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} goes with --scores`,
      'Task files say all of that.',
    );
  if (scale !== undefined && quantize !== undefined)
    fail('USAGE', null, '--scale and --quantize exclude each other', '--quantize sets the scale.');
  return scores === undefined ? fromAnswers(options, withheld) : fromMatrix(scores, options, withheld);
}

/** Takes the files of a call for what `--scores` names. Errors: USAGE where both are given. */
export function withFiles<F extends Pick<MatrixInputOptions, 'scores'>>(files: readonly string[], flags: F): F {
  if (files.length === 0) return flags;
  if (flags.scores !== undefined)
    fail('USAGE', null, `files and --scores are both given: ${files.join(' ')}`, 'Give all of them as files.');
  return { ...flags, scores: files };
}

/** What only a table or a log can be asked. */
const ABOUT_SCORES = [
  ...(['chance', 'scale', 'quantize', 'clusters', 'families', 'attempts', 'range', 'metric', 'filter'] as const),
  ...(['modelColumn', 'taskColumn', 'valueColumn', 'familyColumn', 'clusterColumn', 'attemptColumn'] as const),
  ...(['drop', 'only', 'transpose', 'names', 'sheet'] as const),
];

async function fromMatrix(
  paths: readonly string[],
  options: MatrixInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<MatrixInputs> {
  const { chance, roster, quantize } = options;
  const { choice, inputs: lists } = await modelChoice(options);
  const left = taskChoice(options);
  const read = await readScores(paths, { ...options, ...choice, ...left.choice, withheld });
  const inputs = [...read.inputs, ...lists, ...left.inputs];
  const { scale, stated } = read.reading.values;
  const unit = stated ? { scale } : {};
  const given = chance === undefined ? read : withChanceOf(read, chance, { ...unit, quantize, inputs });
  const names = (await rosterOf(roster, inputs))?.filter(({ modelId }) => !read.leftOut?.includes(modelId));
  return { ...(names ? rosterRows(given, names) : given), inputs, names, fromAnswers: false };
}

/** Says how many tasks a read matrix is without, and how the gaps lie, without a full stop; nothing where no task was left out. */
export function droppedWords({ dropped, gaps }: MatrixRead): string[] {
  if (dropped === 0) return [];
  const tasks = `${counted(dropped, 'task')} that some model lacks ${dropped === 1 ? 'was' : 'were'} left out`;
  return [gaps === undefined ? tasks : `${tasks}: ${gapWords(gaps).replace(/\.$/, '')}`];
}

/** Adds the chance values of a file to all that was read of a matrix. */
function withChanceOf(
  read: MatrixRead,
  path: string,
  { inputs, ...unit }: { readonly scale?: number; readonly quantize?: number; readonly inputs: InputFile[] },
): MatrixRead {
  const bytes = readInput(path);
  inputs.push(inputFile('chance', bytes));
  const text = decodeText(path, bytes);
  const { bounds, attempts } = read;
  const added = (matrix: ScoreMatrix) =>
    withChance(matrix, text, { ...unit, file: path, attempts: attempts?.count ?? 1 });
  return {
    ...read,
    matrix: added(read.matrix),
    ...(bounds ? { bounds: { ...bounds, low: added(bounds.low), high: added(bounds.high) } } : {}),
  };
}

async function rosterOf(path: string | undefined, inputs: InputFile[]): Promise<RosterEntry[] | undefined> {
  if (path === undefined) return undefined;
  const bytes = readInput(path);
  inputs.push(inputFile('roster', bytes));
  return readRoster(bytes, path);
}

async function fromAnswers(
  options: MatrixInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<MatrixInputs> {
  const [{ answerScan }, { assertOneEnvironment }, { coreTasks }, { rankedTasks }, taskFiles, answers] =
    await Promise.all([
      import('../core/answer-scan.js'),
      import('../core/comparable.js'),
      import('../tasks/coreplan.js'),
      import('../tasks/task.js'),
      import('../tasks/task-files.js'),
      import('../responses/answer-file.js'),
    ]);
  const { responses = [], tasks = [], core } = options;
  const inputs: InputFile[] = [];
  const files = taskFiles.readTaskFiles(tasks);
  assertOneEnvironment(files.sets);
  for (const path of tasks) inputs.push(inputFileAt('tasks', path));
  const plan = core === undefined ? undefined : taskFiles.readCorePlan(core);
  if (core !== undefined) inputs.push(inputFileAt('core', core));
  const { choice, inputs: lists } = await modelChoice(options);
  const left = taskChoice(options);
  inputs.push(...lists, ...left.inputs);
  const roster = await rosterOf(options.roster, inputs);
  // A file that is not there is named before the answers of another are read.
  for (const path of responses) inputSize(path);
  const ranked = plan ? coreTasks(plan, files) : rankedTasks(files.tasks);
  const kept = keptTasks(
    ranked.map(({ id, family }) => ({ name: id, family })),
    left.choice,
  );
  const columns = ranked.filter((_, t) => kept[t]);
  const tasksOut = ranked.flatMap(({ id }, t) => (kept[t] ? [] : [id]));
  const scan = answerScan({
    tasks: columns,
    roster: roster?.map(({ modelId }) => modelId),
    rule: options.missing,
    parser: chosenParser(options.parser, plan, core),
    ...choice,
  });
  for (const path of responses) inputs.push(await answers.scoreInput('responses', path, scan));
  const read = scan.matrix();
  if (read.matrix === null) {
    withheld(read.missing);
    throw incomplete(read.missing, read.cells);
  }
  const { matrix, extra, parser, reasoned, leftOut, dropped, gaps, bounds } = read;
  return {
    matrix,
    inputs,
    names: roster?.filter(({ modelId }) => !leftOut.includes(modelId)),
    fromAnswers: true,
    corePlanSha256: plan?.artifactSha256,
    extra,
    parser,
    reasoned,
    leftOut,
    dropped,
    warnings: [...choiceWords(leftOut, matrix.models.length), ...taskChoiceWords(tasksOut, columns.length)],
    ...(gaps ? { gaps } : {}),
    ...(bounds ? { bounds } : {}),
  };
}
