import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spendingOf } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import type { LedgerWriter } from '../../src/ledger/ledger-writer.js';
import { requestRetry, sealAmbiguous } from '../../src/ledger/resume.js';
import { salvageLedger } from '../../src/ledger/salvage.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger, ROUTE } from './support.js';

const AT = '2026-09-01T00:00:00.000Z';
const COST = 1500;
const RESERVED = 2000;

const journalOf = (dir: string) => join(dir, 'attempts.jsonl');
const linesOf = (dir: string) => readFileSync(journalOf(dir), 'utf8').split('\n').slice(0, -1);

/** Asks a cell: a start, and unless it is left open a reply and its record. `id` is the request's own name. */
async function ask(
  ledger: LedgerWriter,
  task: string,
  id: string,
  { open = false, failed = false } = {},
): Promise<void> {
  const binding = bindingFor({ task });
  const common = { cell: binding.cell, attempt_id: id, attempt_index: 0 };
  await ledger.append({
    type: 'request_started',
    ...common,
    binding,
    model_name: 'One',
    route: ROUTE,
    rank_eligible: true,
    reserved_micros: RESERVED,
  });
  if (open) return;
  await ledger.append({ type: 'response_received', ...common, cost_micros: COST });
  const answer = `FINAL_SELECTION: A,B,C (${id})`;
  const { generation } = answerDraft(answer);
  await ledger.putRecord(
    ledger.compose(
      binding,
      failed
        ? failureDraft('length', { generation: { ...generation!, answer: null }, budget: answerDraft().budget })
        : answerDraft(answer),
    ),
  );
}

/** A folder in which two writers have gone on from one ledger, their lines mixed in the order that `pick` gives. */
async function mixed(options: {
  readonly before: (ledger: LedgerWriter) => Promise<void>;
  readonly writers: readonly ((ledger: LedgerWriter) => Promise<void>)[];
  readonly pick?: (step: number) => number;
}): Promise<string> {
  const dir = freshFolder();
  const first = await openLedger(dir);
  await options.before(first);
  await first.close();
  const start = linesOf(dir).length;
  const copies = await Promise.all(
    options.writers.map(async (work) => {
      const copy = freshFolder();
      cpSync(dir, copy, { recursive: true });
      const ledger = await openLedger(copy);
      await work(ledger);
      await ledger.close();
      return copy;
    }),
  );
  const queues = copies.map((copy) => linesOf(copy).slice(start));
  let lines = '';
  for (let step = 0; queues.some((queue) => queue.length > 0); step += 1) {
    const wanted = queues[(options.pick?.(step) ?? step) % queues.length]!;
    lines += `${(wanted.length > 0 ? wanted : queues.find((queue) => queue.length > 0)!).shift()}\n`;
  }
  appendFileSync(journalOf(dir), lines);
  for (const copy of copies)
    if (existsSync(join(copy, 'records'))) cpSync(join(copy, 'records'), join(dir, 'records'), { recursive: true });
  return dir;
}

function salvaged(dir: string) {
  const out = freshFolder();
  const found = salvageLedger({ dir, out, at: AT });
  expect(verifyLedger(out).problems).toEqual([]);
  return { out, found, view: viewLedger(out) };
}

const headOf = (out: string, task: string) => viewLedger(out).state.cells.get(bindingFor({ task }).cell)?.head;

