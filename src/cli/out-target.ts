import { extname } from 'node:path';
import { fail, shown } from '../util/error.js';
import { either } from '../util/format.js';
import { isFolder } from './write-output.js';

/** Forms that a single file can have. */
const FORMS = ['html', 'png', 'svg', 'json', 'csv', 'arrow'] as const;
export type OutForm = (typeof FORMS)[number];

/** Endings of files that nobody means as a folder. */
const NO_FORMS = new Set([
  'pdf',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'txt',
  'md',
  'xlsx',
  'xls',
  'parquet',
  'feather',
  'tsv',
  'gz',
  'zip',
  'yaml',
  'yml',
]);

/** Where a result goes: all files into a folder, or one file. */
export type OutTarget = { readonly folder: string } | { readonly file: string; readonly form: OutForm };

/** Reads what `--out` names (reading 5): a name with the ending of a form is that file alone, anything else a folder. Errors: USAGE. */
export function outTarget(out: string): OutTarget {
  const ending = extname(out).slice(1).toLowerCase();
  if (isFolder(out)) return { folder: out };
  const form = FORMS.find((name) => name === (ending === 'htm' ? 'html' : ending));
  if (form !== undefined) return { file: out, form };
  if (NO_FORMS.has(ending))
    fail(
      'USAGE',
      null,
      `--out ${shown(out)}: nothing is written as ${ending}; ${either(FORMS)} is`,
      'Give a name with one of these endings, or a folder, which takes all of them.',
    );
  return { folder: out };
}

/** Refuses before the work what `--out` cannot mean. Errors: USAGE. */
export function assertOut({ out }: { readonly out?: string }): void {
  if (out !== undefined) outTarget(out);
}
