import type { AuditSource } from '../analyses/inputs.js';
import type { MatrixOptions } from '../core/matrix-cells.js';
import type { InputFile } from '../io/envelope.js';
import { readScores } from '../scores/score-paths.js';
import type { Reading } from '../scores/scores-reading.js';
import { modelChoice, type RowFlags } from './row-options.js';
import type { TableFlags } from './table-options.js';
import { type TaskFlags, taskChoice } from './task-options.js';

export interface AuditSourceOptions
  extends MatrixOptions,
    RowFlags,
    TableFlags,
    Pick<TaskFlags, 'withoutTasks' | 'withoutFamilies'> {
  /** One table, or any number of evaluation logs. */
  readonly paths: readonly string[];
}

/** A matrix to audit, what was read to make it, and the files that it came from. */
interface OpenedAudit extends AuditSource {
  readonly reading: Reading;
  readonly inputs: readonly InputFile[];
}

/** Reads a matrix to audit from whatever the files are. Errors: those of `readScores`. */
export async function readAuditSource({ paths, ...options }: AuditSourceOptions): Promise<OpenedAudit> {
  const { choice, inputs: lists } = await modelChoice(options);
  const tasks = taskChoice(options);
  const read = await readScores(paths, { ...options, ...choice, ...tasks.choice });
  const { chance: _, ...matrix } = read.matrix;
  return { ...read, matrix, inputs: [...read.inputs, ...lists, ...tasks.inputs] };
}
