import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { csvField, csvText } from '../../io/csv.js';
import { inputStat } from '../../io/file.js';
import { inputFileAt } from '../../io/read-file.js';
import { openOutputs } from '../../io/write/outputs.js';
import type { ScoringPlan } from '../../responses/batch/part-sink.js';
import { openPartSource } from '../../responses/batch/part-source.js';
import { openPartThreads, type PartThreads } from '../../responses/batch/part-threads.js';
import { ROW_FORMATS, type RowFormat } from '../../responses/batch/row-table.js';
import type { PartDone } from '../../responses/batch/score-part.js';
import { outcomeOf } from '../../responses/outcome.js';
import type { ParserVersion, SetParser } from '../../responses/parser.js';
import { coreTasks } from '../../tasks/coreplan.js';
import { PORTFOLIOS, type Task } from '../../tasks/task.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { fail, shown } from '../../util/error.js';
import { counted } from '../../util/format.js';
import type { Shard } from '../../util/shard.js';
import { oldSpelling } from '../old-spelling.js';
import { countOption } from '../options.js';
import { chosenParser, parserOption } from '../parser-option.js';
import { printLine, printNote, printText } from '../print.js';
import { type QueueFlags, queueOptions } from '../queue/queue-options.js';
import { shardOption } from '../sharing/shard-option.js';
import { takeSignals } from '../stop-signal.js';
import { forceOption, isFolder } from '../write-output.js';
import { type BatchOptions, folderBatch, type PartsElsewhere, runBatch } from './rescore/batch.js';
import { rescoreDocument } from './rescore/document.js';
import { batchInputs } from './rescore/inputs.js';
import { printTotals } from './rescore/tables.js';

