import { type LogMatrix, matrixFromLogs } from '../core/matrix-logs.js';
import { isJsonText, mayBeLog } from '../logs/opened-log.js';
import { type GivenFile, isLog, readLogs } from '../logs/read-logs.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';
import { shellWord } from '../util/text.js';
import { matrixOf, readMatrix } from './matrix-file.js';
import type { TableOptions } from './matrix-table.js';
import { partedTable, partsIn } from './parted-table.js';
import { logReading, type Reading } from './scores-reading.js';
import type { FileOptions } from './table-file.js';

/** A file that a user has. */
export interface ScoreFile {
  /** Its path, as errors name it. */
  readonly name: string;
  /** Path of the folder that it lies in: some harnesses name model and evaluation there and nowhere else. */
  readonly folder?: string;
  readonly bytes: Uint8Array;
  /** Its first bytes, where they can be had without the others. */
  readonly head?: Uint8Array;
  /** Lies in a folder that the user named: that it is no log is no error. */
  readonly found?: boolean;
}

/** What to take from the files, and how. */
export interface ScoreOptions extends TableOptions, FileOptions {
  /** Filter of logs that have one. */
  readonly filter?: string;
}

/** A matrix of any origin, and what was read to make it. */
export interface Scores extends LogMatrix {
  readonly reading: Reading;
  /** What the files are, in words: `matrix`, `inspect_ai logs`. */
  readonly kind: string;
  /** The files that were read as scores. */
  readonly read: readonly ScoreFile[];
}

/**
 * Reads a matrix from whatever the files are, by their content (reading 1.15): one table of any kind and shape, or evaluation logs of any
 * harnesses. Errors: USAGE for options that do not go with what the files are; SCHEMA_INVALID; those of the readers.
 */
export async function scoresOf(files: readonly ScoreFile[], options: ScoreOptions = {}): Promise<Scores> {
  const [first] = files;
  if (first === undefined) fail('USAGE', null, 'no scores were given', 'Name a file or a folder.');
  const alone = files.length === 1 || !isJsonText(headOf(first));
  const isTable = first.found !== true && alone && !(await isLog(inFolder(first)));
  if (isTable) return scoresOfTable(files, options);
  const isFound = files.every((file) => file.found === true && !mayBeLog(headOf(file)));
  const parts = isFound ? partsIn(files) : undefined;
  return parts === undefined ? scoresOfLogs(files, options) : scoresOfParts(parts, options);
}

const headOf = (file: ScoreFile) => file.head ?? file.bytes.subarray(0, 4096);

/** A file as the readers of logs take it; its bytes are left where they are. */
const inFolder = (file: ScoreFile): GivenFile =>
  file.folder === undefined ? { ...file, folder: '' } : (file as GivenFile);

async function scoresOfTable(files: readonly ScoreFile[], { filter, ...options }: ScoreOptions): Promise<Scores> {
  const { name, bytes } = files[0]!;
  if (files.length > 1) fail('USAGE', null, `${files.length} files; a matrix is one file`, severalHint(files));
  assertNoFilter(filter);
  return { ...(await readMatrix(bytes, { ...options, file: name })), readings: [], kind: 'matrix', read: files };
}

/** The matrix of a table whose rows lie in the files of a folder. */
async function scoresOfParts(parts: readonly ScoreFile[], { filter, ...options }: ScoreOptions): Promise<Scores> {
  assertNoFilter(filter);
  return { ...matrixOf(await partedTable(parts, options), options), readings: [], kind: 'matrix', read: parts };
}

/** Errors: USAGE for a filter, which a table has none of. */
function assertNoFilter(filter: string | undefined): void {
  if (filter === undefined) return;
  fail('USAGE', null, '--filter goes with evaluation logs', 'Rows of a table are chosen with --metric.');
}

/** Names the option that takes one of several files: a table that says something of tasks, or a second one of scores. */
function severalHint(files: readonly ScoreFile[]): string {
  const sides = files.flatMap((file) => {
    const [first = ''] = new TextDecoder().decode(headOf(file)).split(/\r?\n/, 1);
    const what = /^\W*task\W+(famil|cluster)/i.exec(first)?.[1]?.toLowerCase();
    return what === undefined ? [] : [`${what === 'famil' ? '--families' : '--clusters'} ${shellWord(file.name)}`];
  });
  const [one, other] = files as [ScoreFile, ScoreFile];
  const list = files.find((file) => isListOfNames(headOf(file)));
  if (sides.length === 0 && list !== undefined)
    return `${list.name} is a list of names: --names ${shellWord(list.name)} names rows or columns of a numpy array, --models and --without take one too.`;
  return sides.length > 0
    ? `What says something of tasks has an option: ${sides.join(' ')}.`
    : `Two tables of scores are compared by \`flavourbench rank-audit ${shellWord(one.name)} --compare ${shellWord(other.name)}\`; only evaluation logs go together.`;
}

/** Tells whether a file begins as a list of names does: a name a line, and nothing that separates cells. */
function isListOfNames(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^[\p{L}\p{N}]/u.test(text) && !/[,;\t|{}\0\uFFFD]/.test(text);
}

async function scoresOfLogs(files: readonly ScoreFile[], options: ScoreOptions): Promise<Scores> {
  const { labels = {} } = options;
  if (labels.clusters !== undefined || labels.families !== undefined)
    fail(
      'USAGE',
      null,
      '--clusters and --families go with a matrix',
      'A log says both: the cluster is the sample, the family the evaluation.',
    );
  const foreign = files.filter((file) => file.found && !mayBeLog(headOf(file)));
  const candidates = new Set(files);
  for (const file of foreign) candidates.delete(file);
  if (candidates.size === 0)
    fail(
      'SCHEMA_INVALID',
      { file: files[0]!.folder },
      `${counted(files.length, 'file')}, and none is an evaluation log`,
      `A folder is read for logs; a table is named itself: ${files[0]!.name}.`,
    );
  const logs = await readLogs([...candidates].map(inFolder), options);
  const passed = foreign.length + logs.others.length;
  const read = matrixFromLogs(logs.cells, options, logs.offers);
  const kind = `${logs.kinds.map(({ name }) => name).join(' and ')} logs`;
  return {
    ...read,
    kind,
    reading: logReading(kind, read, options.scale !== undefined),
    read: logs.logs,
    warnings: [
      ...read.warnings,
      ...logs.warnings,
      ...(passed > 0
        ? [`${counted(passed, 'file')} in the folders given ${passed === 1 ? 'is no log' : 'are no logs'}`]
        : []),
    ],
  };
}
