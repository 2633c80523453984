import type { MatrixRead, ValueRange } from '../core/matrix-cells.js';
import { counted } from '../util/format.js';
import { cutMiddle } from '../util/shorten.js';
import { plain } from '../util/text.js';
import type { Shape } from './open-table.js';
import { hasPercent, verdictsIn } from './values.js';
import { verdictText } from './verdicts.js';

/** What was read, as documents state it under `run.read` (reading 1.15). No path is part of it. */
export interface Reading {
  /** The same facts in one line. */
  readonly text: string;
  /** What the file is, in words. */
  readonly kind: string;
  /** One row a cell, one row a model, one row a task; samples of evaluations. */
  readonly form: 'long' | 'wide' | 'turned' | 'logs';
  readonly models: number;
  readonly tasks: number;
  /** Columns by what they hold; of several, that are joined to one name, all. Null where the table has none. */
  readonly columns: Readonly<Record<string, readonly string[] | null>> | null;
  /** Columns, and summaries among the rows of a turned table, that were passed over. */
  readonly left_out: readonly string[];
  readonly values: {
    readonly least: number;
    readonly greatest: number;
    /** Units in one point. */
    readonly scale: number;
    /** Whether call or file stated the scale: values were units then, not points. */
    readonly stated: boolean;
    readonly percent: boolean;
    /** Largest change by rounding, in points; 0 where nothing was rounded. */
    readonly largest_change: number;
    /** What verdicts in words or signs were read as; absent where there are none. */
    readonly verdicts?: Readonly<Record<string, number>>;
  };
}

const LISTED = 6;

/** Letters of a name that the line shows. */
const LETTERS = 32;

/** A name as the line shows it: on one line, its middle left out where it is long. */
const brief = (name: string): string =>
  name === '' ? '(unnamed)' : cutMiddle(plain(name), LETTERS, { measure: ({ length }) => length, mark: '…' });

function listed(names: readonly string[]): string {
  const words = names.slice(0, LISTED).map(brief);
  return `${words.join(', ')}${names.length > LISTED ? ` and ${names.length - LISTED} more` : ''}`;
}

const joined = (names: readonly string[]) => names.map(brief).join(' + ');

/** Letters that a list of columns may take. */
const ROOM = 48;

/** All of a few columns, first and last of many. */
function across(names: readonly string[]): string {
  const all = names.map(brief).join(', ');
  if (names.length === 1 || all.length <= ROOM) return all;
  return `${counted(names.length, 'column')} ${brief(names[0]!)} to ${brief(names.at(-1)!)}`;
}

/** A change of values past which the line says it, however wide their range: more than what the tenth decimal of a value is worth. */
const SMALL = 1e-6;

/** Says what values are: `0 and 1`, `0.3 to 0.53 (scale 100)`, `0 and 1 (pass read as 1, fail as 0)`. */
function rangeWords(
  { least, greatest, binary, scale }: ValueRange,
  { percent = false, change = 0, verdicts = '' }: { percent?: boolean; change?: number; verdicts?: string } = {},
): string {
  if (binary && !percent && change === 0) return `0 and 1${verdicts === '' ? '' : ` (${verdicts})`}`;
  const sign = `${percent ? ', percent signs read as hundredths' : ''}${verdicts === '' ? '' : `, ${verdicts}`}`;
  const rounded =
    change > Math.min((greatest - least) / 1000, SMALL) ? `, rounded by up to ${Number(change.toPrecision(2))}` : '';
  return `${least} to ${greatest} (scale ${scale}${rounded}${sign})`;
}

/** The facts of a table that was read. */
export function tableReading(
  shape: Shape,
  { matrix, valueRange, quantization, attempts }: MatrixRead,
  stated: boolean,
): Reading {
  const { form, table, model, task, values, family, cluster, panel, attempt, metric, leftOut } = shape;
  const percent = hasPercent(values);
  const verdicts = verdictsIn(values);
  const range = valueRange!;
  const names = values.map(({ name }) => name);
  const from = {
    long: [joined(model), joined(task), brief(names[0]!)].join(' / '),
    wide: `${joined(model)} / ${across(names)}`,
    turned: `${across(names)} / ${joined(task)}: rows are tasks`,
  }[form];
  const one = (name: string | undefined) => (name === undefined ? null : [name]);
  const beside = [
    ...(family === undefined ? [] : [`families from ${brief(family)}`]),
    ...(cluster === undefined ? [] : [`clusters from ${brief(cluster)}`]),
    ...(panel === undefined ? [] : [`panels from ${brief(panel)}`]),
    ...(attempt === undefined || attempts === undefined
      ? []
      : [`${counted(attempts.count, 'attempt')} from ${brief(attempt)}`]),
    ...(metric === undefined ? [] : [`metric ${brief(metric)}`]),
    ...(leftOut.length === 0 ? [] : [`left out: ${listed(leftOut)}`]),
    ...(table.kind === 'CSV' ? [] : [`read as ${table.kind}`]),
  ];
  const size = `${counted(matrix.models.length, 'model')} x ${counted(matrix.tasks.length, 'task')}`;
  return {
    text: [
      `${size}, ${rangeWords(range, { percent, change: quantization?.largestError ?? 0, verdicts: verdictText(verdicts) })}, from ${from}`,
      ...beside,
    ].join('; '),
    kind: table.kind,
    form,
    models: matrix.models.length,
    tasks: matrix.tasks.length,
    columns: {
      model: form === 'turned' ? names : model,
      task: form === 'wide' ? names : task,
      value: form === 'long' ? names : null,
      ...{ family: one(family), cluster: one(cluster), panel: one(panel), attempt: one(attempt) },
    },
    left_out: leftOut,
    values: {
      ...{ least: range.least, greatest: range.greatest, scale: range.scale, stated, percent },
      largest_change: quantization?.largestError ?? 0,
      ...(verdicts.size === 0 ? {} : { verdicts: Object.fromEntries(verdicts) }),
    },
  };
}

/** The facts of evaluation logs that were read. */
export function logReading(kind: string, { matrix, valueRange, quantization }: MatrixRead, stated: boolean): Reading {
  const { models, tasks } = matrix;
  const range = valueRange!;
  return {
    text: `${counted(models.length, 'model')} x ${counted(tasks.length, 'task')}, ${rangeWords(range, { change: quantization?.largestError ?? 0 })}, from ${kind}`,
    ...{ kind, form: 'logs', models: models.length, tasks: tasks.length, columns: null, left_out: [] },
    values: {
      ...{ least: range.least, greatest: range.greatest, scale: range.scale, stated, percent: false },
      largest_change: quantization?.largestError ?? 0,
    },
  };
}
