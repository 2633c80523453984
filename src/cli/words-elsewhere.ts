import { type Command, Option } from 'commander';
import { fail } from '../util/error.js';

/** An option that other commands have, why this one has no use for it, and what to do instead. */
export type Elsewhere = Readonly<Record<string, readonly [why: string, instead: string]>>;

/** Why no published stream is replayed by commands that choose their test by the data, or simulate. */
export const REPLAYED = [
  'the published streams are of one procedure, which `infer` replays; this command has draws of its own',
  'Leave --rng out, or run `flavourbench infer FILE --rng numpy`.',
] as const;

/**
 * Answers options of the vocabulary that a command has no use for with the reason: they are known, hidden from the help, and refused.
 * A word that `allowed` names for an option is what the command does anyway. Errors: USAGE when one is given.
 */
export function elsewhere(
  command: Command,
  options: Elsewhere,
  allowed: Readonly<Record<string, string>> = {},
): Command {
  for (const [flags, [why, instead]] of Object.entries(options)) {
    const option = new Option(flags, why).hideHelp();
    option.argParser((text) => {
      if (text !== allowed[flags]) fail('USAGE', null, `${option.long} ${text}: ${why}`, instead);
      return text;
    });
    command.addOption(option);
  }
  return command;
}
