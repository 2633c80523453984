import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutputs, writeTogether } from '../../src/io/write/outputs.js';
import { openTemporary, removeTemporaries, temporaryFolder } from '../../src/io/write/temporary.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

describe('a set of outputs', () => {
  it('appears at its end, whatever is written in pieces', () => {
    const outputs = openOutputs({ replace: false });
    const rows = outputs.open(at('below/rows'));
    rows.write('one ');
    outputs.add({ path: at('script'), data: 'x', mode: 0o755 });
    rows.write('two');
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['below']);
    expect(outputs.commit()).toEqual([true, true]);
    outputs.abandon();
    expect([text('below/rows'), text('script')]).toEqual(['one two', 'x']);
    expect(statSync(at('script')).mode & 0o777).toBe(0o755);
    expect(readdirSync(at('below'))).toEqual(['rows']);
  });

  it('leaves nothing behind when it is abandoned', () => {
    const outputs = openOutputs({ replace: true });
    outputs.open(at('dropped')).write('x');
    outputs.abandon();
    outputs.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('replaces other content only when it is told to, and then all or nothing', async () => {
    writeFileSync(at('b'), 'old');
    const files = ['a', 'b'].map((name) => ({ path: at(name), data: `new ${name}` }));
    await expect(writeTogether(files, { replace: false })).rejects.toThrow(
      expect.objectContaining({
        code: 'OUTPUT_EXISTS',
        message: `${at('b')}: exists with other content`,
      }),
    );
    expect(readdirSync(folder)).toEqual(['b']);
    expect(await writeTogether(files, { replace: true })).toEqual([true, true]);
    expect(await writeTogether(files, { replace: false })).toEqual([false, false]);
    expect([text('a'), text('b')]).toEqual(['new a', 'new b']);
  });

  it('tells files of one size apart', async () => {
    writeFileSync(at('a'), `${'x'.repeat(3_000_000)}1`);
    const next = [{ path: at('a'), data: `${'x'.repeat(3_000_000)}2` }];
    await expect(writeTogether(next, { replace: false })).rejects.toThrow(/other content/);
  });

  it('holds every place once, under any spelling', async () => {
    const twice = [at('a'), join(folder, '.', 'b', '..', 'a')];
    await expect(
      writeTogether(
        twice.map((path) => ({ path, data: 'x' })),
        { replace: true },
      ),
    ).rejects.toThrow(expect.objectContaining({ code: 'OUTPUT_EXISTS' }));
    expect(readdirSync(folder).filter((name) => name !== 'b')).toEqual([]);
  });
});

describe('temporaries', () => {
  it('are removed at the end of the process, whatever was under way', () => {
    openTemporary(at('file'), 0o600).write('x');
    writeFileSync(join(temporaryFolder(at('.folder-')), 'inside'), 'x');
    expect(readdirSync(folder)).toHaveLength(2);
    removeTemporaries();
    expect(readdirSync(folder)).toEqual([]);
  });
});
