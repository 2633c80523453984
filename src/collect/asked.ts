import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { once } from '../util/once.js';
import { nonEmptyText } from '../util/schema.js';
import { EFFORTS, PROTOCOLS, type Protocol, protocolOf, protocolSchema } from './protocol.js';
import { protocolDigest } from './route.js';

/** What was said to a model besides its task: the protocol that answers must share to be compared, and what a route adds to it. */
export const askedSchema = z.object({
  protocol: protocolSchema,
  effort: nonEmptyText,
  extra_body: z.record(z.string(), z.unknown()).readonly(),
});
export type Asked = Readonly<z.infer<typeof askedSchema>>;

/** Gives the digest that the keys of cells bind for what was said to their model. */
export function askedDigest({ protocol, effort, extra_body }: Asked): string {
  return protocolDigest(protocol, effort, extra_body);
}

const bound = once(
  () =>
    new Map(
      PROTOCOLS.map(protocolOf).flatMap((protocol) =>
        EFFORTS.map((effort) => [protocolDigest(protocol, effort, {}), protocol] as const),
      ),
    ),
);

/** Tells the protocol that a cell key binds, whatever the effort; undefined where an extra body, or another program, makes its digest. */
export function protocolBoundBy(keySha256: string): Protocol | undefined {
  return bound().get(keySha256);
}

/**
 * Says where an `asked` contradicts its own fields, the texts of this program, or the digest that a cell key binds; undefined where it
 * does not.
 */
export function askedProblem(asked: Asked, keySha256: string): string | undefined {
  const { protocol } = asked;
  const { sha256, ...texts } = protocol;
  const own = canonicalDigest(texts);
  if (own !== sha256) return `protocol ${sha256} stands here, its fields give ${own}`;
  const known = protocolOf(protocol.name).sha256;
  if (known !== sha256) return `protocol ${protocol.name} is ${known}, ${sha256} stands here`;
  const key = askedDigest(asked);
  return key === keySha256
    ? undefined
    : `protocol, effort and extra body give ${key}, the records are bound to ${keySha256}`;
}

/** Names a protocol by its name and digest; null is that of answers that state none. */
export function protocolName(protocol: Protocol | null): string {
  return protocol === null ? 'unstated' : `${protocol.name} ${protocol.sha256}`;
}

const TURNS = {
  leaderboard: 'a system turn, the task and a final turn',
  bare: 'the task alone, without a system turn or a final turn',
} as const;

/** Says in a sentence how models were asked; null for answers that state no protocol. */
export function protocolWords(protocol: Protocol | null): string {
  return protocol === null
    ? 'The answers do not state the protocol under which they were asked.'
    : `Every model was asked under protocol ${protocol.name}, version ${protocol.version}: ${TURNS[protocol.name]}.`;
}
