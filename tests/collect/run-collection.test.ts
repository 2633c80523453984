import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestRetry } from '../../src/ledger/resume.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { FlavourError } from '../../src/util/error.js';
import { faultModel, runHere, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

let folder: string;
let server: FaultServer;
let choose: (model: string, nth: number) => Fault;

beforeEach(async () => {
  folder = temporaryFolder();
  choose = () => 'correct';
  server = await startFaultServer({
    seed: 'r',
    prices: { prompt: 2, completion: 6 },
    choose: ({ model, nth }) => choose(model, nth),
    retryAfter: '1',
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const model = (id: string, more: Record<string, unknown> = {}) => faultModel(server.url, 'openai', id, more);

function plan(tasks: number, more: Record<string, unknown>): string {
  return writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, tasks) }],
    budget: { usd: '10' },
    ...more,
  });
}

const ledger = (): string => join(folder, 'ledger');

describe('a run of a collection', () => {
  it('ends at once when the ledger can no longer be written, and says so', async () => {
    choose = (id) => (id === 't/parked' ? 'rate_after' : 'correct');
    server.retryAfter = '300';
    const models = ['t/a', 't/parked'].map((id) => model(id, { concurrency: 4 }));
    const full = new FlavourError('LEDGER_WRITE_FAILED', 'the disk is full', { exit: 5 });
    let left = 25;
    const run = runHere({
      plan: plan(30, { models, concurrency: { global: 3 } }),
      ledger: ledger(),
      before: async (open) => {
        const append = open.append.bind(open);
        open.append = (event) => {
          left -= 1;
          return left < 0 ? Promise.reject(full) : append(event);
        };
      },
    });
    await expect(run).rejects.toBe(full);
    expect(server.calls).toBeLessThan(25);
  });

  it('says why cells stay pending and why a route rests', async () => {
    const refused = { base_url: 'http://127.0.0.1:9/v1', revision: 'r' };
    const one = plan(2, { models: [model('t/a', refused)], max_attempts: 1 });
    const { summary } = await runHere({ plan: one, ledger: ledger() });
    expect(summary.rejections['t/a']).toContain('ECONNREFUSED');
    const two = plan(9, { models: [model('t/a', refused)], max_attempts: 1 });
    const rested = await runHere({ plan: two, ledger: join(folder, 'second') });
    expect(rested.summary.suspended['t/a']).toMatch(/in a row without .*ECONNREFUSED/);
  });

  it('keeps the ceilings of model, backend and run', async () => {
    choose = () => 'trickle';
    const models = ['t/a', 't/b', 't/c'].map((id) => model(id, { concurrency: 5 }));
    const one = plan(12, { models, concurrency: { global: 7 } });
    await runHere({ plan: one, ledger: ledger() });
    const ceiling = (most: number): void => {
      expect(server.mostInFlight).toBeLessThanOrEqual(most);
      expect(server.mostInFlight).toBeGreaterThan(most / 2);
    };
    ceiling(7);
    server.mostInFlight = 0;
    const host = new URL(server.url).host;
    const two = plan(12, { models, concurrency: { global: 50, backends: { [host]: 3 } } });
    await runHere({ plan: two, ledger: join(folder, 'second') });
    ceiling(3);
    server.mostInFlight = 0;
    const three = plan(12, { models: models.slice(0, 1), concurrency: { global: 50 } });
    await runHere({ plan: three, ledger: join(folder, 'third') });
    ceiling(5);
  });

  // EleutherAI/lm-evaluation-harness#2141: a run failed when every sample was there.
  // promptfoo/promptfoo#5849: everything was asked again.
  it('makes no call when every record is there, and asks only a model that is new', async () => {
    await runHere({ plan: plan(6, { models: [model('t/a')] }), ledger: ledger() });
    expect(server.calls).toBe(6);
    const wider = plan(6, { models: [model('t/b'), model('t/a')] });
    const { summary } = await runHere({ plan: wider, ledger: ledger() });
    expect(summary).toMatchObject({ asked: 6, completed: 6, already_completed: 6 });
    expect([...server.arrivals.keys()].filter((cell) => cell.startsWith('t/a'))).toHaveLength(6);
    const again = await runHere({ plan: wider, ledger: ledger() });
    expect(again.summary).toMatchObject({ status: 'complete', asked: 0 });
    expect(server.calls).toBe(12);
  });

  // promptfoo/promptfoo#360: repeats were served the first cached answer.
  it('asks k samples of a cell k times, and --limit only so many', async () => {
    const file = plan(3, { models: [model('t/a')], phases: { primary: { samples: 4 } } });
    const first = await runHere({ plan: file, ledger: ledger(), limit: 5 });
    expect(first.summary).toMatchObject({ status: 'limit_reached', asked: 5, pending: 7 });
    const rest = await runHere({ plan: file, ledger: ledger() });
    expect(rest.summary).toMatchObject({ asked: 7, pending: 0 });
    expect(server.calls).toBe(12);
    expect(new Set(rest.records.map((r) => r.cell)).size).toBe(12);
  });

  it('waits out a Retry-After on that route alone', async () => {
    // The parked route is let in only when the other one is done: a parked route that held its slots would never be.
    const done = () => [...server.accepted.keys()].filter((c) => c.startsWith('t/fast')).length === 4;
    choose = (name) => (name === 't/slow' && !done() ? 'rate_after' : 'correct');
    server.retryAfter = '0.3';
    const models = [model('t/slow', { concurrency: 2 }), model('t/fast', { concurrency: 2 })];
    const { summary, records } = await runHere({
      plan: plan(4, { models, concurrency: { global: 2 }, max_attempts: 10 }),
      ledger: ledger(),
    });
    expect(summary).toMatchObject({ status: 'complete', completed: 8 });
    const retries = records.map((r) => [r.key.model_id, (r.generation?.retries ?? 0) > 0]);
    expect(retries.filter(([id, again]) => id === 't/slow' && again).length).toBeGreaterThan(0);
    expect(retries.filter(([id, again]) => id === 't/fast' && again)).toEqual([]);
  });

  // UKGovernmentBEIS/inspect_ai#5138: one long Retry-After froze the rest of the run.
  it('rests a route whose Retry-After is longer than it may wait', async () => {
    choose = (name) => (name === 't/slow' ? 'rate_after' : 'correct');
    const { summary } = await runHere({
      plan: plan(6, { models: [model('t/slow', { concurrency: 1 }), model('t/fast')] }),
      ledger: ledger(),
      maxWaitSeconds: 0,
    });
    expect(summary).toMatchObject({ status: 'incomplete', completed: 6, pending: 6 });
    expect(summary.suspended['t/slow']).toContain('asks to wait 1 s');
    expect(server.calls).toBe(7);
  });

  it.each(['status_500', 'bad_request', 'rate'] as const)(
    'rests a route after five cells in a row with %s, instead of burning its block',
    async (fault) => {
      choose = (name) => (name === 't/bad' ? fault : 'correct');
      const { summary } = await runHere({
        plan: plan(30, {
          models: [model('t/bad', { concurrency: 1 }), model('t/good')],
          max_attempts: 1,
        }),
        ledger: ledger(),
      });
      expect(summary).toMatchObject({ status: 'incomplete', completed: 30 });
      expect([...server.arrivals.keys()].filter((c) => c.startsWith('t/bad'))).toHaveLength(5);
    },
  );

  it('finishes what is in flight on a stop, and leaves a ledger that resumes', async () => {
    const stop = new AbortController();
    choose = () => 'trickle';
    const file = plan(40, { models: [model('t/a', { concurrency: 4 })] });
    const { summary } = await runHere({
      plan: file,
      ledger: ledger(),
      stop: stop.signal,
      onCell: (done) => done >= 6 && stop.abort(),
    });
    expect(summary.status).toBe('stopped_by_signal');
    expect(summary.completed).toBeGreaterThanOrEqual(6);
    expect(summary.completed).toBeLessThanOrEqual(10);
    expect(server.calls).toBe(summary.completed);
    expect(verifyLedger(ledger()).problems).toEqual([]);
    const rest = await runHere({ plan: file, ledger: ledger() });
    expect(rest.summary).toMatchObject({ status: 'complete', sealed_ambiguous: 0 });
    expect(server.calls).toBe(40);
  });
});

