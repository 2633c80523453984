import { canonicalDigest, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readJson } from '../io/read-file.js';
import type { Task } from '../tasks/task.js';
import { candidatesDigest, shapeDigest } from '../tasks/task-content.js';
import { fail } from '../util/error.js';
import { checkedSeal, type Seal, type SealedTask } from './seal-schema.js';
import type { TrainingManifest } from './training-manifest.js';

interface SealOptions {
  readonly protocolSha256: string;
  readonly analysisSha256: string;
  readonly resultsSha256: string;
  /** The evaluated tasks, in order. */
  readonly tasks: readonly Task[];
  /** Checked manifests of all adapters; empty where there is none. */
  readonly manifests: readonly TrainingManifest[];
  /** When it is sealed, ISO 8601, UTC. */
  readonly at: string;
}

/** Lists tasks as a seal does. */
export function sealedTasks(tasks: readonly Task[]): SealedTask[] {
  return tasks.map(({ id, anchor, prompt, choices, scores }) => ({
    task_id: id,
    anchor,
    prompt_sha256: sha256(prompt),
    candidates_sha256: candidatesDigest(choices) ?? null,
    map_sha256: shapeDigest(scores) ?? null,
  }));
}

/** Makes the seal of a primary analysis: digests of its plan, document, results, tasks and manifests. */
export function sealPrimary(options: SealOptions): Seal {
  const verified = Object.fromEntries(options.manifests.map((m) => [`${m.condition}:${m.seed}`, canonicalDigest(m)]));
  return sealed({
    schema: 'flavourbench-transfer-seal/2' as const,
    stage: 'primary' as const,
    sealed_at: options.at,
    protocol_sha256: options.protocolSha256,
    analysis_sha256: options.analysisSha256,
    results_sha256: options.resultsSha256,
    tasks_sha256: canonicalDigest(options.tasks.map(({ id }) => id)),
    tasks: sealedTasks(options.tasks),
    gate: options.manifests.length === 0 ? ('absent' as const) : { verified },
  });
}

/** Tells whether two seals close the same, whenever they were made. */
export function sameSeal(a: Seal, b: Seal): boolean {
  const what = ({ sealed_at: _, artifact_sha256: __, ...rest }: Seal) => canonicalDigest(rest);
  return what(a) === what(b);
}

/** Reads a seal and proves its digest. Errors: SCHEMA_INVALID; DIGEST_MISMATCH (exit 4) when it was edited. */
export function readSeal(path: string): Seal {
  return checkedSeal(readJson(path), path);
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
