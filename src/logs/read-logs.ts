import { sha256 } from '../io/digest.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { counted, either } from '../util/format.js';
import { joinedKey } from '../util/joined.js';
import { type LogCell, listed } from './cell.js';
import { LOG_FORMATS } from './formats.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import { type LogFile, lastPart, type OpenedLog, openLog } from './opened-log.js';
import { assertTogether } from './together.js';

/** A file as a call gives it: named by the user, or found in a folder that was. */
export interface GivenFile extends LogFile {
  /** Found in a folder: that it is no log is no error. */
  readonly found?: boolean;
}

/** What all logs of a call hold. */
export interface LogsRead {
  readonly cells: readonly LogCell[];
  /** Harnesses by first appearance. */
  readonly kinds: readonly { readonly name: string; readonly files: number }[];
  /** The files that were read as logs, in the order given. */
  readonly logs: readonly GivenFile[];
  /** Files of folders that are no log. */
  readonly others: readonly string[];
  /** What else could have been taken, by evaluation. */
  readonly offers: readonly LogOffer[];
  /** What a reader should know, as sentences without a full stop. */
  readonly warnings: readonly string[];
}

/** Metrics and filters of one evaluation. */
export interface LogOffer {
  readonly family: string;
  readonly metrics: readonly string[];
  readonly filters: readonly string[];
}

interface ReadFile {
  readonly given: GivenFile;
  readonly format: LogFormat;
  readonly read: LogRead;
}

/**
 * Reads logs of any harnesses as cells (reading 2). A file is recognised by its content. Where a run stands there twice, or once
 * stopped and once to its end, one of its logs is read and that is said. Errors: SCHEMA_INVALID for a named file that is no log, for
 * no log at all and for logs of several harnesses that have nothing in common; USAGE for a filter where no log has any; those of the
 * formats.
 */
export async function readLogs(files: readonly GivenFile[], options: LogOptions = {}): Promise<LogsRead> {
  const { read, others } = await readEach(files, options);
  if (read.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file: files[0]?.folder },
      `no log among ${counted(files.length, 'file')}`,
      `Give ${either(LOG_FORMATS.map(({ log }) => log))}.`,
    );
  if (options.filter !== undefined && read.every(({ format }) => format.filters !== true)) {
    const having = LOG_FORMATS.filter(({ filters }) => filters).map(({ name }) => name);
    fail(
      'USAGE',
      null,
      `--filter on ${read[0]!.format.name} logs`,
      `Only logs of ${either(having)} have filters; name a scorer with --metric.`,
    );
  }
  const { kept, warnings } = oncePerRun(read);
  if (kept.every(({ read: { cells } }) => cells.length === 0)) {
    const metrics = new Set(kept.flatMap(({ read: { metrics: own } }) => own));
    fail(
      'SCHEMA_INVALID',
      { file: kept[0]!.given.name },
      options.metric === undefined ? 'holds no sample' : `no metric ${shown(options.metric)}; ${listed([...metrics])}`,
      'Name what to take with --metric and --filter.',
    );
  }
  assertTogether(kept.map(({ format, read: { cells } }) => ({ name: format.name, cells })));
  const kinds = new Map<string, number>();
  for (const { format } of kept) kinds.set(format.name, (kinds.get(format.name) ?? 0) + 1);
  return {
    cells: kept.flatMap(({ read: { cells } }) => cells),
    kinds: [...kinds].map(([name, count]) => ({ name, files: count })),
    logs: kept.map(({ given }) => given),
    others,
    offers: offersOf(kept),
    warnings: [...warnings, ...kept.flatMap(({ read: { warnings: own = [] } }) => own)],
  };
}

/** Tells whether a file is a log of a kind that is read. */
export async function isLog(file: LogFile): Promise<boolean> {
  try {
    return formatOf(await openLog(file, () => [file])) !== undefined;
  } catch (error) {
    if (error instanceof FlavourError) return false;
    throw error;
  }
}

const formatOf = (log: OpenedLog) => LOG_FORMATS.find((format) => format.recognise(log));

async function readEach(
  files: readonly GivenFile[],
  options: LogOptions,
): Promise<{ read: ReadFile[]; others: string[] }> {
  const folders = new Map<string, GivenFile[]>();
  for (const file of files) folders.set(file.folder, [...(folders.get(file.folder) ?? []), file]);
  const read: ReadFile[] = [];
  const others: string[] = [];
  for (const given of files) {
    const log = await opened(given, () => folders.get(given.folder)!);
    const format = log === undefined ? undefined : formatOf(log);
    if (log !== undefined && format !== undefined) read.push({ given, format, read: await format.read(log, options) });
    else if (given.found === true) others.push(given.name);
    else
      fail(
        'SCHEMA_INVALID',
        { file: given.name },
        'is no evaluation log of a kind that is known here',
        `Give ${either(LOG_FORMATS.map(({ log: noun }) => noun))}.`,
      );
  }
  return { read, others };
}

/** Opens a file; one that was found in a folder and is damaged is no log, unless its name says that it is one. */
async function opened(given: GivenFile, near: () => readonly GivenFile[]): Promise<OpenedLog | undefined> {
  try {
    const log = await openLog(given, near);
    if (given.found === true) void log.document;
    return log;
  } catch (error) {
    if (!(error instanceof FlavourError) || given.found !== true || given.name.endsWith('.eval')) throw error;
    return undefined;
  }
}

/** Keeps one log of each run: of two that are byte for byte the same, or of one run, the first; of a run that was repeated after it was stopped, the last. */
function oncePerRun(read: readonly ReadFile[]): { kept: ReadFile[]; warnings: string[] } {
  const warnings: string[] = [];
  const runs = new Map<string, ReadFile>();
  const unique = read.filter((file) => {
    const { run, cells } = file.read;
    const id = run?.id ?? sha256(file.given.bytes);
    const key = joinedKey(file.format.name, id, cells[0]?.model ?? '', cells[0]?.family ?? '');
    const before = runs.get(key);
    if (before === undefined) runs.set(key, file);
    else warnings.push(`${file.given.name} is the same run as ${before.given.name}: it was read once`);
    return before === undefined;
  });
  const best = new Map<string, ReadFile>();
  for (const file of unique) {
    const { run } = file.read;
    if (run === undefined) continue;
    const before = best.get(run.of);
    if (before === undefined || isBetter(file, before)) best.set(run.of, file);
  }
  const kept = unique.filter((file) => {
    const { run } = file.read;
    if (run?.unfinished === undefined) return true;
    const other = best.get(run.of)!;
    if (other === file) {
      warnings.push(
        `the run in ${file.given.name} ended with status ${run.unfinished}: what it did not score is missing`,
      );
      return true;
    }
    warnings.push(
      `${file.given.name} (status ${run.unfinished}) was left out for ${lastPart(other.given.name)}, a later run of the same`,
    );
    return false;
  });
  return { kept, warnings };
}

function isBetter({ read: { run: a } }: ReadFile, { read: { run: b } }: ReadFile): boolean {
  const [done, before] = [a!.unfinished === undefined, b!.unfinished === undefined];
  return done === before ? a!.began > b!.began : done;
}

function offersOf(kept: readonly ReadFile[]): LogOffer[] {
  const offers = new Map<string, LogOffer>();
  for (const { read } of kept)
    for (const family of new Set(read.cells.map((cell) => cell.family)))
      if (!offers.has(family)) offers.set(family, { family, metrics: read.metrics, filters: read.filters });
  return [...offers.values()];
}
