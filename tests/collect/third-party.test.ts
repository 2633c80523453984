import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../../src/collect/clock.js';
import { runHere, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

const TASKS = 40;

let folder: string;
let mock: LLMock | undefined;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await mock?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(chaos: ConstructorParameters<typeof LLMock>[0] = {}): Promise<LLMock> {
  mock = new LLMock({ port: 0, ...chaos });
  mock.onMessage(/./s, { content: 'FINAL_SELECTION: B,D,H' });
  await mock.start();
  return mock;
}

function plan(url: string, more: Record<string, unknown> = {}): string {
  const common = {
    api_key_env: 'TEST_KEY',
    decoding: { temperature: 0, max_tokens: 64 },
    price: { prompt: '2', completion: '6' },
    timeout_s: 5,
  };
  return writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, TASKS) }],
    budget: { usd: '10' },
    models: [
      {
        ...common,
        id: 'other/chat',
        transport: 'openai',
        base_url: `${url}/v1`,
        expected_model: 'other/chat',
        revision: 'r1',
      },
      {
        ...common,
        id: 'other/messages',
        transport: 'anthropic',
        base_url: url,
        expected_model: 'other/messages',
      },
    ],
    ...more,
  });
}

it('a collection works with a server that this project did not write, over both protocols', async () => {
  const { url, journal } = await start();
  const { summary, records } = await runHere({ plan: plan(url), ledger: join(folder, 'ledger') });
  expect(summary).toMatchObject({ status: 'complete', completed: 2 * TASKS, failed: 0 });
  expect(new Set(records.map((r) => r.parse?.selection))).toEqual(new Set(['BDH']));
  const entries = journal.getAll();
  expect(entries).toHaveLength(2 * TASKS);
  const chat = entries.find((entry) => entry.path === '/v1/chat/completions');
  expect(chat?.body).toMatchObject({ model: 'other/chat', temperature: 0, max_tokens: 64 });
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

/** The server asks for whole seconds; a clock that runs thirty times as fast keeps the test short. */
const quick: Clock = {
  now: () => Date.now() * 30,
  ticks: () => performance.now() * 30,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 30)),
};

it('a collection seals replies that another server broke off and asks again only what it rejected', async () => {
  const { url, journal } = await start({
    chaos: { dropRate: 0.08, malformedRate: 0.08, rateLimitRate: 0.15, disconnectRate: 0.08 },
  });
  const file = plan(url, { max_attempts: 10, suspend_after: 1000 });
  const ledger = join(folder, 'ledger');
  const { summary, records } = await runHere({ plan: file, ledger, clock: quick });
  const entries = journal.getAll();
  const limited = entries.filter((entry) => entry.response.status === 429).length;
  expect(limited).toBeGreaterThan(0);
  expect(summary.status).toBe('complete');
  expect(records).toHaveLength(2 * TASKS);
  expect(entries.length - limited).toBe(2 * TASKS);
  const kinds = new Set(records.map((r) => r.outcome));
  expect(kinds).toContain('completed');
  expect(kinds).toContain('ambiguous');
  const again = await runHere({ plan: file, ledger });
  expect(again.summary.asked).toBe(0);
  expect(journal.getAll()).toHaveLength(entries.length);
});
