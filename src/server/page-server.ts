import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../util/error.js';

/** What is served at a path, made when it is asked for. */
export interface Served {
  readonly type: string;
  body(): string | Uint8Array;
}

/** A page that is served on this machine. */
export interface OpenPage {
  readonly address: string;
  close(): Promise<void>;
}

/** Nothing is read by pages of other origins, taken for another type, or kept, since files may have changed at the next start. */
export const DATA_HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Two threads share memory only in a page that is isolated. */
export const PAGE_HEADERS = {
  ...DATA_HEADERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
};

function answering(paths: ReadonlyMap<string, Served>): Server {
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: 10_000 }, (request, response) => {
    const port = (server.address() as AddressInfo | null)?.port;
    const refuse = (status: number) => response.writeHead(status, PAGE_HEADERS).end();
    // A page elsewhere can lead a name of its own to this machine; what it asks for bears that name.
    if (request.headers.host !== `127.0.0.1:${port}` && request.headers.host !== `localhost:${port}`)
      return refuse(403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
    const found = paths.get((request.url ?? '').replace(/[?#].*/s, ''));
    if (!found) return refuse(404);
    const body = found.body();
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    response.writeHead(200, { ...PAGE_HEADERS, 'content-type': found.type, 'content-length': length });
    return response.end(request.method === 'HEAD' ? undefined : body);
  });
  return server;
}

/**
 * Serves paths on the loopback of this machine, to no other, until it is closed. Port 0 is any that is free.
 * Errors: PORT_IN_USE.
 */
export async function servePage(paths: ReadonlyMap<string, Served>, port: number): Promise<OpenPage> {
  const server = answering(paths);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((cause: NodeJS.ErrnoException) =>
    fail(
      'PORT_IN_USE',
      null,
      `port ${port} cannot be opened (${cause.code})`,
      'Give --port another number, or leave it out.',
      { cause },
    ),
  );
  const { port: opened } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${opened}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
