import { basename } from 'node:path';

import { proveOnThread } from './proof-thread.js';
import { Findings } from './proofs/findings.js';

import { type ProofOptions, proveRelease } from './proofs/prove-release.js';
import type { Verification } from './proofs/verification.js';

import { readInventory } from './read-folder.js';

export interface VerifyOptions extends ProofOptions {
  readonly dir: string;
}

/**
 * Verifies the folder of a release (`proveRelease`). Errors: INPUT_NOT_FOUND and INPUT_NOT_REGULAR for the folder itself; everything else is a
 * difference.
 */
export async function verifyRelease({ dir, ...options }: VerifyOptions): Promise<Verification> {
  const findings = new Findings(`${dir}/`);
  const files = readInventory(dir, findings);
  const thread = proveOnThread(files);
  return proveRelease({ ...options, files, folder: basename(dir), thread, findings }).finally(thread.close);
}
