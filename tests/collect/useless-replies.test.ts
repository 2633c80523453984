import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainCell } from '../../src/ledger/explain-cell.js';
import { spendingOf } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { faultModel, runHere, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { chatReply, type ReplyServer, type ServedReply, startReplyServer } from '../support/reply-server.js';

let folder: string;
let server: ReplyServer;
let answer: ServedReply;
let runs = 0;
beforeAll(async () => {
  folder = temporaryFolder();
  server = await startReplyServer(() => answer);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const LIMIT = 3;

/** Nine cells of one route, asked one after another, of a server that always answers the same. */
async function asked(body: ServedReply, transport: 'openai' | 'anthropic' = 'openai') {
  answer = body;
  runs += 1;
  const ledger = join(folder, `ledger-${runs}`);
  const before = server.calls.length;
  const plan = writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 9) }],
    budget: { usd: '10' },
    suspend_after: LIMIT,
    max_attempts: 1,
    max_reply_bytes: 4096,
    models: [faultModel(server.url, transport, 't/a', { concurrency: 1, timeout_s: 5 })],
  });
  const { summary } = await runHere({ plan, ledger });
  const cell = summary.unusable_cells['t/a'];
  const spending = spendingOf(viewLedger(ledger).state);
  return { summary, calls: server.calls.length - before, ledger, cell, spending };
}

const chat = (choice: unknown, more: object = {}) =>
  JSON.stringify({ ...JSON.parse(chatReply('t/a', more)), choices: [choice] });
const said = (content: unknown, more: object = {}) =>
  chat({ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...more });
const ended = (finish_reason: unknown, more: object = {}) =>
  chat({ index: 0, finish_reason, message: { role: 'assistant', content: 'FINAL_SELECTION: A,B,C', ...more } });
const named = (body: string, model: unknown) => JSON.stringify({ ...JSON.parse(body), model });
const page = (body: string, more: object = {}): ServedReply => ({
  body,
  headers: { 'content-type': 'text/html' },
  ...more,
});

/** Replies with status 200 that are no answer of the model that was asked, and what the route is said to have rested for. */
const ACCEPTED: readonly (readonly [string, ServedReply, RegExp])[] = [
  ['another name', { body: chatReply('t/b') }, /identity_model: .*expected t\/a, got t\/b/],
  ['a longer name', { body: chatReply('t/a-preview') }, /identity_model/],
  ['the name in other letters', { body: chatReply('T/A') }, /identity_model/],
  ['no name', { body: named(chatReply('t/a'), undefined) }, /identity_model: .*got nothing/],
  ['a number as a name', { body: named(chatReply('t/a'), 7) }, /identity_model: .*got nothing/],
  ['a list with the name', { body: named(chatReply('t/a'), ['t/a']) }, /identity_model: .*got nothing/],
  ['a cut answer under another name', { body: named(ended('length'), 't/b') }, /length: .*expected t\/a, got t\/b/],
  [
    'a filtered answer under another name',
    { body: named(ended('content_filter'), 't/b') },
    /content_filter: .*got t\/b/,
  ],
  ['a refusal under another name', { body: named(ended('stop', { refusal: 'no' }), 't/b') }, /refusal: .*got t\/b/],
  ['a cut answer under no name', { body: named(ended('length'), null) }, /length: .*got nothing/],
  [
    'a page',
    page('<html>sign in</html>'),
    /malformed_reply: expected a JSON object with choices, got text\/html, 20 bytes/,
  ],
  ['a page that says it is JSON', { body: '<html></html>' }, /malformed_reply: .*got application\/json, 13 bytes/],
  ['nothing', { body: '' }, /malformed_reply: .*0 bytes/],
  ['no content', { status: 204, body: '' }, /malformed_reply/],
  ['null', { body: 'null' }, /malformed_reply/],
  ['a list', { body: `[${chatReply('t/a')}]` }, /malformed_reply/],
  ['a text', { body: JSON.stringify(chatReply('t/a')) }, /malformed_reply/],
  ['a stream of events', page(`data: ${chatReply('t/a')}\n\ndata: [DONE]\n\n`), /malformed_reply/],
  ['two documents', { body: `${chatReply('t/a')}\n${chatReply('t/a')}` }, /malformed_reply/],
  ['a reply past its bound', { body: chatReply('t/a', { pad: 'x'.repeat(5000) }) }, /oversized/],
  [
    'no choices',
    { body: JSON.stringify({ ...JSON.parse(chatReply('t/a')), choices: [] }) },
    /unknown_envelope: .*id, object, model, choices, usage/,
  ],
  [
    'choices that are an object',
    { body: JSON.stringify({ ...JSON.parse(chatReply('t/a')), choices: {} }) },
    /unknown_envelope/,
  ],
  ['a choice that is null', { body: chat(null) }, /finish_unknown/],
  ['a choice that is a text', { body: chat('FINAL_SELECTION: A,B,C') }, /finish_unknown/],
  [
    'a choice without a message',
    { body: chat({ finish_reason: 'stop', text: 'FINAL_SELECTION: A,B,C' }) },
    /empty: .*no message/,
  ],
  [
    'no text',
    { body: said(null) },
    /empty: expected text, got none; 10 completion tokens, a message with role, content/,
  ],
  ['an empty text', { body: said('') }, /empty/],
  ['blanks', { body: said(' \n\t\u00a0\ufeff\u200b\u2060\u3164\0') }, /empty/],
  ['a number as text', { body: said(7) }, /empty/],
  ['parts without text', { body: said([{ type: 'image_url', image_url: 'x' }]) }, /empty/],
  ['parts of reasoning', { body: said([{ type: 'reasoning', text: 'FINAL_SELECTION: A,B,C' }]) }, /empty/],
  ['no finish', { body: ended(null) }, /finish_unknown: .*expected stop, got no reason/],
  ['an unknown finish', { body: ended('banana') }, /finish_unknown: .*got banana/],
  ['a finish that is no text', { body: ended(['stop']) }, /finish_unknown/],
  ['a call of a tool', { body: ended('tool_calls') }, /finish_tool/],
  ['an end by an error', { body: ended('error') }, /finish_error/],
  ['an error in a choice', { body: said('FINAL_SELECTION: A,B,C', { error: { code: 500 } }) }, /finish_error/],
  ['half a character', { body: said('FINAL_SELECTION: A,B,C \ud800') }, /invalid_text/],
  ['a reply from a cache', { body: chatReply('t/a'), headers: { 'x-openrouter-cache': 'HIT' } }, /cached/],
  [
    'an envelope of a gateway',
    { body: '{"success":true,"result":{"response":"FINAL_SELECTION: A,B,C"}}' },
    /gateway_api_envelope: expected chat_completions/,
  ],
  [
    'the form of another API',
    { body: '{"object":"response","model":"t/a","output":[]}' },
    /responses_api_schema_mismatch/,
  ],
  [
    'a form of nobody',
    { body: '{"model":"t/a","response":"FINAL_SELECTION: A,B,C","done":true}' },
    /unknown_envelope: .*model, response, done/,
  ],
  ['an empty object', { body: '{}' }, /unknown_envelope: .*no members/],
  [
    'a reply of the messages protocol',
    {
      body: '{"type":"message","model":"t/a","content":[{"type":"text","text":"FINAL_SELECTION: A,B,C"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}',
    },
    /expected chat_completions, got messages/,
  ],
  ['an error that is a text', { body: '{"error":"model is loading"}' }, /error/],
  [
    'an error beside an answer',
    { body: chatReply('t/a', { error: { code: 429 } }) },
    /error_envelope: .*beside an answer/,
  ],
  ['an error of a server', { status: 500, body: '{"error":{"code":500}}' }, /ambiguous: HTTP 500/],
];

