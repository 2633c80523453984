import type { Command } from 'commander';
import { fail } from '../util/error.js';

/** Lets a command take task files as they stand; `--tasks` takes the same. */
export function taskFiles(command: Command, what: string): Command {
  return command.argument('[files...]', what).option('--tasks <files...>', 'the same files, by an option');
}

/** The task files of a call, in the order given. Errors: USAGE where there are none. */
export function givenTasks(files: readonly string[], tasks: readonly string[] = []): readonly string[] {
  const paths = [...files, ...tasks];
  if (paths.length === 0) fail('USAGE', null, 'no task file was given', 'Name the files of the tasks.');
  return paths;
}
