import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readInput } from '../../io/file.js';
import { fail, shown } from '../../util/error.js';
import { isOfRun } from './call-words.js';
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

/** Refuses in a command and all below it the options that say where and how it is run and written, past those of `more`. Errors: USAGE, while the call is parsed. */
function refuseOwn(command: Command, more: readonly string[]): void {
  for (const option of command.options) {
    const { long } = option;
    if (!long || !isOfRun(long)) continue;
    const at = more.indexOf(long);
    // A list is heard of value by value.
    const values = option.variadic ? more.slice(at + 1).findIndex((word) => word.startsWith('--')) : 1;
    let given = 0;
    command.on(`option:${option.name()}`, () => {
      given += 1;
      if (at >= 0 && given <= values) return;
      fail('USAGE', null, `a call that is shared by parts says ${long}`, 'Give what --shard wrote.');
    });
  }
  command.helpOption(false).helpCommand(false);
  for (const below of command.commands) refuseOwn(below, more);
}

/**
 * Calls a command in this process with more options than its words have. Its words may come from a file or from another machine: they neither say where
 * it is written nor ask for help in place of a result. Errors: USAGE where it is none that is shared, or says so; its own.
 */
async function called(call: readonly string[], more: readonly string[]): Promise<void> {
  const command = Object.hasOwn(SHARED, call[0] ?? '') ? SHARED[call[0] ?? ''] : undefined;
  if (command === undefined)
    fail(
      'USAGE',
      null,
      `a call of ${shown(call[0] ?? '')} is not shared by parts`,
      `Those of ${Object.keys(SHARED).join(', ')} are.`,
    );
  const program = new Command('flavourbench').exitOverride().configureOutput({ outputError: () => {} });
  (await command.load()).register(program);
  refuseOwn(program, more);
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
