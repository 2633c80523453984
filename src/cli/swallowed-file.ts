import { type Command, CommanderError } from 'commander';
import { failure } from '../util/error.js';

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

/** Explains a missing argument that an option in front of it took: one that takes every word up to the next option. */
export function explainSwallowed(error: unknown, program: Command, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.code !== 'commander.missingArgument') return error;
  const { command, rest } = named(program, argv);
  const taker = command.options.find(({ variadic, long }) => {
    const at = rest.lastIndexOf(long ?? '');
    return variadic && at >= 0 && rest.slice(at + 1, at + 3).filter((word) => !word.startsWith('-')).length === 2;
  });
  if (taker === undefined) return error;
  const what = command.registeredArguments.find(({ required }) => required)?.name() ?? 'file';
  return failure(
    'USAGE',
    null,
    error.message.replace(/^error: /, ''),
    `${taker.long} takes every word behind it up to the next option: put ${what} in front of it, or write ${taker.long}=A ${taker.long}=B.`,
  );
}
