import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import type { CellBinding } from '../../src/ledger/cell-key.js';
import { layout } from '../../src/ledger/ledger-folder.js';
import { ledgerStatus } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { mergeLedgers } from '../../src/ledger/merge-ledgers.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { pendingCells } from '../../src/ledger/resume.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, startCell } from './support.js';

const ONE = ['a', 'b', 'c'].map((task) => bindingFor({ task }));
const TWO = ['a', 'b'].map((task) => bindingFor({ task, model_id: 'm/two' }));
const options = { modelId: 'm/one', slot: ONE[0]!.slot, reason: 'the route was withdrawn' };

async function collected(): Promise<string> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  for (const binding of [...ONE, ...TWO])
    await ledger.putRecord(ledger.compose(binding, binding === ONE[1] ? failureDraft('length') : answerDraft()));
  await ledger.close();
  return dir;
}

describe('a superseded block', () => {
  it('goes whole, is kept and committed to, and its cells may be asked under another route', async () => {
    const dir = await collected();
    const ledger = await openLedger(dir);
    const paid = ledger.totals().cost_micros;
    const { sha256: commitment, blocks } = await quarantineBlock({ ledger, ...options });
    expect(blocks).toMatchObject([
      { phase: 'primary', panel: 'panel_1', cells: 3, records: 3, completed: 2, failed: 1 },
    ]);
    const rerouted = ONE.map((b) =>
      bindingFor({ task: b.task_id, endpoint_execution_sha256: sha256('another endpoint') }),
    );
    expect(pendingCells(ledger.state, [...rerouted, ...TWO])).toMatchObject({
      pending: rerouted,
      completed: 2,
    });
    await ledger.putRecord(ledger.compose(rerouted[0]!, answerDraft()));
    expect(ledger.totals().cost_micros).toBe(paid + 1500);
    await ledger.close();

    const kept = join(layout.quarantine(dir), 'records', 'primary', options.slot);
    expect(readdirSync(kept)).toHaveLength(3);
    expect(existsSync(join(layout.quarantine(dir), `block-${commitment}.json`))).toBe(true);
    expect(verifyLedger(dir)).toMatchObject({ problems: [], records: 3, quarantined: 3 });
    const status = ledgerStatus(viewLedger(dir), []);
    expect(status).toMatchObject({ quarantined_records: 3, quarantined_blocks: 1 });
    expect(status.total).toMatchObject({ completed: 3, failed: 0 });
  });

  it('is finished by the next writer when the first one stopped between journal and move', async () => {
    const dir = await collected();
    const ledger = await openLedger(dir);
    await quarantineBlock({ ledger, ...options });
    await ledger.close();
    const kept = join(layout.quarantine(dir), 'records', 'primary', options.slot);
    const block = layout.block(dir, 'primary', options.slot);
    for (const name of readdirSync(kept)) renameSync(join(kept, name), join(block, name));
    expect(viewLedger(dir).unmoved).toHaveLength(3);
    expect(viewLedger(dir).state.quarantined).toHaveLength(3);
    await (await openLedger(dir)).close();
    expect(viewLedger(dir).unmoved).toHaveLength(0);
    expect(verifyLedger(dir).problems).toEqual([]);
  });

  it('may come again byte for byte, as imports and computed answers do', async () => {
    const dir = freshFolder();
    const clock = () => 0;
    const put = async (into: string, bindings: readonly CellBinding[]) => {
      const ledger = await openLedger(into, { clock });
      for (const binding of bindings) await ledger.putRecord(ledger.compose(binding, answerDraft()));
      await ledger.close();
    };
    await put(dir, ONE);
    const first = [...viewLedger(dir).files.keys()].sort();
    const ledger = await openLedger(dir, { clock });
    await quarantineBlock({ ledger, ...options });
    await ledger.close();
    await put(dir, ONE);
    await (await openLedger(dir, { clock })).close();
    const view = viewLedger(dir);
    expect(view.unmoved).toEqual([]);
    expect([...view.files.keys()].sort()).toEqual(first);
    expect(verifyLedger(dir)).toMatchObject({ problems: [], records: 3, quarantined: 3 });
    const other = freshFolder();
    await put(other, TWO);
    const out = join(freshFolder(), 'merged');
    mergeLedgers({ sources: [dir, other], out, at: 'now' });
    expect(viewLedger(out).unmoved).toEqual([]);
    expect(verifyLedger(out)).toMatchObject({ problems: [], records: 5, quarantined: 3 });
  });

  it('waits until nothing of it may be in delivery', async () => {
    const dir = await collected();
    const ledger = await openLedger(dir);
    await startCell(ledger, bindingFor({ task: 'd' }), ['uncertain_delivery']);
    await expect(quarantineBlock({ ledger, ...options })).rejects.toMatchObject({
      code: 'INCOMPLETE',
    });
    await ledger.close();
  });

  it('cannot be emptied or changed afterwards without ledger verify saying so', async () => {
    const dir = await collected();
    const ledger = await openLedger(dir);
    const { sha256: commitment } = await quarantineBlock({ ledger, ...options });
    await ledger.close();
    const document = join(layout.quarantine(dir), `block-${commitment}.json`);
    const text = readFileSync(document, 'utf8');
    writeFileSync(document, text.replace('"completed":2', '"completed":1'));
    expect(verifyLedger(dir).problems).toMatchObject([{ file: document }]);
    writeFileSync(document, text);
    const kept = join(layout.quarantine(dir), 'records', 'primary', options.slot);
    const victim = join(kept, readdirSync(kept)[0]!);
    renameSync(victim, `${victim}.gone`);
    expect(verifyLedger(dir).problems).toMatchObject([{ file: victim, what: 'is missing from quarantine' }]);
  });

  it('is refused for a model that has no records', async () => {
    const ledger = await openLedger(await collected());
    await expect(quarantineBlock({ ledger, ...options, modelId: 'm/none', slot: 'none' })).rejects.toMatchObject({
      code: 'USAGE',
    });
    await ledger.close();
  });
});
