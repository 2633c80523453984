/** What a file is, where its first bytes leave no doubt. */
export type FileKind = 'tasks' | 'answers' | 'table';

/** Bytes that are looked at. */
export const HEAD = 65_536;

const TASK_COLUMNS = ['task_id', 'task'];
const ANSWER_KEYS = ['response', 'selection', 'completion', 'output', 'answer', 'text', 'content'];

const has = (text: string, ...keys: readonly string[]): boolean =>
  keys.some((key) => new RegExp(`"${key}"\\s*:`).test(text));

/** Tells what a file is by its first bytes, each as one character; nothing where they leave a doubt. */
export function kindOfHead(head: string): FileKind | undefined {
  if (/^\s*[{[]/.test(head)) {
    const isAnswered = has(head, ...ANSWER_KEYS);
    if (has(head, 'choices') && has(head, 'prompt') && !isAnswered) return 'tasks';
    return has(head, 'task_id', 'task') && isAnswered && !has(head, 'choices') ? 'answers' : undefined;
  }
  const [first = ''] = head.split('\n', 1);
  const columns = new Set(first.split(/[,;\t|]/).map((name) => name.trim().replaceAll('"', '')));
  // A table of answers is left to the reader: `rescore` takes it, and others say what they take.
  if (TASK_COLUMNS.some((name) => columns.has(name)) && ANSWER_KEYS.some((name) => columns.has(name))) return undefined;
  return /[,;\t|]/.test(first) && /^[\x20-\x7e\t\r\x80-\xff]+$/.test(first) ? 'table' : undefined;
}
