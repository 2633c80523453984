import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { failure, shown } from '../../util/error.js';
import { statedError } from '../stated-error.js';
import { type AppRules, answered, type Exchange } from './exchange.js';
import { ROUTES } from './routes.js';
import type { HttpContext, Route } from './served-route.js';

type Env = { Bindings: HttpBindings };

const honoPath = (path: string) => path.replace('/{path}', '/:path{.+}').replace(/\{(\w+)\}/g, ':$1');

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
  const sent = async (c: Context<Env>, route: Pick<Route, 'path' | 'open' | 'answer'>): Promise<Response> => {
    const asked = {
      param: (name: string) => c.req.param(name) ?? '',
      query: (name: string) => c.req.query(name),
    };
    const { body, ...head } = await answered(c.env, route, asked, rules, context);
    return new Response(body, head);
  };
  for (const route of ROUTES) app.on(route.method.toUpperCase(), honoPath(route.path), (c) => sent(c, route));
  app.notFound((c) =>
    sent(c as Context<Env>, {
      path: 'unknown',
      answer: () => {
        throw unknownRoute(c.req.method, c.req.path);
      },
    }),
  );
  return app;
}

/** Has neither part of a path nor query to be found: what is asked for at its path needs nothing that Hono knows. */
const isPlain = ({ path, query }: Route) => query === undefined && !path.includes('{');

const NOTHING = { param: () => '', query: () => undefined };

/**
 * Makes what answers requests: those of a plain route at once, all others through Hono, by the same `answered`. A request and a response of the
 * kind that Hono works on cost as much as a reward does.
 */
export function httpListener(
  context: HttpContext,
  rules: AppRules,
): (incoming: Exchange['incoming'], outgoing: Exchange['outgoing']) => void {
  const others = getRequestListener(httpApp(context, rules).fetch, {
    // What is no URL, which Hono never sees.
    errorHandler: () => {
      const error = statedError(failure('USAGE', null, 'the target of the request is no address', 'Ask for a path.'));
      return Response.json({ error }, { status: 400 });
    },
  });
  const plain = new Map(ROUTES.filter(isPlain).map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));
  return (incoming, outgoing) => {
    const route = plain.get(`${incoming.method} ${incoming.url}`);
    if (route === undefined) void others(incoming, outgoing);
    else void answerPlainly({ incoming, outgoing }, route, rules, context);
  };
}

async function answerPlainly(exchange: Exchange, route: Route, rules: AppRules, context: HttpContext): Promise<void> {
  const { status, headers, body } = await answered(exchange, route, NOTHING, rules, context);
  // No plain route streams.
  const whole = body as string | Uint8Array;
  const lines = ['content-length', String(Buffer.byteLength(whole))];
  for (const name in headers) lines.push(name, headers[name]!);
  exchange.outgoing.writeHead(status, lines).end(whole);
}
