import { Command } from 'commander';
import { readInput } from '../../io/file.js';
import { callDigest, readPart } from '../../shares/part-document.js';
import { fail } from '../../util/error.js';
import { VERSION } from '../../util/version.js';
import type { CommandModule } from '../commands.js';
import { kernelsDigest } from './kernels-digest.js';
import { assertShards } from './merged-shards.js';

/** The commands whose shares are part documents. */
const SHARED: Readonly<Record<string, () => Promise<CommandModule>>> = {
  infer: () => import('../commands/infer.js'),
  'rank-audit': () => import('../commands/rank-audit.js'),
};

/**
 * Puts parts together: calls what they are shares of, with the words that stand in them and with the parts in place of the work. Errors:
 * SHARDS_DIFFER, SHARDS_INCOMPLETE, and those of the command.
 */
export async function mergeCall(parts: readonly string[], more: readonly string[]): Promise<void> {
  const read = parts.map((path) => ({ path, part: readPart(readInput(path), path) }));
  assertShards(read.map(({ path, part }) => ({ path, shard: part.shard, done: true, work: callDigest(part) })));
  const { version, kernels, call } = read[0]!.part;
  if (version !== VERSION || kernels !== kernelsDigest())
    fail(
      'SHARDS_DIFFER',
      { file: parts[0]! },
      `was made by version ${version} with kernels ${kernels.slice(0, 12)}; this is ${VERSION} with ${kernelsDigest().slice(0, 12)}`,
      'Put shares together with the program that made them.',
    );
  const load = SHARED[call[0]!];
  if (load === undefined)
    fail(
      'SHARDS_DIFFER',
      { file: parts[0]! },
      `is a share of ${call[0]}, which is not shared`,
      'Give what --shard wrote.',
    );
  const program = new Command('flavourbench').exitOverride().configureOutput({ outputError: () => {} });
  (await load()).register(program);
  await program.parseAsync([...call, '--parts', ...parts, ...more], { from: 'user' });
}