/** Replies that say nothing was taken: the cells stay pending. */
const REFUSED: readonly (readonly [string, ServedReply, RegExp])[] = [
  ['a wrong key', { status: 401, body: '{}' }, /credential: HTTP 401/],
  ['a forbidden page', page('<html>', { status: 403 }), /credential: HTTP 403/],
  ['an unknown path', page('<html>', { status: 404 }), /HTTP 404/],
  ['no money', { status: 402, body: '{}' }, /quota: HTTP 402/],
  [
    'another address',
    { status: 302, headers: { location: 'https://example.org/login' }, body: '' },
    /redirected: HTTP 302/,
  ],
  ['too many requests', { status: 429, body: '{}' }, /HTTP 429/],
  ['an error for now', { body: '{"error":{"code":502}}' }, /code 502/],
];

describe('a route that gives nothing usable', () => {
  it.each(ACCEPTED)('rests after three in a row and says what came back: %s', async (_, reply, words) => {
    const { summary, calls, ledger, cell, spending } = await asked(reply);
    expect([calls, summary.status, summary.completed]).toEqual([LIMIT, 'incomplete', 0]);
    expect(summary.suspended['t/a']).toMatch(words);
    const found = explainCell(ledger, cell!, undefined);
    expect(found.came_back).toMatchObject({ expected_model: 't/a', outcome: expect.any(String) });
    expect(spending).toMatchObject({ spent_micros: summary.spent_micros, uncertain_micros: summary.uncertain_micros });
  });

  it.each(REFUSED)('leaves its cells pending, and the ledger tells what was said: %s', async (_, reply, words) => {
    const { summary, calls, ledger } = await asked(reply);
    expect(calls).toBeLessThanOrEqual(LIMIT);
    expect([summary.status, summary.pending, summary.failed]).toEqual(['incomplete', 9, 0]);
    expect(summary.suspended['t/a']).toMatch(words);
    const [first] = viewLedger(ledger).state.cells.keys();
    const found = explainCell(ledger, first!, undefined);
    expect(found).toMatchObject({ verdict: 'rejected', will_be_asked: true });
    expect(found.history.at(-1)!.said).toMatch(/^HTTP \d{3}, [a-z_]+$/);
  });

  it('of the messages protocol does the same: another name, another form, no text', async () => {
    const message = (more: object) => ({
      body: JSON.stringify({
        type: 'message',
        model: 't/a',
        content: [{ type: 'text', text: 'FINAL_SELECTION: A,B,C' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, output_tokens: 9 },
        ...more,
      }),
    });
    for (const [reply, words] of [
      [message({ model: 't/b' }), /identity_model/],
      [message({ model: 't/b', stop_reason: 'max_tokens' }), /length: .*got t\/b/],
      [message({ stop_reason: 'pause_turn' }), /finish_unknown: .*expected end_turn/],
      [message({ content: [{ type: 'thinking', thinking: 'FINAL_SELECTION: A,B,C' }] }), /empty/],
      [{ body: chatReply('t/a') }, /expected messages, got chat_completions/],
    ] as const) {
      const { summary, calls } = await asked(reply, 'anthropic');
      expect([calls, summary.status]).toEqual([LIMIT, 'incomplete']);
      expect(summary.suspended['t/a']).toMatch(words);
    }
  });

  it('goes on where a usable reply comes between, and where the model itself is what ends an answer', async () => {
    for (const reply of [ended('length'), ended('content_filter'), said('no selection at all')]) {
      const { summary, calls } = await asked({ body: reply });
      expect([calls, summary.status, summary.suspended]).toEqual([9, 'complete', {}]);
    }
  });
});
