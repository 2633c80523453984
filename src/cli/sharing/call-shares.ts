import { type Command, Option } from 'commander';
import type { Engine } from '../../engine/engine.js';
import { sharedEngine } from '../../engine/shared.js';
import type { InputFile } from '../../io/envelope.js';
import { readInput } from '../../io/file.js';
import { partBytes, readPart } from '../../shares/part-document.js';
import type { Shares } from '../../shares/ranged-work.js';
import { mergedShares, recordingShares } from '../../shares/shares.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import type { Shard } from '../../util/shard.js';
import { VERSION } from '../../util/version.js';
import { printLine } from '../print.js';
import { type QueueFlags, queueOptions } from '../queue/queue-options.js';
import { writeFiles } from '../write-output.js';
import { callWords } from './call-words.js';
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
  /** Stands before an engine whose draws are shared. */
  around(engine: Engine): Engine;
  /**
   * Ends the work of a share: writes what it came to and returns true, for there is no result to write. Of merged parts it holds the inputs
   * against those of the parts. Errors: SHARDS_DIFFER.
   */
  ended(inputs: readonly InputFile[]): Promise<boolean>;
}

const sameInputs = (a: readonly InputFile[], b: readonly InputFile[]): boolean =>
  a.map(({ sha256 }) => sha256).join() === b.map(({ sha256 }) => sha256).join();

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
  const parts = redis === undefined ? flags.parts : await partsOverRedis({ ...flags, redis }, command);
  if (parts !== undefined) {
    const read = parts.map((file) => ({ file, part: readPart(readInput(file), file) }));
    const shares = mergedShares(read);
    return {
      shares,
      around: (engine) => sharedEngine(engine, shares),
      async ended(inputs) {
        if (!sameInputs(inputs, read[0]!.part.inputs))
          fail(
            'SHARDS_DIFFER',
            { file: parts[0]! },
            'is a share of other inputs than the files of its call are now',
            'Call merge where the files stand that the shares were made of, unchanged.',
          );
        return false;
      },
    };
  }
  if (shard === undefined) return { shares: undefined, around: (engine) => engine, ended: async () => false };
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
    async ended(inputs) {
      const { recorded } = shares;
      const call = callWords(command);
      const data = partBytes({ version: VERSION, kernels: kernelsDigest(), call, inputs, shard, pieces: recorded });
      await writeFiles([{ path: out, data }], { replace: flags.force === true });
      const done = recorded.map(({ what, count: n }) => `${n.toLocaleString('en')} ${what}`).join(', ');
      if (!flags.quiet)
        printLine(
          `Written to ${out}: share ${shard.index} of ${counted(shard.count, 'share')}${done === '' ? '' : `, ${done}`}`,
        );
      return true;
    },
  };
}
