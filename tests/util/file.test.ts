import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openAtomicStream,
  readInput,
  readText,
  stageAll,
  writeAtomic,
  writeOnce,
} from '../../src/util/file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const left = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('files', () => {
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

  it('written in pieces appear at the end or not at all', () => {
    const kept = openAtomicStream(at('kept'));
    kept.write('one ');
    expect(readdirSync(folder).includes('kept')).toBe(false);
    kept.write('two');
    kept.close();
    kept.abandon();
    expect(readFileSync(at('kept'), 'utf8')).toBe('one two');
    const dropped = openAtomicStream(at('dropped'));
    dropped.write('x');
    dropped.abandon();
    dropped.abandon();
    expect(readdirSync(folder)).toEqual(['kept']);
  });

  it('are refused as inputs when they are links, folders or absent', () => {
    writeFileSync(at('real'), '\ufefftext');
    symlinkSync(at('real'), at('link'));
    expect(readText(at('real'))).toBe('text');
    expect(() => readText(at('link'))).toThrow(
      expect.objectContaining({ code: 'INPUT_NOT_REGULAR' }),
    );
    expect(() => readInput(folder)).toThrow(/is a folder; a regular file is expected/);
    expect(() => readInput(at('none'))).toThrow(
      expect.objectContaining({ code: 'INPUT_NOT_FOUND' }),
    );
    expect(() => readInput('/dev/null')).toThrow(/not a file/);
  });
});
