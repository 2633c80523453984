import { z } from 'zod';
import { canonicalDigest } from '../io/canonical.js';
import { assertDigests } from '../io/document.js';
import { fail } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import type { StudyPlan } from './study-plan-schema.js';

export const SEAL_SCHEMAS = ['flavourbench-transfer-seal/1', 'flavourbench-transfer-seal/2'] as const;

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
  schema: z.enum(SEAL_SCHEMAS),
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

/** Takes a document for a seal and proves its digests. Errors: SCHEMA_INVALID; DIGEST_MISMATCH (exit 4) when it was edited. */
export function checkedSeal(document: unknown, path: string): Seal {
  const seal = checked(sealSchema, document, { file: path }, 'Give the seal.json that the primary stage wrote.');
  assertDigests(seal, { file: path }, 'The seal was edited; give it as the primary stage wrote it.');
  const lists = (seal.tasks?.length ?? 0) > 0;
  if (lists !== (seal.schema === SEAL_SCHEMAS[1]))
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

/** Forms the digest of what some tasks are by content, the same in any order. */
export function tasksContent(tasks: readonly SealedTask[]): string {
  return canonicalDigest([...tasks].sort((a, b) => (a.task_id < b.task_id ? -1 : 1)));
}

/**
 * Holds the tasks that a seal lists against those that its plan fixed by content, before any outcome. Errors: DIGEST_MISMATCH (exit 4). Returns
 * whether they could be: seals of version 1 list none, and older plans fix the bytes of the file alone.
 */
export function assertSealedContent({ evaluation }: StudyPlan, { tasks }: Seal, file?: string): boolean {
  const planned = evaluation.primary_content_sha256;
  if (planned === undefined || tasks === undefined) return false;
  const own = tasksContent(tasks);
  if (own !== planned)
    fail(
      'DIGEST_MISMATCH',
      { file, path: 'tasks' },
      `the seal lists tasks of content ${own}, the plan fixed ${planned} for the primary stage`,
      'Give the seal as the primary stage wrote it.',
      { exit: 4 },
    );
  return true;
}
