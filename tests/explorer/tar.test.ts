import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isTar, tarMembers } from '../../src/explorer/sources/tar.js';

const dir = mkdtempSync(join(tmpdir(), 'flavourbench-tar-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const LONG = `${'deep/'.repeat(30)}${'n'.repeat(90)}.txt`;
mkdirSync(join(dir, 'rel', 'deep/'.repeat(30)), { recursive: true });
writeFileSync(join(dir, 'rel', 'a.txt'), 'first');
writeFileSync(join(dir, 'rel', 'é.txt'), '');
writeFileSync(join(dir, 'rel', LONG), 'x'.repeat(1500));
symlinkSync('/etc/passwd', join(dir, 'rel', 'link'));

/** Packs the folder with the tar of the system. */
function packed(format: string): Uint8Array {
  const file = join(dir, `${format}.tar`);
  const run = spawnSync('tar', [`--format=${format}`, '-cf', file, '-C', dir, 'rel']);
  expect(run.status).toBe(0);
  return readFileSync(file);
}

const listed = (bytes: Uint8Array) =>
  tarMembers(bytes, 'x.tar', 'Pack it again.').map(({ name, bytes: own }) => [name, new TextDecoder().decode(own)]);

describe('tar archives', () => {
  it.each(['gnu', 'pax'])('are read as GNU tar writes them in the form %s, links passed over', (format) => {
    const bytes = packed(format);
    expect(isTar(bytes)).toBe(true);
    expect(Object.fromEntries(listed(bytes))).toEqual({
      'rel/a.txt': 'first',
      'rel/é.txt': '',
      [`rel/${LONG}`]: 'x'.repeat(1500),
    });
  });

  it('are refused where they are cut off, changed, or say more than they hold', () => {
    const bytes = packed('gnu');
    const refused = (change: (copy: Uint8Array) => Uint8Array) => {
      try {
        listed(change(Uint8Array.from(bytes)));
        return 'read';
      } catch (error) {
        return `${(error as { code: string }).code}: ${(error as Error).message}`;
      }
    };
    expect(refused((copy) => copy.subarray(0, copy.length - 10240 + 512 * 3))).toMatch(/^TAR_INVALID.*at byte/);
    expect(refused((copy) => copy.subarray(0, 700))).toMatch(/^TAR_INVALID/);
    expect(
      refused((copy) => {
        copy[3]! ^= 1;
        return copy;
      }),
    ).toMatch(/^TAR_INVALID.*checksum/);
    expect(refused((copy) => copy.fill(0x37, 124, 135))).toMatch(/^TAR_INVALID/);
    expect(isTar(new TextEncoder().encode('model,task,score\n'.repeat(60)))).toBe(false);
  });
});
