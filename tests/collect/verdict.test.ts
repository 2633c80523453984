import { describe, expect, it } from 'vitest';
import type { Accounting } from '../../src/collect/charge.js';
import { EMPTY_READING } from '../../src/collect/reading.js';
import type { Route } from '../../src/collect/route.js';
import { checkIdentity } from '../../src/collect/verdict.js';

const openrouter = {
  transport: 'openrouter',
  requested_model: 'v/m',
  expected_model: 'v/m-20260101',
  expected_provider: 'P',
} as Route;
const row: Accounting = {
  generationId: 'g',
  costMicros: 1,
  model: 'v/m-20260101',
  provider: 'P',
  promptTokens: 1,
  completionTokens: 1,
  reasoningTokens: null,
  latencyMs: null,
  claims: [],
  reconciled: true,
};
const reply = (model: string | null, provider: string | null) => ({
  ...EMPTY_READING,
  model,
  provider,
});

describe('the identity of who answered', () => {
  it.each([
    ['the dated model in accounting', reply(null, null), row, null, 'generation_accounting'],
    [
      'another model in accounting',
      reply('v/m-20260101', 'P'),
      { ...row, model: 'v/m' },
      'identity_model',
      'generation_accounting',
    ],
    [
      'another provider in accounting',
      reply('v/m-20260101', 'P'),
      { ...row, provider: 'Q' },
      'identity_provider',
      'generation_accounting',
    ],
    ['the requested name in the envelope', reply('v/m', 'P'), null, null, 'response_envelope'],
    ['the dated name in the envelope', reply('v/m-20260101', 'P'), null, null, 'response_envelope'],
    ['no provider in the envelope', reply('v/m', null), null, 'identity_provider', 'response_envelope'],
    ['no model in the envelope', reply(null, 'P'), null, 'identity_model', 'response_envelope'],
    [
      'an incomplete accounting row',
      reply('v/m', 'P'),
      { ...row, provider: null, reconciled: false },
      null,
      'response_envelope',
    ],
  ] as const)('from OpenRouter: %s', (_, reading, accounting, failure, evidence) => {
    expect(checkIdentity({ route: openrouter, reading, accounting })).toMatchObject({
      failure,
      evidence,
    });
  });

  it('from other servers holds when the returned model is the expected one, to the letter', () => {
    const route = {
      transport: 'openai',
      requested_model: 'm',
      expected_model: 'm-1',
      expected_provider: null,
    } as Route;
    const check = (model: string | null) =>
      checkIdentity({ route, reading: reply(model, null), accounting: null }).failure;
    expect(['m-1', 'm', 'M-1', null].map(check)).toEqual([null, 'identity_model', 'identity_model', 'identity_model']);
  });

  it('cannot be checked on an unpinned route', () => {
    const route = {
      transport: 'openai',
      requested_model: 'm',
      expected_model: null,
      expected_provider: null,
    } as Route;
    expect(checkIdentity({ route, reading: reply('x', 'y'), accounting: null }).failure).toBeNull();
  });
});
