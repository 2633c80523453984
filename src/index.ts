export type { ScoreMatrix } from './core/matrix.js';
export { type AnswerMatrix, matrixFromAnswers, rankedTasks } from './core/matrix-answers.js';
export { matrixFromArrow, matrixToArrow } from './core/matrix-arrow.js';
export { matrixFromCsv, matrixToCsv } from './core/matrix-csv.js';
export { readMatrix, withChance } from './core/matrix-read.js';
export * from './inference/index.js';
export { FlavourError } from './util/error.js';
