import { existsSync } from 'node:fs';
import { walkFiles } from '../../../io/folder.js';
import { STANDARD_INPUT } from '../../../io/piped.js';
import { fail, shown } from '../../../util/error.js';

/** Endings of files of answers in a folder; others there are passed over. */
const ENDINGS = /\.(?:jsonl|ndjson|json|csv|tsv|arrow|feather|ipc|arrows|parquet)(?:\.(?:gz|zst|zstd))?$/i;

/** Signs that make a name that no file has a pattern. */
const PATTERN = /[*?[{]/;

/** The files of a batch. */
interface BatchInputs {
  readonly files: readonly string[];
  /** Files in folders that no ending calls answers. */
  readonly passedOver: number;
}

/**
 * Finds the files that a call names: files as they stand, folders with what lies in them, and patterns such as `runs/**\/*.jsonl`, each file once.
 * Errors: INPUT_NOT_FOUND for a pattern that fits no file, those of `walkFiles`.
 */
export async function batchInputs(named: readonly string[]): Promise<BatchInputs> {
  const paths: string[] = [];
  for (const name of named) {
    if (name === STANDARD_INPUT || existsSync(name) || !PATTERN.test(name)) {
      paths.push(name);
      continue;
    }
    const { glob } = await import('tinyglobby');
    const found = await glob(name, { dot: false, expandDirectories: false, followSymbolicLinks: true });
    if (found.length === 0)
      fail(
        'INPUT_NOT_FOUND',
        null,
        `no file fits ${shown(name)}`,
        'Check the pattern; * stays in a folder, ** goes into those below.',
      );
    for (const path of found.sort()) paths.push(path);
  }
  const { files } = walkFiles(paths);
  const wanted = files.filter(({ name, found }) => !found || ENDINGS.test(name));
  if (wanted.length === 0)
    fail(
      'INPUT_NOT_FOUND',
      null,
      'no file of answers lies in these folders',
      'Files of answers end in .jsonl, .json, .csv, .arrow or .parquet, perhaps packed.',
    );
  return { files: wanted.map(({ name }) => name), passedOver: files.length - wanted.length };
}
