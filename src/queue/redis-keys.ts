import type { Program } from './program.js';

/** What all keys of ours in a Redis begin with. */
export const PREFIX = 'flavourbench';

/** Ids of the calls that are under way. */
export const CALLS = `${PREFIX}:calls`;

/** What the workers say of themselves, by their ids. */
export const WORKERS = `${PREFIX}:workers`;

/** What is known of a call. */
export const callKey = (call: string): string => `${PREFIX}:call:${call}`;

/** Held by the process that called, while it lives. */
export const callerKey = (call: string): string => `${PREFIX}:call:${call}:caller`;

/** Bytes of a call by their digest. */
export const blobKey = (call: string, digest: string): string => `${PREFIX}:call:${call}:blob:${digest}`;

/** Name of the queue of those who do the same digits and see the same folder. */
export const queueName = ({ version, kernels }: Program, share: string | null): string =>
  `parts-${version}-${kernels.slice(0, 12)}${share === null ? '' : `-${share}`}`;