describe('a run under a budget', () => {
  it('stops before the cap, resumes under a larger one, and pays nothing twice', async () => {
    const models = ['t/a', 't/b', 't/c'].map((id) => model(id, { concurrency: 8 }));
    const small = plan(60, { models, budget: { usd: '0.02' } });
    const first = await runHere({ plan: small, ledger: ledger() });
    expect(first.summary.status).toBe('stopped_by_budget');
    expect(first.summary.completed).toBeGreaterThan(3);
    expect(first.summary.spent_micros).toBeLessThanOrEqual(20_000);
    expect(first.summary.spent_micros).toBe(server.costMicros);
    const still = await runHere({ plan: small, ledger: ledger() });
    expect(still.summary).toMatchObject({ status: 'stopped_by_budget' });
    expect(server.costMicros).toBeLessThanOrEqual(20_000);
    const large = plan(60, { models, budget: { usd: '5' } });
    const rest = await runHere({ plan: large, ledger: ledger() });
    expect(rest.summary).toMatchObject({ status: 'complete', pending: 0 });
    expect(rest.summary.spent_micros).toBe(server.costMicros);
    expect([...server.accepted.values()].every((n) => n === 1)).toBe(true);
    expect(server.accepted.size).toBe(180);
  });

  it('keeps uncertain reservations against the cap after a restart', async () => {
    choose = () => 'status_500';
    const file = plan(40, { models: [model('t/a')], suspend_after: 1000, budget: { usd: '0.01' } });
    const first = await runHere({ plan: file, ledger: ledger() });
    expect(first.summary.status).toBe('stopped_by_budget');
    expect(first.summary.uncertain_micros).toBeGreaterThan(0);
    const calls = server.calls;
    const again = await runHere({ plan: file, ledger: ledger() });
    expect(again.summary.uncertain_micros).toBe(first.summary.uncertain_micros);
    expect(server.calls).toBe(calls);
  });

  it('stops at a cap on tokens', async () => {
    const file = plan(40, { models: [model('t/a')], budget: { usd: '100', tokens: 9000 } });
    const { summary, records } = await runHere({ plan: file, ledger: ledger() });
    const used = records.reduce(
      (n, r) => n + (r.generation?.prompt_tokens ?? 0) + (r.generation?.completion_tokens ?? 0),
      0,
    );
    expect(summary.status).toBe('stopped_by_budget');
    expect(used).toBeLessThanOrEqual(9000);
    expect(used).toBeGreaterThan(1000);
  });
});

