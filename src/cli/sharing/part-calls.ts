import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readInput } from '../../io/file.js';
import { fail, shown } from '../../util/error.js';
import type { CallPart } from './placed-call.js';

/** A command whose calls are shared by parts: how it is loaded, and how many words its name has. */
interface SharedCommand {
  readonly words: number;
  load(): Promise<{ register(program: Command): void }>;
}

const SHARED: Readonly<Record<string, SharedCommand>> = {
  infer: { words: 1, load: () => import('../commands/infer.js') },
  'rank-audit': { words: 1, load: () => import('../commands/rank-audit.js') },
  coverage: { words: 1, load: () => import('../commands/coverage.js') },
  power: { words: 1, load: () => import('../commands/power.js') },
  maps: { words: 1, load: () => import('../commands/maps.js') },
  sensitivity: { words: 2, load: () => import('../commands/sensitivity.js') },
};

/** Calls a command in this process with more options than its words have. Errors: USAGE where it is none that is shared; its own. */
async function called(call: readonly string[], more: readonly string[]): Promise<void> {
  const command = SHARED[call[0] ?? ''];
  if (command === undefined)
    fail(
      'USAGE',
      null,
      `a call of ${shown(call[0] ?? '')} is not shared by parts`,
      `Those of ${Object.keys(SHARED).join(', ')} are.`,
    );
  const program = new Command('flavourbench').exitOverride().configureOutput({ outputError: () => {} });
  (await command.load()).register(program);
  // Behind the name, for what stands behind a lone `--` is no option.
  const words = [...call.slice(0, command.words), ...more, ...call.slice(command.words)];
  await program.parseAsync(words, { from: 'user' });
}

interface RunPartOptions extends CallPart {
  /** Where the part stands for a moment. */
  readonly folder: string;
  /** Options that change no digit: `--threads`, `--backend`. */
  readonly more?: readonly string[];
}

/** Runs one part in this process and returns its bytes: those of the file that `--shard` writes. Errors: those of the command. */
export async function runPart({ call, shard, folder, more = [] }: RunPartOptions): Promise<Uint8Array> {
  const file = join(folder, `part-${shard.index}-of-${shard.count}`);
  await called(call, [
    ...['--shard', `${shard.index}/${shard.count}`, ...more],
    ...['--quiet', '--force', '--out', file],
  ]);
  const bytes = readInput(file);
  rmSync(file);
  return bytes;
}

interface MergePartsOptions {
  readonly call: readonly string[];
  /** Files of all parts. */
  readonly parts: readonly string[];
  /** What the whole is written by: `--force`, `--json`, `--out`. The last takes one value at most. */
  readonly more: readonly string[];
}

/** Calls the command with parts in place of its work: writes and prints what the call without shares does. Errors: those of the command. */
export function mergeParts({ call, parts, more }: MergePartsOptions): Promise<void> {
  return called(call, ['--parts', ...parts, ...more]);
}
