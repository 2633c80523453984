import { type Argument, type Command, CommanderError } from 'commander';
import { FlavourError, failure } from '../../util/error.js';
import { callWords, type Taker } from './call-words.js';

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
  const { command, takers, free } = callWords(program, argv);
  const what = lacking(command.registeredArguments, free.length);
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
