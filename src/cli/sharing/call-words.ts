import type { Command } from 'commander';

/** Options with a value that say where and how a call is run and written, and not what its result is. */
const VALUED: ReadonlySet<string> = new Set([
  ...['--out', '--shard', '--parts', '--redis', '--into', '--inputs', '--lost-after'],
  ...['--threads', '--backend', '--annotate'],
]);
const PLAIN: ReadonlySet<string> = new Set(['--force', '--json', '--quiet', '--table', '--timings']);

/** Gives the words of a call as they were typed, but for those that say where and how it is run and written. */
export function callWords(command: Command): string[] {
  let root = command;
  while (root.parent) root = root.parent;
  const words = (root as Command & { rawArgs: readonly string[] }).rawArgs;
  const kept: string[] = [];
  for (let k = 0; k < words.length; k += 1) {
    const word = words[k]!;
    if (PLAIN.has(word)) continue;
    if (VALUED.has(word)) k += 1;
    else if (!VALUED.has(word.slice(0, word.indexOf('=')))) kept.push(word);
  }
  return kept;
}
