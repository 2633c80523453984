import type { TaskLabels } from '../core/cell-table.js';
import { parseCsv } from '../io/csv.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';

export interface TaskLabelFiles {
  /** CSV `task,cluster`. */
  readonly clusters?: string;
  /** CSV `task,family`. */
  readonly families?: string;
}

/**
 * Reads the labels in the files named, and gives the files as inputs of a document; `open` gives the bytes of a path. Errors:
 * SCHEMA_INVALID for another table, a task without a label or one with two; CSV_INVALID; those of `open`.
 */
export function readTaskLabels(
  { clusters, families }: TaskLabelFiles,
  open: (path: string) => Uint8Array,
): {
  readonly labels: TaskLabels;
  readonly inputs: readonly InputFile[];
} {
  const inputs: InputFile[] = [];
  const read = (role: 'clusters' | 'families', path: string, label: 'cluster' | 'family') => {
    const bytes = open(path);
    inputs.push(inputFile(role, bytes));
    return readLabels(decodeText(path, bytes), path, label);
  };
  const labels = {
    ...(clusters === undefined ? {} : { clusters: read('clusters', clusters, 'cluster') }),
    ...(families === undefined ? {} : { families: read('families', families, 'family') }),
  };
  return { labels, inputs };
}

/** Task to label from CSV text with the columns `task` and `label`. Errors: SCHEMA_INVALID, also for a task without a label or with two. */
function readLabels(text: string, file: string, label: 'cluster' | 'family'): Map<string, string> {
  const { header, rows, lines } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf(label);
  if (task < 0 || value < 0)
    fail(
      'SCHEMA_INVALID',
      { file, line: 1 },
      `the columns task and ${label} expected, found ${header.join(',')}`,
      `Give a table task,${label}.`,
    );
  const labels = new Map<string, string>();
  rows.forEach((row, i) => {
    const line = lines[i]!;
    const [name, said] = [row[task]!, row[value]!];
    const known = labels.get(name);
    if (!name || !said)
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `${name ? `task ${shown(name)} has no ${label}` : 'a row names no task'}`,
        `Give a task and its ${label} in every row; leave out a task of which nothing is said.`,
      );
    if (known !== undefined && known !== said)
      fail(
        'SCHEMA_INVALID',
        { file, line },
        `task ${shown(name)} has ${label} ${shown(said)}, earlier ${shown(known)}`,
        `Give every task one ${label}.`,
      );
    labels.set(name, said);
  });
  return labels;
}
