import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInput, readText, stageAll, storedFile, writeAtomic, writeOnce } from '../../src/io/file.js';
import { textLines } from '../../src/io/lines.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const left = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('a compressed file', () => {
  it.each([
    ['gzip', 'gunzip', gzipSync('text')],
    ['zstd', 'unzstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xff])],
    ['xz', 'unxz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
  ])('of kind %s is refused under its name', (kind, tool, bytes) => {
    writeFileSync(at('packed'), bytes);
    for (const read of [() => readText(at('packed')), () => [...textLines(at('packed'))]])
      expect(read).toThrow(
        expect.objectContaining({
          code: 'TEXT_INVALID_UTF8',
          message: `${at('packed')}, line 1: compressed with ${kind}`,
          hint: expect.stringContaining(tool),
        }),
      );
  });
});

describe('written files', () => {
  it('are replaced whole, with their mode, in folders made on the way', () => {
    writeAtomic(at('a/b/c.txt'), 'one');
    writeAtomic(at('a/b/c.txt'), new Uint8Array([0xc3, 0xa9]), 0o600);
    expect(readFileSync(at('a/b/c.txt'), 'utf8')).toBe('é');
    expect(statSync(at('a/b/c.txt')).mode & 0o777).toBe(0o600);
    expect(readdirSync(at('a/b'))).toEqual(['c.txt']);
  });

  it('leave nothing behind when they cannot be put in place', () => {
    writeFileSync(at('file'), 'x');
    expect(() => writeAtomic(at('file/below'), 'y')).toThrow();
    expect(() => writeAtomic(folder, 'y')).toThrow();
    expect(left()).toEqual([]);
  });

  it('whose names promise their content never change it', () => {
    expect(writeOnce(at('x-1.json'), 'same')).toBe(true);
    expect(writeOnce(at('x-1.json'), 'same')).toBe(false);
    expect(() => writeOnce(at('x-1.json'), 'other')).toThrow(
      expect.objectContaining({ code: 'LEDGER_CONFLICT', exit: 4 }),
    );
    expect(readFileSync(at('x-1.json'), 'utf8')).toBe('same');
    expect(left()).toEqual([]);
  });

  it('staged together get their names one by one, or none where one cannot be written', async () => {
    const files = ['a/1', 'a/2', 'a/3'].map((name) => ({ path: at(name), data: `in ${name}` }));
    const [first, second, third] = await stageAll(files, { mode: 0o600 });
    expect(readdirSync(at('a')).every((name) => name.endsWith('.tmp'))).toBe(true);
    expect(first?.place()).toBe(true);
    writeFileSync(at('a/2'), 'other');
    expect(() => second?.place()).toThrow(expect.objectContaining({ code: 'LEDGER_CONFLICT' }));
    for (const file of [first, second, third]) file?.abandon();
    expect(readdirSync(at('a')).sort()).toEqual(['1', '2']);
    expect(readFileSync(at('a/1'), 'utf8')).toBe('in a/1');
    expect(statSync(at('a/1')).mode & 0o777).toBe(0o600);
    const [again] = await stageAll(files.slice(0, 1), { sync: false });
    expect(again?.place()).toBe(false);
    const blocked = [...files.slice(2), { path: at('a/1/below'), data: 'x' }];
    await expect(stageAll(blocked)).rejects.toThrow();
    expect(readdirSync(at('a')).sort()).toEqual(['1', '2']);
  });

  it('take no place but that of a file', () => {
    writeFileSync(at('real'), 'kept');
    symlinkSync(at('real'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    for (const path of [at('link'), at('dangling'), folder]) {
      expect(() => writeAtomic(path, 'x')).toThrow(expect.objectContaining({ code: 'OUTPUT_NOT_REGULAR', exit: 2 }));
    }
    expect(readFileSync(at('real'), 'utf8')).toBe('kept');
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'link', 'real']);
  });

  it('are read through links, and refused as inputs when they are folders or absent', () => {
    writeFileSync(at('real'), '\ufefftext');
    symlinkSync(at('real'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    expect([readText(at('real')), readText(at('link'))]).toEqual(['text', 'text']);
    expect(() => readInput(folder)).toThrow(/is a folder; a file is expected/);
    expect(() => readInput(at('none'))).toThrow(expect.objectContaining({ code: 'INPUT_NOT_FOUND' }));
    expect(() => readInput(at('dangling'))).toThrow(/is a link to a file that is not there/);
    expect(readInput('/dev/null')).toHaveLength(0);
  });

  it('of a store are no links, folders or devices', () => {
    writeFileSync(at('real'), 'text');
    symlinkSync(at('real'), at('link'));
    expect(storedFile(at('real'))).toBe(at('real'));
    for (const [path, kind] of [
      [at('link'), 'a symbolic link'],
      [folder, 'a folder'],
      ['/dev/null', 'a device'],
    ] as const)
      expect(() => storedFile(path)).toThrow(
        expect.objectContaining({
          code: 'INPUT_NOT_REGULAR',
          message: `${path}: is ${kind}; a store holds regular files only`,
        }),
      );
    expect(() => storedFile(at('none'))).toThrow(expect.objectContaining({ code: 'INPUT_NOT_FOUND' }));
  });
});
