import { basename, join } from 'node:path';
import { walkFiles } from '../../../io/folder.js';
import { DATASET_FILES } from '../../../published/dataset.js';
import { kindOf } from '../../../published/verify-any.js';
import { fail } from '../../../util/error.js';
import type { PageFile } from '../../explorer-page.js';
import type { ViewFlags } from './view.js';

/** Bytes of files that one page takes: a tab holds them some four times while it reads them. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * Lists the files that the page of a release holds: all of its folder under their names there, or the published document with what goes with it.
 * Errors: BOUND_EXCEEDED for more than a page takes.
 */
export function reportFiles(path: string, { core, tasks = [], analyses = [], manifest }: ViewFlags): PageFile[] {
  const place = kindOf(path);
  if (place.kind === 'release') return bounded(path, filesIn(path));
  const document = place.kind === 'published_dataset' ? join(place.path, DATASET_FILES.release) : place.path;
  const beside = [core, ...tasks, manifest].flatMap((file) => (file === undefined ? [] : [file]));
  const named = [document, ...beside].flatMap((file) =>
    walkFiles([file]).files.map(({ bytes }) => ({ name: basename(file), bytes })),
  );
  return bounded(path, [...named, ...analyses.flatMap((folder) => filesIn(folder).map(inAnalyses))]);
}

const inAnalyses = ({ name, bytes }: PageFile): PageFile => ({ name: `analyses/${name}`, found: true, bytes });

function filesIn(folder: string): PageFile[] {
  return walkFiles([folder]).files.map(({ name, bytes }) => ({
    name: name.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''),
    found: true,
    bytes,
  }));
}

function bounded(path: string, files: readonly PageFile[]): PageFile[] {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size <= MOST_BYTES) return [...files];
  return fail(
    'BOUND_EXCEEDED',
    { file: path },
    `${Math.ceil(size / 2 ** 20)} MiB; a page takes at most ${MOST_BYTES / 2 ** 20} MiB`,
    'Serve it with `flavourbench explore`, or give a release without figures.',
  );
}
