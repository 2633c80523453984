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

  it.each([
    ['', true],
    ['example.org', true],
    ['127.0.0.1:8000', true],
    ['127.0.0.1', false],
    ['example.org, 127.0.0.1:9', false],
    ['*', false],
  ])('with NO_PROXY %j sends a key through the proxy in plain http: refused %s', async (noProxy, refused) => {
    vi.stubEnv('SOME_KEY', 'a-key-of-enough-characters');
    vi.stubEnv('http_proxy', '');
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example.org:3128');
    vi.stubEnv('http_proxy', 'http://proxy.example.org:3128');
    vi.stubEnv('NO_PROXY', noProxy);
    vi.stubEnv('no_proxy', noProxy);
    if (refused) {
      expect(() => open('http://127.0.0.1:9/v1')).toThrow(/pass the proxy of HTTP_PROXY/);
      return;
    }
    const { client } = open('http://127.0.0.1:9/v1');
    expect(client.send).toBeTypeOf('function');
    await client.close();
  });
});
