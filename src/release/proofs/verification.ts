import type { ReleaseRules } from '../release-files.js';
import type { Difference } from './differences.js';

/** The outcome of a verification. */
export interface Verification {
  readonly status: 'PASS' | 'FAIL';
  readonly kind: 'release' | 'published_document' | 'published_dataset';
  /** Digest of the whole: of MANIFEST.json, or of the published document. */
  readonly sha256: string | null;
  readonly release_sha256: string | null;
  /** The rules that a release states and was verified by: 1 are those of version 0.1.0. Null for what is no release of ours. */
  readonly rules: ReleaseRules | null;
  /** What was looked at, and how much of it: proved where nothing differs. */
  readonly checked: readonly { readonly what: string; readonly count: number }[];
  /** What was not proved, and why. */
  readonly not_checked: readonly { readonly what: string; readonly count: number; readonly why: string }[];
  readonly notes: readonly string[];
  readonly cannot_be_verified: readonly string[];
  readonly difference_count: number;
  /** The first differences, at most 200. */
  readonly differences: readonly Difference[];
}
