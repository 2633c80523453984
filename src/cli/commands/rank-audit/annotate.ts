import { basename, join, relative, resolve } from 'node:path';
import { annotatedLog } from '../../../analyses/rank-audit/annotated-log.js';
import { type AnnotatedAudit, auditAnnotations } from '../../../analyses/rank-audit/annotations.js';
import { walkFiles } from '../../../io/folder.js';
import { decodeText } from '../../../io/utf8.js';
import { fail } from '../../../util/error.js';
import { writeFiles } from '../../write-output.js';

/** Folder of the copies of logs. */
const LOGS = 'logs';

/** The inputs that may be logs of one model in JSON, each with its way below what the call named. */
function* jsonInputs(paths: readonly string[]) {
  const piped = paths.includes('-');
  for (const path of piped ? [] : paths)
    for (const file of walkFiles([path]).files) {
      if (!file.name.endsWith('.json')) continue;
      const way = file.found ? join(basename(resolve(path)), relative(path, file.name)) : basename(file.name);
      yield { file, way };
    }
}

/** Errors: OUTPUT_EXISTS for two logs of one way, whose copies would be one file. */
function logCopies(audit: AnnotatedAudit, paths: readonly string[]) {
  const copies = new Map<string, string>();
  for (const { file, way } of jsonInputs(paths)) {
    const text = annotatedLog({ file: file.name, text: decodeText(file.name, file.bytes) }, audit);
    if (text === null) continue;
    if (copies.has(way))
      fail(
        'OUTPUT_EXISTS',
        { file: file.name },
        `its copy ${join(LOGS, way)} is that of another log`,
        'Name the folder that holds both, once.',
      );
    copies.set(way, text);
  }
  return [...copies].map(([way, data]) => ({ name: join(LOGS, way), data }));
}

/**
 * Writes what a result says elsewhere into a folder, over that of an earlier one: a badge, a table, a block for model cards, and a copy of each log in JSON
 * with what the result says of its model. Errors: those of `annotatedLog` and of writing.
 */
export async function annotate(
  folder: string,
  { paths, ...audit }: Omit<AnnotatedAudit, 'source'> & { readonly paths: readonly string[] },
): Promise<void> {
  const audited = { ...audit, source: paths.map((path) => basename(path)).join(', ') };
  const made = [...auditAnnotations(audited), ...logCopies(audited, paths)];
  await writeFiles(
    made.map(({ name, data }) => ({ path: join(folder, name), data })),
    { replace: true },
  );
}
