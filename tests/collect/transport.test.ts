import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeOf, claimWords } from '../../src/collect/charge.js';
import type { HttpOutcome, HttpRequest } from '../../src/collect/http.js';
import { readReply } from '../../src/collect/read-reply.js';
import type { Reading } from '../../src/collect/reading.js';
import type { Route } from '../../src/collect/route.js';
import type { CellJob } from '../../src/collect/schedule.js';
import { makeSendCell } from '../../src/collect/transport.js';
import { canonicalJson } from '../../src/io/canonical.js';

function read(
  body: unknown,
  options: {
    status?: number;
    headers?: Record<string, string>;
    base?: string;
    transport?: string;
  } = {},
): Promise<Reading> {
  const { status = 200, headers = {}, base = 'https://h/v1', transport = 'openai' } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const outcome: HttpOutcome = {
    kind: 'reply',
    status,
    headers,
    body: Buffer.from(text),
    oversized: false,
  };
  const send = makeSendCell({ send: async () => outcome, redact: (t) => t, seed: 's' });
  return send({ route: { transport, base_url: base } } as unknown as CellJob, {} as HttpRequest);
}

const chat = (choice: object, more: object = {}) => ({
  id: 'g',
  model: 'm',
  choices: [{ finish_reason: 'stop', ...choice }],
  ...more,
});
const said = (content: unknown) => chat({ message: { content } });

describe('a reply that claims the impossible', () => {
  const price = { prompt: '1000000', completion: '1000000', request: '0' };
  const route = { price, decoding: { max_tokens: 60 } } as Route;
  const reservation = { micros: 20_000_000, tokens: 100 };

  const booked = { micros: 20_000_000, promptTokens: 40, completionTokens: 60, basis: 'implausible' };
  it.each([
    [1e300, 'cost 1e+300'],
    [-5, 'cost -5'],
    ['999999999999', 'cost 999999999999'],
    ['1e9', 'cost 1e9'],
    [999999, 'cost 999999 USD'],
    ['NaN', 'cost NaN'],
    ['about a dollar', 'cost present_redacted'],
    [{}, 'cost no number'],
  ])('is booked at its reservation, its cost of %j kept as it was said', async (cost, words) => {
    const usage = { prompt_tokens: 5, completion_tokens: 5, cost };
    const reading = await read({ ...said('x'), usage });
    const charge = chargeOf({ route, reservation, reading, accounting: null });
    expect(charge).toMatchObject(booked);
    expect(claimWords(charge.claims)).toBe(words);
    expect(reading).toMatchObject({ text: 'x', failure: null });
  });

  it.each([
    [1e9, 5, 'tokens 1000000005, cost'],
    [5, 1e9, 'tokens'],
    [2e9, 5, 'prompt_tokens 2000000000'],
    [-1, 5, 'prompt_tokens -1'],
    [5, 1.5, 'completion_tokens 1.5'],
    [5, 'NaN', 'completion_tokens NaN'],
    [[], 5, 'prompt_tokens no number'],
  ])(
    'is booked at its reservation, its %j and %j tokens kept as they were said',
    async (prompt_tokens, completion_tokens, words) => {
      const reading = await read({ ...said('x'), usage: { prompt_tokens, completion_tokens } });
      const charge = chargeOf({ route, reservation, reading, accounting: null });
      expect(charge).toMatchObject(booked);
      for (const word of words.split(', ')) expect(claimWords(charge.claims)).toContain(word);
    },
  );

  it.each([
    ['no cost', { prompt_tokens: 5, completion_tokens: 5, cost: null }, 'rate_card', 10_000_000],
    ['counts as texts of digits', { prompt_tokens: '5', completion_tokens: '5' }, 'rate_card', 10_000_000],
    ['a cost below everything', { prompt_tokens: 5, completion_tokens: 5, cost: 1e-300 }, 'envelope', 1],
    ['ten times the reservation', { prompt_tokens: 5, completion_tokens: 5, cost: 200 }, 'envelope', 200_000_000],
    ['nothing', undefined, 'unknown', 0],
  ])('is not one that claims %s', async (_, usage, basis, micros) => {
    const reading = await read({ ...said('x'), usage });
    const charge = chargeOf({ route, reservation, reading, accounting: null });
    expect(charge).toMatchObject({ basis, micros, claims: [] });
  });

  it('is not believed of the reply where the account of the provider knows better, and the other way round', async () => {
    const reading = await read({ ...said('x'), usage: { prompt_tokens: -1, completion_tokens: 5, cost: 'NaN' } });
    const accounting = {
      generationId: 'g',
      costMicros: 7,
      model: 'm',
      provider: 'p',
      promptTokens: 5,
      completionTokens: 5,
      reasoningTokens: null,
      latencyMs: null,
      claims: [],
      reconciled: true,
    };
    expect(chargeOf({ route, reservation, reading, accounting })).toMatchObject({ basis: 'accounting', micros: 7 });
    const wild = { ...accounting, costMicros: 999_999_000_000 };
    expect(chargeOf({ route, reservation, reading, accounting: wild })).toMatchObject(booked);
  });

  it('never leads to a crash, a NaN or a text that cannot be written', async () => {
    const value = fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => `\ud800${text}\udc00`),
      fc.double(),
      fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    );
    const body = fc.record({
      id: value,
      model: value,
      provider: value,
      error: fc.option(value, { freq: 8 }),
      choices: fc.oneof(
        { weight: 1, arbitrary: value },
        {
          weight: 6,
          arbitrary: fc.tuple(
            fc.record({
              finish_reason: fc.oneof(fc.constant('stop'), value),
              message: fc.record({ content: value, refusal: fc.option(value, { freq: 8 }) }),
            }),
          ),
        },
      ),
      usage: fc.record({ prompt_tokens: value, completion_tokens: value, cost: value }),
    });
    await fc.assert(
      fc.asyncProperty(body, async (reply) => {
        const reading = await read(reply);
        const charge = chargeOf({ route, reservation, reading, accounting: null });
        expect(Number.isSafeInteger(charge.micros)).toBe(true);
        expect(charge.micros).toBeLessThanOrEqual(10 * reservation.micros + 10_000);
        const { text, ...rest } = reading;
        canonicalJson(reading.failure === null ? reading : rest);
      }),
      { numRuns: 300 },
    );
  });
});

