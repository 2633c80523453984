import { z } from 'zod';
import { sha256Text } from '../util/schema.js';

const moment = z.iso.datetime({ error: 'a time in UTC expected, such as 2026-08-20T00:00:00.000Z' });

/** Who else knew a document, and when (collection 10.2): a token of a time-stamping authority, or a commit of a repository. */
const witnessSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rfc3161'),
    status: z.enum(['verified', 'unverified']).describe('Whether the signature was checked up to a trusted authority.'),
    at: moment.describe('The time that the authority signed.'),
    token_sha256: sha256Text,
  }),
  z.object({
    kind: z.literal('git'),
    status: z.enum(['found', 'stated']).describe('Whether the bytes of the document were found in the commit.'),
    at: moment
      .nullable()
      .describe('The date of the commit, which its committer wrote; null where it was not looked up.'),
    commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'the full id of a commit expected' }),
  }),
]);

/** The witnesses of a document, as documents state them. */
export const witnessesField = z.array(witnessSchema).readonly();
export type Witness = Readonly<z.infer<typeof witnessSchema>>;

/** A document that is witnessed: what a token has the imprint of, and what a commit holds. */
export interface WitnessedDocument {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The document itself, whose `artifact_sha256` was proved. */
  readonly document: object & { readonly artifact_sha256: string };
}

function words(witness: Witness): string {
  if (witness.kind === 'rfc3161') {
    const checked =
      witness.status === 'verified' ? 'whose signature was checked' : 'unverified: no authority was given';
    return `a time-stamp token of ${witness.at} (${checked})`;
  }
  const when = witness.at === null ? '' : ` of ${witness.at}`;
  return `commit ${witness.commit}${when} (${witness.status === 'found' ? 'which holds it' : 'stated, not looked up'})`;
}

/** Says in words what witnesses there are for the time of a document. */
export function witnessWords(witnesses: readonly Witness[]): string {
  if (witnesses.length === 0) return 'the time is its own statement';
  return `witnessed by ${witnesses.map(words).join(' and ')}`;
}

/** Gives witnesses as a release states them, which proves none: whoever verifies it says whom to trust. */
export function asStated(witnesses: readonly Witness[]): Witness[] {
  return witnesses.map((witness) =>
    witness.kind === 'rfc3161' ? { ...witness, status: 'unverified' } : { ...witness, status: 'stated' },
  );
}

/** Whom somebody who verifies trusts. */
export interface Trust {
  /** Certificates of time-stamping authorities. */
  readonly authorities?: { readonly file: string; readonly bytes: Uint8Array };
  /** Looks for a file in a commit of a repository at hand. */
  lookInCommit?(commit: string, bytes: Uint8Array): { readonly at: string; readonly holds: boolean };
}
