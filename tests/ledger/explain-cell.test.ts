import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { explainCell, keyDifferences, openDifferences } from '../../src/ledger/explain-cell.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { requestRetry } from '../../src/ledger/resume.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, startCell } from './support.js';

async function withCells() {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  const cells = {
    done: bindingFor({ task: 'a' }),
    failed: bindingFor({ task: 'b' }),
    retry: bindingFor({ task: 'c' }),
    rejected: bindingFor({ task: 'd' }),
    open: bindingFor({ task: 'e' }),
  };
  await ledger.putRecord(ledger.compose(cells.done, answerDraft()));
  await ledger.putRecord(ledger.compose(cells.failed, failureDraft('refusal')));
  await ledger.putRecord(ledger.compose(cells.retry, failureDraft('length')));
  await requestRetry(ledger, { cells: [cells.retry.cell], listSha256: 'e'.repeat(64) });
  await startCell(ledger, cells.rejected, ['request_rejected']);
  await startCell(ledger, cells.open);
  await ledger.close();
  return { dir, cells };
}

describe('ledger explain', () => {
  it('says of each kind of cell whether it will be asked, and why', async () => {
    const { dir, cells } = await withCells();
    const said = Object.values(cells).map(({ cell }) => {
      const { verdict, will_be_asked, why } = explainCell(dir, cell, undefined);
      return [verdict, will_be_asked, why.slice(0, 28)];
    });
    expect(said).toEqual([
      ['completed', false, 'it has a completed record'],
      ['failed', false, 'it failed and is sealed; onl'],
      ['retry_requested', true, 'a retry list asked for it an'],
      ['rejected', true, 'every request so far was cer'],
      ['ambiguous', false, 'a request was started and ma'],
    ]);
  });

  it('tells the history with journal lines, from the start of an id', async () => {
    const { dir, cells } = await withCells();
    const found = explainCell(dir, cells.rejected.cell.slice(0, 12), undefined);
    expect(found.cell).toBe(cells.rejected.cell);
    expect(found.history.map((h) => h.type)).toEqual(['request_started', 'request_rejected']);
    expect(found.history[0]?.line).toBe(6);
    expect(found).toMatchObject({ model_id: 'm/one', task_id: 'd', record: null });
    expect(() => explainCell(dir, '', undefined)).toThrow(/5 cells here start with/);
    expect(() => explainCell(dir, 'ffff', undefined)).toThrow(/no cell here starts with/);
  });

  it('names the field in which a cell that was never asked differs from the nearest record', async () => {
    const { dir, cells } = await withCells();
    const warmer = bindingFor({ task: 'a', decoding: { temperature: 1, max_tokens: 64 } });
    const found = explainCell(dir, warmer.cell, warmer);
    expect(found).toMatchObject({ verdict: 'other_contract', will_be_asked: false });
    expect(found.nearest).toMatchObject({
      cell: cells.done.cell,
      differs: [{ field: 'decoding.temperature', asked: '1', recorded: '0' }],
    });
    const moved = bindingFor({ task: 'a', endpoint_execution_sha256: sha256('moved'), repeat: 2 });
    expect(explainCell(dir, moved.cell, moved).nearest?.differs.map((d) => d.field)).toEqual([
      'endpoint_execution_sha256',
      'repeat',
    ]);
    const other = bindingFor({ task: 'a', model_id: 'm/two' });
    expect(explainCell(dir, other.cell, other)).toMatchObject({
      verdict: 'never_asked',
      will_be_asked: true,
      nearest: { differs: [{ field: 'model_id' }] },
    });
  });

  it('opens a route digest into the fields behind it, where the manifest is there', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const endpoint_execution_sha256 = sha256('then');
    const route = { endpoint_execution_sha256, base_url: 'https://a', requested_model: 'm' };
    ledger.putFrozenPlan({ routes: [{ ...route, effort: 'low' }] });
    await ledger.close();
    const differs = [
      { field: 'repeat', asked: '1', recorded: '0' },
      {
        field: 'endpoint_execution_sha256',
        asked: JSON.stringify(sha256('now')),
        recorded: JSON.stringify(endpoint_execution_sha256),
      },
    ];
    const asked = { ...route, base_url: 'https://b', effort: 'low' };
    expect(openDifferences({ dir, differs, asked })).toEqual([
      { field: 'repeat', asked: '1', recorded: '0' },
      { field: 'base_url', asked: '"https://b"', recorded: '"https://a"' },
    ]);
    expect(openDifferences({ dir: freshFolder(), differs, asked })).toEqual(differs);
  });

  it('points to what lies in quarantine', async () => {
    const { dir, cells } = await withCells();
    const other = bindingFor({ task: 'a', model_id: 'm/two' });
    const ledger = await openLedger(dir);
    const record = ledger.compose(other, answerDraft());
    await ledger.putRecord(record);
    await quarantineBlock({ ledger, modelId: 'm/two', slot: other.slot, reason: 'test' });
    await ledger.close();
    expect(explainCell(dir, other.cell, other)).toMatchObject({
      verdict: 'never_asked',
      quarantined: [record.artifact_sha256],
      nearest: { cell: cells.done.cell },
    });
  });
});

describe('the comparison of two cell keys', () => {
  it('goes down to single decoding values, present or absent', () => {
    const a = bindingFor({ decoding: { temperature: 0, seed: 1 } }).key;
    const b = bindingFor({ decoding: { temperature: 0, top_p: 1 } }).key;
    expect(keyDifferences(a, b)).toEqual([
      { field: 'decoding.seed', asked: '1', recorded: 'absent' },
      { field: 'decoding.top_p', asked: 'absent', recorded: '1' },
    ]);
    expect(keyDifferences(a, a)).toEqual([]);
  });
});
