import { join } from 'node:path';
import type { Command } from 'commander';
import { readObject } from '../../../io/read-file.js';
import { DATASET_FILES } from '../../../published/dataset.js';
import { openAny } from '../../../published/open-published.js';
import { publishedRoutes } from '../../../published/published-routes.js';
import { kindOf } from '../../../published/verify-any.js';
import type { ReleaseFile } from '../../../release/release-files.js';
import type { ReleaseView } from '../../../release/view.js';
import { fail } from '../../../util/error.js';
import { writeFiles } from '../../write-output.js';

export interface ViewFlags {
  readonly core?: string;
  readonly tasks?: readonly string[];
  readonly analyses?: readonly string[];
  readonly manifest?: string;
}

/** Adds the options for what the published document leaves out; a release folder of ours has it all inside. */
export function viewOptions(command: Command): Command {
  return command
    .argument('<path>', 'folder of a release, or the published release document')
    .option('--core <plan>', 'core plan of the published document')
    .option('--tasks <files...>', 'task sets of the published document')
    .option('--manifest <file>', 'route manifest of the published document')
    .option(
      '--analyses <folders...>',
      'folders of documents of analyses to go with the published document; all are used',
    );
}

/** Opens what the arguments name. Errors: INPUT_NOT_FOUND, SCHEMA_INVALID, USAGE. */
export async function openView(path: string, flags: ViewFlags): Promise<ReleaseView> {
  const { core, tasks, analyses, manifest } = flags;
  const place = kindOf(path);
  const file = place.kind === 'published_dataset' ? join(place.path, DATASET_FILES.release) : place.path;
  const view = await openAny(file, { core, tasks, analyses });
  const extra = [core, tasks, analyses, manifest].some((flag) => flag !== undefined);
  if (view.kind === 'folder' && extra) {
    fail(
      'USAGE',
      null,
      `${path} is a release folder: it holds plan, tasks, routes and analyses`,
      'Leave --core, --tasks, --manifest and --analyses out.',
    );
  }
  if (manifest === undefined) return view;
  return {
    ...view,
    routes: publishedRoutes(readObject(manifest)),
  };
}

/** Writes files into a folder, without the folder that their names begin with. */
export async function writeFlat(folder: string, files: readonly ReleaseFile[]): Promise<void> {
  await writeFiles(
    files.map(({ name, bytes }) => ({
      path: join(folder, name.slice(name.indexOf('/') + 1)),
      data: bytes,
    })),
    { replace: true },
  );
}

/** Tells both digests of a release folder, each with the file that has it and what it pins: lines to print. */
export function digestLines(address: string | null, numbers: string | null): string[] {
  return [
    `address  ${address ?? 'none'}`,
    '         (MANIFEST.json: every file)',
    `numbers  ${numbers ?? 'none'}`,
    '         (release.json: answers, scores, results; no figure, no table)',
  ];
}