describe('a run with a retry list', () => {
  it('asks the listed failures again, once, and keeps what they replace', async () => {
    choose = (_, nth) => (nth === 0 ? 'empty' : 'correct');
    const file = plan(5, { models: [model('t/a')] });
    const first = await runHere({ plan: file, ledger: ledger() });
    expect(first.summary).toMatchObject({ failed: 5, failures: { empty: 5 } });
    const cells = first.records.slice(0, 2).map((r) => r.cell);
    const retry = () =>
      runHere({
        plan: file,
        ledger: ledger(),
        only: new Set(cells),
        before: async (open) => {
          await requestRetry(open, { cells, listSha256: 'a'.repeat(64) });
        },
      });
    const second = await retry();
    expect(second.summary).toMatchObject({ asked: 2, completed: 2, already_failed: 3 });
    expect(server.calls).toBe(7);
    const replaced = second.records.filter((r) => cells.includes(r.cell));
    expect(replaced.map((r) => r.supersedes)).toEqual(
      cells.map((cell) => first.records.find((r) => r.cell === cell)?.artifact_sha256),
    );
    await retry();
    expect(server.calls).toBe(7);
    expect(second.summary.spent_micros).toBe(server.costMicros);
  });
});

describe('a simulated run', () => {
  it('needs no network, is the same every time, and says that it is simulated', async () => {
    const models = [
      { id: 'sim/good', transport: 'simulated', skill: 0.9 },
      { id: 'sim/poor', transport: 'simulated', skill: 0, refusal_rate: 0.2, slip_rate: 0.3 },
    ];
    const phases = { primary: {}, repeat: { per_family: 4 } };
    const file = plan(60, { models, budget: { usd: '0' }, phases });
    const one = await runHere({ plan: file, ledger: ledger() });
    const two = await runHere({ plan: file, ledger: join(folder, 'other') });
    expect(server.calls).toBe(0);
    expect(one.summary).toMatchObject({ status: 'complete', simulated: true, asked: 152 });
    const answers = ({ records }: typeof one) => records.map((r) => [r.cell, r.generation?.answer]);
    expect(answers(two)).toEqual(answers(one));
    expect(new Set(one.records.map((r) => r.source))).toEqual(new Set(['simulated']));
    const poor = one.summary.tally.models.get('sim/poor');
    expect(poor?.failed).toBeGreaterThan(3);
    expect(poor!.completed - poor!.parseable).toBeGreaterThan(5);
    expect(one.summary.tally.models.get('sim/good')).toMatchObject({ failed: 0, parseable: 76 });
  });
});
