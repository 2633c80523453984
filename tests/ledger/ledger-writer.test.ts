import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { pendingCells, requestRetry, sealAmbiguous } from '../../src/ledger/resume.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, startCell } from './support.js';

describe('a ledger with one record a cell', () => {
  it('writes it under its own digest, readable only by the owner', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const binding = bindingFor();
    await startCell(ledger, binding, ['response_received']);
    const record = ledger.compose(binding, answerDraft());
    expect(await ledger.putRecord(record)).toEqual({ isNew: true });
    await ledger.close();
    const folder = join(dir, 'records', 'primary', binding.slot);
    expect(readdirSync(folder)).toEqual([`${binding.cell}-${record.artifact_sha256}.json`]);
    expect(record.attempt_event_sha256s).toHaveLength(2);
    const text = readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8');
    expect(JSON.parse(text)).toEqual(record);
    expect(text).not.toMatch(/score/);
  });

  it('takes the same record twice and refuses another one', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const binding = bindingFor();
    const record = ledger.compose(binding, answerDraft());
    await ledger.putRecord(record);
    expect(await ledger.putRecord(record)).toEqual({ isNew: false });
    const other = ledger.compose(binding, answerDraft('FINAL_SELECTION: D,E,F'));
    await expect(ledger.putRecord(other)).rejects.toMatchObject({
      code: 'LEDGER_CONFLICT',
      exit: 4,
    });
    await expect(ledger.putRecord({ ...other, supersedes: null })).rejects.toMatchObject({
      code: 'LEDGER_CONFLICT',
    });
    expect(ledger.get(binding.cell)).toEqual(record);
    await ledger.close();
    expect(readdirSync(join(dir, 'records', 'primary', binding.slot))).toHaveLength(1);
  });

  it('takes many at once, and keeps what came before one that has no room', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const records = Array.from({ length: 300 }, (_, i) =>
      ledger.compose(bindingFor({ task: `task-${i}` }), answerDraft()),
    );
    const heard: number[] = [];
    expect(await ledger.putRecords(records, (done) => heard.push(done))).toBe(300);
    expect(heard).toEqual([256, 300]);
    expect(await ledger.putRecords(records)).toBe(0);
    const more = ['task-300', 'task-301'].map((task) => ledger.compose(bindingFor({ task }), answerDraft()));
    const taken = ledger.compose(bindingFor({ task: 'task-0' }), answerDraft('FINAL_SELECTION: D,E,F'));
    const [before, after] = more as [(typeof more)[number], (typeof more)[number]];
    await expect(ledger.putRecords([before, before, taken, after])).rejects.toMatchObject({
      code: 'LEDGER_CONFLICT',
      exit: 4,
    });
    await ledger.close();
    const { state } = viewLedger(dir);
    expect(state.cells.size).toBe(301);
    expect(state.cells.get(before.cell)?.head?.record_sha256).toBe(before.artifact_sha256);
    const names = readdirSync(join(dir, 'records', 'primary', before.slot));
    expect(names).toHaveLength(301);
    expect(names.filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  it('does not pool two contracts in one block', async () => {
    const ledger = await openLedger(freshFolder());
    const first = bindingFor();
    await ledger.putRecord(ledger.compose(first, answerDraft()));
    const other = bindingFor({ task: 'task-2', decoding: { temperature: 1, max_tokens: 64 } });
    expect(() => pendingCells(ledger.state, [other])).toThrow(/holds records of contract/);
    await expect(ledger.putRecord(ledger.compose(other, answerDraft()))).rejects.toMatchObject({
      code: 'LEDGER_CONFLICT',
    });
    const panel2 = bindingFor({ task: 'task-2', panel: 'panel_2', decoding: { max_tokens: 1 } });
    expect(pendingCells(ledger.state, [panel2]).pending).toEqual([panel2]);
    await ledger.close();
  });
});

