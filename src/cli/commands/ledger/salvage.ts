import type { Command } from 'commander';
import { microsToUsd } from '../../../collect/money.js';
import { salvageLedger } from '../../../ledger/salvage.js';
import { counted } from '../../../util/format.js';
import { takeOverOption, withLock } from '../../open-ledger.js';
import { plain, printJson, printLine } from '../../print.js';

interface SalvageFlags {
  readonly out: string;
  readonly takeOver?: boolean;
  readonly json?: boolean;
}

function printSalvage(found: ReturnType<typeof salvageLedger>, out: string): void {
  printLine(`${counted(found.records, 'record')} and ${counted(found.events, 'event')} are in ${out}`);
  if (found.breaks > 0)
    printLine(
      `${counted(found.breaks, 'line')} did not follow from the line before: lines of several writers, or lost ones`,
    );
  for (const { line, bytes, why } of found.lost_lines) printLine(plain(`lost: line ${line}, ${bytes} bytes: ${why}`));
  for (const { record, cell, why } of found.lost_records)
    printLine(plain(`lost: record ${record} of cell ${cell}: ${why}`));
  for (const { record, cell, why } of found.unplaced)
    printLine(plain(`in quarantine: record ${record} of cell ${cell}: ${why}`));
  if (found.dropped_events > 0)
    printLine(`${counted(found.dropped_events, 'event')} of requests beside those were left out`);
  if (found.cost_micros + found.uncertain_micros > 0)
    printLine(
      `paid for them: ${microsToUsd(found.cost_micros)} USD booked, ${microsToUsd(found.uncertain_micros)} USD uncertain`,
    );
}

/** Adds `ledger salvage`. */
export function registerSalvage(ledger: Command): void {
  ledger
    .command('salvage')
    .argument('<dir>', 'a damaged ledger')
    .description(
      'Make a whole ledger of a damaged one, in a new folder: all that proves itself, with what was lost named.',
    )
    .requiredOption('--out <folder>', 'the new ledger')
    .addOption(takeOverOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, flags: SalvageFlags) => {
      const { out, json } = flags;
      const found = await withLock(dir, flags, () => salvageLedger({ dir, out, at: new Date().toISOString() }));
      if (json) printJson(found);
      else printSalvage(found, out);
      if (found.lost_lines.length + found.lost_records.length > 0) process.exitCode = 3;
    });
}
