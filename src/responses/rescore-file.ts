import { closeSync, openSync, readSync } from 'node:fs';
import { assertInputFile } from '../util/file.js';
import { readAnswers } from './file.js';
import { type Rescorer, rescoreLines, scoreRow } from './rescore.js';

export type ResponseForm = 'lines' | 'document' | 'arrow' | 'parquet';

/** The form of a response file by its first bytes. Errors: INPUT_NOT_FOUND, INPUT_NOT_REGULAR. */
export function responseForm(path: string): ResponseForm {
  assertInputFile(path);
  const handle = openSync(path, 'r');
  const head = Buffer.alloc(8);
  try {
    readSync(handle, head);
  } finally {
    closeSync(handle);
  }
  if (head.toString('latin1', 0, 6) === 'ARROW1') return 'arrow';
  if (head.readUInt32LE(0) === 0xffffffff) return 'arrow';
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'parquet';
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  const open = text.trimStart();
  return open.startsWith('[') || /^\{\s*(?:$|[\r\n])/.test(open) ? 'document' : 'lines';
}

/**
 * Scores a response file of any form. Arrow and Parquet readers are loaded only when they are needed.
 * Errors: those of the readers.
 */
export async function rescoreFile(path: string, scorer: Rescorer): Promise<void> {
  const form = responseForm(path);
  if (form === 'lines') rescoreLines(path, scorer);
  else if (form === 'document') {
    for (const { answer, line } of readAnswers(path)) scoreRow(scorer, path, line, answer);
  } else if (form === 'arrow') {
    await (await import('./rescore-arrow.js')).rescoreArrow(path, scorer);
  } else await (await import('./rescore-parquet.js')).rescoreParquet(path, scorer);
}
