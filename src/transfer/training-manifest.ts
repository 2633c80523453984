import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { storedFile } from '../io/file.js';
import { inputFileAt, readJson } from '../io/read-file.js';
import { fail, shown } from '../util/error.js';
import { checked, sha256Text as digest } from '../util/schema.js';
import { assertPlannedRun } from './study-plan.js';
import type { StudyPlan } from './study-plan-schema.js';

const metrics = z.record(z.string(), z.number());

/** What a training run says of itself (analyses 9.3). */
const trainingManifestSchema = z.strictObject({
  schema: z.literal('flavourbench-training-run/1'),
  status: z.enum(['adapter_complete', 'smoke_not_confirmatory']),
  protocol_sha256: digest.nullable(),
  recipe_sha256: digest,
  condition: z.string().min(1),
  seed: z.int().nonnegative(),
  base_model: z.strictObject({
    id: z.string().min(1),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
  }),
  data: z.record(z.string(), digest),
  duration_seconds: z.number().positive(),
  train_metrics: metrics,
  validation_metrics: metrics,
  software: z.record(z.string(), z.string()),
  hardware: z.strictObject({ device: z.string(), gpu_memory_bytes: z.int().nonnegative() }),
  files: z.array(z.strictObject({ path: z.string().min(1), bytes: z.int().nonnegative(), sha256: digest })).min(1),
});

export type TrainingManifest = z.infer<typeof trainingManifestSchema>;

const MANIFEST_NAME = 'training-manifest.json';
const OTHER_ADAPTER = 'The adapter is not the one the manifest describes.';
const ADAPTER_NAME = 'adapter_model.safetensors';

/** Gives the JSON Schema of a training manifest, for trainers of one's own. */
export function trainingManifestJsonSchema(): object {
  return z.toJSONSchema(trainingManifestSchema, { target: 'draft-2020-12' });
}

function filesUnder(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(folder, path);
    if (!lstatSync(join(folder, path)).isFile()) {
      fail('VERIFY_FAILED', { file: folder }, `${path} is not a regular file`, OTHER_ADAPTER, { exit: 4 });
    }
    return [path];
  });
}

/**
 * Reads the manifest beside an adapter and checks every file it lists: present, regular, inside the folder, same bytes, and
 * none unlisted; the adapter's weights are among them. Errors: SCHEMA_INVALID, VERIFY_FAILED naming the file.
 */
export function verifyTrainingRun(folder: string): TrainingManifest {
  const path = join(folder, MANIFEST_NAME);
  const manifest = checked(
    trainingManifestSchema,
    readJson(storedFile(path)),
    { file: path },
    'The training script writes this file.',
  );
  const listed = new Set(manifest.files.map((file) => file.path));
  const present = filesUnder(folder).filter((name) => name !== MANIFEST_NAME);
  const unlisted = present.find((name) => !listed.has(name));
  if (unlisted !== undefined)
    fail('VERIFY_FAILED', { file: folder }, `${shown(unlisted)} is not in the manifest`, OTHER_ADAPTER, { exit: 4 });
  for (const file of manifest.files) {
    if (!present.includes(file.path))
      fail('VERIFY_FAILED', { file: folder }, `${shown(file.path)} is missing`, OTHER_ADAPTER, { exit: 4 });
    const { bytes, sha256 } = inputFileAt('adapter', storedFile(join(folder, file.path)));
    if (bytes !== file.bytes || sha256 !== file.sha256) {
      fail(
        'VERIFY_FAILED',
        { file: folder },
        `${shown(file.path)} has other bytes than the manifest says`,
        OTHER_ADAPTER,
        { exit: 4 },
      );
    }
  }
  if (!present.some((name) => basename(name) === ADAPTER_NAME)) {
    fail('VERIFY_FAILED', { file: folder }, `there is no ${ADAPTER_NAME}`, OTHER_ADAPTER, { exit: 4 });
  }
  return manifest;
}

/**
 * Holds a checked manifest against the frozen plan of its study. Errors: VERIFY_FAILED for another plan, base model, seed, data
 * file or number of epochs.
 */
export function assertPlannedManifest(plan: StudyPlan, manifest: TrainingManifest): void {
  const { condition, seed, data, base_model: base } = manifest;
  assertPlannedRun(plan, { condition, seed, base, data });
  const epochs = [manifest.train_metrics.epoch, manifest.validation_metrics.epoch];
  const problem =
    manifest.protocol_sha256 !== plan.artifact_sha256
      ? `protocol ${manifest.protocol_sha256 ?? 'none'} is not ${plan.artifact_sha256}`
      : manifest.status === 'adapter_complete' && epochs.some((n) => n !== plan.training.epochs)
        ? `epochs ${epochs.map(String).join(' and ')}; the plan has ${plan.training.epochs}`
        : undefined;
  if (problem !== undefined) {
    fail('VERIFY_FAILED', null, `${condition}, seed ${seed}: ${problem}`, 'The run does not belong to this plan.', {
      exit: 4,
    });
  }
}
