import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, shown } from '../../util/error.js';
import { DATA_HEADERS, PAGE_HEADERS } from '../page-server.js';
import { statedError } from '../stated-error.js';
import { errorStatus } from './error-status.js';
import { type BodyBudget, passOver, readBody } from './request-body.js';
import { type Asked, type HttpContext, JSON_TYPE, type Reply, type Route } from './served-route.js';

/** What is told of an answered request: nothing of what was asked or answered, and no key. */
export interface AnsweredRequest {
  readonly method: string;
  /** As OpenAPI writes it; `unknown` where there is none. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes_in: number;
  readonly peer: string;
  /** Of the error that it was answered with. */
  readonly code?: string;
}

/** Who may ask, how much, and who is told. */
export interface AppRules {
  /** Tells whether an Authorization header bears the token; absent where none is wanted. */
  readonly isBearer?: (header: string | undefined) => boolean;
  /** Seconds until an address may ask again, 0 for now; absent where nothing bounds the rate. */
  readonly wait?: (address: string) => number;
  /** The names that this server is called by; absent where any is right. */
  readonly hosts?: readonly string[];
  readonly budget: BodyBudget;
  readonly mostConnections: number;
  /** Connections that came when there were as many already: those before them go on being answered. Absent: all are. */
  readonly late?: WeakSet<object>;
  readonly ticks: () => number;
  readonly onAnswered?: (request: AnsweredRequest) => void;
}

/** A request and what it is answered through. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What of a route answering a request needs. */
type Answering = Pick<Route, 'path' | 'open' | 'answer'>;

/** What goes out, whoever sends it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Reply['body'];
}

/** A media type without its parameters, in small letters; empty where none is stated. */
function mediaType(stated = ''): string {
  return stated === JSON_TYPE ? stated : stated.replace(/;.*/s, '').trim().toLowerCase();
}

/** The names that a request calls this server by: the host of a target in absolute form, which goes before it, and its Host. */
function namesAsked({ url = '', headers }: IncomingMessage): readonly string[] {
  const stated = (headers.host ?? '').toLowerCase();
  const absolute = url.startsWith('/') ? undefined : /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return absolute === undefined ? [stated] : [absolute.toLowerCase(), stated];
}

/** Errors: FORBIDDEN_HOST, SERVER_BUSY, RATE_LIMITED, UNAUTHORIZED. */
function admit(incoming: IncomingMessage, route: Answering, rules: AppRules, context: HttpContext): void {
  const { origin, authorization } = incoming.headers;
  const names = namesAsked(incoming);
  const { hosts } = rules;
  // A page elsewhere can lead a name of its own to this machine; what it asks for bears that name.
  const foreign = hosts === undefined ? undefined : names.find((name) => !hosts.includes(name));
  if (foreign !== undefined)
    fail('FORBIDDEN_HOST', null, `asked under the name ${shown(foreign)}`, `This server is called ${hosts![0]}.`);
  if (origin !== undefined && origin.replace(/^https?:\/\//, '').toLowerCase() !== names[0])
    fail('FORBIDDEN_HOST', null, `asked by a page of ${shown(origin)}`, 'Pages of other origins are not answered.');
  if (context.counters.connections > rules.mostConnections && rules.late?.has(incoming.socket)) {
    context.counters.refused += 1;
    fail('SERVER_BUSY', null, `more than ${rules.mostConnections} connections`, 'Send it again in a moment.');
  }
  const seconds = rules.wait?.(incoming.socket.remoteAddress ?? '') ?? 0;
  if (seconds > 0) fail('RATE_LIMITED', null, 'too many requests of this address', `Send it again in ${seconds} s.`);
  if (!route.open && rules.isBearer?.(authorization) === false)
    fail('UNAUTHORIZED', null, 'no token, or another one', 'Send authorization: Bearer TOKEN.');
}

/** Answers one request by a route and tells how that went once its last byte is sent, or its connection has ended. */
export async function answered(
  { incoming, outgoing }: Exchange,
  route: Answering,
  { param, query }: Pick<Asked, 'param' | 'query'>,
  rules: AppRules,
  context: HttpContext,
): Promise<Answer> {
  const { counters } = context;
  const began = rules.ticks();
  let held = 0;
  let code: string | undefined;
  const { method = '' } = incoming;
  const peer = incoming.socket.remoteAddress ?? '';
  counters.inFlight += 1;
  // It is emitted once; `once` would wrap what hears it, and take it away again.
  outgoing.on('close', () => {
    const milliseconds = rules.ticks() - began;
    const status = outgoing.statusCode;
    counters.inFlight -= 1;
    rules.budget.held -= held;
    counters.answered(route.path, status, milliseconds / 1000);
    const error = code === undefined ? {} : { code };
    rules.onAnswered?.({ method, route: route.path, status, milliseconds, bytes_in: held, peer, ...error });
  });
  if (context.ending()) outgoing.shouldKeepAlive = false;
  const taken = (bytes: number): void => {
    held += bytes;
  };
  try {
    admit(incoming, route, rules, context);
    const asked: Asked = {
      param,
      query,
      mediaType: mediaType(incoming.headers['content-type']),
      body: (most) => readBody(incoming, { most, budget: rules.budget, taken }),
    };
    return answerOf(await route.answer(asked, context), method);
  } catch (error) {
    const stated = statedError(error);
    ({ code } = stated);
    const status = errorStatus(error);
    if (!(await passOver(incoming))) outgoing.shouldKeepAlive = false;
    return answerOf({ body: JSON.stringify({ error: stated }), status }, method, ERROR_HEADERS[status]);
  }
}

type Headers = Readonly<Record<string, string>>;

const ERROR_HEADERS: Readonly<Record<number, Headers>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: { 'retry-after': '1' },
  503: { 'retry-after': '1' },
};

/** Headers of answers by their type, to POST and to all else: making them takes longer than making a reward does. */
const headersByType = { posted: new Map<string, Headers>(), fetched: new Map<string, Headers>() };

/**
 * No cache keeps what was asked for by POST, and no page of another origin is answered it: such an answer bears its type alone. All others say how
 * they may be used.
 */
function headersOf(type: string, posted: boolean): Headers {
  const known = posted ? headersByType.posted : headersByType.fetched;
  let headers = known.get(type);
  if (headers === undefined) {
    const use = posted ? {} : type.startsWith('text/html') ? PAGE_HEADERS : DATA_HEADERS;
    headers = { ...use, 'content-type': type };
    known.set(type, headers);
  }
  return headers;
}

function answerOf({ body, type = JSON_TYPE, status = 200 }: Reply, method: string, more?: Headers): Answer {
  const headers = headersOf(type, method === 'POST');
  return { status, headers: more === undefined ? headers : { ...headers, ...more }, body };
}
