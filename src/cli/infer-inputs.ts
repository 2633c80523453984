import type { ScoreMatrix } from '../core/matrix.js';
import type { ExtraCells } from '../core/matrix-answers.js';
import type { Quantization } from '../core/matrix-cells.js';
import { readMatrix, withChance } from '../core/matrix-read.js';
import { incomplete, type MissingCell } from '../core/missing.js';
import { type RosterEntry, readRoster, rosterRows } from '../core/roster.js';
import { readTaskLabels, type TaskLabelFiles } from '../core/task-labels.js';
import { type InputFile, inputFile, inputFileAt } from '../io/envelope.js';
import { decodeText, readInput } from '../io/file.js';
import { type FlavourError, failure } from '../util/error.js';

export interface InferInputOptions extends TaskLabelFiles {
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
export interface InferInputs {
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

function usage(message: string, hint: string): FlavourError {
  return failure('USAGE', null, message, hint);
}

/**
 * The matrix of an `infer` call. `withheld` is told every missing cell before INCOMPLETE is thrown (exit 3).
 * Errors: USAGE for options that do not go together, and those of the readers.
 */
export async function inferInputs(
  options: InferInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<InferInputs> {
  const { responses, tasks, core, scores, chance, scale, quantize } = options;
  if (scores === undefined && (responses === undefined || tasks === undefined))
    throw usage('no scores to infer from', 'Give --responses FILE... with --tasks FILE..., or --scores MATRIX.');
  if (scores !== undefined && (responses ?? tasks ?? core) !== undefined)
    throw usage('--scores goes with neither --responses, --tasks nor --core', 'Give one or the other.');
  if (scores === undefined && (chance ?? scale ?? quantize ?? options.clusters ?? options.families) !== undefined)
    throw usage(
      '--chance, --scale, --quantize, --clusters and --families go with --scores',
      'Task files say all of that.',
    );
  if (scale !== undefined && quantize !== undefined)
    throw usage('--scale and --quantize exclude each other', '--quantize sets the scale.');
  return scores === undefined ? fromAnswers(options, withheld) : fromMatrix(scores, options, withheld);
}

async function fromMatrix(
  path: string,
  options: InferInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<InferInputs> {
  const { chance, roster, scale, quantize } = options;
  const bytes = readInput(path);
  const beside = readTaskLabels(options);
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
    ...(names ? { names } : {}),
    fromAnswers: false,
    warnings: read.warnings,
    ...(read.quantization ? { quantization: read.quantization } : {}),
  };
}

async function rosterOf(path: string | undefined, inputs: InputFile[]): Promise<RosterEntry[] | undefined> {
  if (path === undefined) return undefined;
  const bytes = readInput(path);
  inputs.push(inputFile('roster', bytes));
  return readRoster(bytes, path);
}

async function fromAnswers(
  options: InferInputOptions,
  withheld: (missing: readonly MissingCell[]) => void,
): Promise<InferInputs> {
  const [{ matrixFromAnswers }, { coreTasks, readCorePlan }, { rankedTasks }, taskset, answers] = await Promise.all([
    import('../core/matrix-answers.js'),
    import('../tasks/coreplan.js'),
    import('../tasks/ranked.js'),
    import('../tasks/taskset.js'),
    import('../responses/file.js'),
  ]);
  const { responses = [], tasks = [], core } = options;
  const inputs: InputFile[] = [];
  const files = taskset.readTaskFiles(tasks);
  for (const path of tasks) inputs.push(inputFileAt('tasks', path));
  const plan = core === undefined ? undefined : readCorePlan(core);
  if (core !== undefined) inputs.push(inputFileAt('core', core));
  const names = await rosterOf(options.roster, inputs);
  for (const path of responses) inputs.push(inputFileAt('responses', path));
  const columns = plan ? coreTasks(plan, files) : rankedTasks(files.tasks);
  const read = matrixFromAnswers({
    tasks: columns,
    answers: (function* () {
      for (const path of responses) yield* answers.readAnswers(path);
    })(),
    ...(names ? { roster: names.map(({ modelId }) => modelId) } : {}),
  });
  if (read.matrix === null) {
    withheld(read.missing);
    throw incomplete(read.missing, read.cells);
  }
  return {
    matrix: read.matrix,
    inputs,
    ...(names ? { names } : {}),
    fromAnswers: true,
    ...(plan ? { corePlanSha256: plan.artifactSha256 } : {}),
    extra: read.extra,
    warnings: [],
  };
}
