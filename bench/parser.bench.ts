import type { Bench } from 'tinybench';
import { choiceIndex } from '../src/responses/choices.js';
import { DEFAULT_PARSER, parseAnswer, parseSelection } from '../src/responses/parser.js';
import { trlReward } from '../src/responses/reward.js';
import { PORTFOLIOS } from '../src/tasks/task.js';
import { madeAnswer, NAMES } from './made-answer.js';

const ROWS = 100_000;

const answer = (i: number, long = ''): string => long + madeAnswer(i);

/** Answers come out of a file or a reply: flat strings, not chains of pieces. */
function asRead(texts: readonly string[]): string[] {
  return JSON.parse(JSON.stringify(texts)) as string[];
}

/** Reading answers that are strings in memory: 100,000 a run, and 2,000 of 8.6 kB. */
export function register(bench: Bench): void {
  const index = choiceIndex(NAMES);
  const texts = (count: number, make: (i: number) => string) =>
    asRead(Array.from({ length: count }, (_, i) => make(i)));
  const mixed = texts(ROWS, (i) => answer(i));
  const plain = texts(ROWS, (i) => answer(i * 10));
  const long = texts(2000, (i) => answer(i, 'Reasons, at length.\n'.repeat(430)));
  const choices = Object.fromEntries(NAMES.map((name, i) => ['ABCDEFGH'.charAt(i), name]));
  const map = Object.fromEntries(PORTFOLIOS.map((key, i) => [key, i * 100]));
  const maps = plain.map(() => map);
  const lists = plain.map(() => choices);
  const readAll = (texts: readonly string[]) => () => {
    let sum = 0;
    for (const text of texts) sum += parseAnswer(text, index, DEFAULT_PARSER);
    return sum;
  };
  bench
    .add('parser v4, 100,000 answers in ten forms', readAll(mixed))
    .add('parser v4, 100,000 one-line answers', readAll(plain))
    .add('parser v4, 2,000 answers of 8.6 kB', readAll(long))
    .add('parser v2, 100,000 answers in ten forms', () => {
      for (const text of mixed) parseSelection(text, NAMES, { version: 'v2' });
    })
    .add('reward, batch of 100,000 one-line completions', () => {
      trlReward(plain, maps, lists);
    });
}
