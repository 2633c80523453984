import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openConnection } from '../../src/cli/commands/collect/connection.js';
import type { Route } from '../../src/collect/route.js';

const route = (base_url: string) =>
  ({ model_id: 'a/b', base_url, api_key_env: 'SOME_KEY', headers: {} }) as unknown as Route;
const open = (url: string) => openConnection({ routes: [route(url)], ca: undefined });

describe('what a session takes from its surroundings', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('refuses a key too short to be one, but for servers of this machine', async () => {
    vi.stubEnv('SOME_KEY', 'A');
    expect(() => open('https://api.example.org/v1')).toThrow(/SOME_KEY holds 1 character;/);
    const { client, credentials } = open('http://127.0.0.1:9/v1');
    expect(credentials).toEqual({ SOME_KEY: 'A' });
    await client.close();
  });

  const HERE = 'http://127.0.0.1:9/v1';
  const HERE_6 = 'http://[::1]:9/v1';
  it.each([
    ['', HERE, true],
    ['example.org', HERE, true],
    ['127.0.0.1:8000', HERE, true],
    ['*:9', HERE, true],
    ['::1:9', HERE_6, true],
    ['127.0.0.1', HERE, false],
    ['example.org, 127.0.0.1:9', HERE, false],
    ['*', HERE, false],
    ['example.org, *', HERE, false],
    [' *\n', HERE, false],
    ['[::1]', HERE_6, false],
    ['[::1]:9', HERE_6, false],
  ])(
    'with NO_PROXY %j sends a key to %s through the proxy in plain http: refused %s',
    async (noProxy, url, refused) => {
      const seen: string[] = [];
      const proxy = createServer((socket) =>
        socket.once('data', (bytes) => {
          seen.push(String(bytes));
          socket.destroy();
        }),
      );
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      vi.stubEnv('SOME_KEY', 'a-key-of-enough-characters');
      for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, address);
      for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, noProxy);
      try {
        if (refused) {
          expect(() => open(url)).toThrow(/pass the proxy of HTTP_PROXY/);
          return;
        }
        const { client } = open(url);
        const body = { method: 'GET', headers: {}, body: null, timeoutMs: 5000, maxBodyBytes: 9 } as const;
        expect(await client.send({ ...body, url })).toMatchObject({ kind: 'not_sent' });
        expect(seen).toEqual([]);
        await client.close();
      } finally {
        proxy.close();
      }
    },
  );
});
