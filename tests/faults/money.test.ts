import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spendingOf } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, type RunHere, runHere, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { chatReply, type ReplyServer, type ServedReply, startReplyServer } from '../support/reply-server.js';

let folder: string;
let server: ReplyServer | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Collects six cells of one model, one at a time, from a server of that answer. */
async function collected(
  answer: (nth: number, path: string) => ServedReply,
  more: object = {},
  transport: 'openai' | 'openrouter' = 'openai',
) {
  server = await startReplyServer(answer);
  const plan = writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 6) }],
    budget: { usd: '1', tokens: 1_000_000 },
    accounting: { attempts: 2, delay_s: 0 },
    models: [faultModel(server.url, transport, 't/a', { concurrency: 1, ...more })],
  });
  return { plan, run: await runHere({ plan, ledger: join(folder, 'ledger') }) };
}

/** Summary, ledger status and the words of both commands say the same sums. */
async function expectAgreement({ summary }: RunHere): Promise<void> {
  const { state } = viewLedger(join(folder, 'ledger'));
  expect(spendingOf(state)).toMatchObject({
    spent_micros: summary.spent_micros,
    uncertain_micros: summary.uncertain_micros,
  });
  const status = await cliInline(['ledger', 'status', join(folder, 'ledger'), '--json']);
  expect(JSON.parse(status.stdout).spending).toMatchObject({
    spent_micros: summary.spent_micros,
    uncertain_micros: summary.uncertain_micros,
  });
  expect(verifyLedger(join(folder, 'ledger')).problems).toEqual([]);
}

/** A row of account for the answer of `chatReply`, without a cost. */
const ACCOUNT = {
  model: 't/a-20260101',
  provider_name: 'Test Provider',
  tokens_prompt: 100,
  tokens_completion: 10,
};

