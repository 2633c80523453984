import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readText } from '../../src/io/file.js';
import { lineBlocks, textLines } from '../../src/io/lines.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, data: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
}

const lines = (path: string) => [...textLines(path)].map(({ text, line }) => `${line}:${text}`);

describe('the reader of lines', () => {
  it('ends lines at LF and CRLF only and strips one byte order mark', () => {
    const path = file('a', '\ufeffa\u2028b\r\nc\u0085d\x0be\rf\n\n\ufefflast');
    expect(lines(path)).toEqual(['1:a\u2028b', '2:c\u0085d\x0be\rf', '4:\ufefflast']);
  });

  it('reads an empty file, a lone mark and a final line feed', () => {
    expect(lines(file('b', ''))).toEqual([]);
    expect(lines(file('c', '\ufeff'))).toEqual([]);
    expect(lines(file('d', 'x\n'))).toEqual(['1:x']);
  });

  it('keeps line numbers and text across blocks', () => {
    const rows = Array.from({ length: 90_000 }, (_, i) => `${i} ${'é'.repeat(i % 150)}`);
    const path = file('e', `${rows.join('\n')}\n`);
    let index = 0;
    for (const { text, line } of textLines(path)) {
      if (text !== rows[index] || line !== index + 1) throw new Error(`line ${line} differs`);
      index += 1;
    }
    expect(index).toBe(rows.length);
    expect([...lineBlocks(path)].length).toBeGreaterThan(2);
  });

  it('takes a line longer than a block and refuses one past 64 MiB without reading it all', () => {
    const long = 'x'.repeat(9_000_000);
    expect([...textLines(file('f', `a\n${long}\nb`))].map(({ text }) => text.length)).toEqual([1, 9_000_000, 1]);
    const huge = file('g', '');
    truncateSync(huge, 200_000_000);
    expect(() => lines(huge)).toThrow(/line 1: longer than 64 MiB/);
    const second = file('h', 'ok\n');
    truncateSync(second, 70_000_000);
    expect(() => lines(second)).toThrow(/line 2: longer than 64 MiB/);
  });

  it.each([0, 3_000_000])('holds every reader to 64 MiB a line, %d bytes into the file', (before) => {
    const start = before === 0 ? '' : `${'x'.repeat(before)}\n`;
    const full = 64 * 1024 * 1024;
    const write = (size: number) => file('limit', `${start}${'y'.repeat(size)}\nend\n`);
    const last = before === 0 ? 1 : 2;
    const sizes = [...lineBlocks(write(full))].map(({ start: at, end }) => end - at);
    expect(sizes.reduce((a, b) => a + b)).toBe(start.length + full + 5);
    const path = write(full + 1);
    expect(() => [...lineBlocks(path)]).toThrow(`line ${last}: longer than 64 MiB`);
  });

  it('names the line that is not UTF-8', () => {
    const path = file('i', Buffer.from([0x61, 10, 0x62, 10, 0xc3, 0x28, 10]));
    expect(() => lines(path)).toThrow(/line 3: not valid UTF-8/);
    expect(() => readText(path)).toThrow(/line 3: not valid UTF-8/);
  });

  it('follows a link, and refuses a folder and a missing file', () => {
    const target = file('j', 'x\ny\n');
    symlinkSync(target, join(folder, 'link'));
    expect(lines(join(folder, 'link'))).toEqual(lines(target));
    expect(() => lines(folder)).toThrow(/a folder/);
    expect(() => readText(join(folder, 'none'))).toThrow(/does not exist/);
  });
});
