import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowColumn } from '../io/arrow.js';
import { canonicalDigest, canonicalJson, sealed } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { parquetFile } from '../io/write-parquet.js';
import { listInspections } from './inspection.js';
import { type LedgerView, readRecordFile } from './ledger-view.js';
import type { ResponseRecord } from './record.js';
import { GENERATION_COLUMNS, RECORD_COLUMNS, type RecordColumn } from './record-columns.js';

const PACK_SCHEMA = 'flavourbench-ledger-pack/1';

const VALIDITY: readonly RecordColumn[] = [
  ...(['model', 'task', 'panel', 'family', 'phase', 'repeat', 'completed', 'parseable', 'source'] as const),
];

const OBSERVATIONS: readonly RecordColumn[] = [
  ...VALIDITY,
  ...(['cell', 'record', 'original_task', 'prompt_sha256', 'contract_sha256', 'rank_eligible', 'outcome'] as const),
  ...(['parser', 'parse', 'inline_reasoning', 'selection', 'answer'] as const),
  ...GENERATION_COLUMNS,
];

interface PackFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Columns that are filled record by record, so that no more than one record is in memory. */
function emptyColumns(names: readonly RecordColumn[]) {
  return names.map((name) => {
    const [kind, value] = RECORD_COLUMNS[name];
    const values: ReturnType<typeof value>[] = [];
    return {
      column: { name, kind, values } as ArrowColumn,
      add: (record: ResponseRecord) => values.push(value(record)),
    };
  });
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
  const observations = emptyColumns(OBSERVATIONS);
  const validity = emptyColumns(VALIDITY);
  for (const { entry } of sorted) {
    const record = readRecordFile(view.files.get(entry.record_sha256)!);
    for (const { add } of [...observations, ...validity]) add(record);
  }
  const recordSet = canonicalDigest(heads.map((entry) => entry.record_sha256).sort());
  const metadata = { schema: PACK_SCHEMA, record_set_sha256: recordSet };
  const table = (filled: typeof observations) => ({ columns: filled.map(({ column }) => column), metadata });
  const files: PackFile[] = [
    {
      name: `observations.${format}`,
      bytes: await (format === 'arrow' ? arrowFile : parquetFile)(table(observations)),
    },
    { name: 'validity.arrow', bytes: arrowFile(table(validity)) },
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
