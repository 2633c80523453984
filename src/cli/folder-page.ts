import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { printNote } from './print.js';

/**
 * Models past which a folder takes no page: it states how likely every rank of every model is, which takes longer to write than a thousand models take
 * to be told apart. `--out NAME.html` writes it.
 */
const MOST_PAGE_MODELS = 256;

/** Tells whether a folder takes a page of so many models. */
export const hasPage = (models: number): boolean => models <= MOST_PAGE_MODELS;

interface PageLeftOut {
  readonly folder: string;
  /** Name of the page. */
  readonly name: string;
  readonly models: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Takes the page of an earlier run out of a folder that gets none, and says how it is made. */
export function withoutPage({ folder, name, models, json, quiet }: PageLeftOut): void {
  rmSync(join(folder, name), { force: true });
  if (!json && !quiet) printNote(`no page of ${models} models is put into a folder; --out ${name} writes it`);
}
