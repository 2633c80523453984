import { csvText, parseCsv } from '../util/csv.js';
import { FlavourError, shown } from '../util/error.js';
import type { ScoreMatrix } from './matrix.js';
import { type MatrixOptions, type MatrixRead, matrixFromCells } from './matrix-cells.js';

/** Columns of a matrix in long form, in the order we write them. */
export const MATRIX_COLUMNS = ['model', 'task', 'panel', 'family', 'cluster', 'value'] as const;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A decimal number as a table writes it; null for an empty cell, NaN for anything else. */
export function cellNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
}

export interface TableSource extends MatrixOptions {
  /** Name used in errors. */
  readonly file: string;
}

/** A matrix in long form from CSV text. Errors: CSV_INVALID, SCHEMA_INVALID and those of `matrixFromCells`. */
export function matrixFromCsv(text: string, source: TableSource): MatrixRead {
  const { file } = source;
  const { header, rows, lines } = parseCsv(text, { file });
  const place = MATRIX_COLUMNS.map((name) => {
    const column = header.indexOf(name);
    if (column < 0)
      throw new FlavourError('SCHEMA_INVALID', `${file} has no column ${shown(name)}`, {
        hint: `A score matrix has the columns ${MATRIX_COLUMNS.join(',')}.`,
        where: { file, line: 1 },
      });
    return column;
  });
  const column = (k: number) => rows.map((row) => row[place[k] as number] as string);
  const written = column(5);
  return matrixFromCells(
    {
      file,
      model: column(0),
      task: column(1),
      panel: column(2),
      family: column(3),
      cluster: column(4),
      value: written.map(cellNumber),
      written: (row) => shown(written[row]),
      line: (row) => lines[row] as number,
    },
    source,
  );
}

/** The matrix in long form, model-major. The scale is not part of the text. */
export function matrixToCsv(matrix: ScoreMatrix): string {
  const tasks = matrix.tasks.length;
  function* rows(): Generator<(string | number)[]> {
    for (let m = 0; m < matrix.models.length; m += 1)
      for (let t = 0; t < tasks; t += 1)
        yield [
          matrix.models[m] as string,
          matrix.tasks[t] as string,
          matrix.panels[t] as string,
          matrix.families[t] as string,
          matrix.clusters[t] as string,
          matrix.values[m * tasks + t] as number,
        ];
  }
  return csvText(MATRIX_COLUMNS, rows());
}
