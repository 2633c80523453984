import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultModel, runHere, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

let folder: string;
let server: FaultServer;
let fault: Fault = 'correct';
let once = false;

beforeEach(async () => {
  folder = temporaryFolder();
  once = false;
  fault = 'correct';
  server = await startFaultServer({
    seed: 's',
    prices: { prompt: 2, completion: 6 },
    choose: ({ nth }) => (once && nth > 0 ? 'correct' : fault),
    accountingMisses: 1,
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Transport = 'openrouter' | 'openai' | 'anthropic';

async function ask(transport: Transport, more: Record<string, unknown> = {}, plan = {}) {
  const tasks = writeTasks(folder, 1);
  const file = writePlan(folder, {
    task_sets: [{ path: tasks }],
    budget: { usd: '1' },
    accounting: { attempts: 3, delay_s: 0.01 },
    max_reply_bytes: 65_536,
    models: [faultModel(server.url, transport, 'test/model', more)],
    ...plan,
  });
  return runHere({ plan: file, ledger: join(folder, 'ledger') });
}

const ALL: readonly Transport[] = ['openrouter', 'openai', 'anthropic'];

/** Sealed outcome of each fault, and whether the cost is known. */
const SEALED: readonly [Fault, string, 'known' | 'unknown', readonly Transport[]][] = [
  ['correct', 'completed', 'known', ALL],
  ['trickle', 'completed', 'known', ALL],
  ['length', 'length', 'known', ALL],
  ['content_filter', 'content_filter', 'known', ALL],
  ['refusal', 'refusal', 'known', ALL],
  ['empty', 'empty', 'known', ALL],
  ['wrong_model', 'identity_model', 'known', ALL],
  ['wrong_provider', 'identity_provider', 'known', ['openrouter']],
  ['cache_hit', 'cached', 'known', ALL],
  ['status_500', 'ambiguous', 'unknown', ALL],
  ['stall', 'ambiguous', 'unknown', ALL],
  ['reset', 'ambiguous', 'unknown', ALL],
  ['malformed', 'malformed_reply', 'unknown', ALL],
  ['huge', 'oversized', 'unknown', ALL],
  ['not_chat', 'responses_api_schema_mismatch', 'unknown', ALL],
];

describe('a fault of a server:', () => {
  for (const [kind, outcome, cost, transports] of SEALED) {
    it.each(transports)(`${kind} over %s is ${outcome}, sent once`, async (transport) => {
      fault = kind;
      const more = kind === 'stall' ? { timeout_s: 0.4 } : {};
      const { summary, records } = await ask(transport, more);
      expect(server.calls).toBe(1);
      expect(records.map((r) => r.outcome)).toEqual([outcome]);
      expect(records[0]?.status).toBe(outcome === 'completed' ? 'completed' : 'failed');
      const kept = outcome === 'completed' || outcome === 'length';
      expect(records[0]?.generation?.answer === null).toBe(!kept);
      expect(records[0]?.parse === null).toBe(outcome !== 'completed');
      if (cost === 'known') {
        expect(summary.spent_micros).toBe(server.costMicros);
        expect(summary.uncertain_micros).toBe(0);
      } else {
        expect(summary.spent_micros).toBe(0);
        expect(summary.uncertain_micros).toBeGreaterThanOrEqual(server.costMicros);
      }
      const again = await ask(transport, more);
      expect(again.summary.status).toBe('complete');
      expect(again.summary.asked).toBe(0);
      expect(server.calls).toBe(1);
    });
  }
});

describe('a certain rejection', () => {
  for (const kind of ['rate', 'rate_after', 'envelope_502'] as const) {
    it(`${kind}: is asked again and then answered`, async () => {
      fault = kind;
      once = true;
      const { summary, records } = await ask('openai');
      expect(server.calls).toBe(2);
      expect(records.map((r) => [r.outcome, r.generation?.retries])).toEqual([['completed', 1]]);
      expect(summary.spent_micros).toBe(server.costMicros);
    });

    it(`${kind}: leaves the cell pending after the last attempt, with no record`, async () => {
      fault = kind;
      const { summary, records } = await ask('openai');
      expect(server.calls).toBe(2);
      expect(records).toEqual([]);
      expect(summary).toMatchObject({ status: 'incomplete', pending: 1, spent_micros: 0 });
      fault = 'correct';
      const again = await ask('openai');
      expect(again.summary.status).toBe('complete');
      expect(again.records).toHaveLength(1);
    });
  }

  it.each(['quota', 'unauthorised'] as const)(
    'rests the route at once on %s, whatever is left to ask',
    async (kind) => {
      fault = kind;
      const tasks = writeTasks(folder, 20, 'panel_2');
      const { summary } = await ask('openai', { concurrency: 1 }, { task_sets: [{ path: tasks }] });
      expect(server.calls).toBe(1);
      expect(summary).toMatchObject({ status: 'incomplete', failed: 0, pending: 20 });
      expect(Object.keys(summary.suspended)).toEqual(['test/model']);
    },
  );

  it('is final for the cell on a bad request, and costs nothing', async () => {
    fault = 'bad_request';
    const { summary, records } = await ask('openai');
    expect(records.map((r) => [r.outcome, r.generation?.billing_status])).toEqual([
      ['request_rejected', 'not_charged'],
    ]);
    expect(summary).toMatchObject({ spent_micros: 0, uncertain_micros: 0 });
  });

  it('leaves the cell pending on a closed port, for nothing was sent', async () => {
    await server.close();
    const { summary, records } = await ask('openai');
    expect(records).toEqual([]);
    expect(summary.failures).toEqual({ 'pending:not_sent': 1 });
    server = await startFaultServer({
      seed: 's',
      prices: { prompt: 1, completion: 1 },
      choose: () => 'correct',
    });
  });
});
