import { isArrow } from '../io/arrow.js';
import { type ForeignKind, foreignArchive, foreignKind } from '../io/foreign.js';
import { isNpy } from '../io/npy-header.js';
import { unpack } from '../io/unpack.js';
import { isWorkbook } from '../io/xlsx/workbook.js';
import { isZip, openZip } from '../io/zip.js';
import { fail, shown } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { arrowTable } from './arrow-table.js';
import { delimitedTable } from './delimited-table.js';
import { isJson, jsonTable } from './json-table.js';
import { npyTable, npzTable } from './numpy-table.js';
import { isParquet, parquetTable } from './parquet-table.js';
import type { ScoreTable } from './score-table.js';
import { workbookTable } from './workbook-table.js';

export interface FileOptions {
  /** Names of the rows of a numpy array, of its columns, or of both, rows first. */
  readonly names?: readonly string[];
  /** Which sheet of a workbook; the first unless given. */
  readonly sheet?: string;
}

/**
 * Reads the table of a file, packed or not, known by its content alone (reading 1.1). Errors: USAGE for names or a sheet of what has none; PACKED_INVALID, ZIP_INVALID; FORMAT_UNKNOWN for
 * what is no table that is read, called by its name; those of the format that it is.
 */
export async function readTable(bytes: Uint8Array, file: string, options: FileOptions = {}): Promise<ScoreTable> {
  const { bytes: plain, packed } = await unpack(bytes, file);
  const table = await tableOf(plain, file, options);
  if (options.names && !table.kind.startsWith('numpy'))
    fail('USAGE', { file }, `is no numpy array but ${table.kind}, which has names itself`, 'Leave out --names.');
  if (options.sheet !== undefined && !table.kind.startsWith('Excel'))
    fail('USAGE', { file }, `is no workbook but ${table.kind}`, 'Leave out --sheet.');
  return { ...table, kind: [table.kind, ...packed].join(', ') };
}

async function tableOf(bytes: Uint8Array, file: string, options: FileOptions): Promise<ScoreTable> {
  const { names } = options;
  if (isParquet(bytes)) return parquetTable(bytes, file);
  if (isArrow(bytes)) return arrowTable(bytes, file);
  if (isNpy(bytes)) return npyTable(bytes, { file, names });
  if (isZip(bytes)) return archiveTable(bytes, file, options);
  assertRead(foreignKind(bytes), file);
  return isJson(bytes) ? jsonTable(bytes, file) : delimitedTable(bytes, file);
}

/** Refuses what is known to be something else, by its name. */
function assertRead(foreign: ForeignKind | undefined, file: string): void {
  if (foreign === undefined) return;
  fail(
    'FORMAT_UNKNOWN',
    { file },
    `is ${foreign.what}`,
    foreign.hint.replaceAll('"FILE"', JSON.stringify(file)).replaceAll('FILE', shellWord(file)),
  );
}

/** What makes of an archive on a Mac has files of its own beside those that were put in. */
const BESIDE = /^__MACOSX\/|\/$|(?:^|\/)\.DS_Store$/;

async function archiveTable(bytes: Uint8Array, file: string, options: FileOptions): Promise<ScoreTable> {
  const all = openZip(bytes, file, { hint: 'Copy it or write it again, whole; `unzip -t` tests such a file.' });
  const members = all.filter(({ name }) => !BESIDE.test(name));
  if (isWorkbook(members)) return workbookTable(members, file, options.sheet);
  const [first] = members;
  if (first && members.every(({ name }) => name.endsWith('.npy')))
    return npzTable(members, { file, names: options.names });
  assertRead(foreignArchive(members.map(({ name }) => name)), file);
  const data = members.length === 1 ? first?.data() : undefined;
  if (data && !isZip(data)) {
    const table = await tableOf(data, file, options);
    return { ...table, kind: `${table.kind}, zip` };
  }
  const listed = members.slice(0, 3).map(({ name }) => shown(name));
  const more = members.length > 3 ? ', ...' : '';
  const what = first ? `a zip of ${members.length} files (${listed.join(', ')}${more})` : 'a zip without files';
  fail(
    'FORMAT_UNKNOWN',
    { file },
    `is ${what}; of zips, workbooks (.xlsx), numpy archives (.npz), logs (.eval) and those of a single table are read`,
    `Unpack it and give the files themselves: \`unzip ${shellWord(file)}\`.`,
  );
}
