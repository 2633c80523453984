import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import type { CellBinding } from '../../src/ledger/cell-key.js';
import type { ShardDeclaration } from '../../src/ledger/journal-event.js';
import { shardOfCell, shareOf } from '../../src/ledger/ledger-shard.js';
import { ledgerStatus } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import type { LedgerWriter } from '../../src/ledger/ledger-writer.js';
import { mergeLedgers } from '../../src/ledger/merge-ledgers.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { proveJournal } from '../../src/release/journal.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, startCell } from './support.js';

const AT = '2026-08-22T00:00:00.000Z';
const PLAN = sha256('plan');
const TASKS = Array.from({ length: 24 }, (_, i) =>
  bindingFor({ task: `task-${i}`, family: i % 2 ? 'pairing' : 'constraint' }),
);
const ofShard = (index: number, count: number) => TASKS.filter(({ cell }) => shardOfCell(cell, count) === index);
const out = () => join(freshFolder(), 'merged');

/** A ledger of one shard of 24 cells under a cap of 10 micro-USD and 100 tokens, the first of its cells failed. */
async function shardLedger(
  index: number,
  count: number,
  changes: Partial<ShardDeclaration> = {},
  more?: (ledger: LedgerWriter) => Promise<void>,
): Promise<string> {
  const dir = freshFolder();
  const own = ofShard(index, count);
  const ledger = await openLedger(dir, { clock: () => Date.UTC(2026, 7, 20) + index });
  const caps = { cap_micros: 10, cap_tokens: 100 };
  const shares = { share_micros: shareOf(10, { index, count }), share_tokens: shareOf(100, { index, count }) };
  await ledger.declareShard({ manifest_sha256: PLAN, index, count, cells: own.length, ...caps, ...shares, ...changes });
  const counts = ['constraint', 'pairing'].map((family) => ({
    ...{ model_id: 'm/one', panel: 'panel_1', family },
    cells: own.filter((binding) => binding.family === family).length,
  }));
  await ledger.declareSchedule({ manifest_sha256: PLAN, phase: 'primary', counts });
  for (const [i, binding] of own.entries())
    await answered(ledger, binding, i === 0 ? failureDraft('ambiguous') : answerDraft());
  await more?.(ledger);
  await ledger.close();
  return dir;
}

async function answered(ledger: LedgerWriter, binding: CellBinding, draft = answerDraft()): Promise<void> {
  await startCell(ledger, binding, ['response_received']);
  await ledger.putRecord(ledger.compose(binding, draft));
}

const merge = (sources: readonly string[], partial = false) => {
  const target = out();
  return { target, result: mergeLedgers({ sources, out: target, at: AT, partial }) };
};

/** The code and words of a merge that is refused, which leaves nothing behind. */
function refusal(sources: readonly string[], partial = false): string {
  const target = out();
  try {
    mergeLedgers({ sources, out: target, at: AT, partial });
  } catch (error) {
    expect(existsSync(target)).toBe(false);
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
  throw new Error('was merged');
}

describe('the division of a plan among shards', () => {
  it('gives every cell to one shard, evenly, and every unit of money to one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat({ max: 2 ** 40 }), fc.nat(), (count, units, seed) => {
        const shard = shardOfCell(sha256(String(seed)), count);
        expect(shard).toBeGreaterThanOrEqual(1);
        expect(shard).toBeLessThanOrEqual(count);
        const [first, last] = [shareOf(units, { index: 1, count }), shareOf(units, { index: count, count })];
        expect(first - last).toBeGreaterThanOrEqual(0);
        expect(first - last).toBeLessThanOrEqual(1);
        const more = units % count;
        expect(more * first + (count - more) * last).toBe(units);
      }),
    );
    expect(['0', '7', '8', 'f'].map((digit) => shardOfCell(digit.repeat(64), 2))).toEqual([1, 1, 2, 2]);
    expect([1, 2, 3].map((index) => shareOf(10, { index, count: 3 }))).toEqual([4, 3, 3]);
    const sizes = Array.from({ length: 8 }, () => 0);
    for (let i = 0; i < 8000; i += 1) sizes[shardOfCell(sha256(`cell ${i}`), 8) - 1]! += 1;
    expect(Math.min(...sizes)).toBeGreaterThan(880);
    expect(Math.max(...sizes)).toBeLessThan(1120);
  });
});

