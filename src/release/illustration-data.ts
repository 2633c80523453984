import { FIGURES, figureData } from './figure-list.js';
import { RELEASE_FILES, type ReleaseFile, textFile } from './release-files.js';
import { releaseTables } from './tables/release-tables.js';
import type { ReleaseView } from './view.js';

/** Makes the tables of a release and what its figures draw: the part of the illustrations that every verification compares. */
export async function illustrationData(view: ReleaseView): Promise<readonly ReleaseFile[]> {
  const drawn = FIGURES.flatMap(({ name }) => {
    const csv = figureData(view, name);
    return csv === null ? [] : [textFile(`${RELEASE_FILES.figures}${name}.csv`, csv)];
  });
  return [...releaseTables(view).files, ...drawn];
}
