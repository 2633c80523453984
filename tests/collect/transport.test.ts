import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeOf } from '../../src/collect/charge.js';
import type { HttpOutcome, HttpRequest } from '../../src/collect/http.js';
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
  const route = { price } as Route;

  it.each([1e300, 1e-300, -5, '999999999999', '1e9', 'NaN', {}, null])(
    'is kept without its cost of %j',
    async (cost) => {
      const usage = { prompt_tokens: 5, completion_tokens: 5, cost };
      const reading = await read({ ...said('x'), usage });
      expect(chargeOf({ route, reading, accounting: null }).basis).toBe('rate_card');
    },
  );

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
        const charge = chargeOf({ route, reading, accounting: null });
        expect(Number.isSafeInteger(charge.micros)).toBe(true);
        const { text, ...rest } = reading;
        canonicalJson(reading.failure === null ? reading : rest);
      }),
      { numRuns: 300 },
    );
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
