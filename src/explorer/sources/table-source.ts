import { sha256 } from '#platform';
import type { MissingRule } from '../../core/gaps.js';
import { scoresOf } from '../../scores/read-scores.js';
import { plain } from '../../util/text.js';
import { type HeldFile, scoreFiles } from './held-file.js';
import type { Opened } from './opened.js';

/** Names files as the heading of a page does: the first, and how many more. */
export function filesName(files: readonly HeldFile[]): string {
  const [first] = files;
  return plain(files.length === 1 ? first!.name : `${first!.name} and ${files.length - 1} more`);
}

/** Opens a table or logs. Errors: those of `scoresOf`, INCOMPLETE for missing cells unless the rule says what becomes of them. */
export async function openTable(files: readonly HeldFile[], missing?: MissingRule): Promise<Opened> {
  const read = await scoreFiles(files);
  const { matrix, reading, warnings } = await scoresOf(read, missing === undefined ? {} : { missing });
  return {
    kind: 'table',
    name: filesName(files),
    reading: reading.text,
    warnings,
    files,
    matrix,
    ...(missing === undefined ? {} : { missing }),
    stated: null,
    release: null,
    analyses: [],
    answers: null,
    ledger: null,
    digests: async () => read.map(({ name, bytes }) => [name, sha256(bytes)] as const),
    inventory: null,
  };
}
