import type { AuditSource } from '../analyses/inputs.js';
import type { MatrixOptions } from '../core/matrix-cells.js';
import { matrixFromLogs } from '../core/matrix-logs.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { isFolder, walkFiles } from '../io/folder.js';
import { isJsonText, mayBeLog } from '../logs/opened-log.js';
import { isLog, readLogs } from '../logs/read-logs.js';
import { readMatrix } from '../scores/matrix-file.js';
import { readTaskLabels, type TaskLabelFiles } from '../scores/matrix-table.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';
import { modelChoice, type RowFlags } from './row-options.js';

export interface AuditSourceOptions extends TaskLabelFiles, MatrixOptions, RowFlags {
  /** One table, or any number of evaluation logs. */
  readonly paths: readonly string[];
  /** Metric, scorer or named score of a log. */
  readonly metric?: string;
  /** Filter of an lm-evaluation-harness log. */
  readonly filter?: string;
}

/** A matrix to audit, and the files that it came from. */
interface OpenedAudit extends AuditSource {
  readonly inputs: readonly InputFile[];
}

/**
 * Reads a matrix from whatever the files are: CSV, Arrow IPC or Parquet in long or wide form, or evaluation logs of one kind.
 * Errors: USAGE, SCHEMA_INVALID, and those of the readers.
 */
export async function readAuditSource(options: AuditSourceOptions): Promise<OpenedAudit> {
  const { paths } = options;
  const { choice, inputs: lists } = await modelChoice(options);
  const [first] = paths;
  if (first === undefined) fail('USAGE', null, 'no matrix was given', 'Name a file.');
  const { files, hidden } = walkFiles(paths);
  const isTable = !isFolder(first) && !isJsonText(files[0]!.head) && !(await isLog(files[0]!));
  if (isTable) {
    if (files.length > 1)
      fail(
        'USAGE',
        null,
        `${files.length} files; a matrix is one file`,
        'Several files are taken for evaluation logs only.',
      );
    if (options.metric !== undefined || options.filter !== undefined)
      fail('USAGE', null, '--metric and --filter go with evaluation logs', 'A matrix holds one score a cell.');
    const { labels, inputs } = readTaskLabels(options, readInput);
    const bytes = readInput(first);
    const source = { ...options, ...choice, file: first, labels, assumedScale: 1 };
    const read = await readMatrix(bytes, source);
    const { chance: _, ...matrix } = read.matrix;
    return {
      ...read,
      matrix,
      readings: [],
      inputs: [inputFile('scores', bytes), ...inputs, ...lists],
      kind: 'matrix',
    };
  }
  if (options.clusters !== undefined || options.families !== undefined)
    fail(
      'USAGE',
      null,
      '--clusters and --families go with a matrix',
      'A log says both: the cluster is the sample, the family the evaluation.',
    );
  const foreign = files.filter((file) => file.found && !mayBeLog(file.head));
  const logs = await readLogs(
    files.filter((file) => !foreign.includes(file)),
    options,
  );
  const passed = foreign.length + logs.others.length;
  const read = matrixFromLogs(logs.cells, { ...options, ...choice });
  return {
    ...read,
    warnings: [
      ...read.warnings,
      ...logs.warnings,
      ...(passed > 0
        ? [`${counted(passed, 'file')} in the folders given ${passed === 1 ? 'is no log' : 'are no logs'}`]
        : []),
      ...(hidden > 0 ? [`${counted(hidden, 'hidden name')} ${hidden === 1 ? 'was' : 'were'} passed over`] : []),
    ],
    inputs: [...logs.logs.map(({ bytes }) => inputFile('scores', bytes)), ...lists],
    kind: `${logs.kinds.map(({ name }) => name).join(' and ')} logs`,
  };
}
