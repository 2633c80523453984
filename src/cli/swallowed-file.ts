import { type Argument, type Command, CommanderError } from 'commander';
import { FlavourError, failure } from '../util/error.js';

/** The command that a call names, and the words behind its name. */
function named(
  program: Command,
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  let command = program;
  let at = 0;
  for (; at < argv.length; at += 1) {
    const next = command.commands.find((each) => each.name() === argv[at]);
    if (next === undefined) break;
    command = next;
  }
  return { command, rest: argv.slice(at) };
}

/** An option that takes every word behind it, and the words that it took. */
interface Taker {
  readonly long: string;
  readonly words: readonly string[];
}

/** The options of a call that took more than one word, and how many words stand outside of all options. */
function takersOf(command: Command, rest: readonly string[]): { readonly takers: Taker[]; readonly free: number } {
  const takers: Taker[] = [];
  let free = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const option = command.options.find(({ long, short }) => rest[at] === long || rest[at] === short);
    if (option === undefined) {
      free += Number(!rest[at]!.startsWith('-'));
      continue;
    }
    const words: string[] = [];
    const most = option.variadic ? rest.length : Number(option.required || option.optional);
    while (words.length < most && at + 1 < rest.length && !rest[at + 1]!.startsWith('-')) words.push(rest[(at += 1)]!);
    if (words.length > 1) takers.push({ long: option.long!, words });
  }
  return { takers, free };
}

/** Tells whether an error is what a call runs into when an option took the word that it lacks. */
function comesOfIt(error: unknown, { long, words }: Taker): error is Error {
  if (error instanceof CommanderError)
    return (
      error.code === 'commander.missingArgument' ||
      (error.code === 'commander.invalidArgument' && error.message.includes(long))
    );
  if (!(error instanceof FlavourError)) return false;
  if (words.slice(1).some((word) => word === error.where?.file)) return true;
  return ['USAGE', 'INPUT_MISSING', 'ENVIRONMENT_UNKNOWN'].includes(error.code);
}

/** What a command lacks while all its words went to options. */
function lacking(arguments_: readonly Argument[], free: number): Argument | undefined {
  return arguments_[free] ?? (free === 0 ? arguments_[0] : undefined);
}

/**
 * Explains an error of a call in which an option took the words that the command itself takes: one that takes every word up to the next
 * option. Any other error is given back.
 */
export function explainSwallowed(error: unknown, program: Command, argv: readonly string[]): unknown {
  const { command, rest } = named(program, argv);
  const { takers, free } = takersOf(command, rest);
  const what = lacking(command.registeredArguments, free);
  const taker = takers.find((each) => comesOfIt(error, each));
  if (what === undefined || taker === undefined || !(error instanceof Error)) return error;
  const { long, words } = taker;
  const said = `${long} takes every word behind it up to the next option, here ${words.join(' ')}: put ${what.name()} in front of it, or write ${words
    .map((word) => `${long}=${word}`)
    .slice(0, 2)
    .join(' ')}.`;
  const flavoured = error instanceof FlavourError ? error : undefined;
  return failure(
    flavoured?.code ?? 'USAGE',
    null,
    error.message.replace(/^error: /, ''),
    flavoured?.hint === undefined ? said : `${flavoured.hint} ${said}`,
    flavoured === undefined ? {} : { exit: flavoured.exit },
  );
}
