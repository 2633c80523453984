import { isObject, type JsonObject } from '../io/json.js';
import type { Clock } from './clock.js';
import { amountOf, countOf, parseObject, textOf } from './envelope.js';
import type { Send } from './http.js';
import { usdToMicros } from './money.js';
import type { Route } from './route.js';
import { accountingUrl } from './wire.js';

/** OpenRouter's own account of one generation. */
export interface Accounting {
  readonly generationId: string;
  readonly costMicros: number | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly latencyMs: number | null;
  /** Cost, model and provider are all there. */
  readonly reconciled: boolean;
}

function readAccounting(generationId: string, body: JsonObject): Accounting {
  const data = isObject(body.data) ? body.data : body;
  const cost = amountOf(data.total_cost);
  const model = textOf(data.model);
  const provider = textOf(data.provider_name);
  return {
    generationId,
    costMicros: cost === null ? null : usdToMicros(cost),
    model,
    provider,
    promptTokens: countOf(data.tokens_prompt) ?? countOf(data.native_tokens_prompt),
    completionTokens: countOf(data.tokens_completion) ?? countOf(data.native_tokens_completion),
    reasoningTokens: countOf(data.native_tokens_reasoning),
    latencyMs: countOf(data.generation_time),
    reconciled: cost !== null && model !== null && provider !== null,
  };
}

/**
 * Asks for the accounting row of a generation, which appears some time after the reply: up to `attempts` times with delays of
 * delay_s x 2^k (collection 1.8). A lookup costs nothing, so its failures are not errors. Null when nothing was learnt.
 */
export async function fetchAccounting(options: {
  readonly route: Route;
  readonly generationId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: Send;
  readonly clock: Clock;
  readonly attempts: number;
  readonly delaySeconds: number;
}): Promise<Accounting | null> {
  const { route, generationId, headers, send, clock, attempts, delaySeconds } = options;
  let last: Accounting | null = null;
  for (let k = 0; k < attempts; k += 1) {
    if (k > 0) await clock.sleep(delaySeconds * 1000 * 2 ** (k - 1));
    const outcome = await send({
      method: 'GET',
      url: accountingUrl(route, generationId),
      headers,
      body: null,
      timeoutMs: 30_000,
      maxBodyBytes: 65_536,
    });
    if (outcome.kind !== 'reply' || outcome.status !== 200 || outcome.oversized) continue;
    const body = parseObject(outcome.body);
    if (body === null) continue;
    last = readAccounting(generationId, body);
    if (last.reconciled) return last;
  }
  return last;
}
