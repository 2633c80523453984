import { describe, expect, it } from 'vitest';
import { assertSameRecords, chooseRecords, coreMatrix, modelsOf, openSources } from '../../src/core/ledger-records.js';
import { outlines } from '../../src/core/task-outline.js';
import { canonicalDigest } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { requestRetry } from '../../src/ledger/resume.js';
import { PORTFOLIO_INDEX } from '../../src/tasks/task.js';
import { readTaskFiles } from '../../src/tasks/task-files.js';
import { answerDraft, bindingFor, failureDraft, openLedger } from '../ledger/support.js';
import { freshFolder } from '../support/folders.js';

const files = readTaskFiles(['fixtures/tasks-small.json']);
const tasks = files.tasks.slice(0, 4);

async function collected(): Promise<string> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  for (const [i, task] of tasks.entries()) {
    const { id, family, panel } = task;
    const binding = bindingFor({ task: id, family, panel, prompt_sha256: sha256(task.prompt) });
    const draft = i === 3 ? failureDraft('length') : answerDraft('FINAL_SELECTION: B,C,D');
    await ledger.putRecord(ledger.compose(binding, draft));
  }
  await ledger.close();
  return dir;
}

function choose(dir: string) {
  const sources = openSources([dir]);
  return chooseRecords({
    sources,
    models: modelsOf(sources, 'primary'),
    tasks: [...outlines(files).values()].flat(),
    phase: 'primary',
    repeat: 0,
    parser: 'v4',
  });
}

describe('the score matrix of a core', () => {
  it('has the score that each answer has in the map of its task', async () => {
    const { matrix, missing } = coreMatrix({
      parser: 'v4',
      chosen: choose(await collected()),
      tasks: tasks.slice(0, 3),
    });
    const action = PORTFOLIO_INDEX.get('BCD')!;
    expect(missing).toEqual([]);
    expect(matrix?.models).toEqual(['m/one']);
    expect([...(matrix?.values ?? [])]).toEqual(tasks.slice(0, 3).map((t) => t.scores[action]));
  });

  it('is withheld while a cell is missing', async () => {
    const { matrix, missing } = coreMatrix({ parser: 'v4', chosen: choose(await collected()), tasks });
    expect(matrix).toBeNull();
    expect(missing).toEqual([{ model: 'm/one', task: tasks[3]?.id, reason: 'failed_status' }]);
  });
});

describe('the check that a core and a ledger hold the same records', () => {
  it('passes until a record is replaced after the freeze', async () => {
    const dir = await collected();
    const records = [...(choose(dir).get('m/one')?.values() ?? [])].map((r) => r.entry.record_sha256);
    const stated = new Map([['panel_1', canonicalDigest(records.sort())]]);
    expect(tasks.every((task) => task.panel === 'panel_1')).toBe(true);
    assertSameRecords({ chosen: choose(dir), stated });

    const ledger = await openLedger(dir);
    const last = tasks[3]!;
    const { id, family, panel } = last;
    const binding = bindingFor({ task: id, family, panel, prompt_sha256: sha256(last.prompt) });
    await requestRetry(ledger, { cells: [binding.cell], listSha256: 'd'.repeat(64) });
    await ledger.putRecord(ledger.compose(binding, answerDraft()));
    await ledger.close();
    expect(() => assertSameRecords({ chosen: choose(dir), stated })).toThrow(
      expect.objectContaining({ code: 'VERIFY_FAILED', exit: 4 }),
    );
  });
});
