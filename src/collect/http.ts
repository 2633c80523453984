import { isUtf8 } from 'node:buffer';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { networkWords } from '../util/network-words.js';
import { scrubJson } from './secrets.js';

/** One request, ready for the wire. Never logged whole: the headers carry a credential. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whole request, connection included. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

/**
 * What became of a request. `not_sent`: no byte left this process, so asking again is safe. `ambiguous`: bytes left and no
 * complete reply came back, so the provider may have done the work.
 */
export type HttpOutcome =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** The reply was longer than allowed and was cut off. */
      readonly oversized: boolean;
      /** The body was no UTF-8 as it came, whatever became of it since. */
      readonly garbled?: boolean;
    }
  | { readonly kind: 'not_sent'; readonly error: string }
  | { readonly kind: 'ambiguous'; readonly status: number | null; readonly error: string };

export type Send = (request: HttpRequest) => Promise<HttpOutcome>;

export interface HttpClient {
  readonly send: Send;
  close(): Promise<void>;
}

interface HttpOptions {
  /** PEM certificates trusted besides the public ones: a private authority of a proxy or gateway. */
  readonly ca?: readonly string[];
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

const CONNECT_TIMEOUT_MS = 15_000;

function makeDispatcher(options: HttpOptions): Dispatcher {
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, ...options.ca] };
  const common = {
    connect: { timeout: CONNECT_TIMEOUT_MS, ...tls },
    // Waiting times are ours, per request: a slow reasoner must not be cut by a default of the library.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A connection the server may be closing makes delivery ambiguous, so idle ones are not kept long.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  };
  if (!options.httpProxy && !options.httpsProxy) return new Agent(common);
  return new EnvHttpProxyAgent({
    ...common,
    requestTls: tls,
    proxyTls: tls,
    httpProxy: options.httpProxy ?? '',
    httpsProxy: options.httpsProxy ?? '',
    noProxy: options.noProxy ?? '',
  });
}

function flatHeaders(headers: Record<string, string | string[] | undefined>) {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = String(value);
  }
  return flat;
}

/**
 * Makes a client that knows whether a byte was sent. The dispatcher calls `onRequestStart` directly before it writes; a failure
 * before that call is certain. There is no retry in this layer: every repetition is a decision of `attempt.ts`.
 */
export function makeHttpClient(options: HttpOptions = {}): HttpClient {
  const dispatcher = makeDispatcher(options);
  const send: Send = (request) =>
    new Promise((resolve) => {
      const url = new URL(request.url);
      const chunks: Buffer[] = [];
      let controller: Dispatcher.DispatchController | null = null;
      let status: number | null = null;
      let headers: Record<string, string> = {};
      let size = 0;
      let settled = false;
      const finish = (outcome: HttpOutcome): void => {
        if (settled) return;
        settled = true;
        clearTimeout(deadline);
        resolve(outcome);
      };
      const deadline = setTimeout(() => {
        const error = `no complete reply within ${request.timeoutMs / 1000} s`;
        finish(controller === null ? { kind: 'not_sent', error } : { kind: 'ambiguous', status, error });
        controller?.abort(new Error(error));
      }, request.timeoutMs);
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headers: request.headers,
          body: request.body,
        },
        {
          onRequestStart(started) {
            // Aborting here stops the request before its first byte: its time ran out while it waited for a connection.
            if (settled) started.abort(new Error('timed out before it was sent'));
            else controller = started;
          },
          onResponseStart(_started, code, received) {
            if (code < 200) return;
            status = code;
            headers = flatHeaders(received);
          },
          onResponseData(started, chunk) {
            size += chunk.length;
            if (size <= request.maxBodyBytes) {
              chunks.push(chunk);
              return;
            }
            finish({
              kind: 'reply',
              status: status ?? 0,
              headers,
              body: Buffer.alloc(0),
              oversized: true,
            });
            started.abort(new Error('reply too long'));
          },
          onResponseEnd() {
            const body = Buffer.concat(chunks);
            finish({ kind: 'reply', status: status ?? 0, headers, body, oversized: false });
          },
          onResponseError(_started, error) {
            const text = networkWords(error);
            finish(
              controller === null ? { kind: 'not_sent', error: text } : { kind: 'ambiguous', status, error: text },
            );
          },
        },
      );
    });
  return {
    send,
    close: () => dispatcher.destroy(),
  };
}

/**
 * Makes the same client with known secrets taken out of every reply before anybody reads it: out of the decoded texts of a JSON body,
 * where no escape can hide one, out of any other body as it stands, and out of the headers.
 */
export function scrubbed(send: Send, scrub: (text: string) => string): Send {
  return async (request) => {
    const outcome = await send(request);
    if (outcome.kind !== 'reply') return outcome;
    const headers = Object.fromEntries(Object.entries(outcome.headers).map(([name, value]) => [name, scrub(value)]));
    const garbled = !isUtf8(outcome.body);
    return { ...outcome, headers, body: scrubbedBody(outcome.body, scrub), garbled };
  };
}

function scrubbedBody(body: Buffer, scrub: (text: string) => string): Buffer {
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    const clean = scrub(text);
    return clean === text ? body : Buffer.from(clean);
  }
  const written = writtenJson(value);
  const clean = JSON.stringify(scrubJson(value, scrub));
  // A reply without a secret stays what it was, byte for byte.
  return clean === written ? body : Buffer.from(clean);
}

/** A decoded body as JSON; undefined for one that is nested past the stack, of which the scrubbed form keeps what is read. */
function writtenJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
