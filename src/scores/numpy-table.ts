import { type Column, columnOfCodes, columnOfValues } from '../io/coded.js';
import { numpyArray } from '../io/npy-array.js';
import type { ZipMember } from '../io/zip.js';
import { fail, shown } from '../util/error.js';
import { rowPlace, type ScoreTable, scoreTable } from './score-table.js';

/** Numbers of runs x tasks, row after row. */
interface Runs {
  /** Name of the model whose runs these are; undefined where each run is a model. */
  readonly model?: string;
  readonly rows: number;
  readonly tasks: number;
  readonly values: Float64Array;
}

const HINT = 'Save an array of runs x tasks: a row a model, a column a task.';

type Source = { readonly file: string; readonly names?: readonly string[] | undefined };

function runsOf(array: ReturnType<typeof numpyArray>, file: string, model?: string): Runs {
  const { shape, values } = array;
  const what = model === undefined ? 'the array' : `array ${shown(model)}`;
  if (!(values instanceof Float64Array)) fail('SCHEMA_INVALID', { file }, `${what} holds texts`, HINT);
  const shaped = `${what} has the shape (${shape.join(', ')})`;
  if (shape.length !== 2) fail('SCHEMA_INVALID', { file }, `${shaped}; two indices are expected`, HINT);
  if (shape.includes(0)) fail('SCHEMA_INVALID', { file }, `${shaped}: it holds no value`, HINT);
  return { ...(model === undefined ? {} : { model }), rows: shape[0]!, tasks: shape[1]!, values };
}

/**
 * Reads a numpy array of runs x tasks as a long table. The names are those of its rows, or of its columns, or of both, rows first;
 * others are called `run 1`, `task 1`. Errors: NPY_INVALID; SCHEMA_INVALID for another shape or other names (reading 1.6).
 */
export function npyTable(bytes: Uint8Array, { file, names }: Source): ScoreTable {
  const runs = runsOf(numpyArray(bytes, file), file);
  return longTable([runs], { file, kind: 'numpy array', ...named(runs, { file, names }) });
}

function named(
  { rows, tasks }: Runs,
  { file, names }: Source,
): { models?: readonly string[]; taskNames?: readonly string[] } {
  if (names === undefined) return {};
  if (names.length === rows) return { models: names };
  if (names.length === tasks) return { taskNames: names };
  if (names.length === rows + tasks) return { models: names.slice(0, rows), taskNames: names.slice(rows) };
  return fail(
    'SCHEMA_INVALID',
    { file },
    `${names.length} names for an array of ${rows} rows and ${tasks} columns`,
    `Give ${rows} names of rows, ${tasks} of columns, or both, one a line.`,
  );
}

/** Names of the arrays that name the rows or the columns of another. */
const NAME_ARRAYS = {
  models: /^(?:(?:model|system|agent|run|row)s?(?:[ _-]?(?:name|id|label)s?)?|names?|index)$/i,
  tasks: /^(?:task|item|question|game|column|example|problem)s?(?:[ _-]?(?:name|id|label)s?)?$/i,
};

/**
 * Reads an archive of numpy arrays (.npz) as a long table: either one array of numbers, with arrays of texts that name its rows and columns, or an
 * array of runs x tasks for each model, all with the same tasks; the runs are attempts. Errors: NPY_INVALID, ZIP_INVALID, SCHEMA_INVALID
 * (reading 1.6).
 */
