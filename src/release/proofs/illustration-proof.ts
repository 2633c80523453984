import { utf8Text } from '#platform';
import type { Inventory, ReleaseFile } from '../release-files.js';
import { compareText, missing } from './file-proof.js';
import type { Findings } from './findings.js';

const ILLUSTRATION = /^(?:figures|tables)\//;

/** Lists the figures and tables of a release. */
export function illustrationsIn(files: Inventory): string[] {
  return [...files.keys()].filter((name) => ILLUSTRATION.test(name));
}

const PICTURE = /^figures\/.+\.(?:svg|pdf|png)$/;

/** Tells by its name whether a file of a release is a picture. */
export function isPicture(name: string): boolean {
  return PICTURE.test(name);
}

/**
 * Holds tables and the data of figures against those that were made anew, cell by cell; of the pictures none may be missing.
 * Returns the names it knows.
 */
export function proveIllustrations(expected: readonly ReleaseFile[], files: Inventory, findings: Findings): string[] {
  const names: string[] = [];
  for (const { name, bytes } of expected) {
    names.push(name);
    const found = files.get(name);
    if (found === undefined) missing(findings, name);
    else findings.attempt(name, () => compareText(name, utf8Text(bytes), utf8Text(found), findings));
    const figure = /^(figures\/.+)\.csv$/.exec(name)?.[1];
    for (const end of figure === undefined ? [] : PICTURES) {
      names.push(`${figure}${end}`);
      if (!files.has(`${figure}${end}`)) missing(findings, `${figure}${end}`);
    }
  }
  findings.done('tables and figure data cell by cell', expected.length);
  return names;
}

/** Pictures of a figure, light and dark. */
const PICTURES = ['.svg', '.pdf', '.png', '-dark.svg', '-dark.pdf', '-dark.png'];
