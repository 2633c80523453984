import { z } from 'zod';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { assertDigests } from '../io/document.js';
import { readJson } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import type { TrainingManifest } from './training-manifest.js';

/** What closes the primary analysis: once it stands, the secondary evaluation may be opened. */
const sealSchema = z.strictObject({
  schema: z.literal('flavourbench-transfer-seal/1'),
  stage: z.literal('primary'),
  protocol_sha256: digest,
  analysis_sha256: digest,
  results_sha256: digest,
  tasks_sha256: digest,
  /** `verified` with the digest of every training manifest, or `absent`. */
  gate: z.union([z.literal('absent'), z.strictObject({ verified: z.record(z.string(), digest) })]),
  artifact_sha256: digest,
});

export type Seal = z.infer<typeof sealSchema>;

interface SealOptions {
  readonly protocolSha256: string;
  readonly analysisSha256: string;
  readonly resultsSha256: string;
  /** Ids of the evaluated tasks, in order. */
  readonly taskIds: readonly string[];
  /** Checked manifests of all adapters; empty where there is none. */
  readonly manifests: readonly TrainingManifest[];
}

/** Makes the seal of a primary analysis: digests of its plan, document, results, tasks and manifests. */
export function sealPrimary(options: SealOptions): Seal {
  const verified = Object.fromEntries(options.manifests.map((m) => [`${m.condition}:${m.seed}`, canonicalDigest(m)]));
  return sealed({
    schema: 'flavourbench-transfer-seal/1' as const,
    stage: 'primary' as const,
    protocol_sha256: options.protocolSha256,
    analysis_sha256: options.analysisSha256,
    results_sha256: options.resultsSha256,
    tasks_sha256: canonicalDigest(options.taskIds),
    gate: options.manifests.length === 0 ? ('absent' as const) : { verified },
  });
}

/**
 * Reads the seal that must stand before a secondary analysis. Errors: SEAL_MISSING without one; SCHEMA_INVALID;
 * DIGEST_MISMATCH when it was edited, or belongs to another protocol than the one given.
 */
export function requireSeal(path: string | undefined, protocolSha256: string | undefined): Seal {
  if (path === undefined) {
    fail(
      'SEAL_MISSING',
      null,
      'the secondary stage needs the seal of the primary one',
      'Run the primary stage first, then give its seal with --seal FILE.',
    );
  }
  const seal = checked(sealSchema, readJson(path), { file: path }, 'Give the seal.json that the primary stage wrote.');
  assertDigests(seal, { file: path }, 'The seal was edited; give it as the primary stage wrote it.');
  if (protocolSha256 !== undefined && seal.protocol_sha256 !== protocolSha256) {
    fail(
      'DIGEST_MISMATCH',
      { file: path, path: 'protocol_sha256' },
      `${seal.protocol_sha256} was sealed; this run is of ${protocolSha256}`,
      'Both stages must belong to one frozen plan.',
      { exit: 4 },
    );
  }
  return seal;
}

const EACH_ADAPTER = 'Every adapter of the study needs its own checked manifest.';

/** Checks that manifests fit one study. Errors: VERIFY_FAILED naming the adapter. */
export function assertGate(
  manifests: readonly TrainingManifest[],
  seeds: readonly number[],
  conditions: readonly string[],
  protocolSha256: string,
): void {
  const found = new Map(manifests.map((m) => [`${m.condition}:${m.seed}`, m]));
  for (const condition of conditions) {
    for (const seed of seeds) {
      const manifest = found.get(`${condition}:${seed}`);
      if (!manifest)
        fail('VERIFY_FAILED', { path: 'training gate' }, `no manifest for ${condition}, seed ${seed}`, EACH_ADAPTER, {
          exit: 4,
        });
      if (manifest.status !== 'adapter_complete')
        fail('VERIFY_FAILED', { path: 'training gate' }, `${condition}, seed ${seed} is a smoke run`, EACH_ADAPTER, {
          exit: 4,
        });
      if (manifest.protocol_sha256 !== protocolSha256)
        fail(
          'VERIFY_FAILED',
          { path: 'training gate' },
          `${condition}, seed ${seed} names another plan`,
          EACH_ADAPTER,
          { exit: 4 },
        );
    }
  }
  for (const key of ['software', 'hardware'] as const) {
    const states = new Set(manifests.map((m) => canonicalDigest(m[key])));
    if (states.size > 1)
      fail('VERIFY_FAILED', { path: 'training gate' }, `${states.size} different states of ${key}`, EACH_ADAPTER, {
        exit: 4,
      });
  }
}
