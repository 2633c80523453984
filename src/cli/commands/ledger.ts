import { join } from 'node:path';
import type { Command } from 'commander';
import { sha256 } from '../../io/digest.js';
import { viewLedger } from '../../ledger/ledger-view.js';
import { packLedger } from '../../ledger/pack-ledger.js';
import { fail } from '../../util/error.js';
import { printJson, printLine } from '../print.js';
import { forceOption, writeFiles } from '../write-output.js';
import { registerChanges } from './ledger/change.js';
import { registerInspect } from './ledger/inspect.js';
import { registerSalvage } from './ledger/salvage.js';
import { registerStatus } from './ledger/status.js';

interface PackFlags {
  readonly out: string;
  readonly format: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `ledger pack`. */
function registerPack(ledger: Command): void {
  ledger
    .command('pack')
    .argument('<dir>', 'ledger folder')
    .description('Write the records in force as columns: observations, validity, and their digests.')
    .requiredOption('--out <folder>', 'where to write')
    .option('--format <format>', 'of the observations: arrow or parquet', 'arrow')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, flags: PackFlags) => {
      const { format, out, force = false } = flags;
      if (format !== 'arrow' && format !== 'parquet') {
        fail('USAGE', null, `--format ${format} is not known`, 'Use --format arrow or --format parquet.');
      }
      const { files, rows } = await packLedger(viewLedger(dir), format);
      await writeFiles(
        files.map(({ name, bytes }) => ({ path: join(out, name), data: bytes })),
        { replace: force },
      );
      const list = files.map(({ name, bytes }) => ({
        name,
        bytes: bytes.length,
        sha256: sha256(bytes),
      }));
      if (flags.json) printJson({ rows, files: list });
      else {
        printLine(`${rows} records`);
        for (const file of list) printLine(`  ${file.sha256}  ${file.name}`);
      }
    });
}

/** Adds `ledger` and its subcommands. */
export function register(program: Command): void {
  const ledger = program.command('ledger').description('Look into a ledger, prove it, seal it, pack it, merge it.');
  registerStatus(ledger);
  registerInspect(ledger);
  registerChanges(ledger);
  registerPack(ledger);
  registerSalvage(ledger);
}
