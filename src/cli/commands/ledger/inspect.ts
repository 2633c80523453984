import type { Command } from 'commander';
import { buildSchedule, type CellJob } from '../../../collect/schedule.js';
import { keptModels } from '../../../core/model-choice.js';
import type { Phase } from '../../../ledger/cell-key.js';
import { type Explanation, explainCell, openDifferences } from '../../../ledger/explain-cell.js';
import { viewLedger } from '../../../ledger/ledger-view.js';
import { type LedgerVerification, parseCheck, verifyLedger } from '../../../ledger/verify-ledger.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { fail } from '../../../util/error.js';
import { oldSpelling } from '../../old-spelling.js';
import { collected, phaseOption } from '../../options.js';
import { plain, printJson, printLine } from '../../print.js';
import { loadCollection } from '../plan.js';

interface ExplainFlags {
  readonly plan?: string;
  readonly model?: string;
  readonly task?: string;
  readonly phase: Phase;
  readonly sample: string;
  readonly json?: boolean;
}

interface FailureFlags {
  readonly kind?: readonly string[];
  readonly models?: readonly string[];
  readonly json?: boolean;
}

/** The planned cell that the flags or the id name; undefined without a plan. */
function planned(cell: string | undefined, flags: ExplainFlags): CellJob | undefined {
  if (flags.plan === undefined) return undefined;
  const collection = loadCollection(flags.plan, true);
  const jobs = buildSchedule(collection);
  const found = jobs.find(({ binding: { cell: id, key, task_id, original_task_id } }) =>
    cell !== undefined
      ? id.startsWith(cell)
      : key.model_id === flags.model &&
        (task_id === flags.task || original_task_id === flags.task) &&
        key.phase === flags.phase &&
        String(key.repeat) === flags.sample,
  );
  if (!found && cell === undefined) {
    fail(
      'USAGE',
      { file: flags.plan },
      `plans no cell of model ${flags.model} and task ${flags.task} in phase ${flags.phase}, sample ${flags.sample}`,
      'Check the ids, --phase and --sample.',
    );
  }
  return found;
}

/** The explanation, its differing digests opened into the route fields behind them. */
function explained(dir: string, cell: string | undefined, job: CellJob | undefined): Explanation {
  const found = explainCell(dir, cell ?? job!.binding.cell, job?.binding);
  const { nearest } = found;
  if (!nearest || !job) return found;
  const differs = openDifferences({ dir, differs: nearest.differs, asked: job.route });
  return { ...found, nearest: { ...nearest, differs } };
}

function printExplanation(found: Explanation): void {
  printLine(`cell ${found.cell}`);
  if (found.model_id !== null) printLine(plain(`model ${found.model_id}, task ${found.task_id}`));
  printLine(`${found.will_be_asked ? 'will be asked' : 'will not be asked'}: ${found.why}`);
  if (found.record !== null) printLine(`record ${found.record}`);
  if (found.came_back !== null) {
    const { outcome, message, model, expected_model, provider, expected_provider, finish_reason } = found.came_back;
    printLine(plain(`came back: ${outcome}${message === null ? '' : `: ${message}`}`));
    printLine(plain(`  model ${model ?? 'not named'}, expected ${expected_model ?? 'any'}`));
    if (expected_provider !== null)
      printLine(plain(`  provider ${provider ?? 'not named'}, expected ${expected_provider}`));
    printLine(plain(`  finish ${finish_reason ?? 'not stated'}`));
  }
  for (const path of found.superseded) printLine(`superseded ${path}`);
  for (const sha256 of found.quarantined) printLine(`in quarantine: record ${sha256}`);
  for (const { line, at, type, said } of found.history)
    printLine(plain(`  line ${line}  ${at}  ${type}${said === undefined ? '' : `: ${said}`}`));
  if (!found.nearest) return;
  printLine(`nearest recorded cell ${found.nearest.cell}`);
  for (const { field, asked, recorded } of found.nearest.differs)
    printLine(plain(`  ${field}: asked ${asked}, recorded ${recorded}`));
}

function printReport(report: LedgerVerification): void {
  for (const { file, what } of report.problems) printLine(plain(`${file}: ${what}`));
  printLine(
    `${report.journal_lines} journal lines, ${report.records} records, ${report.quarantined} in quarantine: ` +
      (report.problems.length === 0 ? 'all prove' : `${report.problems.length} problems`),
  );
  printLine(`record set ${report.record_set_sha256}`);
  for (const text of report.repairable) printLine(`the next writer puts right: ${text}`);
}

/** Adds `ledger verify | explain | failures`. */
export function registerInspect(ledger: Command): void {
  ledger
    .command('verify')
    .argument('<dir>', 'ledger folder')
    .description('Re-hash every journal line, record, commitment and manifest.')
    .option('--tasks <files...>', 'task sets: also parse every answer again')
    .option('--json', 'print JSON')
    .action((dir: string, flags: { tasks?: readonly string[]; json?: boolean }) => {
      const check = flags.tasks && parseCheck(readTaskFiles(flags.tasks).byId);
      const report = verifyLedger(dir, check);
      if (flags.json) printJson(report);
      else printReport(report);
      if (report.problems.length > 0) process.exitCode = 4;
    });

  ledger
    .command('explain')
    .argument('<dir>', 'ledger folder')
    .argument('[cell]', 'cell id; or --plan, --model and --task')
    .description('Why a cell will or will not be asked, and which key field differs.')
    .option('--plan <file>', 'the collection plan, for a cell that was never asked')
    .option('--model <id>', 'with --plan: the model, in place of a cell id')
    .option('--task <id>', 'with --plan: the task')
    .addOption(phaseOption())
    .option('--sample <number>', 'which of k samples, from 0', '0')
    .option('--json', 'print JSON')
    .action((dir: string, cell: string | undefined, flags: ExplainFlags) => {
      if (cell === undefined && (!flags.plan || !flags.model || !flags.task)) {
        fail('USAGE', null, 'no cell was named', 'Give (the start of) a cell id, or --plan FILE --model ID --task ID.');
      }
      const job = planned(cell, flags);
      const found = explained(dir, cell, job);
      if (flags.json) printJson(found);
      else printExplanation(found);
    });

  const failures = ledger
    .command('failures')
    .argument('<dir>', 'ledger folder')
    .description('List failed cells, one a line: a retry list for `collect --retry`.')
    .option('--kind <kinds...>', 'only these kinds of failure')
    .option('--models <list>', 'only these models: A,B', collected)
    .option('--json', 'print one JSON list; `collect --retry` takes it too')
    .action((dir: string, { kind, models, json }: FailureFlags) => {
      const heads = [...viewLedger(dir).state.cells.values()].map(({ head }) => head);
      const known = [...new Set(heads.flatMap((head) => (head ? [head.model_id] : [])))];
      const kept = keptModels(known, models ? { models } : {});
      const failed = heads.flatMap((head) => {
        if (head?.status !== 'failed') return [];
        if (kind && !kind.includes(head.outcome)) return [];
        if (!kept[known.indexOf(head.model_id)]) return [];
        const { cell, model_id, task_id, outcome, record_sha256: record } = head;
        return [{ cell, model_id, task_id, outcome, record }];
      });
      if (json) printJson(failed);
      else for (const row of failed) printLine(JSON.stringify(row));
    });
  oldSpelling(failures, '--model <ids...>', 'models');
}
