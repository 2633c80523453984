import { type Command, Option } from 'commander';
import { microsToUsd } from '../../../collect/money.js';
import { assertShardCaps } from '../../../collect/shard-caps.js';
import { PHASES, type Phase, slotName } from '../../../ledger/cell-key.js';
import { enterLog, readLog } from '../../../ledger/import-log.js';
import { viewLedger } from '../../../ledger/ledger-view.js';
import { mergeLedgers } from '../../../ledger/merge-ledgers.js';
import { quarantineBlock } from '../../../ledger/quarantine.js';
import { sealAmbiguous } from '../../../ledger/resume.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { counted } from '../../../util/format.js';
import { takeOverOption, withLedger, withLocks } from '../../open-ledger.js';
import { phaseOption } from '../../options.js';
import { plain, printJson, printLine } from '../../print.js';
import { progress } from '../../progress.js';

interface QuarantineFlags {
  readonly model: string;
  readonly phase?: readonly Phase[];
  readonly reason: string;
  readonly takeOver?: boolean;
  readonly json?: boolean;
}

interface ImportFlags {
  readonly tasks: readonly string[];
  readonly label: string;
  readonly model?: string;
  readonly phase: Phase;
  readonly takeOver?: boolean;
  readonly json?: boolean;
}

interface MergeFlags {
  readonly out: string;
  readonly partial?: boolean;
  readonly takeOver?: boolean;
  readonly json?: boolean;
}

/** Adds `ledger seal | quarantine | import | merge`. */
export function registerChanges(ledger: Command): void {
  ledger
    .command('seal')
    .argument('<dir>', 'ledger folder')
    .description(
      'Seal as failed every cell that may have been accepted but has no record; also repairs what a killed run left.',
    )
    .addOption(takeOverOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, flags: { takeOver?: boolean; json?: boolean }) => {
      viewLedger(dir);
      const sealed = await withLedger(dir, flags, (open) =>
        sealAmbiguous(open, { recordedAt: new Date().toISOString() }),
      );
      const rows = sealed.map(({ cell, key, task_id, outcome, artifact_sha256 }) => ({
        cell,
        model_id: key.model_id,
        task_id,
        outcome,
        record: artifact_sha256,
      }));
      if (flags.json) printJson({ sealed: rows });
      else printLine(`${rows.length} cells sealed`);
    });

  ledger
    .command('quarantine')
    .argument('<dir>', 'ledger folder')
    .description(
      'Put the block of one model aside whole: kept, committed to, never pooled; its cells may be asked anew.',
    )
    .requiredOption('--model <id>', 'the model')
    .requiredOption('--reason <text>', 'why the block is superseded')
    .addOption(new Option('--phase <phases...>', 'only these phases').choices(PHASES))
    .addOption(takeOverOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, flags: QuarantineFlags) => {
      viewLedger(dir);
      const { model, phase, reason, json } = flags;
      const result = await withLedger(dir, flags, (open) =>
        quarantineBlock({
          ledger: open,
          modelId: model,
          slot: slotName(model),
          phases: phase,
          reason,
        }),
      );
      if (json) {
        printJson(result);
        return;
      }
      for (const b of result.blocks)
        printLine(plain(`${b.phase} ${b.panel}: ${b.records} records of ${b.cells} cells (${b.completed} completed)`));
      printLine(`commitment ${result.sha256}`);
    });

  ledger
    .command('import')
    .argument('<dir>', 'ledger folder; made where there is none')
    .argument('<files...>', 'answers: JSON lines, or released response documents')
    .description('Enter existing logs: lab responses, or released response documents; marked with their source.')
    .requiredOption('--tasks <files...>', 'task sets the answers belong to')
    .requiredOption('--label <text>', "what the log is; part of the cells' identity")
    .option('--model <id>', 'for rows that name no model')
    .addOption(phaseOption())
    .addOption(takeOverOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, files: readonly string[], flags: ImportFlags) => {
      const { label, model, phase, json } = flags;
      const tasks = readTaskFiles(flags.tasks).byId;
      const more = model === undefined ? {} : { modelId: model };
      const logs = files.map((file) => readLog({ file, tasks, label, phase, ...more }));
      const result = { written: 0, known: 0, parseable: 0 };
      const total = logs.reduce((sum, { cells }) => sum + cells.length, 0);
      const bar = json ? undefined : progress('import', 'records');
      await withLedger(dir, flags, async (open) => {
        let before = 0;
        bar?.update(0, total);
        for (const log of logs) {
          const entered = await enterLog(open, log, (done) => bar?.update(before + done, total));
          before += log.cells.length;
          result.written += entered.written;
          result.known += entered.known;
          result.parseable += entered.parseable;
        }
      }).finally(() => bar?.stop());
      if (json) printJson(result);
      else printLine(`${result.written} records written, ${result.known} already there, ${result.parseable} parseable`);
    });

  ledger
    .command('merge')
    .argument('<dirs...>', 'ledger folders')
    .description(
      'Join ledgers into a new one, each proved first; two different records of a cell are a conflict. Shards of a plan are joined whole.',
    )
    .requiredOption('--out <folder>', 'the new ledger')
    .option('--partial', 'join the shards that are given though others are missing')
    .option('--json', 'print JSON')
    .addOption(takeOverOption())
    .action(async (sources: string[], { out, partial, takeOver, json }: MergeFlags) => {
      const at = new Date().toISOString();
      const merge = () => mergeLedgers({ sources, out, at, partial, proveShards: assertShardCaps });
      const result = await withLocks(sources, { takeOver }, merge);
      if (json) {
        printJson(result);
        return;
      }
      const { records, shared, events, cost_micros, uncertain_micros, shards } = result;
      printLine(`${records} records, ${shared} of them in more than one, ${events} events`);
      printLine(`${microsToUsd(cost_micros)} USD booked, ${microsToUsd(uncertain_micros)} USD uncertain`);
      if (shards === null) return;
      const { count, missing, cells, cap_micros, manifest_sha256 } = shards;
      printLine(`${count - missing.length} of ${counted(count, 'shard')} of plan ${manifest_sha256}`);
      printLine(`${counted(cells, 'cell')} planned in them, cap of the plan ${microsToUsd(cap_micros)} USD`);
      if (missing.length > 0)
        printLine(`missing: ${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', ...' : ''}`);
    });
}
