import { parseCsv } from '../util/csv.js';
import { type InputFile, inputFile } from '../util/envelope.js';
import { FlavourError } from '../util/error.js';
import { decodeText, readInput } from '../util/file.js';

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

/** Task to label from CSV text with the columns `task` and `label`. Errors: SCHEMA_INVALID. */
function readLabels(text: string, file: string, label: 'cluster' | 'family'): Map<string, string> {
  const { header, rows } = parseCsv(text, { file });
  const task = header.indexOf('task');
  const value = header.indexOf(label);
  if (task < 0 || value < 0)
    throw new FlavourError('SCHEMA_INVALID', `${file} has the columns ${header.join(',')}`, {
      hint: `Give task,${label}.`,
      where: { file, line: 1 },
    });
  return new Map(rows.map((row) => [row[task] as string, row[value] as string]));
}
