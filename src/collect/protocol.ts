import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { sha256Text } from '../util/schema.js';

/** `leaderboard`: system turn, task, final turn. `bare`: the task alone. Answers of the two are never pooled. */
export const PROTOCOLS = ['leaderboard', 'bare'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

/** How much a model may think before it answers; `provider_fixed` sends none. */
export const EFFORTS = ['provider_fixed', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export interface Message {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A protocol with the digests of every text it adds to a task. */
export const protocolSchema = z.object({
  name: z.enum(PROTOCOLS),
  version: z.literal(1),
  system_sha256: sha256Text.nullable(),
  final_sha256: sha256Text.nullable(),
  sha256: sha256Text,
});
export type Protocol = Readonly<z.infer<typeof protocolSchema>>;

/** No concrete triplet may stand in either text: a shown example was copied by models (collection 1.14). */
export const SYSTEM_TEXT = [
  'You are taking part in an executable benchmark of culinary decisions.',
  'Each task names eight candidates with the labels A to H; choose exactly three different labels.',
  'Decide on your own: do not browse and do not call tools.',
  'Give no analysis, no explanation and no formatting.',
  'Your last turn is a single line: the marker FINAL_SELECTION, a colon, then the three labels in alphabetical order, separated by commas.',
  'Never say who you are, who serves you, which tools you have or how you are being tested.',
].join(' ');

export const FINAL_TEXT = [
  'Answer now with that single line only:',
  'the marker FINAL_SELECTION, a colon and your three different labels from A to H, in alphabetical order, separated by commas.',
  'Write nothing before it and nothing after it.',
].join(' ');

/** Makes the identity of a protocol, which cell keys and frozen plans bind. */
export function protocolOf(name: ProtocolName): Protocol {
  const body = {
    name,
    version: 1 as const,
    system_sha256: name === 'leaderboard' ? sha256(SYSTEM_TEXT) : null,
    final_sha256: name === 'leaderboard' ? sha256(FINAL_TEXT) : null,
  };
  return { ...body, sha256: canonicalDigest(body) };
}

/** Makes the messages that ask one task, in order. */
export function messagesOf(name: ProtocolName, prompt: string): readonly Message[] {
  if (name === 'bare') return [{ role: 'user', content: prompt }];
  return [
    { role: 'system', content: SYSTEM_TEXT },
    { role: 'user', content: prompt },
    { role: 'user', content: FINAL_TEXT },
  ];
}
