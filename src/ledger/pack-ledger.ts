import { type ArrowColumn, arrowFile } from '../io/arrow.js';
import { canonicalDigest, canonicalJson, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { listInspections } from './inspection.js';
import { type LedgerView, readRecordFile } from './ledger-view.js';
import type { ResponseRecord } from './record.js';

const PACK_SCHEMA = 'flavourbench-ledger-pack/1';

type Field = string | number | boolean | null;

/** A column of a pack: its kind and what it takes from a record. No column holds a score. */
interface PackColumn {
  readonly name: string;
  readonly kind: 'text' | 'bool' | 'int32' | 'float64';
  readonly of: (record: ResponseRecord) => Field;
}

const text = (name: string, of: (r: ResponseRecord) => string | null): PackColumn => ({
  name,
  kind: 'text',
  of,
});
const whole = (name: string, of: (r: ResponseRecord) => number | null): PackColumn => ({
  name,
  kind: 'int32',
  of,
});
/** Counts that may pass 2^31 are doubles, exact to 2^53. */
const large = (name: string, of: (r: ResponseRecord) => number | null): PackColumn => ({
  name,
  kind: 'float64',
  of,
});
const flag = (name: string, of: (r: ResponseRecord) => boolean): PackColumn => ({
  name,
  kind: 'bool',
  of,
});

const VALIDITY: readonly PackColumn[] = [
  text('model', (r) => r.key.model_id),
  text('task', (r) => r.task_id),
  text('panel', (r) => r.panel),
  text('family', (r) => r.family),
  text('phase', (r) => r.key.phase),
  whole('repeat', (r) => r.key.repeat),
  flag('completed', (r) => r.status === 'completed'),
  flag('parseable', (r) => r.parse?.outcome === 'ok'),
  text('source', (r) => r.source),
];

const OBSERVATIONS: readonly PackColumn[] = [
  ...VALIDITY,
  text('cell', (r) => r.cell),
  text('record', (r) => r.artifact_sha256),
  text('original_task', (r) => r.original_task_id),
  text('prompt_sha256', (r) => r.key.prompt_sha256),
  text('contract_sha256', (r) => r.contract_sha256),
  flag('rank_eligible', (r) => r.rank_eligible),
  text('outcome', (r) => r.outcome),
  text('parser', (r) => r.parse?.parser ?? null),
  text('parse', (r) => r.parse?.outcome ?? null),
  text('selection', (r) => r.parse?.selection ?? null),
  text('answer', (r) => r.generation?.answer ?? null),
  text('actual_model', (r) => r.generation?.actual_model ?? null),
  text('actual_provider', (r) => r.generation?.actual_provider ?? null),
  text('finish_reason', (r) => r.generation?.finish_reason ?? null),
  text('native_finish_reason', (r) => r.generation?.native_finish_reason ?? null),
  text('finish_class', (r) => r.generation?.finish_class ?? null),
  large('prompt_tokens', (r) => r.generation?.prompt_tokens ?? null),
  large('completion_tokens', (r) => r.generation?.completion_tokens ?? null),
  large('reasoning_tokens', (r) => r.generation?.reasoning_tokens ?? null),
  large('cost_micros', (r) => r.generation?.cost_micros ?? r.budget?.actual_micros ?? null),
  large('latency_ms', (r) => r.generation?.latency_ms ?? null),
  text('error_type', (r) => r.error?.type ?? null),
  text('started_at', (r) => r.started_at),
  text('recorded_at', (r) => r.recorded_at),
];

interface PackFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Filled = PackColumn & { readonly values: Field[] };

function fill(columns: readonly PackColumn[]): Filled[] {
  return columns.map((column) => ({ ...column, values: [] }));
}

async function parquet(columns: readonly Filled[], metadata: Record<string, string>): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const type = { text: 'STRING', bool: 'BOOLEAN', int32: 'INT32', float64: 'DOUBLE' } as const;
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, kind, values }) => ({
      name,
      data: values,
      type: type[kind],
      nullable: true,
    })),
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  return new Uint8Array(buffer);
}

/**
 * Packs the records in force as columns: `observations` with answers and costs, `validity` with status and parse bits alone, and a document
 * with the digests of both, of the record set and of the journal. Rows are sorted by phase, model, task and sample, so equal ledgers
 * give equal bytes. Superseded and quarantined records are counted, not packed.
 */
export async function packLedger(
  view: LedgerView,
  format: 'arrow' | 'parquet',
): Promise<{ readonly files: readonly PackFile[]; readonly rows: number }> {
  const heads = [...view.state.cells.values()].flatMap(({ head }) => head ?? []);
  const sortKey = (e: (typeof heads)[number]) =>
    [e.phase, e.model_id, e.panel, e.task_id, String(e.repeat).padStart(9, '0')].join('\0');
  const sorted = heads.map((entry) => ({ entry, key: sortKey(entry) }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  const observations = fill(OBSERVATIONS);
  const validity = fill(VALIDITY);
  for (const { entry } of sorted) {
    const record = readRecordFile(view.files.get(entry.record_sha256)!);
    for (const column of [...observations, ...validity]) column.values.push(column.of(record));
  }
  const recordSet = canonicalDigest(heads.map((entry) => entry.record_sha256).sort());
  const metadata = { schema: PACK_SCHEMA, record_set_sha256: recordSet };
  const arrow = (columns: readonly Filled[]) => arrowFile({ columns: columns as readonly ArrowColumn[], metadata });
  const files: PackFile[] = [
    {
      name: `observations.${format}`,
      bytes: format === 'arrow' ? await arrow(observations) : await parquet(observations, metadata),
    },
    { name: 'validity.arrow', bytes: await arrow(validity) },
  ];
  const document = sealed({
    schema: PACK_SCHEMA,
    canonicalization: 'RFC8785',
    rows: heads.length,
    record_set_sha256: recordSet,
    journal: { lines: view.scan.lines, head: view.scan.chain },
    superseded_records: [...view.state.cells.values()].reduce((n, c) => n + c.superseded.length, 0),
    quarantines: view.state.quarantines.map(({ commitment_sha256, records }) => ({
      commitment_sha256,
      records: records.length,
    })),
    scores_inspected: new Set([...view.state.inspections, ...listInspections(view.dir)]).size,
    simulated: heads.some((entry) => entry.source === 'simulated'),
    files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
  });
  files.push({ name: 'pack.json', bytes: Buffer.from(`${canonicalJson(document)}\n`) });
  return { files, rows: heads.length };
}