export function npzTable(members: readonly ZipMember[], { file, names }: Source): ScoreTable {
  const arrays = members.map((member) => {
    const name = member.name.replace(/\.npy$/, '');
    return { name, array: numpyArray(member.data(), `${file}:${member.name}`) };
  });
  const texts = arrays.filter(({ array }) => !(array.values instanceof Float64Array));
  const numbers = arrays.filter((each) => !texts.includes(each));
  const textsFor = (pattern: RegExp, length: number) =>
    texts.find(({ name, array }) => pattern.test(name) && array.values.length === length)?.array.values as
      | string[]
      | undefined;
  if (numbers.length === 1) {
    const runs = runsOf(numbers[0]!.array, file, numbers[0]!.name);
    const models = textsFor(NAME_ARRAYS.models, runs.rows);
    const taskNames = textsFor(NAME_ARRAYS.tasks, runs.tasks);
    return longTable([{ ...runs, model: undefined } as Runs], {
      file,
      kind: 'numpy archive',
      ...(models ? { models } : {}),
      ...(taskNames ? { taskNames } : {}),
      ...named(runs, { file, names }),
    });
  }
  const runs = numbers.map(({ name, array }) => runsOf(array, file, name));
  const [first] = runs;
  if (first === undefined) fail('SCHEMA_INVALID', { file }, 'no array of numbers is in it', HINT);
  const other = runs.find(({ tasks }) => tasks !== first.tasks);
  if (other)
    fail(
      'SCHEMA_INVALID',
      { file },
      `array ${shown(first.model)} has ${first.tasks} tasks, array ${shown(other.model)} ${other.tasks}`,
      'Every array must have the same tasks, in the same order.',
    );
  const taskNames = textsFor(NAME_ARRAYS.tasks, first.tasks) ?? names;
  if (taskNames && taskNames.length !== first.tasks)
    fail(
      'SCHEMA_INVALID',
      { file },
      `${taskNames.length} names for ${first.tasks} tasks`,
      'Give a name for every task, one a line.',
    );
  return longTable(runs, { file, kind: 'numpy archive', ...(taskNames ? { taskNames } : {}) });
}

interface Naming {
  readonly file: string;
  readonly kind: string;
  readonly models?: readonly string[];
  readonly taskNames?: readonly string[];
}

/** A row a run and task. Where the runs of a model stand together the column `attempt` numbers them. */
function longTable(runs: readonly Runs[], { file, kind, models, taskNames }: Naming): ScoreTable {
  const rows = runs.reduce((sum, { values }) => sum + values.length, 0);
  const { tasks } = runs[0]!;
  const each = (code: (group: number, run: number, task: number) => number): Int32Array => {
    const codes = new Int32Array(rows);
    let at = 0;
    runs.forEach((group, g) => {
      for (let run = 0; run < group.rows; run += 1)
        for (let task = 0; task < tasks; task += 1, at += 1) codes[at] = code(g, run, task);
    });
    return codes;
  };
  const numbered = (count: number, what: string) => Array.from({ length: count }, (_, i) => `${what} ${i + 1}`);
  const together = runs[0]!.model !== undefined;
  const most = runs.reduce((length, group) => Math.max(length, group.rows), 0);
  const modelNames = together ? runs.map(({ model }) => model!) : (models ?? numbered(most, 'run'));
  const columns = new Map<string, Column>([
    [
      'model',
      columnOfCodes(() => ({ values: modelNames, codes: each(together ? (group) => group : (_, run) => run) })),
    ],
    [
      'task',
      columnOfCodes(() => ({ values: taskNames ?? numbered(tasks, 'task'), codes: each((_, __, task) => task) })),
    ],
    ['value', columnOfValues(() => joined(runs, rows))],
  ]);
  if (together)
    columns.set(
      'attempt',
      columnOfCodes(() => ({
        values: Array.from({ length: most }, (_, run) => run + 1),
        codes: each((_, run) => run),
      })),
    );
  return scoreTable({ file, kind, rows, columns, place: rowPlace(file) });
}

/** The values behind one another; null where one is NaN. */
function joined(runs: readonly Runs[], rows: number): ArrayLike<unknown> {
  const all = new Float64Array(rows);
  runs.reduce((at, { values }) => {
    all.set(values, at);
    return at + values.length;
  }, 0);
  return all.some(Number.isNaN) ? Array.from(all, (value) => (Number.isNaN(value) ? null : value)) : all;
}
