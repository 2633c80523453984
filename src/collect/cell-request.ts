import { sha256 } from '../io/digest.js';
import { fail } from '../util/error.js';
import type { HttpRequest } from './http.js';
import type { Message } from './protocol.js';
import type { HeaderValue, Route } from './route.js';

/** Values of the environment variables that the plan names. Read in the command line, never written anywhere. */
export type Credentials = Readonly<Record<string, string>>;

/** Lists the names of the environment variables that the routes need. */
export function neededVariables(routes: readonly Route[]): readonly string[] {
  const names = routes.flatMap((route) => [
    ...(route.api_key_env === null ? [] : [route.api_key_env]),
    ...Object.values(route.headers).flatMap((value) => (typeof value === 'string' ? [] : [value.env])),
  ]);
  return [...new Set(names)].sort();
}

function secret(credentials: Credentials, name: string, route: Route): string {
  const value = credentials[name];
  if (value === undefined || value === '') {
    fail(
      'CREDENTIAL_MISSING',
      null,
      `${route.model_id}: the environment variable ${name} is not set`,
      'Set it for this command; its value is never written to a file.',
    );
  }
  if (!/^[\x20-\x7e]+$/.test(value)) {
    fail(
      'CREDENTIAL_MISSING',
      null,
      `${route.model_id}: the environment variable ${name} holds a line break or a character that no header can carry`,
      'A credential is one line of printable ASCII.',
    );
  }
  return value;
}

function ownHeaders(route: Route, credentials: Credentials): Record<string, string> {
  const entries = Object.entries(route.headers).map(([name, value]: [string, HeaderValue]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value : secret(credentials, value.env, route),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function authHeaders(route: Route, credentials: Credentials): Record<string, string> {
  if (route.api_key_env === null) return {};
  const key = secret(credentials, route.api_key_env, route);
  return route.auth === 'x-api-key' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
}

/** Tells whether a route goes through a Cloudflare gateway, which may answer from its cache, so it is told not to and must attest that it did not. */
export function isCachingGateway(route: Route): boolean {
  return route.base_url !== null && new URL(route.base_url).hostname === 'gateway.ai.cloudflare.com';
}

/** Makes all headers of a route's requests. Errors: CREDENTIAL_MISSING. */
export function routeHeaders(route: Route, credentials: Credentials): Record<string, string> {
  const fixed: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'flavourbench',
  };
  if (route.transport === 'openrouter') {
    fixed['x-openrouter-cache'] = 'false';
    fixed['x-title'] = 'flavourbench';
  }
  if (route.transport === 'anthropic') fixed['anthropic-version'] = '2023-06-01';
  if (isCachingGateway(route)) {
    fixed['cf-aig-skip-cache'] = 'true';
    fixed['cf-aig-collect-log'] = 'false';
  }
  return { ...fixed, ...ownHeaders(route, credentials), ...authHeaders(route, credentials) };
}

function present(decoding: Route['decoding']): Record<string, number> {
  return Object.fromEntries(Object.entries(decoding).filter(([, value]) => value !== null)) as Record<string, number>;
}

/** `only` and `allow_fallbacks` pin the provider, `require_parameters` and `max_price` refuse a changed route (collection 1.7). */
function providerBlock(route: Route): object {
  return {
    ...(route.provider_tag === null ? {} : { only: [route.provider_tag] }),
    allow_fallbacks: false,
    require_parameters: true,
    data_collection: 'deny',
    max_price: { prompt: Number(route.price.prompt), completion: Number(route.price.completion) },
    ...(route.zdr ? { zdr: true } : {}),
  };
}

/** What of a route enters the body of its requests. */
export type BodyRoute = Pick<Route, 'transport' | 'requested_model' | 'decoding' | 'effort' | 'extra_body'>;

/** Makes the body of a request of a route whose provider is not pinned in it, its members in the order in which they are sent. */
export function plainBody(route: BodyRoute, messages: readonly Message[]): Record<string, unknown> {
  return route.transport === 'anthropic' ? messagesBody(route, messages) : chatBody(route, messages);
}

/** Body of a chat-completions request, without what pins its provider. */
function chatBody(route: BodyRoute, messages: readonly Message[]): Record<string, unknown> {
  const effort = route.effort === 'provider_fixed' ? null : route.effort;
  const openrouter = route.transport === 'openrouter';
  return {
    ...route.extra_body,
    model: route.requested_model,
    messages,
    ...present(route.decoding),
    ...(effort !== null && openrouter ? { reasoning: { effort, exclude: true } } : {}),
    ...(effort !== null && !openrouter ? { reasoning_effort: effort } : {}),
  };
}

/** Body of a messages request: system parts joined, user turns in order. */
function messagesBody(route: BodyRoute, messages: readonly Message[]): Record<string, unknown> {
  const system = messages.filter((m) => m.role === 'system').map((m) => m.content);
  const { temperature, top_p, max_tokens, max_completion_tokens } = route.decoding;
  return {
    ...route.extra_body,
    model: route.requested_model,
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    messages: messages.filter((m) => m.role !== 'system'),
    max_tokens: max_tokens ?? max_completion_tokens,
    ...(temperature === null ? {} : { temperature }),
    ...(top_p === null ? {} : { top_p }),
  };
}

function gatewayLabel({ cell, phase }: { readonly cell: string; readonly phase: string }): string {
  const key = sha256(`${cell}:final`).slice(0, 32);
  return JSON.stringify({ benchmark: 'flavourbench', request_key_sha256: key, phase });
}

/** Makes the request of one cell, with its body for digests. Errors: CREDENTIAL_MISSING. */
export function buildRequest(options: {
  readonly route: Route;
  readonly messages: readonly Message[];
  readonly credentials: Credentials;
  readonly maxBodyBytes: number;
  /** What a caching gateway may log of the request instead of its content. */
  readonly label: { readonly cell: string; readonly phase: string };
}): HttpRequest & { readonly body: string } {
  const { route, messages, credentials, maxBodyBytes, label } = options;
  const body = {
    ...plainBody(route, messages),
    ...(route.transport === 'openrouter' ? { provider: providerBlock(route) } : {}),
  };
  return {
    method: 'POST',
    url: endpointUrl(route),
    headers: {
      ...routeHeaders(route, credentials),
      ...(isCachingGateway(route) ? { 'cf-aig-metadata': gatewayLabel(label) } : {}),
    },
    body: JSON.stringify(body),
    timeoutMs: route.timeout_s * 1000,
    maxBodyBytes,
  };
}

/** Full address of a route; a base that already names the endpoint is kept. */
function endpointUrl(route: Route): string {
  const base = route.base_url ?? 'simulated://local';
  if (route.transport === 'anthropic') {
    if (base.endsWith('/messages')) return base;
    return base.endsWith('/v1') ? `${base}/messages` : `${base}/v1/messages`;
  }
  return base.endsWith('/chat/completions') ? base : `${base}/chat/completions`;
}

/** Makes the address of OpenRouter's accounting row of a generation. */
export function accountingUrl(route: Route, generationId: string): string {
  const base = (route.base_url ?? '').replace(/\/chat\/completions$/, '');
  return `${base}/generation?id=${encodeURIComponent(generationId)}`;
}
