import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchAsset } from '../../src/environment/fetch.js';
import { sha256 } from '../../src/io/digest.js';
import { assetServer, DATA, put, target, whole } from '../support/asset-server.js';
import { freshFolder } from '../support/folders.js';

const server = assetServer();

describe('fetch from a file', () => {
  it('takes the pinned file and refuses any other', async () => {
    const folder = freshFolder();
    put(join(folder, 'good'), DATA);
    put(join(folder, 'short'), DATA.subarray(1));
    put(join(folder, 'wrong'), Buffer.alloc(DATA.length));
    symlinkSync(join(folder, 'good'), join(folder, 'link'));
    const ask = server.options({ from: join(folder, 'good') });
    expect(await fetchAsset(ask)).toMatchObject({ how: 'copied', bytes: DATA.length });
    expect(readFileSync(target(ask))).toEqual(DATA);
    const refused = (name: string) => fetchAsset(server.options({ from: join(folder, name) }));
    await expect(refused('short')).rejects.toThrow(/49999 bytes; 50000 are expected/);
    await expect(refused('wrong')).rejects.toMatchObject({ code: 'DIGEST_MISMATCH', exit: 4 });
    await expect(refused('none')).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
    // A file to take from is an input, and inputs are followed through links.
    expect(await fetchAsset(server.options({ from: join(folder, 'link') }))).toMatchObject({ how: 'copied' });
  });

  it('does not trust a file that is there under the name', async () => {
    const ask = server.options();
    put(target(ask), Buffer.alloc(3));
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH', exit: 4 });
    expect(readFileSync(target(ask))).toHaveLength(3);
  });

  it('asks for a source where no immutable address is known', async () => {
    await expect(fetchAsset(server.options({ asset: server.asset({ url: null }) }))).rejects.toMatchObject({
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
    server.handler = whole;
    const ask = server.options();
    const outside = join(freshFolder(), 'outside.bin');
    mkdirSync(dirname(target(ask)), { recursive: true });
    make(target(ask), outside);
    const before = existsSync(outside) ? readFileSync(outside) : null;
    await expect(fetchAsset(ask)).rejects.toMatchObject({ code: 'OUTPUT_NOT_REGULAR' });
    expect(existsSync(outside) ? readFileSync(outside) : null).toEqual(before);
    expect(server.seen).toEqual([]);
  });

  it('is refused as a folder below the one asked for, for copies and for downloads', async () => {
    server.handler = whole;
    for (const from of [undefined, put]) {
      const ask = server.options();
      const outside = freshFolder();
      symlinkSync(outside, join(ask.folder, 'group'));
      const file = join(freshFolder(), 'file.bin');
      from?.(file, DATA);
      const given = from ? { ...ask, from: file } : ask;
      await expect(fetchAsset(given)).rejects.toThrow(/group.*is a symbolic link/s);
      expect(readdirSync(outside)).toEqual([]);
    }
    expect(server.seen).toEqual([]);
  });

  it('may be the folder that was asked for', async () => {
    server.handler = whole;
    const outside = freshFolder();
    const folder = join(freshFolder(), 'link');
    symlinkSync(outside, folder);
    expect((await fetchAsset(server.options({ folder }))).how).toBe('downloaded');
    expect(readFileSync(join(outside, 'group', 'file.bin'))).toEqual(DATA);
  });
});
