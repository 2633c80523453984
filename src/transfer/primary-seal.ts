import { z } from 'zod';
import { canonicalDigest, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { assertDigests } from '../io/document.js';
import { readJson } from '../io/read-file.js';
import type { Task } from '../tasks/task.js';
import { candidatesDigest, shapeDigest } from '../tasks/task-content.js';
import { fail } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import type { TrainingManifest } from './training-manifest.js';

/** What makes a task the same one again, under whatever id, wording or order of labels (compiler e.7). */
const sealedTask = z.strictObject({
  task_id: z.string(),
  anchor: z.string(),
  prompt_sha256: digest,
  candidates_sha256: digest.nullable(),
  map_sha256: digest
    .nullable()
    .describe('Of the map, labels aside; null for a map too poor to have a shape of its own.'),
});
export type SealedTask = Readonly<z.infer<typeof sealedTask>>;

/** What closes the primary analysis: once it stands, the secondary evaluation may be opened. */
const sealSchema = z.strictObject({
  schema: z.enum(['flavourbench-transfer-seal/1', 'flavourbench-transfer-seal/2']),
  stage: z.literal('primary'),
  sealed_at: z.iso.datetime().optional().describe('Absent in seals of version 1.'),
  protocol_sha256: digest,
  analysis_sha256: digest,
  results_sha256: digest,
  tasks_sha256: digest,
  tasks: z.array(sealedTask).readonly().optional().describe('Absent in seals of version 1.'),
  /** `verified` with the digest of every training manifest, or `absent`. */
  gate: z.union([z.literal('absent'), z.strictObject({ verified: z.record(z.string(), digest) })]),
  artifact_sha256: digest,
});

export type Seal = z.infer<typeof sealSchema>;

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
  const seal = checked(sealSchema, readJson(path), { file: path }, 'Give the seal.json that the primary stage wrote.');
  assertDigests(seal, { file: path }, 'The seal was edited; give it as the primary stage wrote it.');
  const lists = (seal.tasks?.length ?? 0) > 0;
  if (lists !== (seal.schema === 'flavourbench-transfer-seal/2'))
    fail(
      'SCHEMA_INVALID',
      { file: path, path: 'tasks' },
      lists ? 'a seal of version 1 lists no tasks' : 'the tasks of the primary stage expected, found none',
      'Give the seal.json that the primary stage wrote.',
    );
  const ids = seal.tasks && canonicalDigest(seal.tasks.map(({ task_id }) => task_id));
  if (ids !== undefined && ids !== seal.tasks_sha256)
    fail(
      'DIGEST_MISMATCH',
      { file: path, path: 'tasks' },
      `the tasks have digest ${ids}, ${seal.tasks_sha256} was sealed`,
      undefined,
      {
        exit: 4,
      },
    );
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
