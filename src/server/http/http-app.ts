import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { fail, failure, shown } from '../../util/error.js';
import { DATA_HEADERS, PAGE_HEADERS } from '../page-server.js';
import { statedError } from '../stated-error.js';
import { errorStatus } from './error-status.js';
import { type BodyBudget, readBody } from './request-body.js';
import { ROUTES } from './routes.js';
import type { Asked, HttpContext, Reply, Route } from './served-route.js';

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
  readonly hosts?: () => readonly string[];
  readonly budget: BodyBudget;
  readonly mostConnections: number;
  readonly ticks: () => number;
  readonly onAnswered?: (request: AnsweredRequest) => void;
}

type Env = { Bindings: HttpBindings };

const honoPath = (path: string) => path.replace('/{path}', '/:path{.+}').replace(/\{(\w+)\}/g, ':$1');

/** Errors: FORBIDDEN_HOST, SERVER_BUSY, RATE_LIMITED, UNAUTHORIZED. */
function admit({ incoming }: HttpBindings, route: Pick<Route, 'open'>, rules: AppRules, context: HttpContext): void {
  const { host = '', origin, authorization } = incoming.headers;
  const hosts = rules.hosts?.();
  // A page elsewhere can lead a name of its own to this machine; what it asks for bears that name.
  if (hosts !== undefined && !hosts.includes(host))
    fail('FORBIDDEN_HOST', null, `asked under the name ${shown(host)}`, `This server is called ${hosts[0]}.`);
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== host)
    fail('FORBIDDEN_HOST', null, `asked by a page of ${shown(origin)}`, 'Pages of other origins are not answered.');
  if (context.counters.connections > rules.mostConnections) {
    context.counters.refused += 1;
    fail('SERVER_BUSY', null, `more than ${rules.mostConnections} connections`, 'Send it again in a moment.');
  }
  const seconds = rules.wait?.(incoming.socket.remoteAddress ?? '') ?? 0;
  if (seconds > 0) fail('RATE_LIMITED', null, 'too many requests of this address', `Send it again in ${seconds} s.`);
  if (!route.open && rules.isBearer?.(authorization) === false)
    fail('UNAUTHORIZED', null, 'no token, or another one', 'Send authorization: Bearer TOKEN.');
}

/** Answers one request by a route and tells how that went once its last byte is sent, or its connection has ended. */
async function answered(
  c: Context<Env>,
  route: Route | undefined,
  rules: AppRules,
  context: HttpContext,
): Promise<Response> {
  const { incoming, outgoing } = c.env;
  const { counters } = context;
  const began = rules.ticks();
  let held = 0;
  let code: string | undefined;
  const name = route?.path ?? 'unknown';
  const peer = incoming.socket.remoteAddress ?? '';
  counters.inFlight += 1;
  outgoing.once('close', () => {
    const milliseconds = rules.ticks() - began;
    counters.inFlight -= 1;
    rules.budget.held -= held;
    counters.answered(name, outgoing.statusCode, milliseconds / 1000);
    const { method = '' } = incoming;
    rules.onAnswered?.({
      method,
      route: name,
      status: outgoing.statusCode,
      milliseconds,
      bytes_in: held,
      peer,
      ...(code === undefined ? {} : { code }),
    });
  });
  if (context.ending()) outgoing.shouldKeepAlive = false;
  try {
    admit(c.env, route ?? {}, rules, context);
    if (route === undefined) throw unknownRoute(incoming.method ?? '', c.req.path);
    const asked: Asked = {
      param: (param) => c.req.param(param) ?? '',
      query: (param) => c.req.query(param),
      mediaType: (incoming.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
      body: (most) =>
        readBody(incoming, {
          most,
          budget: rules.budget,
          taken: (bytes) => {
            held += bytes;
          },
        }),
    };
    return response(await route.answer(asked, context));
  } catch (error) {
    const stated = statedError(error);
    ({ code } = stated);
    const status = errorStatus(error);
    // What is left of a body is not read.
    if (!incoming.complete) outgoing.shouldKeepAlive = false;
    return response({ body: JSON.stringify({ error: stated }), status }, ERROR_HEADERS[status]);
  }
}

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: { 'retry-after': '1' },
  503: { 'retry-after': '1' },
};

function response(
  { body, type = 'application/json', status = 200 }: Reply,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = type.startsWith('text/html') ? PAGE_HEADERS : DATA_HEADERS;
  return new Response(body, { status, headers: { ...headers, 'content-type': type, ...more } });
}

const patterns = ROUTES.map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace('/{path}', '/.+').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

function unknownRoute(method: string, path: string) {
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map((each) => each.method);
  return methods.length > 0
    ? failure(
        'METHOD_NOT_ALLOWED',
        null,
        `${shown(method)}; ${methods.join(', ')} is expected`,
        '/openapi.json lists what is served.',
      )
    : failure('NOT_FOUND', null, `nothing is served at ${shown(path)}`, '/openapi.json lists what is served.');
}

/** Makes the application of all routes. */
export function httpApp(context: HttpContext, rules: AppRules): Hono<Env> {
  const app = new Hono<Env>();
  for (const route of ROUTES)
    app.on(route.method.toUpperCase(), honoPath(route.path), (c) => answered(c, route, rules, context));
  app.notFound((c) => answered(c as Context<Env>, undefined, rules, context));
  return app;
}
