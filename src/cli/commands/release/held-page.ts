import { utf8Text } from '#platform';
import { readInput } from '../../../io/file.js';
import { releasePage } from '../../../release/page/page.js';
import { markupDifferences } from '../../../release/proofs/picture-proof.js';
import type { Verification } from '../../../release/proofs/verification.js';
import { proved } from './report.js';
import { openView } from './view.js';

/**
 * Makes the page of a release again, with the verification that `release report` runs or with none, and adds to a verification whether
 * the page at hand is that one, byte for byte, or the first tag in which it differs. Errors: those of reading the page and the release.
 */
export async function withPage(verified: Verification, dir: string, path: string): Promise<Verification> {
  const found = utf8Text(readInput(path));
  const view = await openView(dir, {});
  const unproved = await releasePage({ view, verification: null });
  const page = unproved === found ? unproved : await releasePage({ view, verification: await proved(dir, {}) });
  const [first] = markupDifferences(path, page, found);
  if (first === undefined) {
    const note = `${path} states no verification`;
    return {
      ...verified,
      checked: [...verified.checked, { what: 'page made again', count: 1 }],
      notes: page === unproved ? [...verified.notes, note] : verified.notes,
    };
  }
  return {
    ...verified,
    status: 'FAIL',
    difference_count: verified.difference_count + 1,
    differences: [...verified.differences, first],
  };
}
