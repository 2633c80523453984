import { latin1Text } from '#platform';
import { PUBLISHED_SCHEMA } from '../../../published/published-view.js';
import { scoresOf } from '../../../scores/read-scores.js';
import { FlavourError } from '../../../util/error.js';
import type { PageFile } from '../../explorer-page.js';

/** What a release, a ledger, a document or a task set of ours says of itself, also as a name in an archive. */
const OURS = new RegExp(
  `"schema(?:_version)?"\\s*:\\s*"(?:flavourbench-|${PUBLISHED_SCHEMA})|"selection_scores_bps"|(?:release|MANIFEST)\\.json|attempts\\.jsonl`,
);
const PACKED = /\.(?:tgz|tar\.\w+)$/;

/** Tells whether a file may be something that a page opens and readers of scores do not. */
const mayBeOurs = ({ name, bytes }: PageFile): boolean =>
  PACKED.test(name) || OURS.test(name) || OURS.test(latin1Text(bytes));

/**
 * Refuses, before a page is made of them, tables and logs that the page could only refuse. Missing cells pass: a page offers what becomes of
 * them. Errors: those of `scoresOf` but INCOMPLETE.
 */
export async function assertShowable(files: readonly PageFile[]): Promise<void> {
  if (files.some(mayBeOurs)) return;
  try {
    await scoresOf(files, {});
  } catch (error) {
    if (!(error instanceof FlavourError) || error.exit !== 3) throw error;
  }
}
