import type { Command } from 'commander';
import { incomplete, type MissingCell, type ScoreMatrix } from '../core/matrix.js';
import type { ExtraCells } from '../core/matrix-answers.js';
import type { Quantization } from '../core/matrix-cells.js';
import { readMatrix, withChance } from '../core/matrix-file.js';
import { readTaskLabels, type TaskLabelFiles } from '../core/matrix-table.js';
import { type RosterEntry, readRoster, rosterRows } from '../core/model-roster.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { inputFileAt } from '../io/read-file.js';
import { decodeText } from '../io/utf8.js';
import { fail } from '../util/error.js';
import { countOption } from './options.js';

export interface MatrixInputOptions extends TaskLabelFiles {
  readonly responses?: readonly string[];
  readonly tasks?: readonly string[];
  readonly core?: string;
  readonly scores?: string;
  readonly chance?: string;
  readonly roster?: string;
  readonly scale?: number;
  readonly quantize?: number;
}

/** A complete matrix and where it came from. */
export interface MatrixInputs {
  readonly matrix: ScoreMatrix;
  readonly inputs: readonly InputFile[];
  /** Per model, in matrix order. */
  readonly names?: readonly RosterEntry[];
  readonly fromAnswers: boolean;
  readonly corePlanSha256?: string;
  readonly quantization?: Quantization;
  readonly extra?: ExtraCells;
  /** What about the scores looks wrong. */
  readonly warnings: readonly string[];
}

/** Adds the options that name a complete score matrix, the same for every command that takes one. */
export function matrixOptions(command: Command): Command {
  return command
    .option('--responses <files...>', 'answers, JSON lines or JSON: a text, or a selection such as ABC')
    .option('--tasks <files...>', 'task sets or task rows the answers belong to; with --responses')
    .option('--core <plan>', 'common-core plan that names the columns and their order')
    .option('--scores <matrix>', 'score matrix instead of answers: CSV, Arrow or Parquet, wide or long')
    .option('--clusters <file>', 'CSV task,cluster: tasks of --scores that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts of --scores that weigh the same')
    .option('--chance <file>', 'CSV task,value: score of a random answer, in the unit of --scores')
    .option(
      '--scale <n>',
      "units of --scores in one point (default: the Arrow file's own, else 100; rank-audit: 1)",
      countOption,
    )
    .option('--quantize <scale>', 'read --scores as real points, round to 1/scale', countOption)
    .option('--roster <file>', 'models to rank, in order: one id a line, CSV with model_id, or a document with models');
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
  const { responses, tasks, core, scores, chance, scale, quantize } = options;
  if (scores === undefined && (responses === undefined || tasks === undefined))
    fail(
      'USAGE',
      null,
      'no scores to infer from',
      'Give --responses FILE... with --tasks FILE..., or --scores MATRIX.',
    );
  if (scores !== undefined && (responses ?? tasks ?? core) !== undefined)
    fail('USAGE', null, '--scores goes with neither --responses, --tasks nor --core', 'Give one or the other.');
  if (scores === undefined && (chance ?? scale ?? quantize ?? options.clusters ?? options.families) !== undefined)
    fail(
      'USAGE',
      null,
      '--chance, --scale, --quantize, --clusters and --families go with --scores',
      'Task files say all of that.',
    );
  if (scale !== undefined && quantize !== undefined)
    fail('USAGE', null, '--scale and --quantize exclude each other', '--quantize sets the scale.');
  return scores === undefined ? fromAnswers(options, withheld) : fromMatrix(scores, options, withheld);
}

async function fromMatrix(
  path: string,
  options: MatrixInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<MatrixInputs> {
  const { chance, roster, scale, quantize } = options;
  const bytes = readInput(path);
  const beside = readTaskLabels(options, readInput);
  const read = await readMatrix(bytes, {
    file: path,
    labels: beside.labels,
    withheld,
    scale,
    quantize,
  });
  const inputs = [inputFile('scores', bytes), ...beside.inputs];
  let { matrix } = read;
  if (chance !== undefined) {
    const chanceBytes = readInput(chance);
    inputs.push(inputFile('chance', chanceBytes));
    matrix = withChance(matrix, decodeText(chance, chanceBytes), {
      file: chance,
      quantize,
    });
  }
  const names = await rosterOf(roster, inputs);
  return {
    matrix: names ? rosterRows(matrix, names) : matrix,
    inputs,
    names,
    fromAnswers: false,
    warnings: read.warnings,
    quantization: read.quantization,
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
  const [{ matrixFromAnswers }, { coreTasks }, { rankedTasks }, taskFiles, answers] = await Promise.all([
    import('../core/matrix-answers.js'),
    import('../tasks/coreplan.js'),
    import('../tasks/task.js'),
    import('../tasks/task-files.js'),
    import('../responses/answer-file.js'),
  ]);
  const { responses = [], tasks = [], core } = options;
  const inputs: InputFile[] = [];
  const files = taskFiles.readTaskFiles(tasks);
  for (const path of tasks) inputs.push(inputFileAt('tasks', path));
  const plan = core === undefined ? undefined : taskFiles.readCorePlan(core);
  if (core !== undefined) inputs.push(inputFileAt('core', core));
  const names = await rosterOf(options.roster, inputs);
  for (const path of responses) inputs.push(inputFileAt('responses', path));
  const columns = plan ? coreTasks(plan, files) : rankedTasks(files.tasks);
  const read = matrixFromAnswers({
    tasks: columns,
    answers: (function* () {
      for (const path of responses) yield* answers.readAnswers(path);
    })(),
    roster: names?.map(({ modelId }) => modelId),
  });
  if (read.matrix === null) {
    withheld(read.missing);
    throw incomplete(read.missing, read.cells);
  }
  return {
    matrix: read.matrix,
    inputs,
    names,
    fromAnswers: true,
    corePlanSha256: plan?.artifactSha256,
    extra: read.extra,
    warnings: [],
  };
}
