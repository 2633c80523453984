import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS, type Asset, assetUrl, findAssets } from '../../src/environment/assets.js';
import { type FetchOptions, fetchAsset } from '../../src/environment/fetch.js';
import { sha256 } from '../../src/io/digest.js';
import { freshFolder } from '../support/environment-files.js';

const DATA = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 31) & 255));
type Handler = (request: IncomingMessage, response: ServerResponse, times: number) => void;

let server: Server;
let handler: Handler;
let seen: { path: string; range: string | undefined }[] = [];
let base = '';
const agent = new Agent();

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', range: request.headers.range });
    handler(request, response, seen.length);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  seen = [];
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  await new Promise((done) => {
    server.close(done);
  });
});

const asset = (change: Partial<Asset> = {}): Asset => ({
  id: 'group/file.bin',
  sha256: sha256(DATA),
  bytes: DATA.length,
  licence: 'CC0',
  url: `${base}/file.bin`,
  about: 'test',
  ...change,
});

function options(change: Partial<FetchOptions> = {}, waits: number[] = []): FetchOptions {
  return {
    asset: asset(),
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
  };
}
const whole: Handler = (_, response) => {
  response.writeHead(200, { 'content-length': DATA.length }).end(DATA);
};
/** Serves ranges; breaks the connection after `most` bytes of each answer. */
const ranged =
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
const target = ({ folder }: FetchOptions) => join(folder, 'group', 'file.bin');
const put = (path: string, data: Buffer) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
};

