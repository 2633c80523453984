import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { type FileKind, HEAD, kindOfHead } from '../../responses/file-kind.js';
import { fail, failure } from '../../util/error.js';
import { shellWord } from '../../util/text.js';

/** The first bytes of a file as text; nothing of what is no plain file. */
export function headOf(path: string): string {
  try {
    if (!statSync(path).isFile()) return '';
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD);
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

export const kindOf = (path: string): FileKind | undefined => kindOfHead(headOf(path));

/** Where commands take tasks and answers as they stand. */
const POSITIONAL: Readonly<Record<string, FileKind>> = {
  ...{ score: 'answers', rescore: 'answers', maps: 'tasks', list: 'tasks', stats: 'tasks', show: 'tasks' },
};

/** What is said of a file that stands where another kind is expected; nothing where it is of the right kind, or of none that is known. */
function words(path: string, expected: FileKind): { readonly what: string; readonly hint: string } | undefined {
  const kind = kindOf(path);
  if (kind === undefined || kind === expected) return undefined;
  const file = shellWord(path);
  if (kind === 'table')
    return {
      what: `is a table, no ${expected === 'tasks' ? 'tasks' : 'answers'}`,
      hint: `Scores are read by \`flavourbench ${file}\`; ${expected === 'tasks' ? 'tasks are what `flavourbench compile` writes' : 'answers are JSON Lines, CSV, Arrow or Parquet'}.`,
    };
  return kind === 'tasks'
    ? {
        what: 'is a task set, no answers',
        hint: `Answers come first, the tasks behind --tasks: \`flavourbench score ANSWERS --tasks ${file}\`.`,
      }
    : {
        what: 'holds answers, no tasks',
        hint: `Answers go with the tasks that were asked: \`flavourbench score ${file} --tasks TASKS\`.`,
      };
}

/** Refuses, before a command runs, files of another kind than it takes there. Errors: USAGE (reading 4). */
export function refuseWrongKinds(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { tasks, responses } = command.opts<{ tasks?: unknown; responses?: unknown }>();
    const taken = POSITIONAL[command.name()];
    const given: readonly (readonly [unknown, FileKind | undefined])[] = [
      ...command.args.map((path) => [path, taken] as const),
      ...[tasks].flat().map((path) => [path, 'tasks'] as const),
      ...[responses].flat().map((path) => [path, 'answers'] as const),
    ];
    for (const [path, expected] of given) {
      const wrong = typeof path === 'string' && expected !== undefined ? words(path, expected) : undefined;
      if (wrong !== undefined) fail('USAGE', { file: path as string }, wrong.what, wrong.hint);
    }
  });
}

/** Says what to add where a call lacks its tasks, by what the file is that it has; any other error is given back. */
export function explainMissingTasks(error: unknown, argv: readonly string[]): unknown {
  const isLacking =
    error instanceof CommanderError &&
    error.code === 'commander.missingMandatoryOptionValue' &&
    error.message.includes("'--tasks");
  const [name = '', ...rest] = argv;
  const taken = POSITIONAL[name];
  if (!isLacking || taken === undefined) return error;
  const path = rest.find((word) => kindOf(word) !== undefined);
  const wrong = path === undefined ? undefined : words(path, taken);
  if (path !== undefined && wrong !== undefined) return failure('USAGE', { file: path }, wrong.what, wrong.hint);
  const file = path === undefined ? 'ANSWERS' : shellWord(path);
  return failure(
    'USAGE',
    null,
    '--tasks is missing: the tasks that were asked',
    `Answers are scored by their maps: \`flavourbench ${name} ${file} --tasks TASKS\`.`,
  );
}
