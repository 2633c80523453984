import { taskChoices } from '../responses/answer.js';
import { openAnswerKernel } from '../responses/answer-kernel.js';
import type { ChoiceIndex } from '../responses/choices.js';
import { DEFAULT_PARSER } from '../responses/parser.js';
import type { AnswerSink } from '../responses/rescore.js';
import { type AnswerMatrix, type MatrixShape, openAnswerMatrix } from './matrix-answers.js';
import { statedCells } from './stated-cells.js';

/**
 * Opens what `matrixFromAnswers` makes for files of answers, whose bytes are scanned (`scoreAnswers`): feed it files, then ask for
 * the matrix. Errors: those of `matrixFromAnswers` and of `assertComparable`, as far as rows say how they were asked, and BOUND_EXCEEDED past the models that one scan holds.
 */
export function answerScan(shape: MatrixShape): AnswerSink & { readonly matrix: () => AnswerMatrix } {
  const { tasks, parser = DEFAULT_PARSER } = shape;
  const matrix = openAnswerMatrix(shape);
  const stated = statedCells();
  const kernel = openAnswerKernel(tasks, parser);
  const numbers = new Map(tasks.map((task, t) => [task.id, t]));
  const choices: (ChoiceIndex | undefined)[] = [];
  return {
    tasks,
    kernel,
    parser,
    task: (id) => numbers.get(id) ?? -1,
    choices: (task) => (choices[task] ??= taskChoices(tasks[task]!)),
    admits: (model, task, panel, place) => matrix.take(kernel.models[model]!, task, panel, place),
    add: (_model, _task, code, reasoned = false) => matrix.enter(code, reasoned),
    unknown: (task) => void matrix.column(task),
    said: (model, task, key, place) => stated.note(kernel.models[model]!, tasks[task]!, key, place),
    matrix() {
      const made = matrix.result();
      stated.check(made.leftOut);
      return made;
    },
  };
}
