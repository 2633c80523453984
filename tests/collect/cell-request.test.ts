import { describe, expect, it } from 'vitest';
import { accountingUrl, buildRequest } from '../../src/collect/cell-request.js';
import { parsePlan } from '../../src/collect/collection-plan.js';
import { FINAL_TEXT, messagesOf, protocolOf, SYSTEM_TEXT } from '../../src/collect/protocol.js';
import { compileRoute, type Route } from '../../src/collect/route.js';
import { sha256 } from '../../src/io/digest.js';

const LABEL = { cell: 'a'.repeat(64), phase: 'primary' };

function route(model: Record<string, unknown>): Route {
  const plan = parsePlan(
    JSON.stringify({
      schema: 'flavourbench-plan/1',
      name: 'n',
      task_sets: [{ path: 't' }],
      budget: { usd: '1' },
      models: [
        {
          id: 'x-ai/grok',
          decoding: { max_tokens: 2048 },
          price: { prompt: '2', completion: '6' },
          ...model,
        },
      ],
    }),
    'p.json',
  );
  return compileRoute(plan.models[0]!, plan);
}

function sent(r: Route, protocol: 'leaderboard' | 'bare' = 'leaderboard') {
  const request = buildRequest({
    route: r,
    messages: messagesOf(protocol, 'TASK'),
    credentials: { OPENROUTER_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2', GATE: 'k3' },
    maxBodyBytes: 1,
    label: LABEL,
  });
  return { ...request, body: JSON.parse(request.body) as Record<string, unknown> };
}

const PINNED = {
  transport: 'openrouter',
  expected_model: 'x-ai/grok-20260810',
  provider_tag: 'xai/zdr',
  expected_provider: 'xAI',
};

describe('a request to a provider', () => {
  it('pins an OpenRouter route five ways', () => {
    const { url, headers, body, timeoutMs } = sent(
      route({
        ...PINNED,
        effort: 'minimal',
        decoding: { temperature: 0, top_p: 1, seed: 20260810, max_tokens: 2048 },
      }),
    );
    expect(url).toBe('https://openrouter.ai/api/v1/chat/completions');
    expect(timeoutMs).toBe(180_000);
    expect(headers).toMatchObject({ authorization: 'Bearer k1', 'x-openrouter-cache': 'false' });
    expect(body).toEqual({
      model: 'x-ai/grok',
      messages: [
        { role: 'system', content: SYSTEM_TEXT },
        { role: 'user', content: 'TASK' },
        { role: 'user', content: FINAL_TEXT },
      ],
      temperature: 0,
      top_p: 1,
      seed: 20260810,
      max_tokens: 2048,
      reasoning: { effort: 'minimal', exclude: true },
      provider: {
        only: ['xai/zdr'],
        allow_fallbacks: false,
        require_parameters: true,
        data_collection: 'deny',
        max_price: { prompt: 2, completion: 6 },
      },
    });
  });

  it('sends neither effort nor decoding that the provider fixes', () => {
    const { body } = sent(route(PINNED));
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'provider']);
  });

  it('keeps extra body, headers and names of an OpenAI-compatible server', () => {
    const { url, headers, body } = sent(
      route({
        transport: 'openai',
        base_url: 'http://127.0.0.1:8000/v1/',
        requested_model: 'served',
        effort: 'low',
        decoding: { max_completion_tokens: 9 },
        extra_body: { chat_template_kwargs: { enable_thinking: false } },
        headers: { 'X-Team': 'kitchen', 'X-Gate': { env: 'GATE' } },
      }),
      'bare',
    );
    expect(url).toBe('http://127.0.0.1:8000/v1/chat/completions');
    expect(headers).toMatchObject({ 'x-team': 'kitchen', 'x-gate': 'k3' });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      model: 'served',
      messages: [{ role: 'user', content: 'TASK' }],
      max_completion_tokens: 9,
      reasoning_effort: 'low',
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it('joins the system text for the messages protocol', () => {
    const { url, headers, body } = sent(
      route({
        transport: 'anthropic',
        requested_model: 'm',
        decoding: { temperature: 0, max_tokens: 7 },
      }),
    );
    expect(url).toBe('https://api.anthropic.com/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': 'k2', 'anthropic-version': '2023-06-01' });
    expect(body).toEqual({
      model: 'm',
      system: SYSTEM_TEXT,
      messages: [
        { role: 'user', content: 'TASK' },
        { role: 'user', content: FINAL_TEXT },
      ],
      max_tokens: 7,
      temperature: 0,
    });
  });

  it('asks for accounting beside the endpoint', () => {
    expect(accountingUrl(route(PINNED), 'gen-1&x')).toBe('https://openrouter.ai/api/v1/generation?id=gen-1%26x');
  });

  it('tells a caching gateway to keep out, and labels the request without its content', () => {
    const base_url = 'https://gateway.ai.cloudflare.com/v1/a/b/openrouter';
    const { headers } = sent(route({ ...PINNED, base_url }));
    expect(headers).toMatchObject({ 'cf-aig-skip-cache': 'true', 'cf-aig-collect-log': 'false' });
    expect(JSON.parse(headers['cf-aig-metadata']!)).toEqual({
      benchmark: 'flavourbench',
      request_key_sha256: sha256(`${LABEL.cell}:final`).slice(0, 32),
      phase: 'primary',
    });
    expect(sent(route(PINNED)).headers).not.toHaveProperty('cf-aig-metadata');
  });

  it('names who asks where the plan does so', () => {
    const { headers } = sent(
      route({ ...PINNED, headers: { 'HTTP-Referer': 'https://example.org', 'X-Title': 'mine' } }),
    );
    expect(headers).toMatchObject({ 'http-referer': 'https://example.org', 'x-title': 'mine' });
    expect(sent(route(PINNED)).headers['x-title']).toBe('flavourbench');
  });

  it.each<Record<string, string>>([{}, { OPENROUTER_API_KEY: 'a\nb' }, { OPENROUTER_API_KEY: 'clé' }])(
    'names the variable that is missing or cannot be sent, not its value: %j',
    (credentials) => {
      const common = { route: route(PINNED), messages: [], maxBodyBytes: 1, label: LABEL };
      expect(() => buildRequest({ ...common, credentials })).toThrow(
        expect.objectContaining({
          code: 'CREDENTIAL_MISSING',
          exit: 2,
          message: expect.stringMatching(/OPENROUTER_API_KEY (?:is not set|holds a line break)/),
        }),
      );
    },
  );
});

describe('the protocol of a collection', () => {
  it('shows no concrete triplet', () => {
    for (const text of [SYSTEM_TEXT, FINAL_TEXT]) {
      expect(text).not.toMatch(/\b[A-H]\s*,\s*[A-H]\b/);
      expect(text).toContain('FINAL_SELECTION');
    }
  });

  it('is bound by the digests of its texts', () => {
    expect(protocolOf('leaderboard')).toMatchObject({
      system_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(protocolOf('bare')).toMatchObject({ system_sha256: null, final_sha256: null });
    expect(protocolOf('bare').sha256).not.toBe(protocolOf('leaderboard').sha256);
  });
});
