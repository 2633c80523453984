import { parseCsv } from '../io/csv.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { decodeText, readInput } from '../io/file.js';
import { failure, shown } from '../util/error.js';

/** Facts about tasks that stand beside a table, which a wide one has no room for. They go before the table's own columns. */
export interface TaskLabels {
  readonly clusters?: ReadonlyMap<string, string>;
  readonly families?: ReadonlyMap<string, string>;
}

export interface TaskLabelFiles {
  /** CSV `task,cluster`. */
  readonly clusters?: string;
  /** CSV `task,family`. */
  readonly families?: string;
}

/** The labels in the files named, and the files as inputs of a document. Errors: those of `readLabels`, INPUT_NOT_FOUND. */
export function readTaskLabels({ clusters, families }: TaskLabelFiles): {
  readonly labels: TaskLabels;
  readonly inputs: readonly InputFile[];
} {
  const inputs: InputFile[] = [];
  const read = (role: 'clusters' | 'families', path: string, label: 'cluster' | 'family') => {
    const bytes = readInput(path);
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
  const invalid = (line: number, what: string, hint: string) => failure('SCHEMA_INVALID', { file, line }, what, hint);
  if (task < 0 || value < 0) throw invalid(1, `has the columns ${header.join(',')}`, `Give task,${label}.`);
  const labels = new Map<string, string>();
  rows.forEach((row, i) => {
    const line = lines[i]!;
    const [name, said] = [row[task]!, row[value]!];
    const known = labels.get(name);
    if (!name || !said)
      throw invalid(
        line,
        `${name ? `task ${shown(name)} has no ${label}` : 'a row names no task'}`,
        `Give a task and its ${label} in every row; leave out a task of which nothing is said.`,
      );
    if (known !== undefined && known !== said)
      throw invalid(
        line,
        `task ${shown(name)} has ${label} ${shown(said)}, earlier ${shown(known)}`,
        `Give every task one ${label}.`,
      );
    labels.set(name, said);
  });
  return labels;
}
