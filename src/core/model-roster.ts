import { z } from 'zod';
import { parseCsv } from '../io/csv.js';
import { parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { nearestOrAll } from '../util/spelling.js';
import { isWellFormed, stripped } from '../util/text.js';
import type { ScoreMatrix } from './matrix.js';
import type { MatrixRead } from './matrix-cells.js';

/** One ranked model: its id, and what else a roster says of it. */
export interface RosterEntry {
  readonly modelId: string;
  readonly name: string | null;
  readonly slotId: string | null;
}

type Json = Readonly<Record<string, unknown>>;

/** A field that may give an id or a name: a text that is not empty, else nothing. */
const perhaps = z.string().min(1).nullable().catch(null).default(null);
const named = z.object({ id: perhaps, name: perhaps }).catch({ id: null, name: null });
const slotted = z.object({ model_id: perhaps, slot_id: perhaps }).catch({ model_id: null, slot_id: null });

const ID = { error: 'a model with an id expected' };
const LIST = { error: 'a list of models expected' };

/** What the documents that list models say of one: its id alone, or an object that has it in one of four places. */
const entrySchema = z.union(
  [
    z
      .string()
      .min(1)
      .transform((modelId): RosterEntry => ({ modelId, name: null, slotId: null })),
    z
      .object({
        model_id: perhaps,
        id: perhaps,
        model_name: perhaps,
        name: perhaps,
        slot_id: perhaps,
        model: named,
        slot: slotted,
      })
      .transform(({ model, slot, ...own }) => ({
        modelId: own.model_id ?? own.id ?? slot.model_id ?? model.id ?? '',
        name: own.model_name ?? own.name ?? model.name,
        slotId: own.slot_id ?? slot.slot_id,
      }))
      .refine(({ modelId }) => modelId !== '', ID),
  ],
  ID,
);

const HINT = 'A roster is one id a line, CSV with a column model_id, or JSON with a list of models.';

/**
 * Reads the ranked models and their order from the bytes of a roster: one id a line; CSV with `model_id` and optionally
 * `model_name`, `slot_id`; a JSON list of ids or models; or a document with `models`, such as a route manifest, a release or
 * a collection plan (YAML is read where the text is no JSON). Errors: SCHEMA_INVALID for a second entry of a model or none.
 */
export async function readRoster(bytes: Uint8Array, file: string): Promise<RosterEntry[]> {
  const text = decodeText(file, bytes);
  const entries = await entriesOf(text, file);
  const ids = new Set<string>();
  for (const { modelId, name } of entries) {
    if (ids.has(modelId)) fail('SCHEMA_INVALID', { file }, `model ${shown(modelId)} stands twice`, HINT);
    if (!isWellFormed(modelId))
      fail('SCHEMA_INVALID', { file }, `an id expected, found half of a surrogate pair in ${shown(modelId)}`, HINT);
    if (name !== null && !isWellFormed(name))
      fail('SCHEMA_INVALID', { file }, `a name expected, found half of a surrogate pair in ${shown(name)}`, HINT);
    ids.add(modelId);
  }
  if (entries.length === 0) fail('SCHEMA_INVALID', { file }, 'at least one model expected, found none', HINT);
  return entries;
}

async function entriesOf(text: string, file: string): Promise<RosterEntry[]> {
  const first = text.trimStart().charAt(0);
  if (first === '{' || first === '[') return fromDocument(parseJson(text, { file }), file);
  const head = text.slice(0, text.search(/\r?\n|$/));
  if (head.split(',').includes('model_id')) return fromCsv(text, file);
  if (/^models\s*:/m.test(text)) {
    const { parse } = await import('yaml');
    const { yamlExcess } = await import('../io/held/yaml-excess.js');
    const excess = yamlExcess(text);
    if (excess) fail('SCHEMA_INVALID', { file }, excess.what, HINT);
    let document: unknown;
    try {
      document = parse(text, { logLevel: 'error' });
    } catch (cause) {
      fail('SCHEMA_INVALID', { file }, `YAML expected: ${shown(String(cause))}`, HINT);
    }
    return fromDocument(document, file);
  }
  return text
    .split(/\r?\n/)
    .map(stripped)
    .filter((line) => line !== '')
    .map((modelId) => ({ modelId, name: null, slotId: null }));
}

function fromCsv(text: string, file: string): RosterEntry[] {
  const { header, rows } = parseCsv(text, { file });
  const cell = (row: readonly string[], name: string) => row[header.indexOf(name)] || null;
  return rows.map((row) => {
    const modelId = cell(row, 'model_id');
    if (modelId === null) fail('SCHEMA_INVALID', { file }, 'a model_id expected in every row, found none', HINT);
    return { modelId, name: cell(row, 'model_name'), slotId: cell(row, 'slot_id') };
  });
}

function fromDocument(value: unknown, file: string): RosterEntry[] {
  const list = Array.isArray(value) ? value : (modelsOf(value) ?? modelsOf((value as Json | null)?.analysis));
  return checked(z.array(entrySchema, LIST), list, { file, path: 'models' }, HINT);
}

const modelsOf = (value: unknown): unknown => (value as Json | null | undefined)?.models ?? undefined;

/** Takes from what was read of a matrix the rows of a roster, in its order. Errors: CELL_MISSING for a model the matrix does not have. */
export function rosterRows<R extends Pick<MatrixRead, 'matrix' | 'bounds' | 'attempts'>>(
  read: R,
  roster: readonly RosterEntry[],
): R {
  const { matrix, bounds, attempts } = read;
  const row = new Map(matrix.models.map((model, m) => [model, m]));
  const rows = roster.map(
    ({ modelId }) =>
      row.get(modelId) ??
      fail(
        'CELL_MISSING',
        null,
        `the matrix has no model ${shown(modelId)}`,
        `Take the model off the roster, or give its scores. ${nearestOrAll(modelId, matrix.models)}`,
      ),
  );
  const models = roster.map(({ modelId }) => modelId);
  const of = <T extends Float64Array | Uint8Array>(values: T, made: T): T => {
    const width = values.length / matrix.models.length;
    rows.forEach((from, m) => {
      made.set(values.subarray(from * width, (from + 1) * width), m * width);
    });
    return made;
  };
  const numbers = (values: Float64Array) =>
    of(values, new Float64Array((values.length / matrix.models.length) * rows.length));
  const withRows = (one: ScoreMatrix): ScoreMatrix => ({ ...one, models, values: numbers(one.values) });
  return {
    ...read,
    matrix: withRows(matrix),
    ...(bounds
      ? {
          bounds: {
            low: withRows(bounds.low),
            high: withRows(bounds.high),
            absent: of(bounds.absent, new Uint8Array(matrix.tasks.length * rows.length)),
          },
        }
      : {}),
    ...(attempts ? { attempts: { ...attempts, values: numbers(attempts.values) } } : {}),
  };
}
