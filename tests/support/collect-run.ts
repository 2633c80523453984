import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, makeClock } from '../../src/collect/clock.js';
import { readPlan } from '../../src/collect/collection-plan.js';
import { compilePlan } from '../../src/collect/compile-plan.js';
import { makeHttpClient, type Send } from '../../src/collect/http.js';
import { makeRedactor } from '../../src/collect/redact.js';
import { type RunSummary, runCollection } from '../../src/collect/run-collection.js';
import { buildSchedule } from '../../src/collect/schedule.js';
import type { Phase } from '../../src/ledger/cell-key.js';
import { LedgerWriter } from '../../src/ledger/ledger-writer.js';
import type { ResponseRecord } from '../../src/ledger/record.js';
import { datedName, FAULT_PROVIDER } from './fault-reply.js';

export const SECRET = 'sk-test-0123456789-very-secret';

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'flavourbench-collect-'));
}

/** Routes of a model on the fault server, pinned. */
export function faultModel(
  url: string,
  transport: 'openrouter' | 'openai' | 'anthropic',
  id: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const paths = { openrouter: '/or/v1', openai: '/oa/v1', anthropic: '/an' };
  return {
    id,
    transport,
    base_url: `${url}${paths[transport]}`,
    api_key_env: 'TEST_KEY',
    expected_model: transport === 'openrouter' ? datedName(id) : id,
    ...(transport === 'openrouter' ? { provider_tag: 'test', expected_provider: FAULT_PROVIDER } : {}),
    ...(transport === 'openai' ? { revision: 'r1' } : {}),
    decoding: { temperature: 0, max_tokens: 64 },
    price: { prompt: '2', completion: '6' },
    timeout_s: 20,
    ...more,
  };
}

export interface RunHere {
  readonly summary: RunSummary;
  readonly records: readonly ResponseRecord[];
}

/** Runs a plan in this process over the real HTTP client and a real ledger folder. */
export async function runHere(options: {
  readonly plan: string;
  readonly ledger: string;
  readonly limit?: number;
  readonly only?: ReadonlySet<string>;
  readonly stop?: AbortSignal;
  readonly clock?: Clock;
  readonly maxWaitSeconds?: number;
  readonly phases?: readonly Phase[];
  readonly allowUnpinned?: boolean;
  readonly onCell?: (done: number) => void;
  readonly before?: (ledger: LedgerWriter) => Promise<void>;
  readonly http?: Parameters<typeof makeHttpClient>[0];
  /** In place of the HTTP client. */
  readonly send?: Send;
}): Promise<RunHere> {
  const collection = compilePlan({
    plan: readPlan(options.plan),
    folder: dirname(options.plan),
    file: options.plan,
    allowUnpinned: options.allowUnpinned ?? false,
  });
  const jobs = buildSchedule(collection, options.phases);
  const ledger = await LedgerWriter.open({
    dir: options.ledger,
    holder: { pid: process.pid, started: 'test', host: 'test', boot_id: 'test' },
    probe: () => undefined,
    clock: options.clock?.now ?? Date.now,
    sync: false,
  });
  const client = makeHttpClient(options.http);
  let made = 0;
  try {
    await options.before?.(ledger);
    const summary = await runCollection({
      collection,
      jobs,
      ledger,
      send: options.send ?? client.send,
      credentials: { TEST_KEY: SECRET },
      redact: makeRedactor([SECRET]),
      clock: options.clock ?? makeClock({ now: Date.now, ticks: () => performance.now() }),
      attemptId: () => `attempt-${made++}`,
      limit: options.limit ?? null,
      only: options.only ?? null,
      maxWaitSeconds: options.maxWaitSeconds ?? 600,
      stop: options.stop ?? new AbortController().signal,
      ...(options.onCell ? { onProgress: ({ tally }) => options.onCell?.(tally.done) } : {}),
    });
    const records = jobs.flatMap((job) => ledger.get(job.binding.cell) ?? []);
    return { summary, records };
  } finally {
    await ledger.close();
    await client.close();
  }
}
