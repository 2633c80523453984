import { X509Certificate } from 'node:crypto';
import { type Credentials, neededVariables } from '../../../collect/cell-request.js';
import { type HttpClient, makeHttpClient, scrubbed } from '../../../collect/http.js';
import { makeRedactor, makeScrubber, type Redact } from '../../../collect/redact.js';
import type { Route } from '../../../collect/route.js';
import { readText } from '../../../io/file.js';
import { fail } from '../../../util/error.js';

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

/** Reads the named variables, HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and the certificate file. */
export function openConnection(options: {
  readonly routes: readonly Route[];
  readonly ca: string | undefined;
}): Connection {
  const { routes, ca } = options;
  const credentials: Record<string, string> = {};
  for (const name of neededVariables(routes)) {
    const value = process.env[name];
    if (value !== undefined) credentials[name] = value;
  }
  const httpProxy = proxyAddress('HTTP_PROXY');
  const httpsProxy = proxyAddress('HTTPS_PROXY');
  const secrets = [...Object.values(credentials), ...proxySecrets([httpProxy, httpsProxy])];
  const client = makeHttpClient({
    httpProxy,
    httpsProxy,
    noProxy: environmentValue('NO_PROXY'),
    ...(ca === undefined ? {} : { ca: [readAuthority(ca)] }),
  });
  return {
    credentials,
    redact: makeRedactor(secrets),
    client: { ...client, send: scrubbed(client.send, makeScrubber(secrets)) },
  };
}
