import type { ScoreMatrix } from '../core/matrix.js';
import { matrixToArrow } from '../scores/matrix-file.js';
import { explorerPage, type PageFile } from './explorer-page.js';

interface ResultPageOptions {
  /** Documents of results by the name of their file. */
  readonly documents: readonly { readonly name: string; readonly text: string }[];
  /** The complete scores that they are about; null where there are none, or cells are missing. */
  readonly matrix: ScoreMatrix | null;
  /** Words of the command that made them. */
  readonly command: readonly string[];
}

/** Cells past which the scores are left out of a page: it says so, and shows what the documents state. */
const MOST_CELLS = 4_000_000;

/** Makes a page about results (explorer): their documents, and the scores behind them so that a reader can look at tasks and choose otherwise. */
export async function resultPage({ documents, matrix, command }: ResultPageOptions): Promise<string> {
  const files: PageFile[] = documents.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }));
  if (matrix && matrix.values.length <= MOST_CELLS)
    files.push({ name: 'matrix.arrow', bytes: await matrixToArrow(matrix) });
  return explorerPage({ files, command, inside: true });
}
