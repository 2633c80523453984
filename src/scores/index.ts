export * from './browser.js';
export { type ReadScores, type ReadScoresOptions, readScores } from './score-paths.js';
