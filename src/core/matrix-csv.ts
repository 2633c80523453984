import { csvText } from '../io/csv.js';
import type { ScoreMatrix } from './matrix.js';
import type { MatrixRead } from './matrix-cells.js';
import { MATRIX_COLUMNS, matrixFromTable, type TableOptions } from './matrix-table.js';
import { csvTable } from './score-table.js';

export interface TableSource extends TableOptions {
  /** Name used in errors. */
  readonly file: string;
}

/** A matrix from CSV text, long or wide. Errors: CSV_INVALID and those of `matrixFromTable`. */
export function matrixFromCsv(text: string, { file, ...options }: TableSource): MatrixRead {
  return matrixFromTable(csvTable(text, file), options);
}

/** The matrix in long form, model-major. The scale is not part of the text. */
export function matrixToCsv(matrix: ScoreMatrix): string {
  const tasks = matrix.tasks.length;
  function* rows(): Generator<(string | number)[]> {
    for (let m = 0; m < matrix.models.length; m += 1)
      for (let t = 0; t < tasks; t += 1)
        yield [
          matrix.models[m]!,
          matrix.tasks[t]!,
          matrix.panels[t]!,
          matrix.families[t]!,
          matrix.clusters[t]!,
          matrix.values[m * tasks + t]!,
        ];
  }
  return csvText(MATRIX_COLUMNS, rows());
}
