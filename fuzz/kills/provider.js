import { createServer } from 'node:http';
import { CEILING, draw, PRICES } from './world.js';

/** What the provider does to a request: the first three take nothing, the others did the work and charge for it. */
const REFUSED = ['busy', 'busy_inside', 'refused'];
const ENDS = ['lost', 'error_after', 'stalled', 'cut', 'no_usage', 'long'];

function read(request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

/**
 * Starts a provider of three protocols on this machine that answers late, refuses, and loses what it did, and keeps account of all that it
 * charges for: acceptances by cell, micro-USD and tokens. All that it does follows from the seed, the cell and how often that was asked.
 */
export async function startProvider({ seed, faults, free }) {
  const arrivals = new Map();
  const rows = new Map();
  const books = { accepted: new Map(), micros: 0, tokens: 0, url: '', onAccepted: () => {}, close: () => {} };

  const say = (response, status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

  const accept = (how, style, body, cell, response) => {
    // As many as can be, so that what is set aside leaves little room.
    const prompt = body.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    const completion = how === 'long' ? CEILING : CEILING - Math.floor(draw(cell) * 20);
    const micros = free ? 0 : prompt * PRICES.prompt + completion * PRICES.completion;
    books.accepted.set(cell, (books.accepted.get(cell) ?? 0) + 1);
    books.micros += micros;
    books.tokens += prompt + completion;
    const id = `gen-${rows.size}`;
    rows.set(id, { misses: 1, model: body.model, micros, prompt, completion });
    books.onAccepted();
    const wait = Math.floor(draw(seed, cell, 'wait') * 60);
    const usage =
      how === 'no_usage'
        ? {}
        : style === 'an'
          ? { usage: { input_tokens: prompt, output_tokens: completion } }
          : { usage: { prompt_tokens: prompt, completion_tokens: completion } };
    const text = 'FINAL_SELECTION: A,B,C';
    const reply =
      style === 'an'
        ? {
            ...{ id, type: 'message', role: 'assistant', model: body.model, content: [{ type: 'text', text }] },
            ...{ stop_reason: how === 'long' ? 'max_tokens' : 'end_turn', ...usage },
          }
        : {
            ...{ id, object: 'chat.completion', model: body.model },
            ...(style === 'or' ? { provider: 'Test Provider' } : {}),
            choices: [
              {
                index: 0,
                finish_reason: how === 'long' ? 'length' : 'stop',
                message: { role: 'assistant', content: text },
              },
            ],
            ...usage,
          };
    if (how === 'stalled') return;
    setTimeout(() => {
      if (how === 'lost') response.destroy();
      else if (how === 'error_after') say(response, 500, { error: { code: 500, message: 'lost' } });
      else if (how === 'cut') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
        response.write(JSON.stringify(reply).slice(0, 30));
        setTimeout(() => response.destroy(), 5);
      } else say(response, 200, reply);
    }, wait);
  };

  const account = (id, response) => {
    const row = rows.get(id);
    if (row === undefined || row.misses-- > 0) return say(response, 404, { error: { code: 404, message: 'not yet' } });
    const { model, micros, prompt, completion } = row;
    const tokens = { tokens_prompt: prompt, tokens_completion: completion };
    say(response, 200, { data: { total_cost: micros / 1e6, model, provider_name: 'Test Provider', ...tokens } });
  };

  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname.endsWith('/generation')) return account(url.searchParams.get('id'), response);
    const body = JSON.parse(await read(request).catch(() => 'null'));
    if (body === null) return;
    const cell = `${body.model} ${/Task (\S+)\./.exec(JSON.stringify(body.messages))[1]}`;
    const nth = arrivals.get(cell) ?? 0;
    arrivals.set(cell, nth + 1);
    const chance = draw(seed, cell, String(nth), 'fault');
    const list = [...REFUSED, ...ENDS];
    const how = chance < faults ? list[Math.floor((chance / faults) * list.length)] : 'answered';
    if (how === 'busy') say(response, 429, { error: { code: 429, message: 'later' } });
    else if (how === 'busy_inside') say(response, 200, { error: { code: 502, message: 'later' } });
    else if (how === 'refused') say(response, 400, { error: { code: 400, message: 'no' } });
    else accept(how, url.pathname.slice(1, 3), body, cell, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  books.url = `http://127.0.0.1:${server.address().port}`;
  books.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return books;
}
