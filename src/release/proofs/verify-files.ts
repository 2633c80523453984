import { illustrationData } from '../illustration-data.js';
import type { Inventory } from '../release-files.js';
import { Findings } from './findings.js';
import { NO_THREAD } from './line-proof.js';
import { type ProofOptions, proveRelease } from './prove-release.js';
import type { Verification } from './verification.js';

export interface FilesToVerify extends Pick<ProofOptions, 'engine' | 'expect' | 'quick' | 'onProgress'> {
  /** Bytes of every file of a release by its name in the folder, with `/` between its parts: `analyses/weights.json`. */
  readonly files: Inventory;
  /** Name of the folder, where it is known; a digest in it is held against the address. */
  readonly folder?: string;
}

/**
 * Verifies a release that is in memory, in a page as in Node: the proofs of `release verify` on the same bytes, on this thread, with the same
 * outcome. `onProgress(what, done, total)` hears of the steps and of the analyses. Pictures are held against the manifest only, and time-stamp
 * tokens and commits of plans are listed as not proved. Nothing is thrown for a forged or damaged release: whatever is wrong stands in
 * `differences`, at most 200 of them, and `status` is FAIL. The bytes are not changed; release the engine afterwards (`engine.close()`).
 */
export async function verifyFiles({ files, folder, ...options }: FilesToVerify): Promise<Verification> {
  return proveRelease({
    ...{ ...options, files, folder, thread: NO_THREAD, findings: new Findings() },
    illustrate: illustrationData,
  });
}
