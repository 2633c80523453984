import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Handwork } from '../../queue/hand.js';
import type { Packet } from '../../queue/packet.js';
import type { Shard } from '../../util/shard.js';
import { runPart } from '../sharing/part-calls.js';
import { type CallOpening, enterCall } from './shipped-call.js';

/** Opens what does the parts of a call: the command itself, in a folder with the files that it names. */
export async function callHand({ facts, bytes }: Packet, scratch: string): Promise<Handwork> {
  const { call, more } = facts as CallOpening;
  const root = mkdtempSync(join(scratch, 'call-'));
  enterCall(root, bytes);
  return async ({ packet }) => {
    const shard = packet!.facts as Shard;
    return { facts: {}, bytes: { part: await runPart({ call, shard, folder: root, more }) } };
  };
}