describe('shards of a plan', () => {
  it('are joined into a ledger of the whole plan: every record and attempt, money and schedule added up', async () => {
    const dirs = await Promise.all([1, 2, 3].map((index) => shardLedger(index, 3)));
    const { target, result } = merge([dirs[2]!, dirs[0]!, dirs[1]!]);
    const sizes = [1, 2, 3].map((index) => ofShard(index, 3).length);
    expect(Math.min(...sizes)).toBeGreaterThan(1);
    expect(result).toMatchObject({
      records: 24,
      shared: 0,
      cost_micros: 21 * 1500,
      shards: { manifest_sha256: PLAN, count: 3, missing: [], cells: 24, cap_micros: 10 },
    });
    const sum = (name: 'uncertain_micros' | 'tokens') =>
      dirs.reduce((total, dir) => total + viewLedger(dir).state.totals[name], 0);
    expect(sum('uncertain_micros')).toBeGreaterThan(0);
    expect([result.uncertain_micros, result.tokens]).toEqual([sum('uncertain_micros'), sum('tokens')]);
    expect(verifyLedger(target)).toMatchObject({ problems: [], repairable: [], records: 24 });
    const status = ledgerStatus(viewLedger(target), []);
    expect(status).toMatchObject({ shard: null, total: { scheduled: 24, completed: 21, failed: 3 } });
    expect(status.rows.map(({ family, scheduled }) => [family, scheduled])).toEqual([
      ['constraint', 12],
      ['pairing', 12],
    ]);
    // Every line of every source but its first is there.
    const events = (dir: string) =>
      new Set(readFileSync(join(dir, 'attempts.jsonl'), 'utf8').match(/"event_sha256":"\w+/g));
    const joined = events(target);
    for (const dir of dirs) expect([...events(dir)].slice(1).filter((event) => !joined.has(event))).toEqual([]);
  });

  it('are joined in part where that is asked for, and the rest later', async () => {
    const dirs = await Promise.all([1, 2, 3].map((index) => shardLedger(index, 3)));
    expect(refusal(dirs.slice(0, 2))).toMatch(/^SHARDS_INCOMPLETE shard 3 of 3 is missing/);
    const some = merge([dirs[0]!, dirs[2]!], true);
    expect(some.result.shards).toMatchObject({ missing: [2], cells: 24 - ofShard(2, 3).length });
    const all = merge([dirs[1]!, some.target]);
    expect(all.result).toMatchObject({ records: 24, shards: { missing: [], cells: 24 } });
    expect(ledgerStatus(viewLedger(all.target), []).total).toMatchObject({ scheduled: 24 });
    expect(refusal([some.target, dirs[0]!], true)).toMatch(/^SHARDS_DIFFER .*is shard 1\/3, as .* is/);
    // What was joined whole is an ordinary ledger, which others can be merged with.
    const other = freshFolder();
    const ledger = await openLedger(other);
    await answered(ledger, bindingFor({ model_id: 'm/two' }));
    await ledger.close();
    expect(merge([all.target, other]).result).toMatchObject({ records: 25, shards: null });
    expect(refusal([dirs[0]!, other], true)).toMatch(/^SHARDS_DIFFER .*is the ledger of a whole plan and no shard/);
  });

  it('whose route changed on the way are joined: every shard put its block aside, and both stay', async () => {
    const changed = { decoding: { temperature: 1, max_tokens: 64 } };
    const moved = async (index: number) => {
      const dir = await shardLedger(index, 2);
      const ledger = await openLedger(dir, { clock: () => Date.UTC(2026, 7, 21) - index });
      await quarantineBlock({ ledger, modelId: 'm/one', slot: TASKS[0]!.slot, reason: 'another route' });
      const tasks = TASKS.map(({ task_id: task, family }) => bindingFor({ task, family, ...changed }));
      const own = tasks.filter(({ cell }) => shardOfCell(cell, 2) === index);
      for (const binding of own) await answered(ledger, binding);
      await ledger.close();
      return dir;
    };
    const dirs = [await moved(1), await moved(2)];
    const { target, result } = merge(dirs);
    expect(result).toMatchObject({ records: 24, shards: { missing: [] } });
    expect(verifyLedger(target)).toMatchObject({ problems: [], records: 24, quarantined: 24 });
    const bytes = new Uint8Array(readFileSync(join(target, 'attempts.jsonl')));
    expect(proveJournal(bytes, 'journal')).toMatchObject({ faults: [], disordered: null });
    // A route that changed in one of them alone is no one plan's.
    expect(refusal([dirs[0]!, await shardLedger(2, 2)])).toMatch(/^LEDGER_CONFLICT .*was collected under contract/);
  });

  it('are refused where they do not belong together', async () => {
    const [one, two] = await Promise.all([shardLedger(1, 2), shardLedger(2, 2)]);
    const copy = join(freshFolder(), 'copy');
    cpSync(one, copy, { recursive: true });
    expect(refusal([one, two, copy])).toMatch(/^SHARDS_DIFFER .*copy: is shard 1\/2, as .* is/);
    const plan = await shardLedger(2, 2, { manifest_sha256: sha256('another plan') });
    expect(refusal([one, plan])).toMatch(/^SHARDS_DIFFER .*was collected under plan \w+ last/);
    expect(refusal([one, await shardLedger(2, 3)], true)).toMatch(/^SHARDS_DIFFER .*is shard 2\/3, .* one of 2/);
    const [foreign] = ofShard(1, 2);
    const mixed = await shardLedger(2, 2, {}, (ledger) => answered(ledger, foreign!));
    expect(refusal([one, mixed])).toMatch(
      new RegExp(`^SHARDS_DIFFER .*holds cell ${foreign!.cell} of shard 1; it is shard 2/2`),
    );
    const open = await shardLedger(2, 2, {}, async (ledger) => {
      await startCell(ledger, bindingFor({ task: 'more' }));
    });
    expect(refusal([one, open])).toMatch(/^INCOMPLETE .*1 cells may be in delivery/);
  });

  it('are refused where one of them is damaged, or claims another share of the budget', async () => {
    const [one, two] = await Promise.all([shardLedger(1, 2), shardLedger(2, 2)]);
    const rich = await shardLedger(2, 2, { share_micros: 6 });
    expect(refusal([one, rich])).toMatch(
      /^LEDGER_DAMAGED .*says that its share is 6 micro-USD and 50 tokens; .* it is 5 and 50/,
    );
    const journal = join(two, 'attempts.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replace('"cap_micros":10', '"cap_micros":99'));
    expect(refusal([one, two])).toMatch(/^LEDGER_DAMAGED .*attempts\.jsonl.*the event differs from its digest/);
    const lines = text.split('\n');
    writeFileSync(journal, [...lines.slice(0, 3), ...lines.slice(4)].join('\n'));
    expect(refusal([one, two])).toMatch(/^LEDGER_DAMAGED .*does not follow from the line before it/);
    writeFileSync(journal, text);
    const block = join(two, 'records', 'primary');
    const [slot] = readdirSync(block);
    const [name] = readdirSync(join(block, slot!));
    const changed = readFileSync(join(block, slot!, name!), 'utf8').replace(
      '"outcome":"completed"',
      '"outcome":"length"',
    );
    writeFileSync(join(block, slot!, name!), changed);
    expect(refusal([one, two])).toMatch(new RegExp(`^LEDGER_DAMAGED .*${name}`));
  });
});
