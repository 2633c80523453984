import type { Command } from 'commander';
import { csvField, csvText } from '../../io/csv.js';
import { envelope } from '../../io/envelope.js';
import { openOutputs } from '../../io/outputs.js';
import { inputFileAt } from '../../io/read-file.js';
import { rescoreFile } from '../../responses/answer-file.js';
import { type AnswerCode, outcomeOf } from '../../responses/outcome.js';
import type { SetParser } from '../../responses/parser.js';
import { parserFields } from '../../responses/parser-contract.js';
import { rescorer } from '../../responses/rescore.js';
import { type ModelTally, talliedModel } from '../../responses/tally.js';
import { coreTasks } from '../../tasks/coreplan.js';
import { PORTFOLIOS, type Task } from '../../tasks/task.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { fixed } from '../../util/format.js';
import { chosenParser, parserOption, parserWords } from '../parser-option.js';
import { plain, printLine, printTable, printText } from '../print.js';
import { progress } from '../progress.js';
import { takeSignals } from '../stop-signal.js';
import { forceOption } from '../write-output.js';

interface RescoreFlags {
  readonly tasks: string[];
  readonly core?: string;
  readonly parser?: SetParser;
  readonly out?: string;
  readonly rows?: string;
  readonly ignoreUnknown?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const PENDING = 1 << 20;

/** Writes rows as CSV, in large pieces. */
function rowWriter(
  stream: { write(text: string): void },
  tasks: readonly Task[],
  models: () => readonly string[],
): { add(model: number, task: number, code: AnswerCode): void; flush(): void } {
  let text = csvText(['model', 'task', 'outcome', 'selection', 'score_bps'], []);
  const flush = (): void => {
    stream.write(text);
    text = '';
  };
  return {
    add(model, task, code) {
      const { id, scores } = tasks[task]!;
      const scored = code < 0 ? ',' : `${PORTFOLIOS[code]},${scores[code]}`;
      const cells = [models()[model]!, id].map(csvField);
      text += `${cells.join()},${outcomeOf(code)},${scored}\n`;
      if (text.length > PENDING) flush();
    },
    flush,
  };
}

function printModels(models: readonly ModelTally[]): void {
  const number = (value: number | null) => (value === null ? '-' : fixed(value, 2));
  printTable(
    ['model', 'rows', 'readable', 'optimal', 'mean', 'mean, unreadable 0', 'unreadable'],
    models.map((model) => {
      const reasons = Object.entries(model.outcomes).filter(([name, n]) => name !== 'ok' && n > 0);
      return [
        model.model || '(unnamed)',
        model.rows,
        model.outcomes.ok,
        model.optimal,
        number(model.meanReadable),
        number(model.meanAll),
        reasons.map(([name, n]) => `${name} ${n}`).join(', ') || '-',
      ];
    }),
  );
}

async function rescore(files: readonly string[], flags: RescoreFlags): Promise<void> {
  const read = readTaskFiles(flags.tasks);
  const core = flags.core === undefined ? undefined : readCorePlan(flags.core);
  const tasks = core === undefined ? read.tasks : coreTasks(core, read);
  const parser = chosenParser(flags.parser, core, flags.core);
  const outputs = openOutputs({ replace: flags.force === true });
  try {
    const stream = flags.rows === undefined ? undefined : outputs.open(flags.rows);
    const writer = stream === undefined ? undefined : rowWriter(stream, tasks, () => scorer.kernel.models);
    const scorer = rescorer({
      tasks,
      known: read.byId,
      parser,
      ignoreUnknown: flags.ignoreUnknown,
      onRow: writer?.add,
    });
    for (const file of files) {
      const bar = progress(file, 'bytes');
      await rescoreFile(file, scorer, bar.update).finally(bar.stop);
    }
    writer?.flush();
    const { rows, aside, unknownTasks, models } = scorer.results();
    const { text } = envelope({
      schema: 'flavourbench-rescore-v1',
      plan: { ...parserFields(parser), tasks: tasks.length, core: flags.core !== undefined },
      inputs: [
        ...flags.tasks.map((path) => inputFileAt('tasks', path)),
        ...(flags.core === undefined ? [] : [inputFileAt('core', flags.core)]),
        ...files.map((path) => inputFileAt('responses', path)),
      ],
      rng: null,
      seed: null,
      streams: {},
      results: {
        rows,
        left_aside: aside,
        unknown_tasks: unknownTasks,
        models: models.map((model) => talliedModel(model, parser)),
      },
      run: { backend: 'wasm', threads: 1, reason: 'the only one', warnings: [] },
    });
    if (flags.out !== undefined) outputs.add({ path: flags.out, data: text });
    await takeSignals();
    outputs.commit();
    if (flags.json) printText(text);
    else {
      printModels(models);
      const other = [
        aside > 0 ? `${aside} rows of tasks outside the core left aside` : '',
        unknownTasks > 0 ? `${unknownTasks} rows of unknown tasks ignored` : '',
      ].filter((part) => part !== '');
      printLine([`${rows} rows scored`, ...other].join('; '));
      const reasoned = models.filter((model) => model.reasoned > 0);
      printLine(
        parserWords(
          parser,
          reasoned.reduce((sum, model) => sum + model.reasoned, 0),
        ),
      );
      if (reasoned.length > 0)
        printLine(plain(`  ${reasoned.map((model) => `${model.model || '(unnamed)'} ${model.reasoned}`).join(', ')}`));
    }
  } finally {
    outputs.abandon();
  }
}

/** Adds `rescore` to the program. */
export function register(program: Command): void {
  program
    .command('rescore')
    .description('Score any number of answers of any number of models; every row counts, repeats too.')
    .argument('<files...>', 'JSON lines, JSON, Arrow or Parquet')
    .requiredOption('--tasks <files...>', 'task-set documents or task rows')
    .option('--core <plan>', 'score the tasks of this core plan only')
    .addOption(parserOption())
    .option('--out <file>', 'write the result document')
    .option('--rows <file>', 'write one CSV line a row: model, task, outcome, selection, score')
    .option('--ignore-unknown', 'count rows of unknown tasks instead of failing')
    .addOption(forceOption())
    .option('--json', 'print the result document')
    .action(rescore);
}
