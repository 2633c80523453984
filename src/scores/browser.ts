// Everything here runs in a page; index.ts adds what reads files.
export type { ScoreMatrix } from '../core/matrix.js';
export { type AnswerMatrix, matrixFromAnswers } from '../core/matrix-answers.js';
export { matrixFromRows, type RowsOptions } from '../core/matrix-rows.js';
export { withChance } from './chance.js';
export { matrixFromArrow, matrixFromCsv, matrixToArrow, matrixToCsv, readMatrix } from './matrix-file.js';
export { type ScoreFile, type ScoreOptions, type Scores, scoresOf } from './read-scores.js';
export type { Reading } from './scores-reading.js';
