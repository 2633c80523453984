import { lstatSync } from 'node:fs';
import { COMMANDS } from './commands.js';

/** What is asked of the program itself. */
const OF_PROGRAM = new Set(['help', '--help', '-h', '--version', '-V']);

/** Tells whether an argument can only be a file: it is there, or it is written as no command is. */
function isFile(argument: string): boolean {
  if (argument === '-') return true;
  if (argument.startsWith('-')) return false;
  return /[./\\]/.test(argument) || lstatSync(argument, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Puts the command in front that a call without one means (reading 5): `FILE...` is `rank-audit FILE...`, options before the files or
 * not, and `help NAME` is `NAME --help`. The name of a command is that command, also where a file has it: `./infer` is the file. Anything
 * else is left as it is, for the parser to refuse.
 */
export function calledCommand(argv: readonly string[]): readonly string[] {
  const [first, name] = argv;
  const isCommand = (word: string | undefined) => COMMANDS.some((entry) => entry.name === word);
  if (first === 'help' && isCommand(name)) return [...argv.slice(1), '--help'];
  if (first === undefined || isCommand(first) || OF_PROGRAM.has(first)) return argv;
  const given = first.startsWith('-') && first !== '-' ? argv.slice(1).some(isFile) : isFile(first);
  return given ? ['rank-audit', ...argv] : argv;
}
