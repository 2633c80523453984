import { type ScoreOptions, type Scores, scoresOf } from '../../src/scores/read-scores.js';

/** Reads a table that a test writes out. */
export function readScoreText(text: string, options: ScoreOptions = {}): Promise<Scores> {
  return scoresOf([{ name: 'x.csv', bytes: new TextEncoder().encode(text) }], options);
}

/** The error with which reading a table ends. */
export async function refusal(
  text: string,
  options: ScoreOptions = {},
): Promise<{ code: string; message: string; hint: string }> {
  try {
    await readScoreText(text, options);
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
  throw new Error('nothing was refused');
}
