import { basename, dirname, resolve } from 'node:path';
import type { AuditSource } from '../analyses/inputs.js';
import type { MatrixOptions } from '../core/matrix-cells.js';
import { matrixFromLogs } from '../core/matrix-logs.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { decodeText } from '../io/utf8.js';
import type { LogCell } from '../logs/cell.js';
import { LOG_FORMATS, type LogFormat, logFormat } from '../logs/formats.js';
import { readMatrix } from '../scores/matrix-file.js';
import { readTaskLabels, type TaskLabelFiles } from '../scores/matrix-table.js';
import { fail } from '../util/error.js';
import { either } from '../util/format.js';
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

/** Reads the cells of a log. Errors: USAGE for a filter where the format has none; those of the format. */
function logCells(format: LogFormat, text: string, file: string, { metric, filter }: AuditSourceOptions): LogCell[] {
  if (filter !== undefined && !format.filters)
    fail(
      'USAGE',
      null,
      `--filter on ${format.name} logs`,
      `Only logs of ${either(LOG_FORMATS.filter(({ filters }) => filters).map(({ name }) => name))} have filters; name a scorer with --metric.`,
    );
  return format.cells(text, { file, folder: basename(dirname(resolve(file))), metric, filter });
}

/**
 * Reads a matrix from whatever the files are: CSV, Arrow IPC or Parquet in long or wide form, or evaluation logs of one kind.
 * Errors: USAGE, SCHEMA_INVALID, and those of the readers.
 */
export async function readAuditSource(options: AuditSourceOptions): Promise<OpenedAudit> {
  const { paths } = options;
  const files = paths.map((path) => ({ path, bytes: readInput(path) }));
  const scores = files.map(({ bytes }) => inputFile('scores', bytes));
  const { choice, inputs: lists } = await modelChoice(options);
  const [first] = files;
  if (first === undefined) fail('USAGE', null, 'no matrix was given', 'Name a file.');
  const head = first.bytes
    .subarray(0, 64)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (head.startsWith('['))
    fail(
      'SCHEMA_INVALID',
      { file: first.path },
      'is a JSON list',
      'Give CSV, Arrow or Parquet, or an evaluation log as its harness wrote it.',
    );
  if (!head.startsWith('{')) {
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
    const source = { ...options, ...choice, file: first.path, labels, assumedScale: 1 };
    const read = await readMatrix(first.bytes, source);
    const { chance: _, ...matrix } = read.matrix;
    return { ...read, matrix, readings: [], inputs: [...scores, ...inputs, ...lists], kind: 'matrix' };
  }
  if (options.clusters !== undefined || options.families !== undefined)
    fail(
      'USAGE',
      null,
      '--clusters and --families go with a matrix',
      'A log says both: the cluster is the sample, the family the evaluation.',
    );
  const kinds = new Set<LogFormat>();
  const cells = files.flatMap(({ path, bytes }) => {
    const text = decodeText(path, bytes);
    const kind = logFormat(text, path);
    if (kind === null)
      fail('SCHEMA_INVALID', { file: path }, 'is no evaluation log', 'Give logs of one kind, or one matrix.');
    kinds.add(kind);
    return logCells(kind, text, path, options);
  });
  if (kinds.size > 1)
    fail(
      'USAGE',
      null,
      `logs of ${[...kinds].map(({ name }) => name).join(' and ')} together`,
      'Audit logs of one kind at a time.',
    );
  const read = matrixFromLogs(cells, { ...options, ...choice });
  return { ...read, inputs: [...scores, ...lists], kind: `${[...kinds][0]!.name} logs` };
}
