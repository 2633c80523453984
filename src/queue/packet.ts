import { z } from 'zod';
import { sha256 } from '../io/digest.js';
import { fail } from '../util/error.js';
import { count } from '../util/schema.js';
import { stored } from './stored.js';

/** What travels between a call and its workers: facts as JSON, and bytes in bulk by name. */
export interface Packet {
  readonly facts: unknown;
  readonly bytes: Readonly<Record<string, Uint8Array>>;
}

/** A packet without bytes. */
export const facts = (value: unknown): Packet => ({ facts: value, bytes: {} });

/** Writes a packet: a line of JSON with the facts and how long each of the bytes is, then the bytes. */
export function packed({ facts: value, bytes }: Packet): Buffer {
  const names = Object.keys(bytes);
  const head = JSON.stringify({ facts: value, bytes: names.map((name) => [name, bytes[name]!.length]) });
  return Buffer.concat([Buffer.from(`${head}\n`), ...names.map((name) => bytes[name]!)]);
}

const headSchema = z.object({ facts: z.unknown(), bytes: z.array(z.tuple([z.string(), count])) });

/** Reads a packet that is held against the digest under which it was kept. Errors: DIGEST_MISMATCH, SCHEMA_INVALID. */
export function unpacked(data: Uint8Array, digest: string): Packet {
  if (sha256(data) !== digest)
    fail(
      'DIGEST_MISMATCH',
      null,
      `a packet of the queue is not the one with digest ${digest.slice(0, 12)}, as which it was kept`,
      'Something else writes into this Redis or folder: use another database (redis://HOST/1), and call again.',
    );
  const end = data.indexOf(10);
  const what = `the packet ${digest.slice(0, 12)}`;
  const head = stored(headSchema, Buffer.from(data.subarray(0, Math.max(end, 0))).toString('utf8'), what);
  const length = head.bytes.reduce((sum, [, each]) => sum + each, end + 1);
  stored(z.literal(data.length), `${length}`, `the length of ${what}`);
  const bytes: Record<string, Uint8Array> = {};
  let at = end + 1;
  for (const [name, length] of head.bytes) {
    // A copy, so that numbers may begin where eight bytes do and nothing holds the whole packet.
    bytes[name] = new Uint8Array(data.subarray(at, at + length));
    at += length;
  }
  return { facts: head.facts, bytes };
}