describe('fetch from a server', () => {
  it('writes the file once its size and digest are right, and does not ask again', async () => {
    handler = whole;
    const ask = options();
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
    expect(seen).toHaveLength(1);
  });

  it('asks for the rest by ranges where a body breaks off', async () => {
    handler = ranged(20_000);
    const ask = options();
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(seen.map(({ range }) => range)).toEqual([undefined, 'bytes=20000-', 'bytes=40000-']);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('goes on where an earlier run was killed', async () => {
    handler = ranged();
    const ask = options();
    put(`${target(ask)}.part`, DATA.subarray(0, 30_000));
    put(`${target(ask)}.part.lock`, Buffer.from('2147483646'));
    await fetchAsset(ask);
    expect(seen.map(({ range }) => range)).toEqual(['bytes=30000-']);
    expect(readFileSync(target(ask))).toEqual(DATA);
    expect(existsSync(`${target(ask)}.part`)).toBe(false);
  });

  it('sends no request when the earlier run had everything', async () => {
    const ask = options();
    put(`${target(ask)}.part`, DATA);
    await fetchAsset(ask);
    expect(seen).toEqual([]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('takes status 416 for a complete file when the size is not pinned', async () => {
    handler = (_, response) => {
      response.writeHead(416, { 'content-range': `bytes */${DATA.length}` }).end();
    };
    const ask = options({ asset: asset({ bytes: null }) });
    put(`${target(ask)}.part`, DATA);
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(seen).toHaveLength(1);
  });

  it('starts over when what was kept is another file', async () => {
    handler = ranged();
    const ask = options();
    put(`${target(ask)}.part`, Buffer.alloc(30_000, 7));
    await fetchAsset(ask);
    expect(seen.map(({ range }) => range)).toEqual(['bytes=30000-', undefined]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('starts over when the server ignores ranges', async () => {
    handler = whole;
    const ask = options();
    put(`${target(ask)}.part`, DATA.subarray(0, 10));
    await fetchAsset(ask);
    expect(seen).toHaveLength(1);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('starts over when the server answers with another range', async () => {
    handler = (request, response, times) => {
      if (times > 1) return whole(request, response, times);
      response.writeHead(206, { 'content-range': `bytes 5-${DATA.length - 1}/${DATA.length}` }).end(DATA.subarray(5));
    };
    const ask = options();
    put(`${target(ask)}.part`, DATA.subarray(0, 10));
    await fetchAsset(ask);
    expect(seen.map(({ range }) => range)).toEqual(['bytes=10-', undefined]);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('gives up on a body that always breaks off at the same byte, and keeps what there is', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': DATA.length });
      response.write(DATA.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20));
    };
    const ask = options();
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'ASSET_UNAVAILABLE', exit: 3 });
    expect(existsSync(target(ask))).toBe(false);
    expect(readFileSync(`${target(ask)}.part`)).toEqual(DATA.subarray(0, 1000));
    handler = ranged();
    await fetchAsset(ask);
    expect(readFileSync(target(ask))).toEqual(DATA);
  });

  it('does not take an early end of a body of unknown length for the file', async () => {
    handler = (_, response) => {
      response.writeHead(200);
      response.end(DATA.subarray(0, 1000));
    };
    const ask = options();
    await expect(fetchAsset(ask)).rejects.toThrow(/the body ended at byte 1000 of 50000, 3 attempts/);
    expect(existsSync(target(ask))).toBe(false);
  });

  it('refuses wrong bytes of the right size, and keeps nothing', async () => {
    const wrong = Buffer.from(DATA);
    wrong[7] = wrong[7]! ^ 1;
    handler = (_, response) => {
      response.writeHead(200).end(wrong);
    };
    const ask = options();
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
    handler = (__, response) => {
      response.writeHead(200, headers).end(body);
    };
    const ask = options();
    await expect(fetchAsset(ask)).rejects.toThrow(message);
    expect(seen).toHaveLength(1);
    expect(readdirSync(dirname(target(ask)))).toEqual([]);
  });

  it('refuses a file past the cap when no size is pinned', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 }).write(Buffer.alloc(10));
    };
    await expect(fetchAsset(options({ asset: asset({ bytes: null }) }))).rejects.toThrow(
      /offers 2147483648 bytes, at most/,
    );
  });

  it.each([404, 403, 410])('does not ask again after status %i', async (status) => {
    handler = (_, response) => {
      response.writeHead(status).end('no such file');
    };
    const waits: number[] = [];
    await expect(fetchAsset(options({}, waits))).rejects.toMatchObject({
      code: 'ASSET_UNAVAILABLE',
      message: `${base}/file.bin: status ${status}`,
    });
    expect([seen.length, waits]).toEqual([1, []]);
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
    handler = (request, response, times) => {
      if (times === 1) response.writeHead(429, headers).end();
      else if (times === 2) response.writeHead(503).end();
      else whole(request, response, times);
    };
    const waits: number[] = [];
    await fetchAsset(options({}, waits));
    expect(waits).toEqual([first, 1000]);
  });

  it('gives up on a silent server, also in the middle of a body', async () => {
    handler = (_, response, times) => {
      if (times > 1) response.writeHead(200, { 'content-length': DATA.length }).write(DATA.subarray(0, 10));
    };
    await expect(fetchAsset(options())).rejects.toThrow(/attempts in a row; 10 bytes kept/);
    expect(seen.length).toBeGreaterThan(2);
  });

  it('takes a slow body that keeps coming', async () => {
    handler = (_, response) => {
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
    const ask = options();
    expect((await fetchAsset(ask)).bytes).toBe(DATA.length);
    expect(seen).toHaveLength(1);
  });

  it('follows redirects, with the range, and not for ever', async () => {
    const serve = ranged();
    handler = (request, response, times) => {
      if (request.url === '/file.bin') response.writeHead(302, { location: '/store/x?signature=1' }).end();
      else if (request.url === '/loop') response.writeHead(301, { location: '/loop' }).end();
      else if (request.url === '/away') response.writeHead(307, { location: 'file:///etc/passwd' }).end();
      else serve(request, response, times);
    };
    const ask = options();
    put(`${target(ask)}.part`, DATA.subarray(0, 4));
    await fetchAsset(ask);
    expect(seen.at(-1)).toEqual({ path: '/store/x?signature=1', range: 'bytes=4-' });
    await expect(fetchAsset(options({ from: `${base}/loop` }))).rejects.toThrow(/more than 5 redirects/);
    await expect(fetchAsset(options({ from: `${base}/away` }))).rejects.toThrow(/redirects to file:/);
    expect(existsSync(`${target(ask)}.part`)).toBe(false);
  });

  it('tells an address that is not http from a file name', async () => {
    await expect(fetchAsset(options({ from: 'ftp://host/file' }))).rejects.toThrow(
      /ftp: is not an http or https address/,
    );
  });

  it('says that nobody answers, without credentials and query', async () => {
    const from = 'http://user:secret@127.0.0.1:1/file?key=secret';
    const caught = await fetchAsset(options({ from })).catch((error: Error) => error);
    expect(String(caught)).toMatch(/http:\/\/127.0.0.1:1\/file: .*3 attempts in a row/);
    expect(String(caught)).not.toContain('secret');
  });

  it('does not write where another process writes, and takes over from one that is gone', async () => {
    handler = whole;
    const ask = options();
    const lock = `${target(ask)}.part.lock`;
    put(lock, Buffer.from(String(process.pid)));
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'ASSET_BUSY' });
    expect(seen).toEqual([]);
    writeFileSync(lock, '2147483646');
    expect((await fetchAsset(ask)).how).toBe('downloaded');
    expect(readdirSync(dirname(lock))).toEqual(['file.bin']);
  });

  it('refuses an encoded body', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(DATA);
    };
    await expect(fetchAsset(options())).rejects.toThrow(/encodes the file as gzip/);
  });
});

