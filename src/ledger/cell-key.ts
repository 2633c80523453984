import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';

/** Why a cell is asked. `panel` (panel_1 or panel_2) says which task set it belongs to; the two are independent. */
export type Phase = 'pilot' | 'primary' | 'repeat';
export const PHASES: readonly Phase[] = ['pilot', 'primary', 'repeat'];

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * What makes one question to one model the same question again: everything that governs the answer and nothing that does not,
 * so a price edit or one more model orphans no record.
 */
export interface CellKey {
  readonly model_id: string;
  /** Digest of the behaviour-governing part of the route: model, provider, tag, quantisation, ceilings, parameters. */
  readonly endpoint_execution_sha256: string;
  /** Digest of the protocol: name, system text, final turn, effort, extra body. */
  readonly protocol_sha256: string;
  /** Values as sent; null where the provider fixes them. */
  readonly decoding: { readonly [name: string]: JsonValue };
  readonly prompt_sha256: string;
  readonly phase: Phase;
  /** 0-based sample number where a cell is asked k times. */
  readonly repeat: number;
}

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
export interface CellBinding {
  /** `cellId(key)`. */
  readonly cell: string;
  readonly key: CellKey;
  /** Folder of the model in the ledger: `slotName(model_id)`. */
  readonly slot: string;
  readonly panel: string;
  readonly family: string;
  readonly task_id: string;
  /** For a relabelled task of the repeat panel: the task it was made from. */
  readonly original_task_id: string | null;
  readonly task_set_sha256: string | null;
  readonly manifest_sha256: string | null;
}

const decodingTexts = new WeakMap<CellKey['decoding'], string>();

/** Canonical text of a decoding; cells of a route share the object, and cell and contract name it alike. */
function decodingText(decoding: CellKey['decoding']): string {
  let text = decodingTexts.get(decoding);
  if (text === undefined) {
    text = canonicalJson(decoding);
    decodingTexts.set(decoding, text);
  }
  return text;
}

/**
 * Identity of a cell: digest of its key. The canonical form is written out, members in order, because a resume identifies tens of
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
 * Digest of the part of a key that one model's block must share: route, protocol, decoding. Records of two contracts are never
 * pooled in one (model, panel, phase) block.
 */
export function contractDigest(key: CellKey): string {
  return sha256(
    `{"decoding":${decodingText(key.decoding)},"endpoint_execution_sha256":${JSON.stringify(key.endpoint_execution_sha256)},` +
      `"model_id":${JSON.stringify(key.model_id)},"protocol_sha256":${JSON.stringify(key.protocol_sha256)}}`,
  );
}

/** A folder name for any model id: readable, safe on every file system, distinct for distinct ids. */
export function slotName(modelId: string): string {
  const readable = modelId
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 60);
  return `${readable || 'model'}-${sha256(modelId).slice(0, 8)}`;
}
