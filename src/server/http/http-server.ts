import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fail } from '../../util/error.js';
import type { Service } from '../service.js';
import { bearerCheck } from './bearer.js';
import { openCounters } from './counters.js';
import type { AnsweredRequest } from './exchange.js';
import { httpListener } from './http-app.js';
import type { LongWork } from './long-work.js';
import { requestRate } from './request-rate.js';
import type { ServedRelease } from './served-releases.js';

export interface HttpServerOptions {
  readonly service: Service;
  readonly longWork: LongWork;
  readonly releases: ReadonlyMap<string, ServedRelease>;
  readonly page: () => string;
  /** Address to listen on; the loopback unless given. */
  readonly host?: string;
  /** 0 is any that is free. */
  readonly port: number;
  readonly token?: string;
  /** Requests a second of one address; absent: as many as come. */
  readonly rate?: number;
  /** Connections that are answered at once; twice as many are told to come later, any more are closed. */
  readonly connections: number;
  /** Seconds in which a request has to be there. */
  readonly seconds: number;
  /** Bytes of all bodies at once. */
  readonly bodyBytes: number;
  /** Milliseconds from any beginning. */
  readonly ticks: () => number;
  readonly onAnswered?: (request: AnsweredRequest) => void;
}

/** A server that answers. */
export interface OpenHttpServer {
  readonly address: string;
  /**
   * Takes no more connections and answers what is in flight whole; what is not answered after `seconds` is ended. Returns whether all of it
   * was answered.
   */
  close(seconds: number): Promise<boolean>;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Tells whether an address is of this machine alone. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

const BROKEN: Readonly<Record<string, readonly [status: string, code: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_ABORTED'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'REQUEST_TOO_LARGE'],
};

/** Answers what is no request: too slow, too long a head, no HTTP. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', 'USAGE'];
  const body = JSON.stringify({ error: { code, what: status.slice(4), hint: null } });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Opens the server. Errors: PORT_IN_USE. */
export async function openHttpServer(options: HttpServerOptions): Promise<OpenHttpServer> {
  const { host = '127.0.0.1', port, token, rate, connections, seconds, bodyBytes, ticks } = options;
  const counters = openCounters();
  let ending = false;
  const context = { ...options, counters, ending: () => ending };
  const hosts: string[] = [];
  const late = new WeakSet<object>();
  const listener = httpListener(context, {
    ...(token === undefined ? {} : { isBearer: bearerCheck(token) }),
    ...(rate === undefined ? {} : { wait: requestRate(rate, ticks) }),
    ...(isLoopback(host) ? { hosts } : {}),
    budget: { held: 0, most: bodyBytes },
    mostConnections: connections,
    late,
    ticks,
    onAnswered: options.onAnswered,
  });
  const limits = {
    maxHeaderSize: 16_384,
    requestTimeout: seconds * 1000,
    headersTimeout: Math.min(seconds, 10) * 1000,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 30_000,
  };
  const server = createServer(limits, listener);
  server.maxConnections = 2 * connections;
  server.on('clientError', answerBroken);
  server.on('connection', (socket) => {
    counters.connections += 1;
    if (counters.connections > connections) late.add(socket);
    socket.once('close', () => {
      counters.connections -= 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 1024 }, resolve);
  }).catch((cause: NodeJS.ErrnoException) =>
    fail(
      'PORT_IN_USE',
      null,
      `${host}, port ${port} cannot be opened (${cause.code})`,
      'Give --port another number, or leave it out.',
      { cause },
    ),
  );
  const { port: opened } = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${opened}`, `localhost:${opened}`, `[::1]:${opened}`);
  const at = host.includes(':') ? `[${host}]` : host;
  return {
    address: `http://${at}:${opened}/`,
    async close(grace) {
      ending = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that was kept for more requests has none in flight once it is idle.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      let whole = true;
      const limit = setTimeout(() => {
        whole = counters.inFlight === 0;
        server.closeAllConnections();
      }, grace * 1000);
      await closed;
      clearInterval(idle);
      clearTimeout(limit);
      return whole;
    },
  };
}
