export { openAnswers, readAnswers, rescoreFile, responseForm } from './answer-file.js';
export * from './browser.js';
export { type ScoredFiles, scoreFiles, verifyReport } from './score-files.js';
