import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Holder, takeLock } from '../../src/ledger/ledger-lock.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { freshFolder, openLedger, SELF } from './support.js';

const OTHER: Holder = { ...SELF, pid: 202, started: 'tick 2' };

describe('the lock of a ledger', () => {
  it('lets one writer in and tells the second who holds it', async () => {
    const dir = freshFolder();
    const first = await openLedger(dir);
    const alive = { holder: OTHER, probe: (pid: number) => (pid === 101 ? 'tick 1' : undefined) };
    await expect(openLedger(dir, alive)).rejects.toThrow(
      /process 101, started tick 1, host here, boot boot-1: it is running/,
    );
    expect(viewLedger(dir).scan.lines).toBe(1);
    await first.close();
    expect(existsSync(join(dir, 'lock'))).toBe(false);
    await (await openLedger(dir, alive)).close();
  });

  it('is taken over, with a note, when its process is gone on the same boot', async () => {
    const dir = freshFolder();
    takeLock(dir, SELF, () => undefined);
    const ledger = await openLedger(dir, { holder: OTHER, probe: () => undefined });
    expect(ledger.notes).toEqual(['took over the lock of process 101, which is gone']);
    expect(ledger.state.takeovers).toBe(1);
    await ledger.close();
    expect(viewLedger(dir).state.takeovers).toBe(1);
  });

  it('sees through a reused process number', () => {
    const dir = freshFolder();
    takeLock(dir, SELF, () => undefined);
    expect(takeLock(dir, OTHER, () => 'tick 900').previous).toEqual(SELF);
    expect(() => takeLock(dir, SELF, () => 'tick 2')).toThrow(/process 202/);
  });

  it.each([
    ['another host', { host: 'there' }, /another host/],
    ['another boot', { boot_id: 'boot-2' }, /another boot/],
  ])('is respected from %s, whatever the process table says', (_, change, message) => {
    const dir = freshFolder();
    takeLock(dir, { ...SELF, ...change }, () => undefined);
    expect(() => takeLock(dir, OTHER, () => undefined)).toThrow(message);
  });

  it('lets only one of two take-overs through', () => {
    const dir = freshFolder();
    takeLock(dir, SELF, () => undefined);
    writeFileSync(join(dir, 'lock.takeover'), JSON.stringify(OTHER));
    const third = { ...SELF, pid: 303, started: 'tick 3' };
    const probe = (pid: number) => (pid === 202 ? 'tick 2' : undefined);
    expect(() => takeLock(dir, third, probe)).toThrow(/it is taking the ledger over/);
    expect(takeLock(dir, third, () => undefined).previous).toEqual(SELF);
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toEqual(third);
    expect(existsSync(join(dir, 'lock.takeover'))).toBe(false);
  });

  it('never removes a lock that has changed hands', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    writeFileSync(join(dir, 'lock'), JSON.stringify(OTHER));
    await ledger.close();
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toEqual(OTHER);
  });

  it('does not guess about a file that is no lock', () => {
    const dir = freshFolder();
    writeFileSync(join(dir, 'lock'), 'keep out');
    expect(() => takeLock(dir, SELF, () => undefined)).toThrow(/not a lock of this program/);
  });
});