describe('an error beside an answer or its tokens', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 5 };
  const done = { choices: [{ finish_reason: 'stop', message: { content: 'x' } }], usage };
  it.each([
    ['with choices and usage', 200, { error: { code: 500 }, ...done }, 'rate_card'],
    ['of a code that says that nothing was taken', 200, { error: { code: 502 }, ...done }, 'rate_card'],
    ['with usage alone', 200, { error: { code: 429 }, usage }, 'rate_card'],
    ['with a cost', 200, { error: { code: 402 }, usage: { cost: 0.5 } }, 'envelope'],
    ['with choices alone', 200, { error: { code: 503 }, choices: done.choices }, 'unknown'],
    ['with a refusal', 429, { error: { code: 429 }, ...done }, 'rate_card'],
    ['with a failure of the server', 500, { error: { code: 500 }, ...done }, 'rate_card'],
    [
      'of the messages protocol',
      200,
      { type: 'error', error: { type: 'x' }, usage: { input_tokens: 5, output_tokens: 5 } },
      'rate_card',
    ],
  ])('was paid for: %s', async (_, status, body, basis) => {
    const reading = readReply(
      { kind: 'reply', status, headers: {}, body: Buffer.from(JSON.stringify(body)), oversized: false },
      'chat_completions',
    );
    expect(reading).toMatchObject({ delivery: 'accepted', failure: 'error_envelope', retryable: false, text: null });
    const route = { price: { prompt: '1', completion: '1', request: '0' }, decoding: { max_tokens: 60 } } as Route;
    expect(chargeOf({ route, reservation: { micros: 1e7, tokens: 100 }, reading, accounting: null }).basis).toBe(basis);
  });

  it('was not where it states no token: it is asked again', async () => {
    const body = { error: { code: 502 }, choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } };
    expect(await read(body)).toMatchObject({ delivery: 'rejected', failure: 'transient_envelope', retryable: true });
  });
});

