import type { Leaf } from './release-leaves.js';

/** A statement of the makers of a release: leaves that nothing else in it bears out. */
export interface Exemption {
  /** Where it is, in words. */
  readonly where: string;
  /** `WORLD FILE NAME` of the leaves. */
  readonly leaves: RegExp;
  /** Values that pass; all unless given. */
  readonly of?: (value: unknown) => boolean;
  /** Whether such a value is found depends on the lines beside it. */
  readonly beside?: true;
  readonly reason: string;
}

const OLD = '2020-01-01T00:00:00.000Z';
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';

/** All of them, with their reasons; docs/release.md holds the same list (`tests/release/leaf-walk.test.ts`). */
export const EXEMPTIONS: readonly Exemption[] = [
  {
    where: 'the time at which a journal was begun',
    leaves: /^collected attempts\.jsonl ledger_created\.at$/,
    reason: 'a clock was read; no line comes before',
  },
  {
    where: 'the time of another journal line, between those of its neighbours',
    leaves: /^collected attempts\.jsonl (?!ledger_created)\w+(?: \w+)?\.at$/,
    of: (value) => value !== OLD,
    beside: true,
    reason: 'a clock was read: the order of the lines is proved',
  },
  {
    where: 'how many cells a plan had of a model, panel and family, where they are more than were asked',
    leaves: /attempts\.jsonl schedule_declared\.counts\[0\]\.cells$/,
    of: (value) => value !== 0,
    reason: 'what was to be asked and was not left no trace',
  },
  {
    where: 'the plan that declared a schedule',
    leaves: /attempts\.jsonl schedule_declared\.manifest_sha256$/,
    reason: 'a session that asks nothing may declare the schedule of a plan that no record names',
  },
  {
    where: 'which core an analysis plan names beside its tasks',
    leaves: /^simulated plan\.json core\.artifact_sha256$/,
    reason: 'a core may be frozen again with the same tasks; the list of tasks, which decides, is proved',
  },
  {
    where: 'the level at which a filter compares, where it finds the same at another',
    leaves: /^simulated analyses\/filter\.json plan\.alpha$/,
    of: (value) => isNumber(value) && (value as number) > 0 && (value as number) < 1,
    reason: 'it was run again at that level with the same outcome: it is an analysis at that level',
  },
  {
    where: 'the digest of the body of a request whose provider is pinned in it',
    leaves: /^collected attempts\.jsonl request_started openrouter\.payload_sha256$/,
    reason: 'the body holds prices, which no release has; its messages are proved by their own digest',
  },
  {
    where: 'status, cache and form of a reply of which no answer came, and the cache of one of which it did',
    leaves:
      /^collected attempts\.jsonl (?:(?:invalid_response|request_rejected priced)\.(?:http_status|metadata\.(?:cache|envelope))|response_received(?: priced)?\.metadata\.cache)$/,
    reason: 'no record repeats how a reply came',
  },
  {
    where: 'the good status of a reply of which an answer came',
    leaves: /^collected attempts\.jsonl response_received(?: priced)?\.http_status$/,
    of: (value) => value === 201,
    reason: 'no record repeats it: that it is 2xx is proved',
  },
  {
    where: 'model and provider in a reply whose account was read',
    leaves: /^collected attempts\.jsonl response_received\.metadata\.response_(?:model|provider)$/,
    reason: 'the account decided; what it says is proved',
  },
  {
    where: 'status, cache and form of a lost reply',
    leaves: /^collected attempts\.jsonl uncertain_delivery\.(?:http_status|metadata\.(?:cache|envelope))$/,
    of: (value) => isNumber(value) || value === 'x',
    beside: true,
    reason: 'no record repeats how a reply came',
  },
  {
    where: 'what a rejection said, after which the cell was asked again',
    leaves: /^collected attempts\.jsonl (?:request_rejected|pre_send_failure|transient_envelope)\.metadata\.\w+$/,
    reason: 'nothing came of it, and no record repeats it',
  },
  {
    where: 'the status of such a rejection',
    leaves: /^collected attempts\.jsonl (?:request_rejected|pre_send_failure|transient_envelope)\.http_status$/,
    of: isNumber,
    reason: 'nothing came of it, and no record repeats it',
  },
  {
    where: 'the name of a generation in such a rejection',
    leaves: /^collected attempts\.jsonl (?:request_rejected|pre_send_failure|transient_envelope)\.generation_id$/,
    of: isText,
    reason: 'nothing came of it, and no record repeats it',
  },
  {
    where: 'the seconds of a wait',
    leaves: /^collected attempts\.jsonl retry_scheduled\.metadata\.backoff_seconds$/,
    reason: 'a provider may have asked for them',
  },
  {
    where:
      'the digests of what lies in the ledger alone: a list of cells to ask again, the commitment to a block that was put aside, the stamp of a look at scores',
    leaves:
      /^collected attempts\.jsonl (?:retry_requested\.list_sha256|block_quarantined\.commitment_sha256|scores_inspected\.stamp_sha256)$/,
    reason: 'those files are not in a release; that the line stands where it does is proved',
  },
  {
    where: 'the words of an error',
    leaves: /^collected observations\.jsonl kind \d+, response\.error\.message$/,
    reason: 'a provider said them; the kind of the error is proved',
  },
];

const titleOf = ({ world, file, name }: Leaf): string => `${world} ${file} ${name}`;

const exemptionOf = (leaf: Leaf, value: unknown): Exemption | undefined =>
  EXEMPTIONS.find(({ leaves, of = () => true }) => leaves.test(titleOf(leaf)) && of(value));

/** Tells whether a value that is exempt may be found all the same. */
export const isBeside = (leaf: Leaf, value: unknown): boolean => exemptionOf(leaf, value)?.beside === true;

/** Tells whether a leaf may be given a value without being found. */
export const isExempt = (leaf: Leaf, value: unknown): boolean => exemptionOf(leaf, value) !== undefined;
