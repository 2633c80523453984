import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replyEvent, startedEvent } from '../../src/collect/attempt-events.js';
import { readPlan } from '../../src/collect/collection-plan.js';
import { compilePlan } from '../../src/collect/compile-plan.js';
import { EMPTY_READING } from '../../src/collect/reading.js';
import { buildSchedule, type CellJob } from '../../src/collect/schedule.js';
import type { LedgerWriter } from '../../src/ledger/ledger-writer.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { requestRetry } from '../../src/ledger/resume.js';
import { faultModel, runHere, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { chatReply, type ReplyServer, type ServedReply, startReplyServer } from '../support/reply-server.js';

let folder: string;
let server: ReplyServer;
let answer: () => ServedReply;
beforeEach(async () => {
  folder = temporaryFolder();
  server = await startReplyServer(() => answer());
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const FREE = { price: { prompt: '0', completion: '0' } };
const WITHOUT_USAGE = () => ({ body: chatReply('t/a', { usage: undefined }) });
const LOST = () => ({ status: 500, body: '{}' });

/** A plan of ten cells of one model whose cap on tokens has room for three requests; and its cells, the largest first. */
function planned(model: object = {}): { plan: string; jobs: readonly CellJob[] } {
  const of = (tokens: number) =>
    writePlan(folder, {
      task_sets: [{ path: writeTasks(folder, 10) }],
      ...{ budget: { usd: '100', tokens }, suspend_after: 1000, concurrency: { global: 1 } },
      models: [faultModel(server.url, 'openai', 't/a', { concurrency: 1, ...model })],
    });
  const scheduled = (plan: string) =>
    buildSchedule(compilePlan({ plan: readPlan(plan), folder, file: plan, allowUnpinned: false }));
  const most = Math.max(...scheduled(of(1e9)).map(({ reservation }) => reservation.tokens));
  const plan = of(3 * most);
  return { plan, jobs: scheduled(plan) };
}

/** Runs sessions of so many cells at most until one asks nothing; `before` is done at the start of each. */
async function sessions(
  plan: string,
  { limit = 1, before }: { limit?: number; before?: (ledger: LedgerWriter, session: number) => Promise<void> } = {},
): Promise<string> {
  for (let session = 0; session < 20; session += 1) {
    const calls = server.calls.length;
    const { summary } = await runHere({
      ...{ plan, ledger: join(folder, 'ledger'), limit },
      before: async (ledger) => before?.(ledger, session),
    });
    if (server.calls.length === calls) return summary.status;
  }
  return 'no end';
}

describe('a cap on tokens holds over sessions as it does in one', () => {
  it.each([
    ['replies of a free route say nothing of usage', FREE, WITHOUT_USAGE],
    ['replies state a cost and no usage', {}, () => ({ body: chatReply('t/a', { usage: { cost: 0.0001 } }) })],
    ['replies are lost', {}, LOST],
    ['replies of a free route are lost', FREE, LOST],
  ])('where %s', async (_, model, how) => {
    answer = how;
    const { plan } = planned(model);
    expect(await sessions(plan)).toBe('stopped_by_budget');
    expect(server.calls).toHaveLength(3);
    rmSync(join(folder, 'ledger'), { recursive: true });
    const { summary } = await runHere({ plan, ledger: join(folder, 'ledger') });
    expect([summary.status, server.calls.length]).toEqual(['stopped_by_budget', 6]);
  });

  it('where a lost request is asked again: what the first may have used stays counted', async () => {
    answer = LOST;
    const { plan, jobs } = planned();
    const cells = [jobs[0]!.binding.cell];
    const before = async (ledger: LedgerWriter, session: number) => {
      if (session > 0 && ledger.has(cells[0]!)) await requestRetry(ledger, { cells, listSha256: String(session) });
    };
    expect(await sessions(plan, { before })).toBe('stopped_by_budget');
    expect(server.calls).toHaveLength(3);
  });

  it('where a block with lost requests is put aside', async () => {
    answer = LOST;
    const { plan, jobs } = planned();
    const { slot } = jobs[0]!.binding;
    const before = async (ledger: LedgerWriter, session: number) => {
      if (session > 0) await quarantineBlock({ ledger, modelId: 't/a', slot, reason: 'again' });
    };
    expect(await sessions(plan, { before })).toBe('stopped_by_budget');
    expect(server.calls).toHaveLength(3);
  });

  it('where a session was killed after the cost of a reply was booked and before its record was', async () => {
    answer = () => ({ body: chatReply('t/a') });
    const { plan, jobs } = planned();
    const killed = async (ledger: LedgerWriter, session: number) => {
      if (session > 0) return;
      for (const [i, job] of jobs.slice(0, 3).entries()) {
        const name = { cell: job.binding.cell, attempt_id: `killed ${i}`, attempt_index: 0 };
        await ledger.append(startedEvent({ job, name, body: '' }));
        const reading = { ...EMPTY_READING, replyKind: 'chat_completions', delivery: 'accepted', status: 200 } as const;
        await ledger.append(replyEvent({ name, reading, costMicros: 5 }));
      }
    };
    expect(await sessions(plan, { before: killed })).toBe('stopped_by_budget');
    expect(server.calls).toEqual([]);
  });

  it('counts nothing for what was refused', async () => {
    answer = () => ({ status: 400, body: '{"error":{"message":"no"}}' });
    const { plan } = planned(FREE);
    expect(await sessions(plan)).toBe('complete');
    expect(server.calls).toHaveLength(10);
  });
});
