import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkFiles } from '../../src/io/folder.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'walk-'));
  mkdirSync(join(dir, 'a', 'b'), { recursive: true });
  for (const name of ['z.json', 'a/y.json', 'a/b/x.json', 'a/.hidden', '.config']) writeFileSync(join(dir, name), name);
  symlinkSync('..', join(dir, 'a', 'b', 'up'));
  symlinkSync('../z.json', join(dir, 'a', 'again.json'));
  symlinkSync('nowhere', join(dir, 'a', 'lost.json'));
  symlinkSync('circle', join(dir, 'circle'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('files that paths name', () => {
  it('are those of a folder in order of names, each once, without hidden ones and broken links', () => {
    const { files, hidden, repeated } = walkFiles([dir, join(dir, 'z.json')]);
    expect(files.map(({ name, found }) => [name.slice(dir.length + 1), found])).toEqual([
      ['a/again.json', true],
      ['a/b/x.json', true],
      ['a/y.json', true],
    ]);
    expect([hidden, repeated]).toEqual([2, 2]);
    expect(files[0]!.folder).toBe(resolve(dir, 'a'));
    expect(Buffer.from(files[0]!.bytes).toString()).toBe('z.json');
    expect(Buffer.from(files[1]!.head).toString()).toBe('a/b/x.json');
  });

  it('are not found where there is nothing, or a link in a circle', () => {
    for (const name of ['none.json', 'circle', 'a/lost.json'])
      expect(() => walkFiles([join(dir, name)])).toThrow(expect.objectContaining({ code: 'INPUT_NOT_FOUND' }));
  });

  it('are refused below 32 folders', () => {
    const deep = Array.from({ length: 34 }, () => 'd');
    mkdirSync(join(dir, 'deep', ...deep), { recursive: true });
    expect(() => walkFiles([join(dir, 'deep')])).toThrow(expect.objectContaining({ code: 'BOUND_EXCEEDED' }));
  });

  it('may be a pipe, which is read once however often its bytes are asked for', () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    spawn('sh', ['-c', `printf 'model,a' > '${pipe}'`], { stdio: 'ignore' });
    const [file] = walkFiles([pipe]).files;
    expect([file!.head, file!.bytes, file!.bytes].map((bytes) => Buffer.from(bytes).toString())).toEqual([
      'model,a',
      'model,a',
      'model,a',
    ]);
  });
});
