import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, globalAgent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnsweredRequest } from '../../src/server/http/exchange.js';
import { type OpenHttpServer, openHttpServer } from '../../src/server/http/http-server.js';
import { openService } from '../../src/server/service.js';
import { type Ask, askServer, converse, JSON_TYPE } from '../support/http-client.js';

const TASKS = resolve('fixtures/tasks-small.json');
const [{ task_id: task }] = JSON.parse(readFileSync(TASKS, 'utf8')).tasks;
const TOKEN = 'a token of this test'.replaceAll(' ', '-');
const SECONDS = 3;
const CONNECTIONS = 60;

const log: AnsweredRequest[] = [];
const service = openService({ tasks: [TASKS] });
const rules = { token: TOKEN, connections: CONNECTIONS, seconds: SECONDS, bodyBytes: 80 * 2 ** 20 };
const open = (more: { readonly host?: string; readonly rate?: number }): Promise<OpenHttpServer> =>
  openHttpServer({
    ...{ service, longWork: {} as never, releases: new Map(), page: () => '', port: 0, ...rules, ...more },
    ticks: () => performance.now(),
    onAnswered: (request) => log.push(request),
  });
let server: OpenHttpServer;
let port: number;

beforeAll(async () => {
  server = await open({});
  port = Number(new URL(server.address).port);
});
afterAll(async () => {
  await server?.close(1);
  await service.close();
});

/** Asks the server with its token. */
const ask = (asked: Ask) => askServer({ to: port, token: TOKEN, ...asked });
const conversation = (text: string | readonly string[], pause = 0) => converse(port, text, pause);

/** The same reward is asked for at its path alone, and with a query, which goes another way through the server. */
const WAYS = ['/v1/reward', '/v1/reward?by=query'];

