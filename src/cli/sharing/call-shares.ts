import { type Command, Option } from 'commander';
import type { Engine } from '../../engine/engine.js';
import { sharedEngine } from '../../engine/shared.js';
import type { InputFile } from '../../io/envelope.js';
import { partBytes } from '../../shares/part-document.js';
import type { Shares } from '../../shares/ranged-work.js';
import { mergedShares, type PlacedPart, recordingShares } from '../../shares/shares.js';
import { fail } from '../../util/error.js';
import { counted, thousands } from '../../util/format.js';
import type { Shard } from '../../util/shard.js';
import { VERSION } from '../../util/version.js';
import { printLine } from '../print.js';
import { type QueueFlags, queueOptions } from '../queue/queue-options.js';
import { writeFiles } from '../write-output.js';
import { callWords } from './call-words.js';
import { placedParts } from './held-parts.js';
import { kernelsDigest } from './kernels-digest.js';
import { shardOption } from './shard-option.js';

/** How a call is shared among processes. */
export interface ShareFlags extends QueueFlags {
  readonly shard?: Shard;
  /** Parts to put together; what `merge` gives. */
  readonly parts?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** Adds the options by which a command is shared among processes. */
export function shareOptions(command: Command): Command {
  return queueOptions(command)
    .addOption(shardOption())
    .addOption(new Option('--parts <files...>', 'parts that `merge` puts together').hideHelp());
}

/** The shares of a call. */
export interface CallShares {
  /** Undefined where one process does all. */
  readonly shares: Shares | undefined;
  /** Why nothing was drawn here, for the document of what is made of parts. */
  readonly facts?: { readonly reason: string };
  /** Stands before an engine whose draws are shared. */
  around(engine: Engine): Engine;
  /**
   * Ends the work of a share: writes what it came to and returns true, for there is no result to write. Of merged parts it holds the inputs
   * against those of the parts. Errors: SHARDS_DIFFER; USAGE where the call has no work to share.
   */
  ended(inputs: readonly InputFile[]): Promise<boolean>;
  /** Holds inputs that were read so far against the first ones of merged parts. Errors: SHARDS_DIFFER. */
  holds(inputs: readonly InputFile[]): void;
}

const digests = (inputs: readonly InputFile[]): string => inputs.map(({ sha256 }) => sha256).join();

/** Shares of a call whose parts are put together. */
function merging(parts: readonly PlacedPart[]): CallShares {
  const shares = mergedShares(parts);
  const first = parts[0]!;
  const hold = (inputs: readonly InputFile[], expected: readonly InputFile[]): void => {
    if (digests(inputs) === digests(expected)) return;
    fail(
      'SHARDS_DIFFER',
      { file: first.file },
      'is a share of other inputs than the files of its call are now',
      'Call merge where the files stand that the shares were made of, unchanged.',
    );
  };
  return {
    shares,
    facts: { reason: `put together from ${counted(parts.length, 'shard')}` },
    around: (engine) => sharedEngine(engine, shares),
    holds: (inputs) => hold(inputs, first.part.inputs.slice(0, inputs.length)),
    async ended(inputs) {
      hold(inputs, first.part.inputs);
      return false;
    },
  };
}

/** Has the parts of a call done by workers. */
async function partsOverRedis(flags: QueueFlags & { readonly redis: string }, command: Command) {
  const { redisParts } = await import('../queue/redis-parts.js');
  return redisParts(flags, command);
}

/** Opens the shares of a call by its options. Errors: USAGE where a share has nowhere to go, and those of `readPart`. */
export async function openShares(flags: ShareFlags, command: Command): Promise<CallShares> {
  const { shard, redis, out } = flags;
  if (redis !== undefined && shard !== undefined)
    fail('USAGE', null, '--redis does not go with --shard', 'Workers share the parts among them; leave out --shard.');
  if (redis !== undefined) return merging(await partsOverRedis({ ...flags, redis }, command));
  if (flags.parts !== undefined) return merging(placedParts(flags.parts));
  if (shard === undefined)
    return { shares: undefined, around: (engine) => engine, holds: () => {}, ended: async () => false };
  if (out === undefined)
    fail(
      'USAGE',
      null,
      '--shard without --out',
      'Say with --out FILE where the share goes; `flavourbench merge` takes it.',
    );
  const shares = recordingShares(shard);
  return {
    shares,
    around: (engine) => sharedEngine(engine, shares),
    holds: () => {},
    async ended(inputs) {
      const { recorded } = shares;
      if (!shares.shared())
        fail(
          'USAGE',
          null,
          '--shard, and nothing in this call is shared out: it makes no draws, or lists all there are',
          'Leave out --shard.',
        );
      const call = callWords(command);
      const data = partBytes({ version: VERSION, kernels: kernelsDigest(), call, inputs, shard, pieces: recorded });
      await writeFiles([{ path: out, data }], { replace: flags.force === true });
      const done = recorded.map(({ what, count: n }) => `${thousands(n)} ${what}`).join(', ');
      if (!flags.quiet)
        printLine(
          `Written to ${out}: share ${shard.index} of ${counted(shard.count, 'share')}${done === '' ? '' : `, ${done}`}`,
        );
      return true;
    },
  };
}
