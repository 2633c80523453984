import type { Bench } from 'tinybench';
import { choiceIndex } from '../src/responses/choices.js';
import { DEFAULT_PARSER, parseAnswer, parseSelection } from '../src/responses/parser.js';
import { trlReward } from '../src/responses/reward.js';
import { PORTFOLIOS } from '../src/tasks/task.js';

const ROWS = 100_000;
const NAMES = ['oat', 'rye', 'rice', 'corn', 'teff', 'spelt', 'millet', 'barley'];

/** The ten forms in which answers come: labels in several dresses, names, and a corrected mistake. */
function answer(i: number, long = ''): string {
  const key = PORTFOLIOS[(i * 7) % 56]!;
  const [a, b, c] = [...key] as [string, string, string];
  const forms = [
    `FINAL_SELECTION: ${a},${b},${c}`,
    `FINAL_SELECTION: ${c}, ${a}, ${b}`,
    `Some thoughts first.\n\nFINAL_SELECTION: ${a},${b},${c}\n`,
    `**FINAL_SELECTION: ${a},${b},${c}**`,
    `\`FINAL_SELECTION: ${a},${b},${c}\``,
    `final_selection : ${a} , ${b} , ${c}`,
    `FINAL_SELECTION:\n${a},${b},${c}`,
    `FINAL_SELECTION: ${a},${b},${c}<|close|>response`,
    `FINAL_SELECTION: ${NAMES[i % 8]}, ${NAMES[(i + 3) % 8]}, ${NAMES[(i + 5) % 8]}`,
    `FINAL_SELECTION: A,A,B no wait.\nFINAL_SELECTION: ${a},${b},${c}`,
  ];
  return long + forms[i % 10]!;
}

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
