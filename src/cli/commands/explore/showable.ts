import { heldFile } from '../../../explorer/sources/held-file.js';
import { recognise } from '../../../explorer/sources/recognised-source.js';
import { FlavourError } from '../../../util/error.js';
import { shellWord } from '../../../util/text.js';
import type { PageFile } from '../../explorer-page.js';

/**
 * Refuses, before a page is made of them, files that the page could only refuse: it reads them as the page does. Missing cells pass: a page offers
 * what becomes of them. Errors: those of `recognise` but INCOMPLETE, among them those of a release that cannot be shown.
 */
export async function assertShowable(files: readonly PageFile[], paths: readonly string[]): Promise<void> {
  const held = files.map(({ bytes, ...file }) => heldFile({ ...file, size: bytes.length }, async () => bytes));
  try {
    const { broken } = await recognise(held);
    if (!broken) return;
    const { code, message, where, exit } = broken;
    const hint = `flavourbench release verify ${shellWord(paths[0]!)} says everything that is wrong with it.`;
    throw new FlavourError(code, message, { hint, exit, cause: broken, ...(where ? { where } : {}) });
  } catch (error) {
    if (!(error instanceof FlavourError) || error.exit !== 3) throw error;
  }
}
