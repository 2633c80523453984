import { FlavourError, fail, shown } from '../util/error.js';
import { counted, either } from '../util/format.js';
import { type LogCell, listed, nearest } from './cell.js';
import { evaluationsByArguments } from './evaluations.js';
import { LOG_FORMATS } from './formats.js';
import type { LogFormat, LogOptions } from './log-format.js';
import { type GivenFile, type LogFile, type NearFiles, type OpenedLog, openLog } from './opened-log.js';
import { oncePerRun, type ReadFile } from './runs.js';
import { assertTogether } from './together.js';
import { assertSamples } from './without-samples.js';

export type { GivenFile } from './opened-log.js';

/** What all logs of a call hold. */
export interface LogsRead {
  readonly cells: readonly LogCell[];
  /** Harnesses by first appearance. */
  readonly kinds: readonly { readonly name: string; readonly files: number }[];
  /** The files that were read as logs, and those beside them that name a model or an evaluation, in the order given. */
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

/**
 * Reads logs of any harnesses as cells (reading 2). A file is recognised by its content. Where a run stands there twice, or once
 * stopped and once to its end, one of its logs is read and that is said. Errors: SCHEMA_INVALID for a named file that is no log, for
 * no log at all and for logs of several harnesses that have nothing in common; USAGE for a filter where no log has any; those of the
 * formats.
 */
export async function readLogs(files: readonly GivenFile[], options: LogOptions = {}): Promise<LogsRead> {
  const { read, beside, others, warnings: damaged } = await readEach(files, options);
  if (read.length === 0) for (const file of others) assertSamples(await openLog(file, { files: () => [file] }));
  if (read.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file: files[0]?.folder },
      `${counted(files.length, 'file')}, and none is an evaluation log`,
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
  const { kept: single, warnings } = oncePerRun(read);
  const kept = evaluationsByArguments(single);
  if (kept.every(({ read: { cells } }) => cells.length === 0)) {
    const metrics = new Set(kept.flatMap(({ read: { metrics: own } }) => own));
    fail(
      'SCHEMA_INVALID',
      { file: kept[0]!.given.name },
      options.metric === undefined ? 'holds no sample' : `no metric ${shown(options.metric)}; ${listed([...metrics])}`,
      `${options.metric === undefined ? '' : nearest('--metric', options.metric, [...metrics])}Name what to take with --metric and --filter.`,
    );
  }
  assertTogether(kept.map(({ format, read: { cells } }) => ({ name: format.name, cells })));
  const taken = new Set(kept.map(({ given }) => given));
  const kinds = new Map<string, number>();
  for (const { format } of kept) kinds.set(format.name, (kinds.get(format.name) ?? 0) + 1);
  return {
    cells: kept.flatMap(({ read: { cells } }) => cells),
    kinds: [...kinds].map(([name, count]) => ({ name, files: count })),
    logs: files.filter((file) => beside.has(file) || taken.has(file)),
    others: others.map(({ name }) => name),
    offers: offersOf(kept),
    warnings: [...damaged, ...warnings, ...kept.flatMap(({ read: { warnings: own = [] } }) => own)],
  };
}

/** Tells whether a file is a log of a kind that is read. Errors: SCHEMA_INVALID for what a harness wrote without scores on samples; ZIP_INVALID for an archive that is named as a log and damaged. */
export async function isLog(file: LogFile): Promise<boolean> {
  const log = await openedOrNot(file);
  if (log === undefined) return false;
  if (log.isLog) return true;
  assertSamples(log.log);
  return false;
}

async function openedOrNot(file: LogFile): Promise<{ readonly log: OpenedLog; readonly isLog: boolean } | undefined> {
  let log: OpenedLog | undefined;
  try {
    log = await openLog(file, { files: () => [file] });
    return { log, isLog: formatOf(log) !== undefined };
  } catch (error) {
    if (error instanceof FlavourError && !file.name.endsWith('.eval')) return undefined;
    throw error;
  } finally {
    log?.leave();
  }
}

const formatOf = (log: OpenedLog) => LOG_FORMATS.find((format) => format.recognise(log));

interface EachFile {
  readonly read: readonly ReadFile[];
  /** Files beside logs that name their model or evaluation. */
  readonly beside: ReadonlySet<LogFile>;
  readonly others: readonly GivenFile[];
  readonly warnings: readonly string[];
}

async function readEach(files: readonly GivenFile[], options: LogOptions): Promise<EachFile> {
  const folders = new Map<string, GivenFile[]>();
  for (const file of files) {
    const folder = folders.get(file.folder);
    if (folder === undefined) folders.set(file.folder, [file]);
    else folder.push(file);
  }
  const read: ReadFile[] = [];
  const others: GivenFile[] = [];
  const damaged: FlavourError[] = [];
  const refused: FlavourError[] = [];
  const beside = new Set<LogFile>();
  for (const given of files) {
    const near = { files: () => folders.get(given.folder)!, used: (file: LogFile) => beside.add(file) };
    try {
      const found = await recognised(given, near);
      if (found instanceof FlavourError) damaged.push(found);
      else if (found === undefined) others.push(given);
      else read.push({ given, format: found.format, read: await found.format.read(found.log, options) });
    } catch (error) {
      // Whoever mends a folder wants to know of every log in it that is refused, not of one at a time.
      if (!(error instanceof FlavourError) || given.found !== true || error.where?.file !== given.name) throw error;
      refused.push(error);
    }
  }
  if (refused.length > 0) throw refusedLogs(refused, read.length);
  const foreign = others.filter((file) => !beside.has(file));
  const named = foreign.find((file) => file.found !== true);
  if (named !== undefined)
    fail(
      'SCHEMA_INVALID',
      { file: named.name },
      'is no evaluation log of a kind that is known here',
      `Give ${either(LOG_FORMATS.map(({ log }) => log))}; in a folder, what is no log is passed over.`,
    );
  return { read, beside, others: foreign, warnings: damagedWords(damaged) };
}

/**
 * Finds the format of a file: none for one of another kind. A file that was found in a folder and cannot be read as what it begins as is
 * given as its error, unless its name says that it is a log: leaving out a log in silence would leave out a model.
 */
async function recognised(
  given: GivenFile,
  near: NearFiles,
): Promise<{ readonly log: OpenedLog; readonly format: LogFormat } | FlavourError | undefined> {
  try {
    const log = await openLog(given, near);
    const format = formatOf(log);
    return format === undefined ? undefined : { log, format };
  } catch (error) {
    if (!(error instanceof FlavourError) || given.found !== true || given.name.endsWith('.eval')) throw error;
    return error;
  }
}

/** Refused logs that an error names after the first. */
const NAMED = 12;

/** The error of logs of a folder that cannot be read: that of the first, with the names of the others, and how many can be. */
function refusedLogs(errors: readonly FlavourError[], good: number): FlavourError {
  const [first, ...others] = errors as [FlavourError, ...FlavourError[]];
  if (others.length === 0) return first;
  const names = others.slice(0, NAMED).map(({ where }) => where!.file);
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  const rest =
    good === 0
      ? ''
      : ` No log is left out unasked, since its model would be: name the ${counted(good, 'log')} that can be read, or mend or move the others.`;
  return new FlavourError(first.code, `${first.message}; refused too: ${names.join(', ')}${more}`, {
    ...{ where: first.where, exit: first.exit, cause: first },
    hint: `${first.hint ?? ''}${rest}`.trim(),
  });
}

function damagedWords(errors: readonly FlavourError[]): string[] {
  const named = errors.slice(0, 3).map(({ message }) => message);
  if (errors.length > named.length) named.push(`${errors.length - named.length} more`);
  if (errors.length === 0) return [];
  return [`${counted(errors.length, 'file')} in the folders given could not be read: ${named.join('; ')}`];
}

function offersOf(kept: readonly ReadFile[]): LogOffer[] {
  const offers = new Map<string, LogOffer>();
  for (const { read } of kept)
    for (const family of new Set(read.cells.map((cell) => cell.family)))
      if (!offers.has(family)) offers.set(family, { family, metrics: read.metrics, filters: read.filters });
  return [...offers.values()];
}
