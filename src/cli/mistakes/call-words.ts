import type { Command } from 'commander';

/** An option that takes several words, and those that it took. */
export interface Taker {
  readonly long: string;
  readonly words: readonly string[];
}

/** A call taken apart: the command that it names, options that took more than one word, and the words outside of all options. */
export interface CallWords {
  readonly command: Command;
  readonly takers: readonly Taker[];
  readonly free: readonly string[];
}

/** Takes a call apart by the options of the command that it names. */
export function callWords(program: Command, argv: readonly string[]): CallWords {
  let command = program;
  let at = 0;
  for (; at < argv.length; at += 1) {
    const next = command.commands.find((each) => each.name() === argv[at]);
    if (next === undefined) break;
    command = next;
  }
  const takers: Taker[] = [];
  const free: string[] = [];
  for (; at < argv.length; at += 1) {
    const option = command.options.find(({ long, short }) => argv[at] === long || argv[at] === short);
    if (option === undefined) {
      if (argv[at] === '-' || !argv[at]!.startsWith('-')) free.push(argv[at]!);
      continue;
    }
    const words: string[] = [];
    const most = option.variadic ? argv.length : Number(option.required || option.optional);
    while (words.length < most && at + 1 < argv.length && !argv[at + 1]!.startsWith('-')) words.push(argv[(at += 1)]!);
    if (words.length > 1) takers.push({ long: option.long!, words });
  }
  return { command, takers, free };
}
