import { X509Certificate } from 'node:crypto';
import { type Credentials, neededVariables } from '../../../collect/cell-request.js';
import { type HttpClient, makeHttpClient, scrubbed } from '../../../collect/http.js';
import { makeRedactor, type Redact } from '../../../collect/redact.js';
import { isLoopback, type Route } from '../../../collect/route.js';
import { SHORTEST_SECRET } from '../../../collect/secret-forms.js';
import { makeScrubber } from '../../../collect/secrets.js';
import { readText } from '../../../io/file.js';
import { fail } from '../../../util/error.js';
import { counted } from '../../../util/format.js';

/** Said at the first signal of a run. */
export const STOPPING = 'stopping: finishing the requests in flight; interrupt again to end at once';

/** What a session takes from its surroundings: credentials, proxies, certificates. Nothing of it is written anywhere. */
interface Connection {
  readonly credentials: Credentials;
  readonly redact: Redact;
  readonly client: HttpClient;
}

function environmentValue(name: string): string {
  return process.env[name.toLowerCase()] ?? process.env[name] ?? '';
}

/** The address of a proxy, plain http where none is said; the value is not repeated, for it may hold a password. */
function proxyAddress(name: 'HTTP_PROXY' | 'HTTPS_PROXY'): string {
  const value = environmentValue(name).trim();
  if (value === '') return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url;
  fail(
    'USAGE',
    null,
    `${name} is not the address of an http or https proxy`,
    'Set it like http://host:port, or unset it.',
  );
}

function readAuthority(file: string): string {
  const pem = readText(file);
  try {
    new X509Certificate(pem);
  } catch (cause) {
    fail(
      'SCHEMA_INVALID',
      { file },
      'no certificate in PEM form',
      'Give the certificates of the authority, each between BEGIN CERTIFICATE and END CERTIFICATE.',
      { cause },
    );
  }
  return pem;
}

function proxySecrets(urls: readonly string[]): string[] {
  return urls.flatMap((url) => {
    if (!URL.canParse(url)) return [];
    const { username, password } = new URL(url);
    return [password, decodeURIComponent(password), username].filter((part) => part.length > 3);
  });
}

/** Gives the routes that send a variable. */
const sending = (routes: readonly Route[], name: string) =>
  routes.filter((route) => neededVariables([route]).includes(name));

/**
 * Refuses a credential too short to be one, but for servers of this machine: replacing it in replies would spoil their words, and not
 * replacing it could write it down. Errors: CREDENTIAL_MISSING.
 */
function assertSecret(name: string, value: string, routes: readonly Route[]): void {
  if (value === '' || value.length >= SHORTEST_SECRET) return;
  const far = sending(routes, name).find(({ base_url: url }) => url !== null && !isLoopback(url));
  if (far === undefined) return;
  fail(
    'CREDENTIAL_MISSING',
    null,
    `${far.model_id}: the environment variable ${name} holds ${counted(value.length, 'character')}; a credential has at least ${SHORTEST_SECRET}`,
    'Set it to the whole key; a short stand-in is taken for servers of this machine only.',
  );
}

/** NO_PROXY in the words of the library that opens connections: it takes `*` for every host only where it stands alone. */
function directHosts(): string {
  const entries = environmentValue('NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return entries.includes('*') ? '*' : entries.join(',');
}

/**
 * Tells whether a list of hosts with or without port keeps an address from the proxy. Never where the library that opens connections
 * would take the proxy: addresses of version 6 keep their brackets, and `*` with a port is no host.
 */
function isDirect(url: URL, noProxy: string): boolean {
  if (noProxy === '*') return true;
  return noProxy.split(',').some((entry) => {
    const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase())!;
    const suffix = host.replace(/^\*?\./, '');
    const same = url.hostname === suffix || (host !== suffix && url.hostname.endsWith(`.${suffix}`));
    return same && (port === '' || port === (url.port || '80'));
  });
}

/** Refuses a credential that a proxy would read: over plain http it sees every header. Errors: USAGE. */
function assertUnseen(routes: readonly Route[], noProxy: string): void {
  for (const route of routes) {
    if (route.base_url === null || neededVariables([route]).length === 0) continue;
    const url = new URL(route.base_url);
    if (url.protocol !== 'http:' || isDirect(url, noProxy)) continue;
    fail(
      'USAGE',
      null,
      `${route.model_id}: its credential would pass the proxy of HTTP_PROXY in plain http`,
      `Add ${url.hostname} to NO_PROXY, unset HTTP_PROXY, or use https.`,
    );
  }
}

/** Reads the named variables, HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and the certificate file. Errors: CREDENTIAL_MISSING; USAGE for a proxy that would read a credential. */
export function openConnection(options: {
  readonly routes: readonly Route[];
  readonly ca: string | undefined;
}): Connection {
  const { routes, ca } = options;
  const credentials: Record<string, string> = {};
  for (const name of neededVariables(routes)) {
    const value = process.env[name];
    if (value === undefined) continue;
    assertSecret(name, value, routes);
    credentials[name] = value;
  }
  const httpProxy = proxyAddress('HTTP_PROXY');
  const httpsProxy = proxyAddress('HTTPS_PROXY');
  const noProxy = directHosts();
  if (httpProxy !== '') assertUnseen(routes, noProxy);
  const secrets = [...Object.values(credentials), ...proxySecrets([httpProxy, httpsProxy])];
  const long = secrets.filter((value) => value.length >= SHORTEST_SECRET);
  const client = makeHttpClient({
    httpProxy,
    httpsProxy,
    noProxy,
    ...(ca === undefined ? {} : { ca: [readAuthority(ca)] }),
  });
  return {
    credentials,
    redact: makeRedactor(secrets),
    client: { ...client, send: scrubbed(client.send, makeScrubber(long)) },
  };
}
