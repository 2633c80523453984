import type { Command } from 'commander';

/** Options with a value that say where and how a call is run and written, and not what its result is. */
const VALUED: ReadonlySet<string> = new Set([
  ...['--out', '--shard', '--parts', '--redis', '--store', '--lost-after'],
  ...['--threads', '--backend'],
]);
const PLAIN: ReadonlySet<string> = new Set(['--force', '--json', '--quiet', '--table', '--timings']);

/** Tells whether an option says where or how a call is run or written. */
export const isOfRun = (long: string): boolean => VALUED.has(long) || PLAIN.has(long);

/** Leaves out of the words of a call those that say where and how it is run and written. */
export function keptWords(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let k = 0; k < words.length; k += 1) {
    const word = words[k]!;
    // Behind it nothing is an option.
    if (word === '--') return [...kept, ...words.slice(k)];
    if (PLAIN.has(word)) continue;
    if (VALUED.has(word)) k += 1;
    else if (!VALUED.has(word.split('=', 1)[0]!)) kept.push(word);
  }
  return kept;
}

/** Gives the words of a call as they were typed, but for those that say where and how it is run and written. */
export function callWords(command: Command): string[] {
  let root = command;
  while (root.parent) root = root.parent;
  return keptWords((root as Command & { rawArgs: readonly string[] }).rawArgs);
}
