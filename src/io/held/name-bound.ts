import { type ErrorPlace, fail, shown } from '../../util/error.js';

/** Most characters of a name: of a model, a task, a column, of what tasks belong to. */
export const MOST_CHARACTERS = 2 ** 14;

/** Refuses a name longer than any that is printed, cut and compared. Errors: BOUND_EXCEEDED with its beginning (reading 1.16). */
export function assertName(what: string, name: string, place: ErrorPlace | null): void {
  if (name.length <= MOST_CHARACTERS) return;
  fail(
    'BOUND_EXCEEDED',
    place,
    `the name of ${what} has ${name.length} characters, and begins ${shown(name)}; at most ${MOST_CHARACTERS} are read`,
    'Give it a shorter name; of a text, its digest or its number will do.',
  );
}

/** Most columns of a table. */
const MOST_COLUMNS = 2 ** 20;

/** Refuses more columns than a table has. Errors: BOUND_EXCEEDED with the place. */
export function assertColumns(count: number, place: ErrorPlace): void {
  if (count <= MOST_COLUMNS) return;
  fail('BOUND_EXCEEDED', place, `more than ${MOST_COLUMNS} columns`, 'Write a row a cell: model,task,value.');
}

/** Refuses columns that are too many, or whose names are too long, before any of them is read. Errors: BOUND_EXCEEDED. */
export function assertColumnNames(file: string, names: readonly string[]): void {
  assertColumns(names.length, { file });
  for (const [at, name] of names.entries()) assertName(`column ${at + 1}`, name, { file });
}
