import { z } from 'zod';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { count, nonEmptyText, sha256Text } from '../util/schema.js';

/** Why a cell is asked. `panel` (panel_1 or panel_2) says which task set it belongs to; the two are independent. */
export const PHASES = ['pilot', 'primary', 'repeat'] as const;
export type Phase = (typeof PHASES)[number];

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Any JSON: it was parsed from text, or canonical JSON writes it as text. A recursive schema could not be compiled. */
export const jsonValue = z.custom<JsonValue>();

/**
 * What makes one question to one model the same question again: everything that governs the answer and nothing that does not,
 * so a price edit or one more model orphans no record.
 */
const cellKeySchema = z.strictObject({
  model_id: nonEmptyText,
  /** Digest of the behaviour-governing part of the route: model, provider, tag, quantisation, ceilings, parameters. */
  endpoint_execution_sha256: sha256Text,
  /** Digest of the protocol: name, system text, final turn, effort, extra body. */
  protocol_sha256: sha256Text,
  /** Values as sent; null where the provider fixes them. */
  decoding: z.record(z.string(), jsonValue),
  prompt_sha256: sha256Text,
  phase: z.enum(PHASES),
  /** 0-based sample number where a cell is asked k times. */
  repeat: count,
});
export type CellKey = Readonly<z.infer<typeof cellKeySchema>>;

/** Fields of a route that govern the behaviour of its endpoint: what `endpoint_execution_sha256` is the digest of. */
export const EXECUTION_FIELDS = [
  'transport',
  'base_url',
  'requested_model',
  'expected_model',
  'expected_provider',
  'provider_tag',
  'revision',
  'zdr',
  'headers',
  'simulation',
] as const;

/** The order in which `ledger explain` compares two keys. */
export const KEY_FIELDS = [
  'model_id',
  'endpoint_execution_sha256',
  'protocol_sha256',
  'decoding',
  'prompt_sha256',
  'phase',
  'repeat',
] as const satisfies readonly (keyof CellKey)[];

/** A cell with everything a record of it must say about the task and the plan, so that it can be sealed from the journal alone. */
export const cellBindingSchema = z.strictObject({
  /** `cellId(key)`. */
  cell: sha256Text,
  key: cellKeySchema,
  /** Folder of the model in the ledger: `slotName(model_id)`. */
  slot: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, { error: 'the name of a folder expected' }),
  panel: nonEmptyText,
  family: nonEmptyText,
  task_id: nonEmptyText,
  /** For a relabelled task of the repeat phase: the task it was made from. */
  original_task_id: z.string().nullable(),
  task_set_sha256: sha256Text.nullable(),
  /** Digest of the frozen plan that asked. */
  manifest_sha256: sha256Text.nullable(),
});
export type CellBinding = Readonly<Omit<z.infer<typeof cellBindingSchema>, 'key'>> & { readonly key: CellKey };

const decodingTexts = new WeakMap<CellKey['decoding'], string>();

/** Writes a decoding canonically; cells of a route share the object, and cell and contract name it alike. */
function decodingText(decoding: CellKey['decoding']): string {
  let text = decodingTexts.get(decoding);
  if (text === undefined) {
    text = canonicalJson(decoding);
    decodingTexts.set(decoding, text);
  }
  return text;
}

/**
 * Makes the identity of a cell, the digest of its key. The canonical form is written out, members in order, because a resume identifies tens of
 * thousands of cells before its first request.
 */
export function cellId(key: CellKey): string {
  return sha256(
    `{"decoding":${decodingText(key.decoding)},"endpoint_execution_sha256":${JSON.stringify(key.endpoint_execution_sha256)},` +
      `"model_id":${JSON.stringify(key.model_id)},"phase":${JSON.stringify(key.phase)},` +
      `"prompt_sha256":${JSON.stringify(key.prompt_sha256)},"protocol_sha256":${JSON.stringify(key.protocol_sha256)},"repeat":${key.repeat}}`,
  );
}

/**
 * Makes the digest of the part of a key that one model's block must share: route, protocol, decoding. Records of two contracts are never
 * pooled in one (model, panel, phase) block.
 */
export function contractDigest(key: CellKey): string {
  return sha256(
    `{"decoding":${decodingText(key.decoding)},"endpoint_execution_sha256":${JSON.stringify(key.endpoint_execution_sha256)},` +
      `"model_id":${JSON.stringify(key.model_id)},"protocol_sha256":${JSON.stringify(key.protocol_sha256)}}`,
  );
}

/** Makes a folder name for any model id: readable, safe on every file system, distinct for distinct ids. */
export function slotName(modelId: string): string {
  const readable = modelId
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 60);
  return `${readable || 'model'}-${sha256(modelId).slice(0, 8)}`;
}
