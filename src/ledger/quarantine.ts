import { join } from 'node:path';
import { z } from 'zod';
import { canonicalDigest, canonicalJson, sealed } from '../io/canonical.js';
import { writeOnce } from '../io/file.js';
import { fail } from '../util/error.js';
import { count, sha256Text } from '../util/schema.js';
import { PHASES, type Phase } from './cell-key.js';
import type { RecordEntry } from './journal-event.js';
import { blockName, startOf } from './journal-state.js';
import { finishMoves, layout, onDisk } from './ledger-folder.js';
import type { LedgerWriter } from './ledger-writer.js';

const QUARANTINE_SCHEMA = 'flavourbench-quarantine/1';

/** What a superseded block held, committed to by count and digest (collection 1.14). */
const blockSchema = z.looseObject({
  phase: z.enum(PHASES),
  panel: z.string(),
  contract_sha256: sha256Text,
  cells: count,
  records: count,
  completed: count,
  failed: count,
  cost_micros: count,
  cell_id_set_sha256: sha256Text.describe('Digest of the sorted cell ids.'),
  record_set_sha256: sha256Text.describe('Digest of the sorted record digests.'),
});
type BlockCommitment = Readonly<z.infer<typeof blockSchema>>;

/** A commitment as it is stored: what was put aside of a model, block by block. */
export const commitmentSchema = z.looseObject({
  schema: z.literal(QUARANTINE_SCHEMA),
  model_id: z.string(),
  slot: z.string(),
  reason: z.string(),
  blocks: z.array(blockSchema),
});

/** Makes one commitment per phase and panel of the entries, which must belong to one slot. */
export function commitBlocks(entries: readonly RecordEntry[]): BlockCommitment[] {
  const blocks = new Map<string, RecordEntry[]>();
  for (const entry of entries) {
    const name = blockName(entry);
    const block = blocks.get(name);
    if (block) block.push(entry);
    else blocks.set(name, [entry]);
  }
  return [...blocks.keys()].sort().map((name) => {
    const block = blocks.get(name)!;
    const { phase, panel, contract_sha256 } = block[0]!;
    const cells = [...new Set(block.map((e) => e.cell))].sort();
    return {
      phase,
      panel,
      contract_sha256,
      cells: cells.length,
      records: block.length,
      completed: block.filter((e) => e.status === 'completed').length,
      failed: block.filter((e) => e.status === 'failed').length,
      cost_micros: block.reduce((sum, e) => sum + e.cost_micros, 0),
      cell_id_set_sha256: canonicalDigest(cells),
      record_set_sha256: canonicalDigest(block.map((e) => e.record_sha256).sort()),
    };
  });
}

/**
 * Puts a model's block aside whole: commits to it, journals that, then moves the files. Its cells are free to be asked again under
 * a new route; nothing of the old block is ever pooled with the new one. Errors: USAGE where there is nothing to put aside; INCOMPLETE
 * (exit 3) where a cell may be in delivery.
 */
export async function quarantineBlock(options: {
  readonly ledger: LedgerWriter;
  readonly modelId: string;
  readonly slot: string;
  /** Default: every phase. */
  readonly phases?: readonly Phase[];
  readonly reason: string;
}): Promise<{ readonly sha256: string; readonly blocks: readonly BlockCommitment[] }> {
  const { ledger, modelId, slot, reason } = options;
  const phases = options.phases ?? PHASES;
  const entries: RecordEntry[] = [];
  for (const cell of ledger.cells()) {
    const open = cell.head ? undefined : startOf(cell)?.binding;
    const phase = cell.head?.phase ?? open?.key.phase;
    if ((cell.head?.slot ?? open?.slot) !== slot || !phase || !phases.includes(phase)) continue;
    if (cell.attempt === 'maybe_accepted') {
      fail(
        'INCOMPLETE',
        { file: ledger.dir },
        `cell ${cell.cell} of ${modelId} may be in delivery`,
        'Run `ledger seal` first.',
        { exit: 3 },
      );
    }
    if (cell.head) entries.push(...cell.superseded, cell.head);
  }
  if (entries.length === 0) {
    fail(
      'USAGE',
      { file: ledger.dir },
      `no record of ${modelId} in that phase`,
      '`ledger status` lists what it holds.',
    );
  }
  const blocks = commitBlocks(entries);
  const document = sealed({
    schema: QUARANTINE_SCHEMA,
    model_id: modelId,
    slot,
    reason,
    blocks,
    complete_replacement_block_required: true,
    cross_route_response_pooling: false,
  });
  const sha256 = document.artifact_sha256;
  const path = join(layout.quarantine(ledger.dir), `block-${sha256}.json`);
  onDisk(ledger.dir, () => writeOnce(path, `${canonicalJson(document)}\n`));
  const records = entries.map((e) => e.record_sha256).sort();
  await ledger.book({
    type: 'block_quarantined',
    commitment_sha256: sha256,
    slot,
    phases: [...phases],
    records,
  });
  onDisk(ledger.dir, () => finishMoves(ledger.dir, ledger.filesOf(records)));
  return { sha256, blocks };
}
