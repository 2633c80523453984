import { readFileSync } from 'node:fs';
import { type HttpClient, makeHttpClient, scrubbed } from '../../../collect/http.js';
import { makeRedactor, makeScrubber, type Redact } from '../../../collect/redact.js';
import type { Route } from '../../../collect/route.js';
import { type Credentials, neededVariables } from '../../../collect/wire.js';
import { assertInputFile } from '../../../util/file.js';

/** What a session takes from its surroundings: credentials, proxies, certificates. Nothing of it is written anywhere. */
export interface Surroundings {
  readonly credentials: Credentials;
  readonly redact: Redact;
  readonly client: HttpClient;
}

function proxyVariable(name: string): string {
  return process.env[name.toLowerCase()] ?? process.env[name] ?? '';
}

function proxySecrets(urls: readonly string[]): string[] {
  return urls.flatMap((url) => {
    if (!URL.canParse(url)) return [];
    const { username, password } = new URL(url);
    return [password, decodeURIComponent(password), username].filter((part) => part.length > 3);
  });
}

/** Reads the named variables, HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and the certificate file. */
export function openSurroundings(options: {
  readonly routes: readonly Route[];
  readonly ca: string | undefined;
}): Surroundings {
  const { routes, ca } = options;
  const credentials: Record<string, string> = {};
  for (const name of neededVariables(routes)) {
    const value = process.env[name];
    if (value !== undefined) credentials[name] = value;
  }
  const httpProxy = proxyVariable('HTTP_PROXY');
  const httpsProxy = proxyVariable('HTTPS_PROXY');
  if (ca !== undefined) assertInputFile(ca);
  const secrets = [...Object.values(credentials), ...proxySecrets([httpProxy, httpsProxy])];
  const client = makeHttpClient({
    httpProxy,
    httpsProxy,
    noProxy: proxyVariable('NO_PROXY'),
    ...(ca === undefined ? {} : { ca: [readFileSync(ca, 'utf8')] }),
  });
  return {
    credentials,
    redact: makeRedactor(secrets),
    client: { ...client, send: scrubbed(client.send, makeScrubber(secrets)) },
  };
}

/** The first interrupt finishes what is in flight; the second ends at once and leaves the rest to the next run. */
export function stopOnSignal(note: (text: string) => void): {
  readonly signal: AbortSignal;
  readonly detach: () => void;
} {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(5);
    controller.abort();
    note('stopping: finishing the requests in flight; interrupt again to end at once');
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    detach: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
