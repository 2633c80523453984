import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderKey } from '../../src/io/digest.js';
import { datedName, FAULT_PROVIDER, type Fault, isRejection, replyBody, type Style } from './fault-reply.js';

export interface Prices {
  /** Micro-USD per token. */
  readonly prompt: number;
  readonly completion: number;
}

export interface FaultServerOptions {
  readonly seed: string;
  readonly prices: Prices;
  /** What to do with the n-th arrival (0-based) of a cell. `draw` is uniform in [0, 1), fixed by seed, cell and n. */
  readonly choose: (arrival: {
    readonly cell: string;
    readonly model: string;
    readonly nth: number;
    readonly draw: number;
  }) => Fault;
  /** Seconds named by `rate_after`. */
  readonly retryAfter?: string;
  /** Accounting rows that are not there yet answer 404 this many times. */
  readonly accountingMisses?: number;
}

export interface FaultServer {
  readonly url: string;
  /** Accepted requests by cell. */
  readonly accepted: Map<string, number>;
  /** Requests by cell, whatever became of them. */
  readonly arrivals: Map<string, number>;
  readonly seen: Map<Fault, number>;
  /** Bodies and headers of the last requests, newest last, at most 50. */
  readonly requests: {
    path: string;
    headers: IncomingMessage['headers'];
    body: Record<string, unknown>;
  }[];
  costMicros: number;
  calls: number;
  accountingCalls: number;
  inFlight: number;
  mostInFlight: number;
  /** Seconds named by `rate_after`. */
  retryAfter: string;
  /** Called after every acceptance. */
  onAccepted: (() => void) | undefined;
  close(): Promise<void>;
}

interface Generation {
  readonly micros: number;
  readonly model: string;
  readonly provider: string;
  readonly prompt: number;
  readonly completion: number;
  misses: number;
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('aborted')));
  });
}

export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const generations = new Map<string, Generation>();
  const sleepers = new Set<NodeJS.Timeout>();
  const later = (ms: number, action: () => void): void => {
    const timer = setTimeout(() => {
      sleepers.delete(timer);
      action();
    }, ms);
    sleepers.add(timer);
  };
  const state: FaultServer = {
    url: '',
    accepted: new Map(),
    arrivals: new Map(),
    seen: new Map(),
    requests: [],
    costMicros: 0,
    calls: 0,
    accountingCalls: 0,
    inFlight: 0,
    mostInFlight: 0,
    retryAfter: options.retryAfter ?? '0.02',
    onAccepted: undefined,
    close: async () => {
      for (const timer of sleepers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

  const accounting = (url: URL, response: ServerResponse): void => {
    state.accountingCalls += 1;
    const found = generations.get(url.searchParams.get('id') ?? '');
    if (found === undefined || found.misses > 0) {
      if (found) found.misses -= 1;
      json(response, 404, { error: { code: 404, message: 'not yet' } });
      return;
    }
    json(response, 200, {
      data: {
        total_cost: found.micros / 1e6,
        model: found.model,
        provider_name: found.provider,
        tokens_prompt: found.prompt,
        tokens_completion: found.completion,
        generation_time: 12,
      },
    });
  };

  const reject = (fault: Fault, response: ServerResponse): void => {
    const error = (code: number | string, type?: string) => ({
      error: { code, type, message: 'said the server' },
    });
    if (fault === 'rate') json(response, 429, error(429));
    else if (fault === 'rate_after') json(response, 429, error(429), { 'retry-after': state.retryAfter });
    else if (fault === 'envelope_502') json(response, 200, error(502));
    else if (fault === 'quota') json(response, 429, error('insufficient_quota', 'insufficient_quota'));
    else if (fault === 'unauthorised') json(response, 401, error(401));
    else json(response, 400, error(400));
  };

  const accept = (
    fault: Fault,
    style: Style,
    body: Record<string, unknown>,
    cell: string,
    response: ServerResponse,
  ): void => {
    const model = String(body.model);
    const prompt = Math.ceil(JSON.stringify(body.messages).length / 5);
    const completion = fault === 'length' ? Number(body.max_tokens) : 5 + (cell.length % 7);
    const micros = Math.ceil(prompt * options.prices.prompt + completion * options.prices.completion);
    state.costMicros += micros;
    state.accepted.set(cell, (state.accepted.get(cell) ?? 0) + 1);
    const id = `gen-${orderKey(options.seed, cell).slice(0, 20)}`;
    const named = fault === 'wrong_model' ? 'another/model' : style === 'or' ? datedName(model) : model;
    const provider = fault === 'wrong_provider' ? 'Somebody Else' : FAULT_PROVIDER;
    generations.set(id, {
      micros,
      model: named,
      provider,
      prompt,
      completion,
      misses: options.accountingMisses ?? 0,
    });
    state.onAccepted?.();
    const reply = replyBody({ fault, style, id, named, provider, cell, prompt, completion });
    const head = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(reply)),
      ...(fault === 'cache_hit' ? { 'x-openrouter-cache': 'HIT' } : {}),
    };
    if (fault === 'status_500') json(response, 500, { error: { code: 500, message: 'no' } });
    else if (fault === 'stall') return;
    else if (fault === 'reset') {
      response.writeHead(200, head);
      response.write(reply.slice(0, 20));
      later(5, () => response.destroy());
    } else if (fault === 'malformed') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(reply.slice(0, reply.length - 7));
    } else if (fault === 'trickle') {
      response.writeHead(200, head);
      const step = Math.ceil(reply.length / 6);
      // One timer starts the next: of six that run at once, a loop that stood still calls later ones before earlier ones.
      const piece = (at: number): void => {
        response.write(reply.slice(at * step, (at + 1) * step));
        if (at === 5) response.end();
        else later(15, () => piece(at + 1));
      };
      piece(0);
    } else {
      response.writeHead(200, head);
      response.end(reply);
    }
  };

  const server: Server = createServer((request, response) => {
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/or/v1/generation') {
      accounting(url, response);
      return;
    }
    const style = url.pathname.slice(1, 3);
    if (style !== 'or' && style !== 'oa' && style !== 'an') {
      json(response, 404, { error: { code: 404, message: 'no such path' } });
      return;
    }
    state.inFlight += 1;
    state.mostInFlight = Math.max(state.mostInFlight, state.inFlight);
    // Counted down before the last byte goes out, so that the next request cannot be seen first.
    let counted = true;
    const leave = (): void => {
      if (counted) state.inFlight -= 1;
      counted = false;
    };
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      leave();
      return end(...args);
    }) as typeof response.end;
    response.on('close', leave);
    readBody(request).then(
      (text) => {
        state.calls += 1;
        const body = JSON.parse(text) as Record<string, unknown>;
        state.requests.push({ path: url.pathname, headers: request.headers, body });
        if (state.requests.length > 50) state.requests.shift();
        const task = /Task (\S+)\. /.exec(text)?.[1] ?? 'unknown';
        const rows = orderKey(JSON.stringify(body.messages)).slice(0, 8);
        const model = String(body.model);
        const cell = `${model} ${task} ${rows}`;
        const nth = state.arrivals.get(cell) ?? 0;
        state.arrivals.set(cell, nth + 1);
        const draw = Number.parseInt(orderKey(options.seed, cell, String(nth)).slice(0, 8), 16) / 2 ** 32;
        const fault = options.choose({ cell, model, nth, draw });
        state.seen.set(fault, (state.seen.get(fault) ?? 0) + 1);
        if (isRejection(fault)) reject(fault, response);
        else accept(fault, style, body, cell, response);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: `http://127.0.0.1:${port}` });
}