interface RescoreFlags extends QueueFlags {
  readonly tasks: string[];
  readonly core?: string;
  readonly parser?: SetParser;
  readonly out?: string;
  readonly rows?: string;
  readonly format?: RowFormat;
  readonly parsers?: readonly ParserVersion[];
  readonly strict?: boolean;
  readonly threads?: number;
  readonly shard?: Shard;
  readonly ignoreUnknown?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const PENDING = 1 << 20;

/** Writes the rows of parts as CSV, in large pieces. */
function rowWriter(stream: { write(text: string): void }, tasks: readonly Task[]) {
  let text = csvText(['model', 'task', 'outcome', 'selection', 'score_bps'], []);
  const flush = (): void => {
    stream.write(text);
    text = '';
  };
  return {
    add({ rows }: PartDone): void {
      const { count, models, tasks: numbers, codes } = rows!.rows;
      for (let at = 0; at < count; at += 1) {
        const code = codes[at]!;
        const { id, scores } = tasks[numbers[at]!]!;
        const scored = code < 0 ? ',' : `${PORTFOLIOS[code]},${scores[code]}`;
        text += `${csvField(rows!.models[models[at]!]!)},${csvField(id)},${outcomeOf(code)},${scored}\n`;
        if (text.length > PENDING) flush();
      }
    },
    flush,
  };
}

/** A batch is worth threads from so many bytes on. */
const WORTH_THREADS = 64 * 1024 * 1024;

/** Tells whether `--out` names a folder: one that is there, a name with a slash at its end, or without an ending. With `--rows` it is a file. */
const toFolder = ({ out, rows }: RescoreFlags): boolean =>
  out !== undefined && rows === undefined && (isFolder(out) || extname(out) === '');

async function rescore(named: readonly string[], flags: RescoreFlags): Promise<void> {
  const { files, passedOver } = await batchInputs(named);
  const folder = toFolder(flags);
  const outside = (['format', 'parsers', 'shard'] as const).find((name) => flags[name] !== undefined);
  if (!folder && outside !== undefined)
    fail(
      'USAGE',
      null,
      `--${outside} goes with --out FOLDER`,
      'Name a folder, without an ending, which takes the rows.',
    );
  const aside = (['shard', 'rows', 'threads'] as const).find((name) => flags[name] !== undefined);
  if (flags.redis !== undefined && aside !== undefined)
    fail(
      'USAGE',
      null,
      `--redis does not go with --${aside}`,
      aside === 'threads'
        ? 'Say it to the workers: `flavourbench worker --threads N`.'
        : aside === 'rows'
          ? 'Name a folder with --out, which takes the rows.'
          : 'Workers share the parts among them; --shard is for processes without Redis.',
    );
  if (passedOver > 0) printNote(`${passedOver} files in these folders are passed over: no ending calls them answers`);
  const threads = threadsFor(files, flags, folder);
  try {
    await rescoreFiles(files, flags, { folder, threads });
  } finally {
    await threads?.close();
  }
}

/** Starts the threads of a batch that is worth them, so that they are ready when its tasks are read; null: this one scores. */
function threadsFor(files: readonly string[], flags: RescoreFlags, folder: boolean): PartThreads | null {
  const { threads = availableParallelism(), rows, redis } = flags;
  if (threads === 1 || rows !== undefined || redis !== undefined) return null;
  const small = () => files.reduce((sum, name) => sum + (inputStat(name)?.size ?? 0), 0) < WORTH_THREADS;
  return !folder && flags.threads === undefined && small() ? null : openPartThreads(threads);
}

async function rescoreFiles(
  files: readonly string[],
  flags: RescoreFlags,
  { folder, threads }: { readonly folder: boolean; readonly threads: PartThreads | null },
): Promise<void> {
  const read = readTaskFiles(flags.tasks);
  const core = flags.core === undefined ? undefined : readCorePlan(flags.core);
  const tasks = core === undefined ? read.tasks : coreTasks(core, read);
  const scored = new Set(tasks.map(({ id }) => id));
  const parser = chosenParser(flags.parser, core, flags.core);
  const plan: ScoringPlan = {
    parser,
    ignoreUnknown: flags.ignoreUnknown === true,
    strict: !folder || flags.strict === true,
    compare: flags.parsers ?? [],
    near: folder,
  };
  const planInputs = () => [
    ...flags.tasks.map((path) => inputFileAt('tasks', path)),
    ...(flags.core === undefined ? [] : [inputFileAt('core', flags.core)]),
  ];
  const batch: BatchOptions = {
    inputs: files,
    tasks,
    known: [...read.byId.keys()].filter((id) => !scored.has(id)),
    plan,
    threads,
    shard: flags.shard,
    elsewhere: await elsewhereOf(flags),
  };
  if (folder) {
    const { out, format = 'parquet', force = false } = flags;
    const done = await folderBatch({ ...batch, folder: out!, format, force, planInputs });
    if (done.replaced)
      printNote(
        `${out} held the result of other inputs, which this one replaces; ${counted(done.removed, 'part')} that only those had ${done.removed === 1 ? 'is' : 'are'} gone`,
      );
    if (flags.json) printText(done.text);
    else {
      printTotals(done.totals, parser);
      const before = done.skipped === 0 ? '' : `, ${done.skipped} of them done before`;
      printLine(`Written to ${out}: ${done.parts} parts${before}, summary.json, summary.csv`);
    }
    return;
  }
  await toFiles(batch, flags, planInputs);
}

/** What has the parts of a batch scored elsewhere, where the call says so. */
async function elsewhereOf({ redis, store, lostAfter }: QueueFlags): Promise<PartsElsewhere | undefined> {
  if (redis === undefined) return undefined;
  const { queuedBatch } = await import('./rescore/queued-batch.js');
  return queuedBatch({ redis, store, lostAfter });
}

/** Scores a batch whose rows go into no folder: its table, its document and its rows as one file of CSV. Nothing is written unless all is well. */
async function toFiles(
  batch: BatchOptions,
  flags: RescoreFlags,
  planInputs: () => ReturnType<typeof inputFileAt>[],
): Promise<void> {
  const { tasks, plan } = batch;
  const outputs = openOutputs({ replace: flags.force === true });
  try {
    const writer = flags.rows === undefined ? undefined : rowWriter(outputs.open(flags.rows), tasks);
    const source = await openPartSource({ inputs: batch.inputs, keyed: false });
    const totals = await runBatch({ ...batch, ...(writer ? { keepRows: true, onPart: writer.add } : {}) }, source);
    const threads = batch.threads?.threads ?? 1;
    writer?.flush();
    const documented = flags.out !== undefined || flags.json === true;
    const text = documented
      ? rescoreDocument(
          totals,
          { parser: plan.parser, tasks: tasks.length, core: flags.core !== undefined },
          [...planInputs(), ...source.inputs()],
          batch.elsewhere?.did() ?? {
            backend: 'wasm',
            threads,
            reason: threads === 1 ? 'the only one' : 'the processors',
            warnings: [],
          },
        )
      : '';
    if (flags.out !== undefined) outputs.add({ path: flags.out, data: text });
    await takeSignals();
    outputs.commit();
    if (flags.json) printText(text);
    else printTotals(totals, plan.parser);
  } finally {
    outputs.abandon();
  }
}

const VERSIONS: readonly ParserVersion[] = ['v1', 'v2', 'v3', 'v4'];

/** Reads the parsers that are compared. Errors: USAGE. */
function compared(text: string): readonly ParserVersion[] {
  const versions = text.split(',').map((version) => version.trim()) as ParserVersion[];
  if (
    versions.length > 1 &&
    versions.every((version) => VERSIONS.includes(version)) &&
    new Set(versions).size === versions.length
  )
    return versions;
  fail('USAGE', null, `--parsers is ${shown(text)}; two or more of ${VERSIONS.join(', ')} are expected, as v2,v3`);
}

/** Adds `rescore` to the program. */
export function register(program: Command): void {
  const command = queueOptions(program.command('rescore'))
    .description('Score any number of answers of any number of models; every row counts, repeats too.')
    .argument('<files...>', 'JSON lines, JSON, CSV, Arrow or Parquet, gzip and Zstandard too; folders, patterns, -')
    .requiredOption('--tasks <files...>', 'task-set documents or task rows')
    .option('--core <plan>', 'score the tasks of this core plan only')
    .addOption(parserOption())
    .option(
      '--out <path>',
      'NAME.json writes the result document; a folder takes rows, bad rows and summaries, and goes on where it stood',
    )
    .addOption(new Option('--format <form>', 'form of the rows in the folder (default: parquet)').choices(ROW_FORMATS))
    .option(
      '--parsers <versions>',
      'parsers to compare, as v2,v3 or v3,v4: every row whose selection changes',
      compared,
    )
    .option('--strict', 'end at the first bad row; into a folder, bad rows are recorded and counted otherwise')
    .addOption(new Option('--threads <n>', 'threads that score (default: the processors)').argParser(countOption))
    .addOption(shardOption())
    .option('--rows <file>', 'write one CSV line a row: model, task, outcome, selection, score')
    .option('--ignore-unknown', 'count rows of unknown tasks instead of failing')
    .addOption(forceOption())
    .option('--json', 'print the result document')
    .action(rescore);
  oldSpelling(command, '--compare <versions>', 'parsers', compared);
}
