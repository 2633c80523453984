import { describe, expect, it } from 'vitest';
import { holdsKnownSecret, isSecretName, looksOpaque, namesSecret } from '../../src/collect/credential-looks.js';
import { extraBody, headers } from '../../src/collect/plan-fields.js';

describe('what looks like a credential', () => {
  it.each([
    'x-goog-api-key',
    'X-Auth-Key',
    'api_key',
    'apiKey',
    'Authorization',
    'x-access-token',
    'client_secret',
    'cookie',
    'password',
    'passcode',
    'authtoken',
    'X-Accesstoken',
    'clientsecret',
    'api key',
    'api:key',
    'api_key\u200b',
    'ａｐｉ_ｋｅｙ',
    'key1',
    'keys',
    'X-PAT',
  ])('is a field named %s', (name) => expect(isSecretName(name)).toBe(true));
  it.each([
    'max_tokens',
    'max_completion_tokens',
    'stop_token_ids',
    'X-Title',
    'HTTP-Referer',
    'top_k',
    'keyboard',
    'prompt_cache_key',
    'monkey',
    'budget_tokens',
    'stop_tokens',
    'bypass',
    'pattern',
    'tokenizer',
  ])('is not a field named %s', (name) => expect(isSecretName(name)).toBe(false));
  it('is a long word of letters and digits, and a key of a known make', () => {
    expect(looksOpaque('AIzaSyA1234567890abcdefghijk')).toBe(true);
    expect(looksOpaque('3f2504e0-4f89-41d3-9a0c-0305e82c3301')).toBe(true);
    expect(looksOpaque('see a1b2c3d4e5f6a7b8c9d0e1f2, please')).toBe(true);
    expect(looksOpaque('kitchen')).toBe(false);
    expect(looksOpaque('flavourbench-run-20260810-1')).toBe(false);
    expect(looksOpaque('meta-llama/Llama-3.1-8B-Instruct-0724')).toBe(false);
    expect(looksOpaque('a sentence of words, 20 years old')).toBe(false);
    expect(holdsKnownSecret('use sk-live-0123456789abcdef please')).toBe(true);
    expect(holdsKnownSecret('AKIAIOSFODNN7EXAMPLE')).toBe(true);
    expect(holdsKnownSecret('hf-internal-testing/tiny-random-model')).toBe(false);
    expect(holdsKnownSecret('openai/gpt-4o-mini-2024-07-18')).toBe(false);
  });
  it.each([
    ['https://user:passw0rd@host/', true],
    ['https://host/?a=1&api_key=hunter2', true],
    ['x-api-key: hunter2-correct-horse', true],
    ['token=hunter2', true],
    ['https://host:8080/a?lang=en#keys', false],
    ['Answer: A, B and C', false],
    ['a token: what a model reads', false],
    ['key:', false],
  ])('is given by name in %j: %s', (text, gives) => expect(namesSecret(text)).toBe(gives));

  it.each([
    { extra_body: { options: { headers: [{ name: 'x-api-key', value: 'hunter2' }] } } },
    { extra_body: { options: [['api_key', 'hunter2']] } },
    { extra_body: { options: '{"a": [{"password": "hunter2"}]}' } },
    { extra_body: { options: { url: 'https://user:hunter2@host' } } },
    { headers: { 'X-Title': 'https://host/?key=hunter2' } },
  ])('is found in a plan however it is put: %j', ({ extra_body: body, headers: given }) => {
    const { success, error } = body ? extraBody.safeParse(body) : headers.safeParse(given);
    expect(success).toBe(false);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('is not found in what servers take', () => {
    const harmless = {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      logit_bias: [['A', 1]],
      stop: ['key:', '\n\n', '{', '['.repeat(100_000) + ']'.repeat(100_000)],
      guided_json: { required: ['selection', 'reason'], properties: { selection: { type: 'string' } } },
      guided_regex: 'FINAL_SELECTION: [A-H],[A-H],[A-H]',
      chat_template: "{% for m in messages %}<|start_header_id|>{{ m['role'] }}{% endfor %}",
    };
    expect(extraBody.safeParse(harmless).error).toBeUndefined();
  });
});