describe('a ledger that is opened again', () => {
  it('removes what a killed writer left beside the journal, not what another may be writing', async () => {
    const dir = freshFolder();
    await (await openLedger(dir)).close();
    const [old, young] = ['0', '1'].map((digit) => `.${digit.repeat(18)}.tmp`) as [string, string];
    for (const name of [old, young]) writeFileSync(join(dir, name), '');
    utimesSync(join(dir, old), 0, 0);
    await (await openLedger(dir)).close();
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([young]);
  });

  it('lists as pending no cell that has a record, whatever its status, but certain rejections', async () => {
    const dir = freshFolder();
    const [done, failed, rejected, lost, fresh] = ['a', 'b', 'c', 'd', 'e'].map((task) => bindingFor({ task })) as [
      ReturnType<typeof bindingFor>,
      ...ReturnType<typeof bindingFor>[],
    ];
    let ledger = await openLedger(dir);
    await ledger.putRecord(ledger.compose(done, answerDraft()));
    await ledger.putRecord(ledger.compose(failed!, failureDraft()));
    await startCell(ledger, rejected!, ['request_rejected']);
    await startCell(ledger, lost!, ['uncertain_delivery']);
    await ledger.close();

    ledger = await openLedger(dir);
    const schedule = [done, failed!, rejected!, lost!, fresh!];
    expect(pendingCells(ledger.state, schedule)).toEqual({
      pending: [rejected, fresh],
      ambiguous: [lost],
      completed: 1,
      failed: 1,
    });
    const sealed = await sealAmbiguous(ledger, { recordedAt: '2026-08-21T00:00:00.000Z' });
    expect(sealed.map((r) => [r.task_id, r.outcome, r.source])).toEqual([['d', 'ambiguous', 'sealed']]);
    expect(pendingCells(ledger.state, schedule)).toMatchObject({ pending: [rejected, fresh], failed: 2 });
    expect(ledger.totals()).toMatchObject({
      cost_micros: 1500,
      uncertain_micros: 2000,
      records: 3,
    });
    await ledger.close();
    expect(viewLedger(dir).state.totals).toEqual(ledger.totals());
  });

  it('keeps k samples of a cell apart', async () => {
    const ledger = await openLedger(freshFolder());
    const samples = [0, 1, 2].map((repeat) => bindingFor({ repeat }));
    expect(new Set(samples.map((s) => s.cell)).size).toBe(3);
    await ledger.putRecord(ledger.compose(samples[1]!, answerDraft()));
    expect(pendingCells(ledger.state, samples).pending).toEqual([samples[0], samples[2]]);
    await ledger.close();
  });
});

describe('a retry by list', () => {
  it('asks failures again, keeps the replaced record, serves a list once', async () => {
    const dir = freshFolder();
    const binding = bindingFor();
    let ledger = await openLedger(dir);
    await ledger.putRecord(ledger.compose(binding, failureDraft('refusal')));
    const list = { cells: [binding.cell], listSha256: 'l'.repeat(64) };
    expect(await requestRetry(ledger, list)).toEqual({ requested: 1, alreadyServed: 0 });
    await ledger.close();

    ledger = await openLedger(dir);
    expect(pendingCells(ledger.state, [binding]).pending).toEqual([binding]);
    await startCell(ledger, binding, ['response_received']);
    const second = ledger.compose(binding, answerDraft());
    expect(second.supersedes).toMatch(/^[0-9a-f]{64}$/);
    await ledger.putRecord(second);
    expect(await requestRetry(ledger, list)).toEqual({ requested: 0, alreadyServed: 1 });
    await expect(requestRetry(ledger, { ...list, listSha256: 'm'.repeat(64) })).rejects.toMatchObject({
      code: 'USAGE',
    });
    await ledger.close();

    const view = viewLedger(dir);
    const state = view.state.cells.get(binding.cell);
    expect(state?.head?.record_sha256).toBe(second.artifact_sha256);
    expect(state?.superseded.map((e) => e.outcome)).toEqual(['refusal']);
    expect(view.files.size).toBe(2);
  });
});
