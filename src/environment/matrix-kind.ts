import { isUtf8, latin1Text } from '#platform';
import { looksNumeric, type Separator } from './vector-text.js';

/** What a matrix file is, from how it begins. */
type MatrixKind =
  | {
      readonly form: 'npy' | 'safetensors' | 'zip' | 'binary' | 'csv' | 'json' | 'raw' | 'unknown';
      readonly words: string;
    }
  | { readonly form: 'text'; readonly separator: Separator; readonly words: string };

const HEADER = /^\d{1,12}[ \t]+\d{1,7}[ \t]*\r?\n/;
/** Endings of raw numbers, which have no sign of their own. */
export const RAW: ReadonlySet<string> = new Set(['.f32', '.bin']);
const NPY = '\x93NUMPY';

/** Whether bytes are text, the last character cut off or not. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}

/** Whether numbers of four bytes follow the first name behind a header of two counts: text goes on in digits. */
function isBinary(head: string, header: string): boolean {
  const rest = head.slice(header.length);
  const blank = rest.search(/[ \t]/);
  return blank >= 0 && !/^[\d+\-.,eEnaifNAIF \t\r]+(?:\n|$)/.test(rest.slice(blank + 1, blank + 33));
}

function hasTensorHeader(head: Uint8Array): boolean {
  if (head.length < 9 || head[8] !== 0x7b) return false;
  return new DataView(head.buffer, head.byteOffset).getBigUint64(0, true) < 2n ** 40n;
}

/** Tells the form of a matrix file; `ending` decides only where the content does not (reading 3.1). */
export function matrixKind(head: Uint8Array, ending: string): MatrixKind {
  const start = latin1Text(head.subarray(0, 512));
  if (start.startsWith(NPY) || ending === '.npy') return { form: 'npy', words: 'a numpy array' };
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return { form: 'zip', words: 'a ZIP archive' };
  if (hasTensorHeader(head) || ending === '.safetensors') return { form: 'safetensors', words: 'safetensors' };
  const header = HEADER.exec(start)?.[0];
  if (header !== undefined && isBinary(start, header)) return { form: 'binary', words: 'word2vec, binary' };
  if (!isText(head))
    return RAW.has(ending) ? { form: 'raw', words: 'raw float32' } : { form: 'unknown', words: 'unknown' };
  if (RAW.has(ending) && header === undefined && !/[ ,;\t].*\n/.test(start))
    return { form: 'raw', words: 'raw float32' };
  return textKind(start);
}

function textKind(start: string): MatrixKind {
  const text = start.replace(/^\xef\xbb\xbf/, '');
  if (/^\s*[{[]\s*["{[\]}]/.test(text)) return { form: 'json', words: 'JSON' };
  const line = /^\s*(.*)/.exec(text)![1]!.trimEnd();
  const cells = line.split(/[ \t]+/);
  const last = cells.slice(1).slice(-2);
  if (last.length > 0 && last.every(looksNumeric) && !/[,;][ \t]/.test(line))
    return { form: 'text', separator: ' ', words: 'text' };
  for (const separator of [',', ';', '\t'] as const) {
    const parts = line.split(separator);
    if (parts.length < 2) continue;
    if (separator !== ',') return { form: 'text', separator, words: 'text' };
    return isHeader(parts) ? { form: 'csv', words: 'CSV' } : { form: 'text', separator, words: 'text' };
  }
  return { form: 'csv', words: 'CSV' };
}

/** Whether the first line of a CSV names its columns: not a name and numbers, unless the numbers only count. */
function isHeader(cells: readonly string[]): boolean {
  const numbers = cells.slice(1);
  if (['name', 'node_id'].includes(cells[0]!) || !numbers.every(looksNumeric)) return true;
  if (looksNumeric(cells[0]!)) return true;
  return numbers.length > 1 && numbers.every((cell, i) => Number(cell) === i);
}
