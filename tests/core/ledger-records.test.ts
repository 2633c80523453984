import { describe, expect, it } from 'vitest';
import { chooseRecords, modelsOf, openSources } from '../../src/core/ledger-records.js';
import { assertRankable, mixedBlocks, unpinnedModels } from '../../src/core/rankable.js';
import type { TaskOutline } from '../../src/core/task-outline.js';
import { validityOf } from '../../src/core/validity.js';
import { sha256 } from '../../src/io/digest.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { requestRetry } from '../../src/ledger/resume.js';
import { answerDraft, bindingFor, type CellOptions, type Draft, failureDraft, openLedger } from '../ledger/support.js';
import { freshFolder } from '../support/folders.js';

const NAMES = ['anise', 'basil', 'caper', 'dill', 'endive', 'fennel', 'garlic', 'hyssop'];
const TASKS: TaskOutline[] = ['a', 'b', 'c'].map((id) => ({
  id,
  panel: 'panel_1',
  family: 'pairing',
  choices: NAMES,
  promptSha256: sha256(`prompt ${id}`),
}));

type Cell = readonly [CellOptions, Draft];

async function ledgerWith(cells: readonly Cell[]): Promise<string> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  for (const [options, draft] of cells) await ledger.putRecord(ledger.compose(bindingFor(options), draft));
  await ledger.close();
  return dir;
}

function choose(dirs: readonly string[], repeat = 0) {
  const sources = openSources(dirs);
  const models = modelsOf(sources, 'primary');
  return {
    models,
    chosen: chooseRecords({ sources, models, tasks: TASKS, phase: 'primary', repeat, parser: 'v4' }),
  };
}

const of = (dirs: readonly string[], task: string, repeat = 0) => choose(dirs, repeat).chosen.get('m/one')?.get(task);

describe('the record of a cell from several ledgers', () => {
  it('is the first completed and parseable, else the first completed, else the first', async () => {
    const one = await ledgerWith([
      [{ task: 'a' }, failureDraft('length')],
      [{ task: 'b' }, answerDraft('no idea')],
      [{ task: 'c' }, failureDraft('length')],
    ]);
    const two = await ledgerWith([
      [{ task: 'a' }, answerDraft('still nothing')],
      [{ task: 'b' }, answerDraft('FINAL_SELECTION: A,B,C')],
      [{ task: 'c' }, failureDraft('empty')],
    ]);
    const three = await ledgerWith([
      [{ task: 'a' }, answerDraft('FINAL_SELECTION: A,B,C')],
      [{ task: 'b' }, answerDraft('FINAL_SELECTION: F,G,H')],
    ]);
    const all = [one, two, three];
    expect(of(all, 'a')).toMatchObject({ source: 2, completed: true, parse: 'ok' });
    expect(of(all, 'b')).toMatchObject({ source: 1, completed: true, parse: 'ok' });
    expect(of(all, 'c')).toMatchObject({ source: 0, completed: false, parse: null });
    expect(of([one, two], 'a')).toMatchObject({ source: 1, completed: true, parse: 'no_marker' });
    expect(of([three, two], 'b')).toMatchObject({ source: 0 });
  });

  it('is parsed anew whatever it says, names instead of labels too', async () => {
    const dir = await ledgerWith([
      [{ task: 'a' }, answerDraft('FINAL_SELECTION: basil, dill, hyssop')],
      [{ task: 'b' }, answerDraft('nothing', { parse: { parser: 'x', outcome: 'ok', selection: 'ABC' } })],
    ]);
    expect(of([dir], 'a')?.parse).toBe('ok');
    expect(of([dir], 'b')?.parse).toBe('no_marker');
  });

  it('is of one phase and one sample only', async () => {
    const dir = await ledgerWith([
      [{ task: 'a', phase: 'pilot' }, answerDraft()],
      [{ task: 'b', repeat: 1 }, answerDraft()],
    ]);
    expect(of([dir], 'a')).toBeUndefined();
    expect(of([dir], 'b')).toBeUndefined();
    expect(of([dir], 'b', 1)).toBeDefined();
  });

  it('is never a superseded or quarantined one', async () => {
    const dir = await ledgerWith([
      [{ task: 'a' }, failureDraft('length')],
      [{ task: 'b' }, answerDraft()],
    ]);
    const ledger = await openLedger(dir);
    const a = bindingFor({ task: 'a' });
    await requestRetry(ledger, { cells: [a.cell], listSha256: 'f'.repeat(64) });
    await ledger.putRecord(ledger.compose(a, failureDraft('refusal')));
    expect(of([dir], 'a')?.entry.outcome).toBe('refusal');
    await quarantineBlock({ ledger, modelId: 'm/one', slot: a.slot, reason: 'route went away' });
    await ledger.close();
    expect(choose([dir]).models).toEqual([]);
    expect(of([dir], 'b')).toBeUndefined();
  });

  it('is refused when it answers another prompt', async () => {
    const dir = await ledgerWith([[{ task: 'a', prompt_sha256: sha256('other') }, answerDraft()]]);
    expect(() => choose([dir])).toThrow(/answer is to another prompt/);
    const ledger = await openLedger(dir);
    const reworded = bindingFor({ task: 'a' });
    await ledger.putRecord(ledger.compose(reworded, failureDraft('length')));
    await ledger.close();
    expect(of([dir], 'a')?.entry.outcome).toBe('length');
  });
});

describe('a core is refused because of', () => {
  it('two routes of one model in one panel', async () => {
    const one = await ledgerWith([[{ task: 'a' }, answerDraft()]]);
    const two = await ledgerWith([[{ task: 'b', decoding: { temperature: 1 } }, answerDraft()]]);
    const { chosen } = choose([one, two]);
    const mixed = mixedBlocks(chosen);
    expect(mixed).toMatchObject([{ model_id: 'm/one', panel: 'panel_1' }]);
    expect(mixed[0]?.contracts).toHaveLength(2);
    const options = { mixed, unpinned: [], allowUnpinned: false } as const;
    expect(() => assertRankable({ ...options, allowMixedRoutes: false })).toThrow(
      /more than one contract: m\/one in panel_1/,
    );
    assertRankable({ ...options, allowMixedRoutes: true });
  });

  it('a route that is not pinned', async () => {
    const dir = await ledgerWith([[{ task: 'a' }, answerDraft(undefined, { rank_eligible: false })]]);
    const unpinned = unpinnedModels(choose([dir]).chosen);
    expect(unpinned).toEqual(['m/one']);
    const options = { mixed: [], unpinned, allowMixedRoutes: false } as const;
    expect(() => assertRankable({ ...options, allowUnpinned: false })).toThrow(/not rank-eligible/);
    assertRankable({ ...options, allowUnpinned: true });
  });
});

describe('the validity matrix of a ledger', () => {
  it('has two bits a cell; an absent cell is 0, 0', async () => {
    const dir = await ledgerWith([
      [{ task: 'a' }, answerDraft()],
      [{ task: 'b' }, answerDraft('no idea')],
    ]);
    const { chosen, models } = choose([dir]);
    const matrix = validityOf({ panel: 'panel_1', models, tasks: TASKS, chosen });
    expect([...matrix.completed]).toEqual([1, 1, 0]);
    expect([...matrix.parseable]).toEqual([1, 0, 0]);
    expect(Object.keys(matrix).sort()).toEqual(['completed', 'models', 'panel', 'parseable', 'tasks'].sort());
  });
});
