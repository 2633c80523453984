import { CommanderError } from 'commander';
import { diskHint, FlavourError, failure } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';
import { plainJson, visible } from '../util/text.js';
import { printToError } from './print.js';
import { clearProgress } from './progress.js';

/** What the file system can refuse a correct program; codes past these are bugs of ours. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or folder, or a place where nothing can be made',
  ENOTDIR: 'a file stands where a folder is expected',
  EISDIR: 'a folder stands where a file is expected',
  EEXIST: 'something else has this name',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENOSPC: 'no space left',
  EDQUOT: 'the quota is used up',
  EIO: 'the device failed',
  EFBIG: 'the largest size of a file is reached',
};

/** Turns a refusal of the file system into an error for a user: resumable (5) where the disk gave out, else a wrong call (2). */
function systemError(error: unknown): unknown {
  const { code, syscall, dest, path: from } = error as NodeJS.ErrnoException & { dest?: string };
  const path = dest ?? from;
  const why = REFUSALS[code ?? ''];
  if (!(error instanceof Error) || why === undefined || syscall === undefined) return error;
  const spent = diskHint(error);
  const hint =
    spent === undefined ? 'Check the path and its permissions.' : `${spent}, and run the same command again.`;
  const what = path === undefined ? `${syscall}: ${why} (${code})` : `${why} (${code})`;
  return failure('FILE_SYSTEM', path === undefined ? null : { file: path }, what, hint, {
    exit: spent === undefined ? 2 : 5,
    cause: error,
  });
}

/** The nearest of the words that an option takes, where the call gave it another. */
function choiceHint(message: string): string | undefined {
  const [, given, choices] = /argument '(.*)' is invalid\. Allowed choices are (.+)\.$/s.exec(message) ?? [];
  return given === undefined || choices === undefined ? undefined : nearestHint(given, choices.split(', '), String);
}

/** Takes name and password out of the URL of a Redis, wherever a call wrote it. */
const masked = (text: string): string => text.replace(/(\brediss?:\/\/)[^\s"]*@/g, '$1...@');

function writeJson(error: object): void {
  process.stderr.write(`${plainJson(masked(JSON.stringify({ error })))}\n`);
}

/** Prints an error and returns the exit code: 1 only for a bug. */
export function printError(thrown: unknown, json: boolean): number {
  clearProgress();
  const asked = thrown instanceof CommanderError;
  if (asked && thrown.exitCode === 0) return 0;
  if (asked && thrown.code === 'commander.help') return 2;
  // What the option parser refuses is a wrong call like any other.
  const error = asked
    ? failure(
        'USAGE',
        null,
        thrown.message.replace(/^error: /, '').replaceAll('\n', ' '),
        choiceHint(thrown.message) ?? 'Add --help to see what can be given.',
      )
    : systemError(thrown);
  if (error instanceof FlavourError) {
    const { code, message, hint, where, exit } = error;
    if (json) writeJson({ code, message, hint, where, exit });
    else {
      printToError(masked(`flavourbench: ${error.code}: ${visible(error.message)}`));
      if (error.hint) printToError(masked(`  hint: ${visible(error.hint)}`));
    }
    return exit;
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'please report this with the command you ran';
  if (json) writeJson({ code: 'BUG', message, hint, exit: 1 });
  else printToError(masked(`flavourbench: BUG: ${message}\n  hint: ${hint}`));
  return 1;
}
