import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Handwork } from '../../queue/hand.js';
import type { Packet } from '../../queue/packet.js';
import { asStored } from '../../queue/stored.js';
import { fail } from '../../util/error.js';
import { positiveCount } from '../../util/schema.js';
import { MOST_SHARDS } from '../../util/shard.js';
import { runPart } from '../sharing/part-calls.js';
import { enterCall } from './shipped-call.js';

const openingSchema = z.object({
  call: z.array(z.string()),
  more: z.array(z.enum(['--threads', '1', '--backend', 'wasm'])),
});

const shardSchema = z.object({ index: positiveCount, count: positiveCount.max(MOST_SHARDS) });

/** Options that look into what no call sends along: a repository is asked by its own program, by its own settings. */
const NOT_HERE = /^--(?:git|commit|redis|store|annotate)(?:=|$)/;

/** A way out of a folder: an absolute path or a step up, as a word or behind `=`, a comma or a colon. */
const OUTWARD = /(?:^|[=,:])(?:[\\/~]|[A-Za-z]:[\\/])|(?:^|[=,:\\/])\.\.(?:[\\/,]|$)|\0/;

/**
 * Holds the words of a call from elsewhere to the files that came with it: whoever gives out parts reads and writes nothing else of the machine that does
 * them. Errors: INPUT_NOT_FOUND, USAGE.
 */
export function assertInside(call: readonly string[]): void {
  for (const word of call) {
    if (NOT_HERE.test(word))
      fail('USAGE', null, `workers do no call with ${word}`, 'Leave out --redis, or that option.');
    if (OUTWARD.test(word))
      fail(
        'INPUT_NOT_FOUND',
        { file: word },
        'is not there, or is none of the files that were sent with the call',
        'Check the path: what is there is sent along, and workers read nothing else.',
      );
  }
}

/** Opens what does the parts of a call: the command itself, in a folder with the files that it names. Errors: SCHEMA_INVALID; those of `assertInside`. */
export async function callHand({ facts, bytes }: Packet, scratch: string): Promise<Handwork> {
  const { call, more } = asStored(openingSchema, facts, 'the opening of a call');
  assertInside(call);
  const root = mkdtempSync(join(scratch, 'call-'));
  enterCall(root, bytes);
  return async ({ packet }) => {
    const shard = asStored(shardSchema, packet?.facts, 'a part of a call');
    return { facts: {}, bytes: { part: await runPart({ call, shard, folder: root, more }) } };
  };
}