describe('a journal that two writers mixed', () => {
  it('does not prove, and becomes a whole ledger: every answer, every cost, and what is in the way named', async () => {
    const dir = await mixed({
      before: async (ledger) => {
        await ask(ledger, 'both', 'seen by both');
        await ask(ledger, 'flight', 'in flight', { open: true });
      },
      writers: [
        async (ledger) => {
          await ask(ledger, 'one', 'one');
          await ask(ledger, 'twice', 'twice, first');
          await ask(ledger, 'left', 'left open', { open: true });
        },
        async (ledger) => {
          await sealAmbiguous(ledger, { recordedAt: AT });
          await ask(ledger, 'twice', 'twice, second');
          await ask(ledger, 'two', 'two');
        },
      ],
    });
    expect(() => viewLedger(dir)).toThrow(/does not follow from the line before it/);
    const before = readFileSync(journalOf(dir));
    const { out, found, view } = salvaged(dir);
    expect(readFileSync(journalOf(dir))).toEqual(before);
    expect(found).toMatchObject({ lost_lines: [], lost_records: [], records: 5 });
    expect(found.breaks).toBeGreaterThan(1);
    expect(found.unplaced).toHaveLength(1);
    expect(found.unplaced[0]).toMatchObject({
      cell: bindingFor({ task: 'twice' }).cell,
      why: expect.stringContaining('is kept'),
    });
    for (const task of ['both', 'one', 'two', 'twice']) expect(headOf(out, task)?.status).toBe('completed');
    expect(headOf(out, 'flight')?.outcome).toBe('ambiguous');
    // Five answers were paid (`twice` twice), one request was sealed as uncertain, one is open.
    expect(spendingOf(view.state)).toMatchObject({ spent_micros: 5 * COST, uncertain_micros: 2 * RESERVED });
    const kept = readdirSync(join(out, 'quarantine', 'unplaced'), { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toHaveLength(1);
    const next = await openLedger(out);
    await sealAmbiguous(next, { recordedAt: AT });
    await next.close();
    expect(verifyLedger(out)).toMatchObject({ problems: [], repairable: [] });
    expect(spendingOf(viewLedger(out).state)).toMatchObject({ spent_micros: 5 * COST, uncertain_micros: 2 * RESERVED });
  });

  it('keeps an answer before the failure that another writer sealed in its place', async () => {
    const dir = await mixed({
      before: (ledger) => ask(ledger, 'one', 'one', { open: true }),
      writers: [
        async (ledger) => {
          await sealAmbiguous(ledger, { recordedAt: AT });
        },
        async (ledger) => {
          const binding = bindingFor({ task: 'one' });
          await ledger.append({
            type: 'response_received',
            cell: binding.cell,
            attempt_id: 'one',
            attempt_index: 0,
            cost_micros: COST,
          });
          await ledger.putRecord(ledger.compose(binding, answerDraft()));
        },
      ],
    });
    const { out, found, view } = salvaged(dir);
    expect(headOf(out, 'one')?.status).toBe('completed');
    expect(found.unplaced).toHaveLength(1);
    expect(spendingOf(view.state)).toMatchObject({ spent_micros: COST, uncertain_micros: 0 });
  });

  it('loses no request and no cost, however their lines fell', async () => {
    const step = fc.record({ task: fc.integer({ min: 0, max: 3 }), open: fc.boolean(), failed: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 4 }),
        fc.array(step, { maxLength: 4 }),
        fc.array(fc.nat(1), { minLength: 30, maxLength: 30 }),
        async (a, b, picks) => {
          /** Requests made, by name, with whether they were answered. */
          const requests = new Map<string, boolean>();
          const writer = (steps: typeof a, who: string) => async (ledger: LedgerWriter) => {
            for (const [i, { task, open, failed }] of steps.entries()) {
              const cell = ledger.state.cells.get(bindingFor({ task: `t${task}` }).cell);
              if (cell?.attempt === 'maybe_accepted' || cell?.head?.status === 'completed') continue;
              if (cell?.head) await requestRetry(ledger, { cells: [cell.cell], listSha256: `${who}${i}` });
              const id = `${who} ${i}`;
              requests.set(id, !open);
              await ask(ledger, `t${task}`, id, { open, failed });
            }
          };
          const dir = await mixed({
            before: async () => {},
            writers: [writer(a, 'a'), writer(b, 'b')],
            pick: (i) => picks[i % 30]!,
          });
          const { view, found } = salvaged(dir);
          const answered = [...requests.values()].filter((said) => said).length;
          const spending = spendingOf(view.state);
          expect(spending.spent_micros).toBe(answered * COST);
          expect(spending.uncertain_micros).toBe((requests.size - answered) * RESERVED);
          expect(found.records + found.unplaced.length).toBe(answered);
          expect(found.lost_records).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a damaged ledger', () => {
  it('gives all but the bytes that prove nothing, which are kept and named', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    for (const task of ['a', 'b', 'c']) await ask(ledger, task, task);
    await ledger.close();
    const lines = linesOf(dir);
    // One line changed, one cut short by a full disk with the next behind it, one gone.
    lines[2] = lines[2]!.replace('1500', '1501');
    lines[5] = `${lines[5]!.slice(0, 90)}${lines[6]}`;
    lines.splice(6, 1);
    writeFileSync(journalOf(dir), `${lines.join('\n')}\n`);
    const { out, found, view } = salvaged(dir);
    expect(found.lost_lines.map(({ line }) => line)).toEqual([3, 6]);
    expect(found.lost_lines[0]!.why).toContain('differs from its digest');
    const kept = readdirSync(join(out, 'quarantine')).filter((name) => name.startsWith('lost-lines-'));
    expect(readFileSync(join(out, 'quarantine', kept[0]!), 'utf8')).toContain('1501');
    // Records cite those lines: they prove by themselves, and stay in force.
    expect(found).toMatchObject({ records: 3, unplaced: [], lost_records: [] });
    for (const task of ['a', 'b', 'c']) expect(headOf(out, task)?.status).toBe('completed');
    expect(spendingOf(view.state)).toMatchObject({ spent_micros: 3 * COST, uncertain_micros: 0 });
  });

  it('of which nothing proves gives an empty ledger, and keeps every byte', () => {
    const dir = freshFolder();
    const bytes = Buffer.concat([Buffer.alloc(5000), Buffer.from('{"chain":"{"chain":"'), Buffer.alloc(999, 123)]);
    writeFileSync(journalOf(dir), bytes);
    const { out, found } = salvaged(dir);
    expect(found).toMatchObject({ events: 0, records: 0 });
    expect(found.lost_lines.reduce((sum, { bytes: lost }) => sum + lost, 0)).toBe(bytes.length);
    const [kept] = readdirSync(join(out, 'quarantine'));
    expect(readFileSync(join(out, 'quarantine', kept!)).length).toBe(bytes.length + found.lost_lines.length);
  });

  it('names a record that is gone, whose request is sealed by the next writer and not asked again', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    for (const task of ['a', 'b']) await ask(ledger, task, task);
    await ledger.close();
    const { cell, head } = viewLedger(dir).state.cells.get(bindingFor({ task: 'a' }).cell)!;
    rmSync(viewLedger(dir).files.get(head!.record_sha256)!.path);
    expect(() => viewLedger(dir)).toThrow(/its file is missing/);
    const { out, found } = salvaged(dir);
    expect(found.lost_records).toEqual([{ record: head!.record_sha256, cell, why: 'its file is missing' }]);
    const next = await openLedger(out);
    expect((await sealAmbiguous(next, { recordedAt: AT })).map((record) => record.outcome)).toEqual(['interrupted']);
    await next.close();
    expect(spendingOf(viewLedger(out).state)).toMatchObject({ spent_micros: 2 * COST, uncertain_micros: 0 });
  });

  it('is not overwritten, and a whole one is salvaged to what it was', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    await ask(ledger, 'a', 'a');
    await ledger.close();
    const { out, found, view } = salvaged(dir);
    expect(found).toMatchObject({ breaks: 0, lost_lines: [], dropped_events: 0, unplaced: [], cost_micros: 0 });
    expect(spendingOf(view.state)).toEqual(spendingOf(viewLedger(dir).state));
    for (const place of [out, dir, join(dir, 'new'), join(dir, 'quarantine', 'deep')])
      expect(() => salvageLedger({ dir, out: place, at: AT })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(verifyLedger(dir)).toMatchObject({ problems: [], repairable: [] });
  });
});
