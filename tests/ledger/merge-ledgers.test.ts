import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerStatus } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { mergeLedgers } from '../../src/ledger/merge-ledgers.js';
import { pendingCells } from '../../src/ledger/resume.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { freshFolder } from '../support/folders.js';
import {
  answerDraft,
  bindingFor,
  type CellOptions,
  type Draft,
  failureDraft,
  openLedger,
  startCell,
} from './support.js';

const AT = '2026-08-22T00:00:00.000Z';

async function ledgerWith(cells: readonly (readonly [CellOptions, Draft])[], startMs = 0) {
  const dir = freshFolder();
  const clock = () => startMs + 1;
  const ledger = await openLedger(dir, { clock });
  ledger.putFrozenPlan({ schema: 'test', start: startMs });
  for (const [options, draft] of cells) {
    const binding = bindingFor(options);
    await startCell(ledger, binding, ['response_received']);
    await ledger.putRecord(ledger.compose(binding, draft));
  }
  await ledger.close();
  return dir;
}

const out = () => join(freshFolder(), 'merged');

describe('ledger merge', () => {
  it('joins two halves of a roster into a ledger that proves and resumes', async () => {
    const one = await ledgerWith([
      [{ task: 'a' }, answerDraft()],
      [{ task: 'b' }, failureDraft('length')],
    ]);
    const two = await ledgerWith([[{ task: 'a', model_id: 'm/two' }, answerDraft()]], 1000);
    const merged = out();
    expect(mergeLedgers({ sources: [one, two], out: merged, at: AT })).toMatchObject({
      records: 3,
      shared: 0,
    });
    expect(verifyLedger(merged)).toMatchObject({ problems: [], records: 3 });
    expect(ledgerStatus(viewLedger(merged), []).models).toHaveLength(2);
    const ledger = await openLedger(merged);
    const schedule = [bindingFor({ task: 'a' }), bindingFor({ task: 'c' })];
    expect(pendingCells(ledger.state, schedule)).toMatchObject({ completed: 1, pending: [schedule[1]] });
    await ledger.close();
  });

  it('takes what both hold once', async () => {
    const one = await ledgerWith([[{ task: 'a' }, answerDraft()]]);
    const again = await ledgerWith([
      [{ task: 'a' }, answerDraft()],
      [{ task: 'b' }, answerDraft()],
    ]);
    const merged = out();
    expect(mergeLedgers({ sources: [one, again], out: merged, at: AT })).toMatchObject({
      records: 2,
      shared: 1,
    });
    expect(viewLedger(merged).state.totals).toMatchObject({ records: 2, cost_micros: 3000 });
    const twice = out();
    expect(mergeLedgers({ sources: [merged, one], out: twice, at: AT }).records).toBe(2);
    expect(verifyLedger(twice).problems).toEqual([]);
  });

  it.each([
    ['two answers to one cell', [{ task: 'a' }, answerDraft('FINAL_SELECTION: D,E,F')] as const],
    ['two contracts in one block', [{ task: 'b', decoding: {} }, answerDraft()] as const],
  ])('%s are a conflict and nothing is written', async (_, cell) => {
    const one = await ledgerWith([[{ task: 'a' }, answerDraft()]]);
    const two = await ledgerWith([cell], 1000);
    const merged = out();
    expect(() => mergeLedgers({ sources: [one, two], out: merged, at: AT })).toThrow(
      expect.objectContaining({ code: 'LEDGER_CONFLICT', exit: 4 }),
    );
    expect(existsSync(merged)).toBe(false);
  });

  it('waits for cells in delivery and never writes into a ledger that is there', async () => {
    const one = await ledgerWith([[{ task: 'a' }, answerDraft()]]);
    const two = freshFolder();
    const ledger = await openLedger(two);
    await startCell(ledger, bindingFor({ task: 'b' }));
    await ledger.close();
    expect(() => mergeLedgers({ sources: [one, two], out: out(), at: AT })).toThrow(/1 cells may be in delivery/);
    expect(() => mergeLedgers({ sources: [one], out: one, at: AT })).toThrow(/a folder that does not exist yet/);
  });
});