describe('a reply of a provider', () => {
  it('is read behind a byte order mark', async () => {
    expect(await read(`\ufeff${JSON.stringify(said('hi'))}`)).toMatchObject({ text: 'hi' });
  });

  it('has no half characters, nor do its names', async () => {
    expect(await read(said('\ud800 FINAL_SELECTION: A,B,C'))).toMatchObject({
      failure: 'invalid_text',
    });
    const cut = await read({ ...said('x'), model: `${'x'.repeat(255)}😀` });
    expect(cut.model).toBe(`${'x'.repeat(255)}\ufffd`);
  });

  it.each([
    ['a string', said(' hi \n'), 'hi', null],
    [
      'text parts',
      said([
        { type: 'text', text: 'a' },
        { type: 'output_text', text: 'b' },
      ]),
      'ab',
      null,
    ],
    ['parts without text', said([{ type: 'image' }]), '', 'empty'],
    ['blank text', said('  \n '), '', 'empty'],
    ['no content', said(null), null, 'empty'],
    ['reasoning only', chat({ message: { content: '', reasoning: 'FINAL_SELECTION: A,B,C' } }), '', 'empty'],
  ])('is read from content of %s', async (_, body, text, failure) => {
    expect(await read(body)).toMatchObject({ text, failure });
  });

  it.each([
    ['an error envelope', { error: { code: 400, message: 'x' } }, 'error_envelope', 'accepted'],
    ['a transient envelope', { error: { code: 503 } }, 'transient_envelope', 'rejected'],
    ['an error beside choices', { ...said('x'), error: { code: 1 } }, 'error_envelope', 'accepted'],
    [
      'an error inside the choice',
      chat({ message: { content: 'x' }, error: { code: 502 } }),
      'finish_error',
      'accepted',
    ],
    ['a gateway envelope', { success: true, result: {} }, 'gateway_api_envelope', 'accepted'],
    ['a responses document', { object: 'response', output: [] }, 'responses_api_schema_mismatch', 'accepted'],
    ['no choices', { choices: [] }, 'unknown_envelope', 'accepted'],
    ['an array', [1], 'malformed_reply', 'accepted'],
    ['not JSON', '<html>', 'malformed_reply', 'accepted'],
    ['nothing', '', 'malformed_reply', 'accepted'],
    ['the other protocol', { type: 'message', content: [{ type: 'text', text: 'x' }] }, 'messages', 'accepted'],
  ])('%s', async (_, body, failure, delivery) => {
    expect(await read(body)).toMatchObject({ failure, delivery });
  });

  it.each([
    [408, {}, 'uncertain_status', 'ambiguous'],
    [500, {}, 'uncertain_status', 'ambiguous'],
    [529, { error: { type: 'overloaded_error' } }, 'uncertain_status', 'ambiguous'],
    [429, {}, 'rate_limited', 'rejected'],
    [429, { error: { code: 'insufficient_quota' } }, 'quota', 'rejected'],
    [402, {}, 'quota', 'rejected'],
    [401, {}, 'credential', 'rejected'],
    [403, {}, 'credential', 'rejected'],
    [403, { error: { metadata: { reasons: ['x'], flagged_input: 'y' } } }, 'content_filter', 'refused'],
    [404, {}, 'route_not_found', 'rejected'],
    [400, { error: { code: 'content_filter' } }, 'content_filter', 'refused'],
    [400, {}, 'request_rejected', 'refused'],
    [422, 'plain text', 'request_rejected', 'refused'],
    [301, '', 'redirected', 'rejected'],
  ])('is classified by status HTTP %i and body %j', async (status, body, failure, delivery) => {
    expect(await read(body, { status })).toMatchObject({ failure, delivery });
  });

  it('is recorded without the message of its error, which may quote the prompt', async () => {
    const { message } = await read({ error: { code: 400, message: 'PROMPT' } }, { status: 400 });
    expect(message).toBe('HTTP 400, code 400');
  });

  it('is not asked for again when a transient error comes out of a cache', async () => {
    const reading = await read({ error: { code: 503 } }, { headers: { 'x-openrouter-cache': 'HIT' } });
    expect(reading).toMatchObject({ delivery: 'accepted', retryable: false });
  });

  it.each([
    ['BYPASS', null],
    ['MISS', null],
    ['HIT', 'cached'],
    ['maybe', 'freshness'],
    [undefined, 'freshness'],
  ])('is taken for cached when a gateway says %s', async (word, failure) => {
    const headers: Record<string, string> = word === undefined ? {} : { 'cf-aig-cache-status': word };
    const base = 'https://gateway.ai.cloudflare.com/v1/x';
    expect((await read(said('x'), { base, headers })).failure).toBe(failure);
    if (word === undefined) expect((await read(said('x'))).failure).toBeNull();
  });
});
