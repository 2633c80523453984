import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Asset } from '../../src/environment/assets.js';
import type { FetchOptions } from '../../src/environment/fetch.js';
import { sha256 } from '../../src/io/digest.js';
import { freshFolder } from './folders.js';

/** What the server of assets has to give. */
export const DATA = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 31) & 255));

/** Answers a request, which is the `times`-th of its test. */
export type Handler = (request: IncomingMessage, response: ServerResponse, times: number) => void;

/** Serves everything at once. */
export const whole: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': DATA.length }).end(DATA);
};

/** Serves ranges; breaks the connection after `most` bytes of each answer. */
export const ranged =
  (most = DATA.length): Handler =>
  (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const rest = DATA.subarray(from);
    const headers = { 'content-length': rest.length };
    if (request.headers.range)
      response.writeHead(206, {
        ...headers,
        'content-range': `bytes ${from}-${DATA.length - 1}/${DATA.length}`,
      });
    else response.writeHead(200, headers);
    if (rest.length <= most) response.end(rest);
    else response.write(rest.subarray(0, most), () => setTimeout(() => response.destroy(), 20));
  };

/** Where a fetched asset stands. */
export const target = ({ folder }: FetchOptions): string => join(folder, 'group', 'file.bin');

/** Writes a file, with the folders above it. */
export function put(path: string, data: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}

/** A server of one asset, and what it was asked for in the test that runs. */
export interface AssetServer {
  handler: Handler;
  seen: { path: string; range: string | undefined }[];
  base: string;
  /** The asset, pinned unless changed. */
  asset(change?: Partial<Asset>): Asset;
  /** A call that fetches it into a folder of its own; waits are noted and not waited for. */
  options(change?: Partial<FetchOptions>, waits?: number[]): FetchOptions;
}

/** A server on loopback for the tests of a file. */
export function assetServer(): AssetServer {
  let http: Server;
  const agent = new Agent();
  const server: AssetServer = {
    handler: whole,
    seen: [],
    base: '',
    asset: (change = {}) => ({
      id: 'group/file.bin',
      sha256: sha256(DATA),
      bytes: DATA.length,
      licence: 'CC0',
      url: `${server.base}/file.bin`,
      about: 'test',
      ...change,
    }),
    options: (change = {}, waits = []) => ({
      asset: server.asset(),
      folder: freshFolder(),
      transfer: {
        wait: async (ms) => {
          waits.push(ms);
        },
        attempts: 3,
        idleMs: 200,
        dispatcher: agent,
      },
      ...change,
    }),
  };
  beforeAll(async () => {
    http = createServer((request, response) => {
      server.seen.push({ path: request.url ?? '', range: request.headers.range });
      server.handler(request, response, server.seen.length);
    });
    await new Promise<void>((done) => {
      http.listen(0, '127.0.0.1', done);
    });
    server.base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.seen = [];
  });
  afterAll(async () => {
    await agent.destroy();
    http.closeAllConnections();
    await new Promise((done) => {
      http.close(done);
    });
  });
  return server;
}