describe('fetch from a file', () => {
  it('takes the pinned file and refuses any other', async () => {
    const folder = freshFolder();
    put(join(folder, 'good'), DATA);
    put(join(folder, 'short'), DATA.subarray(1));
    put(join(folder, 'wrong'), Buffer.alloc(DATA.length));
    symlinkSync(join(folder, 'good'), join(folder, 'link'));
    const ask = options({ from: join(folder, 'good') });
    expect(await fetchAsset(ask)).toMatchObject({ how: 'copied', bytes: DATA.length });
    expect(readFileSync(target(ask))).toEqual(DATA);
    const refused = (name: string) => fetchAsset(options({ from: join(folder, name) }));
    await expect(refused('short')).rejects.toThrow(/49999 bytes; 50000 are expected/);
    await expect(refused('wrong')).rejects.toMatchObject({ code: 'DIGEST_MISMATCH', exit: 4 });
    await expect(refused('none')).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
    // A file to take from is an input, and inputs are followed through links.
    expect(await fetchAsset(options({ from: join(folder, 'link') }))).toMatchObject({ how: 'copied' });
  });

  it('does not trust a file that is there under the name', async () => {
    const ask = options();
    put(target(ask), Buffer.alloc(3));
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH', exit: 4 });
    expect(readFileSync(target(ask))).toHaveLength(3);
  });

  it('asks for a source where no immutable address is known', async () => {
    await expect(fetchAsset(options({ asset: asset({ url: null }) }))).rejects.toMatchObject({
      code: 'ASSET_UNADDRESSED',
      exit: 2,
      hint: expect.stringContaining(sha256(DATA)),
    });
  });
});

describe('a link in the way of a download', () => {
  const places = [
    ['the partial file, pointing at nothing', (path: string, outside: string) => symlinkSync(outside, `${path}.part`)],
    [
      'the partial file, pointing at a file',
      (path: string, outside: string) => {
        writeFileSync(outside, DATA.subarray(0, 10));
        symlinkSync(outside, `${path}.part`);
      },
    ],
    ['the file itself, pointing at nothing', (path: string, outside: string) => symlinkSync(outside, path)],
    [
      'the file itself, pointing at the right bytes',
      (path: string, outside: string) => {
        writeFileSync(outside, DATA);
        symlinkSync(outside, path);
      },
    ],
  ] as const;

  it.each(places)('is refused as %s, and nothing outside changes', async (_, make) => {
    handler = whole;
    const ask = options();
    const outside = join(freshFolder(), 'outside.bin');
    mkdirSync(dirname(target(ask)), { recursive: true });
    make(target(ask), outside);
    const before = existsSync(outside) ? readFileSync(outside) : null;
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'OUTPUT_NOT_REGULAR' });
    expect(existsSync(outside) ? readFileSync(outside) : null).toEqual(before);
    expect(seen).toEqual([]);
  });

  it('is refused as a folder below the one asked for, for copies and for downloads', async () => {
    handler = whole;
    for (const from of [undefined, put]) {
      const ask = options();
      const outside = freshFolder();
      symlinkSync(outside, join(ask.folder, 'group'));
      const file = join(freshFolder(), 'file.bin');
      from?.(file, DATA);
      const given = from ? { ...ask, from: file } : ask;
      await expect(fetchAsset(given)).rejects.toThrow(/group.*is a symbolic link/s);
      expect(readdirSync(outside)).toEqual([]);
    }
    expect(seen).toEqual([]);
  });

  it('may be the folder that was asked for', async () => {
    handler = whole;
    const outside = freshFolder();
    const folder = join(freshFolder(), 'link');
    symlinkSync(outside, folder);
    expect((await fetchAsset(options({ folder }))).how).toBe('downloaded');
    expect(readFileSync(join(outside, 'group', 'file.bin'))).toEqual(DATA);
  });
});

describe('the registry of public assets', () => {
  it('names every asset once, with a digest and a licence', () => {
    expect(new Set(ASSETS.map(({ id }) => id)).size).toBe(ASSETS.length);
    for (const { id, sha256: digest, licence, url } of ASSETS) {
      expect(id).toMatch(/^[a-z0-9-]+\/[A-Za-z0-9_.]+$/);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(licence).not.toBe('');
      if (url) expect(url).toMatch(/^https:\/\/[^?]+\/resolve\/[0-9a-f]{40}\/[^?]+$/);
    }
  });

  it('finds assets by name and by group', () => {
    expect(findAssets('runtime').map(({ id }) => id)).toHaveLength(3);
    expect(findAssets('epicure-cooc/vocab.json')).toHaveLength(1);
    expect(() => findAssets('epicure')).toThrow(/no asset "epicure"/);
  });

  it('forms the address of a data set from a revision', () => {
    const tasks = findAssets('flavourbench/tasks.jsonl')[0]!;
    expect(assetUrl(tasks)).toBeNull();
    expect(assetUrl(tasks, 'abc123')).toMatch(
      /\/josefchen\/flavourbench\/resolve\/abc123\/data-complete-core\/tasks.jsonl$/,
    );
    expect(() => assetUrl(tasks, '../x')).toThrow(/--revision/);
  });
});