describe('a reply that claims what no reply can cost', () => {
  it.each([
    ['a cost of 999999 USD', { usage: { prompt_tokens: 100, completion_tokens: 10, cost: 999999 } }, 'cost 999999 USD'],
    ['a billion tokens', { usage: { prompt_tokens: 1e9, completion_tokens: 10 } }, 'tokens 1000000010'],
    ['negative tokens', { usage: { prompt_tokens: -7, completion_tokens: 10 } }, 'prompt_tokens -7'],
    ['a cost that is no number', { usage: { prompt_tokens: 100, completion_tokens: 10, cost: 'NaN' } }, 'cost NaN'],
    ['a negative cost', { usage: { prompt_tokens: 100, completion_tokens: 10, cost: -3.5 } }, 'cost -3.5'],
  ])('keeps its answer, is booked at its reservation, flagged, and rests the route: %s', async (_, more, words) => {
    const { run } = await collected(() => ({ body: chatReply('t/a', more) }));
    const { summary, records } = run;
    expect(server!.calls).toHaveLength(1);
    expect(summary).toMatchObject({ status: 'incomplete', completed: 1, pending: 5, implausible: 1 });
    expect(summary.suspended['t/a']).toContain(words);
    const [record] = records;
    expect(summary.spent_micros).toBe(record!.budget!.reserved_micros);
    expect(summary.spent_micros).toBeGreaterThan(0);
    expect(record!.generation).toMatchObject({ answer: 'FINAL_SELECTION: A,B,C', billing_status: 'implausible' });
    const kept = record!.generation!.metadata.map(({ not_believed, said }) => `${not_believed} ${said}`);
    expect(kept.join()).toContain(words);
    await expectAgreement(run);
    const status = await cliInline(['ledger', 'status', join(folder, 'ledger')]);
    expect(status.stdout).toContain('1 answer came with a cost or a number of tokens that cannot be');
  });

  it('is the account of the provider too, in the journal as well', async () => {
    const row = { data: { ...ACCOUNT, total_cost: 999999 } };
    const { run } = await collected(
      (_, path) => ({
        body: path.includes('/generation')
          ? JSON.stringify(row)
          : chatReply('t/a-20260101', { provider: 'Test Provider' }),
      }),
      {},
      'openrouter',
    );
    expect(run.summary).toMatchObject({ completed: 1, implausible: 1 });
    expect(run.summary.spent_micros).toBe(run.records[0]!.budget!.reserved_micros);
    const costs: unknown[] = [];
    viewLedger(join(folder, 'ledger'), ({ text }) => costs.push(JSON.parse(text).cost_micros ?? 0));
    expect(Math.max(...(costs as number[]))).toBe(run.summary.spent_micros);
    await expectAgreement(run);
  });

  const rows: readonly (readonly [string, object])[] = [
    ['a negative cost', { total_cost: -1 }],
    ['a cost past every price', { total_cost: 1e9 }],
    ['a cost that is no number', { total_cost: true }],
    ['an object for a cost', { total_cost: {} }],
    ['no cost, and tokens without end', { total_cost: null, tokens_completion: 1e12 }],
    ['no cost, and negative tokens', { total_cost: null, tokens_prompt: -5 }],
    ['no cost', { total_cost: null }],
    ['no cost and no tokens', { total_cost: null, tokens_prompt: null, tokens_completion: null }],
  ];
  const replies: readonly (readonly [string, object])[] = [
    ['a cost', { cost: 0.002, prompt_tokens: 100, completion_tokens: 10 }],
    ['a negative cost', { cost: -2, prompt_tokens: 100, completion_tokens: 10 }],
    ['negative tokens', { prompt_tokens: -7, completion_tokens: 10 }],
    ['tokens', { prompt_tokens: 100, completion_tokens: 10 }],
    ['nothing', {}],
  ];
  it.each(rows.flatMap(([row, data]) => replies.map(([reply, usage]) => ({ row, data, reply, usage }))))(
    'leaves a ledger that verifies: $reply in the reply, $row in the account',
    async ({ data, usage }) => {
      const { run } = await collected(
        (_, path) => ({
          body: path.includes('/generation')
            ? JSON.stringify({ data: { ...ACCOUNT, ...data } })
            : chatReply('t/a-20260101', { provider: 'Test Provider', usage }),
        }),
        {},
        'openrouter',
      );
      expect(run.records.length).toBeGreaterThan(0);
      await expectAgreement(run);
    },
  );

  it('costs no more on resuming: the budget counts what was booked', async () => {
    const { plan, run } = await collected((nth) => ({
      body: chatReply('t/a', nth === 0 ? { usage: { prompt_tokens: 1e9, completion_tokens: 1, cost: 1e5 } } : {}),
    }));
    const rest = await runHere({ plan, ledger: join(folder, 'ledger') });
    expect(rest.summary).toMatchObject({ status: 'complete', completed: 5, already_completed: 1, implausible: 0 });
    // 2 USD a million prompt tokens, 6 a million completion tokens: 260 micro-USD each of the five.
    expect(rest.summary.spent_micros).toBe(run.summary.spent_micros + 5 * 260);
    await expectAgreement(rest);
  });
});

describe('an error beside an answer', () => {
  it('was paid for: each is booked, none is asked again', async () => {
    const { run } = await collected(() => ({ body: chatReply('t/a', { error: { code: 502, message: 'late' } }) }));
    expect(run.summary).toMatchObject({
      failed: 5,
      failures: { error_envelope: 5 },
      spent_micros: 5 * 260,
      uncertain_micros: 0,
    });
    expect(server!.calls).toHaveLength(5);
    await expectAgreement(run);
  });
});

describe('a reply that is no UTF-8', () => {
  it('is booked, and its answer refused: nothing is read in the place of its bytes', async () => {
    const body = Buffer.from(chatReply('t/a', {}, 'FINAL_SELECTION: A,B,C @').replace('@', '\xff'), 'latin1');
    const { run } = await collected(() => ({ body }));
    expect(run.summary).toMatchObject({ completed: 0, failures: { invalid_text: 5 }, spent_micros: 5 * 260 });
    expect(run.records[0]!.generation!.answer).toBeNull();
    await expectAgreement(run);
  });
});
