import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ledgerStatus } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { sealAmbiguous } from '../../src/ledger/resume.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, startCell } from './support.js';

async function worked(): Promise<string> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  const manifest = ledger.putFrozenPlan({ schema: 'test' });
  const counts = [
    { model_id: 'm/one', panel: 'panel_1', family: 'pairing', cells: 10 },
    { model_id: 'm/one', panel: 'panel_1', family: 'constraint', cells: 10 },
  ];
  await ledger.declareSchedule({ manifest_sha256: manifest, phase: 'primary', counts });
  const lines = ledger.state;
  await ledger.declareSchedule({ manifest_sha256: manifest, phase: 'primary', counts });
  expect(lines.schedule.size).toBe(2);
  const put = async (task: string, draft: ReturnType<typeof answerDraft>, family = 'pairing') => {
    const binding = bindingFor({ task, family });
    await ledger.putRecord(ledger.compose(binding, draft));
  };
  await put('a', answerDraft());
  await put('b', answerDraft('what?', { parse: { parser: 'p', outcome: 'no_marker', selection: null } }));
  await put('c', failureDraft('length'));
  await put('d', failureDraft('refusal'), 'constraint');
  await startCell(ledger, bindingFor({ task: 'e' }), ['request_rejected']);
  await startCell(ledger, bindingFor({ task: 'f' }), []);
  await ledger.close();
  return dir;
}

describe('ledger status', () => {
  it('counts by model and stratum, with failures and parses by kind', async () => {
    const dir = await worked();
    const status = ledgerStatus(viewLedger(dir), []);
    expect(status.rows.map((r) => [r.family, r.scheduled, r.completed, r.failed])).toEqual([
      ['constraint', 10, 0, 1],
      ['pairing', 10, 2, 1],
    ]);
    expect(status.total).toMatchObject({
      scheduled: 20,
      completed: 2,
      failed: 2,
      rejected: 1,
      open: 1,
      parseable: 1,
      cost_micros: 3000,
      failures: { length: 1, refusal: 1 },
      parses: { ok: 1, no_marker: 1 },
    });
    expect(status.models).toHaveLength(1);
  });

  it('has no place for a score, and neither has the journal', async () => {
    const dir = await worked();
    const status = JSON.stringify(ledgerStatus(viewLedger(dir), []));
    const journal = readFileSync(`${dir}/attempts.jsonl`, 'utf8');
    for (const text of [status, journal]) {
      expect(text.replaceAll('scores_inspected', '')).not.toMatch(/score|bps|optimal/);
      expect(text).not.toMatch(/FINAL_SELECTION/);
    }
  });

  it('books reservations of sealed cells as uncertain', async () => {
    const dir = await worked();
    const ledger = await openLedger(dir);
    await sealAmbiguous(ledger, { recordedAt: '2026-08-21T00:00:00.000Z' });
    await ledger.close();
    expect(ledgerStatus(viewLedger(dir), []).total).toMatchObject({
      open: 0,
      uncertain_micros: 2000,
      failures: { ambiguous: 1, length: 1, refusal: 1 },
    });
  });
});
