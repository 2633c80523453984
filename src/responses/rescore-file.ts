import { isRowFile, readAnswers } from './file.js';
import { responseForm } from './form.js';
import { type Rescorer, rescoreLines, scoreRow } from './rescore.js';

/**
 * Scores a response file of any form. Arrow and Parquet readers are loaded only when they are needed.
 * Errors: those of the readers.
 */
export async function rescoreFile(path: string, scorer: Rescorer): Promise<void> {
  const form = responseForm(path);
  if (form === 'lines' && isRowFile(path)) await rescoreLines(path, scorer);
  else if (form === 'lines' || form === 'document') {
    for (const answered of readAnswers(path)) scoreRow(scorer, answered, answered.answer);
  } else if (form === 'arrow') {
    await (await import('./rescore-arrow.js')).rescoreArrow(path, scorer);
  } else await (await import('./rescore-parquet.js')).rescoreParquet(path, scorer);
}
