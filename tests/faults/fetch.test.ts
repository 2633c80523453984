import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchAsset } from '../../src/environment/fetch.js';
import { sha256 } from '../../src/io/digest.js';
import { assetServer, DATA, put, ranged, target, whole } from '../support/asset-server.js';

const server = assetServer();

describe('fetch from a server', () => {
  it('writes the file once its size and digest are right, and does not ask again', async () => {
    server.handler = whole;
    const ask = server.options();
    const progress: number[] = [];
    const made = await fetchAsset({
      ...ask,
      transfer: { ...ask.transfer, onProgress: (received) => progress.push(received) },
    });
    expect(made).toEqual({ path: target(ask), bytes: DATA.length, how: 'downloaded' });
    expect(readFileSync(made.path)).toEqual(DATA);
    expect(progress.at(-1)).toBe(DATA.length);
    expect(readdirSync(dirname(made.path))).toEqual(['file.bin']);
    expect(await fetchAsset(ask)).toMatchObject({ how: 'present' });
    expect(server.seen).toHaveLength(1);
  });

  it('asks for the rest by ranges where a body breaks off', async () => {
    server.handler = ranged(20_000);
    const ask = server.options();
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(server.seen.map(({ range }) => range)).toEqual([undefined, 'bytes=20000-', 'bytes=40000-']);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('goes on where an earlier run was killed', async () => {
    server.handler = ranged();
    const ask = server.options();
    put(`${target(ask)}.part`, DATA.subarray(0, 30_000));
    put(`${target(ask)}.part.lock`, Buffer.from('2147483646'));
    await fetchAsset(ask);
    expect(server.seen.map(({ range }) => range)).toEqual(['bytes=30000-']);
    expect(readFileSync(target(ask))).toEqual(DATA);
    expect(existsSync(`${target(ask)}.part`)).toBe(false);
  });

  it('sends no request when the earlier run had everything', async () => {
    const ask = server.options();
    put(`${target(ask)}.part`, DATA);
    await fetchAsset(ask);
    expect(server.seen).toEqual([]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('takes status 416 for a complete file when the size is not pinned', async () => {
    server.handler = (_, response) => {
      response.writeHead(416, { 'content-range': `bytes */${DATA.length}` }).end();
    };
    const ask = server.options({ asset: server.asset({ bytes: null }) });
    put(`${target(ask)}.part`, DATA);
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(server.seen).toHaveLength(1);
  });

  it('starts over when what was kept is another file', async () => {
    server.handler = ranged();
    const ask = server.options();
    put(`${target(ask)}.part`, Buffer.alloc(30_000, 7));
    await fetchAsset(ask);
    expect(server.seen.map(({ range }) => range)).toEqual(['bytes=30000-', undefined]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('starts over when the server ignores ranges', async () => {
    server.handler = whole;
    const ask = server.options();
    put(`${target(ask)}.part`, DATA.subarray(0, 10));
    await fetchAsset(ask);
    expect(server.seen).toHaveLength(1);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('starts over when the server answers with another range', async () => {
    server.handler = (request, response, times) => {
      if (times > 1) return whole(request, response, times);
      response.writeHead(206, { 'content-range': `bytes 5-${DATA.length - 1}/${DATA.length}` }).end(DATA.subarray(5));
    };
    const ask = server.options();
    put(`${target(ask)}.part`, DATA.subarray(0, 10));
    await fetchAsset(ask);
    expect(server.seen.map(({ range }) => range)).toEqual(['bytes=10-', undefined]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('gives up on a body that always breaks off at the same byte, and keeps what there is', async () => {
    server.handler = (_, response) => {
      response.writeHead(200, { 'content-length': DATA.length });
      response.write(DATA.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20));
    };
    const ask = server.options();
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'ASSET_UNAVAILABLE', exit: 3 });
    expect(existsSync(target(ask))).toBe(false);
    expect(readFileSync(`${target(ask)}.part`)).toEqual(DATA.subarray(0, 1000));
    server.handler = ranged();
    await fetchAsset(ask);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('does not take an early end of a body of unknown length for the file', async () => {
    server.handler = (_, response) => {
      response.writeHead(200);
      response.end(DATA.subarray(0, 1000));
    };
    const ask = server.options();
    await expect(fetchAsset(ask)).rejects.toThrow(/the body ended at byte 1000 of 50000, 3 attempts/);
    expect(existsSync(target(ask))).toBe(false);
  });

  it('refuses wrong bytes of the right size, and keeps nothing', async () => {
    const wrong = Buffer.from(DATA);
    wrong[7] = wrong[7]! ^ 1;
    server.handler = (_, response) => {
      response.writeHead(200).end(wrong);
    };
    const ask = server.options();
    await expect(fetchAsset(ask)).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
      exit: 4,
      message: expect.stringContaining(sha256(wrong)),
    });
    expect(readdirSync(dirname(target(ask)))).toEqual([]);
  });

  it.each([
    ['announced', { 'content-length': 10 }, Buffer.alloc(10), /offers 10 bytes, 50000 are expected/],
    ['not announced', {}, Buffer.alloc(60_000), /more than 50000 bytes arrive/],
  ])('refuses a wrong size that is %s', async (_, headers, body, message) => {
    server.handler = (__, response) => {
      response.writeHead(200, headers).end(body);
    };
    const ask = server.options();
    await expect(fetchAsset(ask)).rejects.toThrow(message);
    expect(server.seen).toHaveLength(1);
    expect(readdirSync(dirname(target(ask)))).toEqual([]);
  });

  it('refuses a file past the cap when no size is pinned', async () => {
    server.handler = (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 }).write(Buffer.alloc(10));
    };
    await expect(fetchAsset(server.options({ asset: server.asset({ bytes: null }) }))).rejects.toThrow(
      /offers 2147483648 bytes, at most/,
    );
  });

  it.each([404, 403, 410])('does not ask again after status %i', async (status) => {
    server.handler = (_, response) => {
      response.writeHead(status).end('no such file');
    };
    const waits: number[] = [];
    await expect(fetchAsset(server.options({}, waits))).rejects.toMatchObject({
      code: 'ASSET_UNAVAILABLE',
      message: `${server.base}/file.bin: status ${status}`,
    });
    expect([server.seen.length, waits]).toEqual([1, []]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['its own pace', {}, 500],
    ['the seconds it was told', { 'retry-after': '7' }, 7000],
    [
      'the date it was told',
      { date: 'Mon, 03 Aug 2026 10:00:00 GMT', 'retry-after': 'Mon, 03 Aug 2026 10:00:09 GMT' },
      9000,
    ],
    ['no longer than a minute', { 'retry-after': '86400' }, 60_000],
    ['its own pace after nonsense', { 'retry-after': 'soon' }, 500],
  ])('waits after status 429 and 503: %s', async (_, headers, first) => {
    server.handler = (request, response, times) => {
      if (times === 1) response.writeHead(429, headers).end();
      else if (times === 2) response.writeHead(503).end();
      else whole(request, response, times);
    };
    const waits: number[] = [];
    await fetchAsset(server.options({}, waits));
    expect(waits).toEqual([first, 1000]);
  });

  it('gives up on a silent server, also in the middle of a body', async () => {
    server.handler = (_, response, times) => {
      if (times > 1) response.writeHead(200, { 'content-length': DATA.length }).write(DATA.subarray(0, 10));
    };
    await expect(fetchAsset(server.options())).rejects.toThrow(/attempts in a row; 10 bytes kept/);
    expect(server.seen.length).toBeGreaterThan(2);
  });

  it('takes a slow body that keeps coming', async () => {
    server.handler = (_, response) => {
      response.writeHead(200);
      let at = 0;
      const timer = setInterval(() => {
        response.write(DATA.subarray(at, (at += 10_000)));
        if (at >= DATA.length) {
          clearInterval(timer);
          response.end();
        }
      }, 80);
    };
    const ask = server.options();
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(server.seen).toHaveLength(1);
  });

  it('follows redirects, with the range, and not for ever', async () => {
    const serve = ranged();
    server.handler = (request, response, times) => {
      if (request.url === '/file.bin') response.writeHead(302, { location: '/store/x?signature=1' }).end();
      else if (request.url === '/loop') response.writeHead(301, { location: '/loop' }).end();
      else if (request.url === '/away') response.writeHead(307, { location: 'file:///etc/passwd' }).end();
      else serve(request, response, times);
    };
    const ask = server.options();
    put(`${target(ask)}.part`, DATA.subarray(0, 4));
    await fetchAsset(ask);
    expect(server.seen.at(-1)).toEqual({ path: '/store/x?signature=1', range: 'bytes=4-' });
    await expect(fetchAsset(server.options({ from: `${server.base}/loop` }))).rejects.toThrow(/more than 5 redirects/);
    await expect(fetchAsset(server.options({ from: `${server.base}/away` }))).rejects.toThrow(/redirects to file:/);
    expect(existsSync(`${target(ask)}.part`)).toBe(false);
  });

  it('tells an address that is not http from a file name', async () => {
    await expect(fetchAsset(server.options({ from: 'ftp://host/file' }))).rejects.toThrow(
      /ftp: is not an http or https address/,
    );
  });

  it('says that nobody answers, without credentials and query', async () => {
    const from = 'http://user:secret@127.0.0.1:1/file?key=secret';
    const caught = await fetchAsset(server.options({ from })).catch((error: Error) => error);
    expect(String(caught)).toMatch(/http:\/\/127.0.0.1:1\/file: .*3 attempts in a row/);
    expect(String(caught)).not.toContain('secret');
  });

  it('does not write where another process writes, and takes over from one that is gone', async () => {
    server.handler = whole;
    const ask = server.options();
    const lock = `${target(ask)}.part.lock`;
    put(lock, Buffer.from(String(process.pid)));
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'ASSET_BUSY' });
    expect(server.seen).toEqual([]);
    writeFileSync(lock, '2147483646');
    expect((await fetchAsset(ask)).how).toBe('downloaded');
    expect(readdirSync(dirname(lock))).toEqual(['file.bin']);
  });

  it('refuses an encoded body', async () => {
    server.handler = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(DATA);
    };
    await expect(fetchAsset(server.options())).rejects.toThrow(/encodes the file as gzip/);
  });
});