describe('a hostile request', () => {
  it.each([
    ['broken JSON', '{"completions": [', 400, 'JSON_INVALID'],
    ['a key twice', '{"completions": [], "completions": []}', 400, 'JSON_DUPLICATE_KEY'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'TEXT_INVALID_UTF8'],
    ['deep nesting', '['.repeat(200_000), 400, 'JSON_INVALID'],
    ['a wrong type', '{"completions": 3}', 400, 'SCHEMA_INVALID'],
    ['an unknown key', '{"completions": ["x"], "task_ids": ["x"], "more": 1}', 400, 'SCHEMA_INVALID'],
    ['nothing', '', 400, 'JSON_INVALID'],
    ['a task that is not there', '{"completions": ["x"], "task_ids": ["x"]}', 422, 'TASK_UNKNOWN'],
    ['more than may be sent', `"${'x'.repeat(9 * 2 ** 20)}"`, 413, 'REQUEST_TOO_LARGE'],
  ])('with %s is refused by name, in the same words either way', async (_, body, status, code) => {
    const [plain, queried] = [await ask({ path: WAYS[0]!, body }), await ask({ path: WAYS[1]!, body })];
    expect([plain.status, plain.json.error.code]).toEqual([status, code]);
    expect([queried.status, queried.text]).toEqual([plain.status, plain.text]);
    const kept = ({ headers }: typeof plain) =>
      Object.entries(headers).filter(([name]) => !['date', 'transfer-encoding', 'content-length'].includes(name));
    expect(kept(queried).sort()).toEqual(kept(plain).sort());
  });

  it.each(WAYS)('to %s is refused for its type, its method, its packing, its host and its origin', async (path) => {
    const body = '{"completions": ["x"], "task_ids": ["x"]}';
    const said = async (one: Ask) => {
      const { status, json } = await ask(one);
      return [status, json.error.code];
    };
    expect(await said({ path, body, headers: { 'content-type': 'text/plain' } })).toEqual([415, 'MEDIA_TYPE']);
    expect(await said({ path, body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } })).toEqual([
      415,
      'MEDIA_TYPE',
    ]);
    expect(await said({ path: '/v1/nothing', body })).toEqual([404, 'NOT_FOUND']);
    expect(await said({ path })).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await said({ path, body, method: 'DELETE' })).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await said({ path, body, headers: { ...JSON_TYPE, host: 'elsewhere.example' } })).toEqual([
      403,
      'FORBIDDEN_HOST',
    ]);
    expect(await said({ path, body, headers: { ...JSON_TYPE, origin: 'https://elsewhere.example' } })).toEqual([
      403,
      'FORBIDDEN_HOST',
    ]);
  });

  it('without the token, or with another one, is told so and nothing else', async () => {
    for (const path of ['/v1/releases', '/v1/releases/any', ...WAYS])
      for (const authorization of [
        '',
        'Bearer',
        `Bearer ${TOKEN}x`,
        `Bearer ${TOKEN.slice(1)}`,
        `Basic ${TOKEN}`,
        TOKEN,
      ]) {
        const answer = await ask({ path, body: '{}', headers: { ...JSON_TYPE, authorization } });
        expect([answer.status, answer.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      }
  });

  it('in absolute form is answered under the names of this server alone, whatever its Host says', async () => {
    const body = JSON.stringify({ completions: ['x'], task_ids: [task] });
    const asked = async (target: string, host = `127.0.0.1:${port}`) => {
      const head = `POST ${target} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json`;
      const heard = await conversation(`${head}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
      return [Number(heard.slice(9, 12)), /"code":"(\w+)"/.exec(heard)?.[1] ?? heard.split('\r\n\r\n')[1]];
    };
    const rewards = [200, '{"rewards":[0],"parser":"v4"}'];
    for (const path of WAYS) {
      expect(await asked(path, `LOCALHOST:${port}`)).toEqual(rewards);
      expect(await asked(`http://127.0.0.1:${port}${path}`)).toEqual(rewards);
      expect(await asked(`http://LocalHost:${port}${path}`)).toEqual(rewards);
      const others = [
        `elsewhere.example:${port}`,
        'elsewhere.example',
        `127.0.0.1:${port}@elsewhere.example`,
        '127.0.0.1',
      ];
      for (const other of others) expect(await asked(`http://${other}${path}`), other).toEqual([403, 'FORBIDDEN_HOST']);
      expect(await asked(`http://127.0.0.1:${port}${path}`, 'elsewhere.example')).toEqual([403, 'FORBIDDEN_HOST']);
    }
    for (const target of ['*', 'v1/reward', '/v1\\reward', 'http://'])
      expect((await asked(target))[0], target).toBeOneOf([400, 403]);
  });

  it('comes at most as often as its address may, and on an open address under any name', async () => {
    const other = await open({ host: '0.0.0.0', rate: 3 });
    const to = Number(new URL(other.address).port);
    const headers = {
      ...JSON_TYPE,
      authorization: `Bearer ${TOKEN}`,
      host: 'a.name.of.its.own',
      origin: 'http://a.name.of.its.own',
    };
    const body = JSON.stringify({ completions: ['x'], task_ids: [task] });
    const said = [];
    for (const path of [...WAYS, ...WAYS, ...WAYS]) said.push(await ask({ path, body, headers, to }));
    await other.close(1);
    expect(said.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
    expect(said.slice(3).map(({ headers, json }) => [headers['retry-after'], json.error.code])).toEqual(
      Array.from({ length: 3 }, () => ['1', 'RATE_LIMITED']),
    );
  });

  it.each(WAYS)('to %s that states no length is cut off at the bound all the same', async (path) => {
    const chunk = `100000\r\n${'x'.repeat(2 ** 20)}\r\n`;
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const heard = await conversation([head, ...Array.from({ length: 12 }, () => chunk)]);
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(heard).toMatch(/connection: close/i);
  });

  it('that comes slowly, or has a head without an end, or is no HTTP, ends in time', async () => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`;
    const began = performance.now();
    const [slowBody, slowQueried, slowHead, noHttp, longHead] = await Promise.all([
      conversation([head(WAYS[0]!), '{', '"']),
      conversation([head(WAYS[1]!), '{', '"']),
      conversation('POST /v1/reward HTTP/1.1\r\nhost: 127.0'),
      conversation('\u0000\u0001 nonsense\r\n\r\n'),
      conversation(`GET /healthz HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`),
    ]);
    expect(slowBody).toMatch(/^HTTP\/1\.1 408 /);
    expect(slowQueried).toMatch(/^HTTP\/1\.1 408 /);
    expect(slowHead).toMatch(/^HTTP\/1\.1 408 /);
    expect(noHttp).toMatch(/^HTTP\/1\.1 400 /);
    expect(longHead).toMatch(/^HTTP\/1\.1 431 /);
    expect((performance.now() - began) / 1000).toBeGreaterThan(SECONDS - 1);
  });

  it('among hundreds of connections is refused politely or dropped, and the next one is answered', async () => {
    // Connections that other tests left open would be among those that are answered.
    globalAgent.destroy();
    await expect
      .poll(async () => (await ask({ path: '/metrics', agent: new Agent() })).text)
      .toMatch(/_connections 1$/m);
    const idle: Socket[] = [];
    for (let i = 0; i < CONNECTIONS; i += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      idle.push(socket);
      await once(socket, 'connect');
    }
    const more = await Promise.all(
      Array.from({ length: 300 }, () =>
        ask({ path: '/healthz', agent: new Agent() }).then(
          ({ status, headers, json }) => `${status} ${json.error.code} ${headers['retry-after']}`,
          () => 'dropped',
        ),
      ),
    );
    expect(new Set(more)).toContain('503 SERVER_BUSY 1');
    expect(more.filter((one) => one !== 'dropped' && one !== '503 SERVER_BUSY 1')).toEqual([]);
    // One that was there before them is answered while they stand.
    const late = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await Promise.all(late.map((socket) => once(socket, 'connect')));
    const heard = once(idle[0]!, 'data');
    idle[0]!.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
    expect(String((await heard)[0])).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...idle, ...late]) socket.destroy();
    await expect.poll(async () => (await ask({ path: '/healthz' }).catch(() => ({ status: 0 }))).status).toBe(200);
  });

  it('leaves no answer, no key and no text of a request in the log', async () => {
    const secret = 'an answer that nobody else should read';
    const body = JSON.stringify({ completions: [secret], task_ids: [task] });
    for (const path of [...WAYS, `/v1/reward?key=${TOKEN}`]) await ask({ path, body });
    await ask({ path: `/v1/${TOKEN}` });
    await expect.poll(() => log.at(-1)?.route).toBe('unknown');
    const text = JSON.stringify(log);
    expect(log.length).toBeGreaterThan(20);
    expect(Object.keys(log.at(-2)!).sort()).toEqual(['bytes_in', 'method', 'milliseconds', 'peer', 'route', 'status']);
    for (const word of [TOKEN, secret, task]) expect(text).not.toContain(word);
  });
});
