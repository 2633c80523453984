import { closeSync, openSync, readSync } from 'node:fs';
import { assertInputFile } from '../io/file.js';

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
