import { type Command, CommanderError } from 'commander';
import { failure } from '../../util/error.js';
import { callWords } from './call-words.js';

/** What a command lacks that does not take a word of the vocabulary, and what to do instead. */
const WITHOUT: Readonly<Record<string, (name: string) => readonly [lacks: string, instead: string]>> = {
  '--out': (name) => [
    'names no file of its own for a result',
    `What it prints goes into a file with \`flavourbench ${name} ... --json > FILE\`.`,
  ],
  '--draws': () => ['makes no bootstrap draws that a call could count', 'Leave it out.'],
  '--flips': () => ['makes no sign flips that a call could count', 'Leave it out.'],
  '--rng': () => ['has no generator to choose', 'Leave it out; `infer` and `sensitivity` have the choice.'],
  '--strata': () => [
    'forms no score over strata of a choice',
    'Leave it out; `infer` and `sensitivity` have the choice.',
  ],
  '--threads': () => ['has no number of threads to choose', 'Leave it out.'],
  '--models': () => [
    'has no rows of models to choose from',
    'Models are chosen where they are compared: `rank-audit`, `infer`, `power`, `coverage`, `sensitivity`.',
  ],
};

/** The names of a command and of those it stands below, but for the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent == null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

/** Says of an option that other commands take what this one lacks, where the parser knows only that it is unknown. Any other error is given back. */
export function explainWord(error: unknown, program: Command, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownOption') return error;
  const word = /'(--[a-z]+)/.exec(error.message)?.[1] ?? '';
  const without = Object.hasOwn(WITHOUT, word) ? WITHOUT[word] : undefined;
  const { command } = callWords(program, argv);
  if (without === undefined || command === program) return error;
  const name = nameOf(command);
  const [lacks, instead] = without(name);
  return failure('USAGE', null, `${word}: \`${name}\` ${lacks}`, instead);
}
