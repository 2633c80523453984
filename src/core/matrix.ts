import { type FlavourError, failure, shown } from '../util/error.js';

/** Models x tasks of integers, complete, with everything inference needs to know about a task. */
export interface ScoreMatrix {
  readonly models: readonly string[];
  readonly tasks: readonly string[];
  /** Per task. */
  readonly panels: readonly string[];
  /** Per task. */
  readonly families: readonly string[];
  /** Per task: the unit that is resampled and flipped whole. */
  readonly clusters: readonly string[];
  /** models x tasks, row-major integers. */
  readonly values: Float64Array;
  /** Integer units in one point: 100 for basis points. */
  readonly scale: number;
  /** Per task, same scale: the value of a uniformly random answer, where known. */
  readonly chance?: Float64Array;
}

export interface MissingCell {
  readonly model: string;
  readonly task: string;
  /** `absent`, `empty` for a cell that is there without a value, or the outcome of an answer that could not be read. */
  readonly reason: string;
  /** Where an empty cell stands; of the first `NAMED`. */
  readonly place?: string;
}

/** Missing cells that an error names. */
export const NAMED = 10;

/**
 * Makes the error for missing answers, or missing cells of a table: INCOMPLETE (exit 3), no result is issued. Many cells of a table are not
 * named one by one: its coverage says which models and tasks lack them.
 */
export function incomplete(
  missing: readonly MissingCell[],
  cells: number,
  table?: { readonly file: string; readonly hint: string; readonly coverage: string },
): FlavourError {
  const named = missing
    .slice(0, NAMED)
    .map(
      ({ model, task, reason, place }) =>
        `${shown(model)} ${shown(task)} (${reason}${place === undefined ? '' : `: ${place}`})`,
    );
  const listed = `${named.join('; ')}${missing.length > named.length ? '; ...' : ''}`;
  return failure(
    'INCOMPLETE',
    table ? { file: table.file } : null,
    `${missing.length} of ${cells} cells ${missing.length === 1 ? 'is' : 'are'} missing, so no result is issued: ${table && missing.length > NAMED ? table.coverage : listed}`,
    table?.hint ?? 'Collect the missing answers, or rank a core that every model completed (--core).',
    { exit: 3 },
  );
}
