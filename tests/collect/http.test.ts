import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpClient, type HttpRequest, makeHttpClient } from '../../src/collect/http.js';
import { selfSigned } from '../support/certificate.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function client(options: Parameters<typeof makeHttpClient>[0] = {}): HttpClient {
  const made = makeHttpClient(options);
  closing.push(() => made.close());
  return made;
}

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 2000,
  maxBodyBytes: 1000,
  ...more,
});

const ok: RequestListener = (_, response) => response.end('{"ok":true}');

/** A proxy that counts and tunnels; `answer` other than 200 refuses. */
async function proxy(answer = 200, delayMs = 0): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server = createHttp();
  server.on('connect', (incoming, socket) => {
    tunnels.push(incoming.url ?? '');
    socket.on('error', () => undefined);
    if (answer !== 200) {
      socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
      return;
    }
    const [host = '', port] = (incoming.url ?? '').split(':');
    const target = connect(Number(port), host, async () => {
      await setTimeout(delayMs);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket);
      socket.pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels };
}

describe('a request over HTTP', () => {
  it('is certainly not sent when the connection is refused', async () => {
    const port = await listen(createHttp(ok));
    closing.splice(0).forEach((close) => void close());
    const outcome = await client().send(request(`http://127.0.0.1:${port}/`));
    expect(outcome).toMatchObject({
      kind: 'not_sent',
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is certainly not sent when the name does not resolve', async () => {
    const outcome = await client().send(request('http://no-such-host.invalid/'));
    expect(outcome.kind).toBe('not_sent');
  });

  it('is ambiguous when the connection dies after it', async () => {
    const server = createTcp((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect((await client().send(request(`http://127.0.0.1:${port}/`))).kind).toBe('ambiguous');
  });

  it('is ambiguous when the server never replies, once the time is up', async () => {
    let arrived = 0;
    const port = await listen(createHttp(() => (arrived += 1)));
    const outcome = await client().send(request(`http://127.0.0.1:${port}/`, { timeoutMs: 120 }));
    expect(outcome).toEqual({
      kind: 'ambiguous',
      status: null,
      error: 'no complete reply within 0.12 s',
    });
    expect(arrived).toBe(1);
  });

  it('ends at the whole time when the reply trickles, and keeps the status it saw', async () => {
    const port = await listen(
      createHttp((_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const outcome = await client().send(request(`http://127.0.0.1:${port}/`, { timeoutMs: 150 }));
    expect(outcome).toMatchObject({ kind: 'ambiguous', status: 200 });
  });

  it('has its reply cut when that is too long', async () => {
    const port = await listen(createHttp((_, response) => response.end('x'.repeat(5000))));
    const outcome = await client().send(request(`http://127.0.0.1:${port}/`));
    expect(outcome).toMatchObject({ kind: 'reply', oversized: true });
  });

  // microsoft/openaivec#186: retries of two layers multiplied to 36 attempts.
  it('follows no redirect and is never repeated', async () => {
    let calls = 0;
    const port = await listen(
      createHttp((_, response) => {
        calls += 1;
        response.writeHead(calls === 1 ? 307 : 503, { location: '/elsewhere' });
        response.end();
      }),
    );
    const { send } = client();
    expect(await send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 307 });
    expect(await send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 503 });
    expect(calls).toBe(2);
  });
});

describe('a request through proxies and under certificates', () => {
  it('goes through a proxy, except to the hosts that are exempt', async () => {
    const port = await listen(createHttp(ok));
    const { url, tunnels } = await proxy();
    const target = `http://127.0.0.1:${port}/v1`;
    expect(await client({ httpProxy: url }).send(request(target))).toMatchObject({ status: 200 });
    expect(tunnels).toEqual([`127.0.0.1:${port}`]);
    const exempt = client({ httpProxy: url, noProxy: '127.0.0.1' });
    expect(await exempt.send(request(target))).toMatchObject({ status: 200 });
    expect(tunnels).toHaveLength(1);
  });

  it.each([407, 502])('is not sent when the proxy answers %i to CONNECT', async (status) => {
    let arrived = 0;
    const port = await listen(createHttp(() => (arrived += 1)));
    const { url } = await proxy(status);
    const outcome = await client({ httpProxy: url }).send(request(`http://127.0.0.1:${port}/`));
    expect(outcome.kind).toBe('not_sent');
    expect(arrived).toBe(0);
  });

  it('is never sent later when its time ran out before it had a connection', async () => {
    let arrived = 0;
    const port = await listen(
      createHttp((_, response) => {
        arrived += 1;
        response.end();
      }),
    );
    const { url, tunnels } = await proxy(200, 200);
    const { send } = client({ httpProxy: url });
    const target = `http://127.0.0.1:${port}/`;
    const late = await send(request(target, { timeoutMs: 80 }));
    expect(late).toMatchObject({ kind: 'not_sent' });
    await setTimeout(400);
    expect(tunnels).toHaveLength(1);
    expect(arrived).toBe(0);
    expect(await send(request(target))).toMatchObject({ status: 200 });
    expect(arrived).toBe(1);
  });

  it('trusts a private authority only when it is given, directly and through a proxy', async () => {
    const { cert, key } = selfSigned();
    const port = await listen(createHttps({ cert, key }, ok));
    const target = `https://127.0.0.1:${port}/`;
    expect(await client().send(request(target))).toMatchObject({
      kind: 'not_sent',
      error: expect.stringContaining('SELF_SIGNED'),
    });
    expect(await client({ ca: [cert] }).send(request(target))).toMatchObject({ status: 200 });
    const { url, tunnels } = await proxy();
    const both = client({ ca: [cert], httpsProxy: url });
    expect(await both.send(request(target))).toMatchObject({ status: 200 });
    expect(tunnels).toHaveLength(1);
  });
});
