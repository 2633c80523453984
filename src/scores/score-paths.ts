import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { type WalkedFile, walkFiles } from '../io/folder.js';
import { decodeText } from '../io/utf8.js';
import { fail } from '../util/error.js';
import { counted } from '../util/format.js';
import { type ScoreOptions, type Scores, scoresOf } from './read-scores.js';
import { readTaskLabels, type TaskLabelFiles } from './task-labels.js';

/** What to take from files, and the files that say more of their tasks. */
export interface ReadScoresOptions extends Omit<ScoreOptions, 'labels' | 'names'>, TaskLabelFiles {
  /** File of the names of the rows of a numpy array, of its columns, or of both, one a line. */
  readonly names?: string;
}

/** A matrix, what was read to make it, and the files. */
export interface ReadScores extends Omit<Scores, 'read'> {
  readonly inputs: readonly InputFile[];
}

/**
 * Reads a matrix from files: a table of any kind and shape, or evaluation logs, for which a folder stands for all in it; what was read stands
 * in `reading` (reading 1.15). Options are those of the commands, in camel case. Errors: those of `scoresOf` and of files.
 */
export async function readScores(paths: readonly string[], options: ReadScoresOptions = {}): Promise<ReadScores> {
  const { clusters, families, names, ...asked } = options;
  const { labels, inputs } = readTaskLabels({ clusters, families }, readInput);
  const { files: walked, hidden } = walkFiles(paths);
  const files = walked.length === 1 ? walked.map(keptFile) : walked;
  if (files.length === 0 && paths.length > 0)
    fail(
      'SCHEMA_INVALID',
      { file: paths.join(', ') },
      hidden > 0 ? `holds no file but ${counted(hidden, 'hidden name')}` : 'holds no file',
      'Name a file, or a folder of evaluation logs.',
    );
  const listed = names === undefined ? undefined : namesIn(names);
  const { read, ...scores } = await scoresOf(files, { ...asked, labels, ...(listed ? { names: listed.names } : {}) });
  return {
    ...scores,
    warnings: [
      ...scores.warnings,
      ...(hidden > 0 ? [`${counted(hidden, 'hidden name')} ${hidden === 1 ? 'was' : 'were'} passed over`] : []),
    ],
    inputs: [...read.map(({ bytes }) => inputFile('scores', bytes)), ...inputs, ...(listed ? [listed.input] : [])],
  };
}

/** The names in a file, one a line; empty lines are none. */
function namesIn(path: string) {
  const bytes = readInput(path);
  const lines = decodeText(path, bytes).split(/\r?\n/);
  return { names: lines.filter((line) => line.trim() !== ''), input: inputFile('names', bytes) };
}

/** A file whose bytes are read once. */
function keptFile(file: WalkedFile): WalkedFile {
  let kept: Uint8Array | undefined;
  const { name, folder, found } = file;
  return {
    ...{ name, folder, found },
    get head() {
      return file.head;
    },
    get bytes() {
      kept ??= file.bytes;
      return kept;
    },
  };
}
