import { readFileSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../src/collect/clock.js';
import type { HttpOutcome, Send } from '../../src/collect/http.js';
import { stampInspection } from '../../src/ledger/inspection.js';
import { quarantineBlock } from '../../src/ledger/quarantine.js';
import { requestRetry } from '../../src/ledger/resume.js';
import { faultModel, runHere } from './collect-run.js';
import { FAULT_PROVIDER } from './fault-reply.js';

const ROUTED = 'or/a';
const PLAIN = 'oa/b';

/** A reply with a body, as the HTTP client gives it. */
const reply = (status: number, body: object): HttpOutcome => ({
  ...{ kind: 'reply', status, headers: {}, oversized: false },
  body: Buffer.from(JSON.stringify(body)),
});

/** What the provider does with a question the n-th time it is asked of a model, from 0; an answer where nothing stands here. */
const SCRIPT: Readonly<Record<string, readonly (HttpOutcome | 'answer' | 'length')[]>> = {
  [`${ROUTED} fb-executable-pairing-001`]: [reply(429, { error: { code: 429, message: 'slow down' } }), 'answer'],
  [`${ROUTED} fb-executable-pairing-002`]: [reply(200, { error: { code: 502, message: 'upstream' } }), 'answer'],
  [`${PLAIN} fb-executable-pairing-003`]: [{ kind: 'not_sent', error: 'refused' }, 'answer'],
  [`${PLAIN} fb-executable-substitution-001`]: ['length', 'answer'],
  [`${PLAIN} fb-executable-substitution-002`]: [reply(200, { output: [] })],
  [`${ROUTED} fb-executable-constraint-001`]: [{ kind: 'ambiguous', status: null, error: 'reset' }],
  [`${ROUTED} fb-executable-constraint-002`]: [reply(422, { error: { code: 422, message: 'no' } })],
};

/** Answers as a provider would, and gives the account of a generation. */
function scripted(prompts: ReadonlyMap<string, string>): Send {
  const asked = new Map<string, number>();
  const accounts = new Map<string, object>();
  return async ({ url, body, method }) => {
    if (method === 'GET') return reply(200, { data: accounts.get(new URL(url).searchParams.get('id')!) });
    const { messages } = JSON.parse(body!) as { messages: { content: string }[] };
    const task = messages.map(({ content }) => prompts.get(content)).find((id) => id !== undefined)!;
    const routed = url.includes('/or/');
    const name = `${routed ? ROUTED : PLAIN} ${task}`;
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    const act = SCRIPT[name]?.[times] ?? 'answer';
    if (typeof act !== 'string') return act;
    const id = `gen-${asked.size}-${times}`;
    const model = routed ? 'or/a-20260101' : PLAIN;
    accounts.set(id, {
      ...{ total_cost: 0.0002, model, provider_name: FAULT_PROVIDER, generation_time: 40 },
      ...{ tokens_prompt: 90, tokens_completion: 8, native_tokens_reasoning: 0 },
    });
    const labels = ['A, B, C', 'B, C, D', 'A, D, E'][(task.length % 3) ^ (routed ? 1 : 0)] ?? 'A, B, D';
    return reply(200, {
      ...{ id, object: 'chat.completion', model, ...(routed ? { provider: FAULT_PROVIDER } : {}) },
      choices: [
        {
          finish_reason: act === 'length' ? 'length' : 'stop',
          ...(routed ? { native_finish_reason: 'end' } : {}),
          message: { role: 'assistant', content: `FINAL_SELECTION: ${labels}` },
        },
      ],
      usage: { prompt_tokens: 90, completion_tokens: 8 },
    });
  };
}

/** A clock that goes on a quarter of a second each time it is read. */
function stepping(): Clock {
  let time = Date.parse('2026-05-01T10:00:00.000Z');
  const now = () => (time += 250);
  return { now, ticks: now, sleep: () => Promise.resolve() };
}

/**
 * Collects two models into a ledger whose journal has lines of every kind that one writer brings about: rejected and lost requests, waits,
 * accounting, a request that a stopped process left open, an answer asked again, a block put aside and a look at scores.
 */
export async function collectScripted(options: {
  readonly ledger: string;
  readonly tasks: string;
  readonly plan: string;
}) {
  const { ledger, tasks, plan } = options;
  const document = JSON.parse(readFileSync(tasks, 'utf8')) as { tasks: { task_id: string; prompt: string }[] };
  const prompts = new Map(document.tasks.map(({ task_id, prompt }) => [prompt, task_id]));
  writeFileSync(
    plan,
    JSON.stringify({
      ...{ schema: 'flavourbench-plan/1', name: 'scripted', task_sets: [{ path: tasks }], budget: { usd: '10' } },
      ...{ concurrency: { global: 1 }, suspend_after: 1000, max_attempts: 2, accounting: { attempts: 1, delay_s: 0 } },
      models: [
        faultModel('https://provider.test', 'openrouter', ROUTED),
        faultModel('https://provider.test', 'openai', PLAIN),
      ],
    }),
  );
  const send = scripted(prompts);
  const clock = stepping();
  const session = (more: Partial<Parameters<typeof runHere>[0]> = {}) =>
    runHere({ plan, ledger, send, clock, ...more });
  const killed: Send = () => Promise.reject(new Error('the process was killed'));
  await session({ limit: 1, send: killed }).catch(() => {});
  const { records } = await session({ limit: 40 });
  const put = records.find(({ key }) => key.model_id === PLAIN)!;
  await session({
    async before(writer) {
      await quarantineBlock({ ledger: writer, modelId: PLAIN, slot: put.slot, reason: 'a wrong route' });
    },
  });
  await session({
    async before(writer) {
      const failed = [...writer.cells()].filter(({ head }) => head?.outcome === 'length').map(({ cell }) => cell);
      await requestRetry(writer, { cells: failed, listSha256: 'ab'.repeat(32) });
    },
  });
  await session({
    async before(writer) {
      await stampInspection(writer, { at: '2026-05-02T10:00:00.000Z', records: 1 });
    },
  });
}
