import { releaseFigures } from './figures.js';
import type { ReleaseFile } from './release-files.js';
import { releaseTables } from './tables/release-tables.js';
import type { ReleaseView } from './view.js';

/** Tables and figures of a release. */
export async function illustrations(view: ReleaseView): Promise<readonly ReleaseFile[]> {
  const { files } = await releaseFigures(view);
  return [...releaseTables(view).files, ...files];
}

/** Every picture of a release, light and dark: what a verification compares when it is asked to draw again. */
export async function pictures(view: ReleaseView): Promise<readonly ReleaseFile[]> {
  const { files } = await releaseFigures(view, { formats: ['svg', 'pdf', 'png'] });
  return files;
}
