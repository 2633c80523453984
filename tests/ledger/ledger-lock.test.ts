import { existsSync, linkSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KernelLock } from '../../src/ledger/kernel-lock.js';
import { type Holder, lockLost, takeLock } from '../../src/ledger/ledger-lock.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { freshFolder } from '../support/folders.js';
import { bindingFor, openLedger, SELF, startCell } from './support.js';

const OTHER: Holder = { ...SELF, pid: 202, started: 'tick 2' };

const JOURNAL = '1:2';

interface Sight {
  readonly probe?: (pid: number) => string | undefined;
  readonly kernel?: KernelLock;
  readonly takeOver?: boolean;
  readonly journal?: string;
}

/** Takes the lock of a folder in the name of a holder; nobody is seen alive, and the kernel gives its lock, unless said otherwise. */
const take = (dir: string, self: Holder, sight: Sight = {}) =>
  takeLock(dir, { self, probe: () => undefined, kernel: 'held', journal: JOURNAL, takeOver: false, ...sight });

describe('the lock of a ledger', () => {
  it('lets one writer in and tells the second who holds it, though it cannot see its process', async () => {
    const dir = freshFolder();
    const first = await openLedger(dir);
    for (const sight of [{}, { takeOver: true }, { holder: { ...OTHER, pid_namespace: 'pid:[2]', host: 'inside' } }])
      await expect(openLedger(dir, { holder: OTHER, ...sight })).rejects.toThrow(
        /process 101, started tick 1, host here, boot boot-1, processes pid:\[1\]: it is running/,
      );
    expect(viewLedger(dir).scan.lines).toBe(1);
    await first.close();
    expect(existsSync(join(dir, 'lock'))).toBe(false);
    await (await openLedger(dir, { holder: OTHER })).close();
  });

  it('is the kernel’s where the file that names the holder is gone', async () => {
    const dir = freshFolder();
    const first = await openLedger(dir);
    renameSync(join(dir, 'lock'), join(dir, '..', `${SELF.pid}-moved-lock`));
    await expect(openLedger(dir, { holder: OTHER })).rejects.toThrow(
      /a process that the lock file does not name: it is running/,
    );
    await first.close();
  });

  it('is taken over, with a note, when its process is gone on the same boot', async () => {
    const dir = freshFolder();
    take(dir, SELF);
    const ledger = await openLedger(dir, { holder: OTHER, probe: () => undefined });
    expect(ledger.notes).toEqual(['took over the lock of process 101, which is gone']);
    expect(ledger.state.takeovers).toBe(1);
    await ledger.close();
    expect(viewLedger(dir).state.takeovers).toBe(1);
  });

  it.each([
    ['in another container of one kernel', { pid: 101, pid_namespace: 'pid:[2]' }],
    ['in another container with a host name of its own', { pid: 101, pid_namespace: 'pid:[2]', host: 'inside' }],
    ['whose number another process has here', { pid: 202 }],
  ])('of a holder %s is free once the kernel gives its lock', (_, change) => {
    const dir = freshFolder();
    take(dir, { ...SELF, ...change });
    expect(take(dir, OTHER, { probe: () => 'tick 1' }).previous?.pid).toBe(change.pid);
  });

  it('of a copied folder, whose journal is another file, is respected unless its process is seen to be gone', () => {
    const dir = freshFolder();
    const inside = { ...SELF, pid_namespace: 'pid:[2]' };
    take(dir, inside);
    const copy = { journal: '1:3' };
    expect(() => take(dir, OTHER, copy)).toThrow(
      /its journal is another file: this folder is a copy, or another mount/,
    );
    expect(take(dir, OTHER, { ...copy, takeOver: true }).previous?.pid).toBe(101);
    expect(take(dir, SELF, copy).previous?.pid).toBe(202);
  });

  it('is not asked for where two folders share a journal', async () => {
    const dir = freshFolder();
    await (await openLedger(dir)).close();
    const other = freshFolder();
    linkSync(join(dir, 'attempts.jsonl'), join(other, 'attempts.jsonl'));
    await expect(openLedger(other)).rejects.toThrow(
      expect.objectContaining({ code: 'INPUT_NOT_REGULAR', message: expect.stringContaining('has 2 names') }),
    );
    expect(existsSync(join(other, 'lock'))).toBe(false);
  });

  it('sees through a reused process number', () => {
    const dir = freshFolder();
    take(dir, SELF, { kernel: 'none' });
    expect(take(dir, OTHER, { probe: () => 'tick 900' }).previous).toEqual({
      ...SELF,
      kernel_lock: false,
      journal: JOURNAL,
    });
  });

  const { pid_namespace: _, ...OLD } = SELF;
  it.each([
    ['another host', { ...SELF, host: 'there', boot_id: 'boot-2' }, 'held', /another host/],
    [
      'another boot',
      { ...SELF, boot_id: 'boot-2' },
      'held',
      /another boot of this host, or another machine of its name/,
    ],
    [
      'version 0.1.0, which asked no kernel',
      OLD,
      'held',
      /cannot be seen from here: another container, or version 0.1.0/,
    ],
    [
      'a place without kernel locks',
      SELF,
      'none',
      /the file system keeps no lock that would show whether it still runs/,
    ],
    ['another container, without kernel locks', { ...SELF, pid_namespace: 'pid:[2]' }, 'none', /keeps no lock/],
  ] as const)(
    'is respected from %s, whatever the process table says, unless told to take it over',
    (_, holder, kernel, message) => {
      const dir = freshFolder();
      if ('pid_namespace' in holder) take(dir, holder, { kernel });
      else writeFileSync(join(dir, 'lock'), JSON.stringify(holder));
      const locked = () => take(dir, OTHER, { kernel });
      expect(locked).toThrow(message);
      expect(locked).toThrow(
        expect.objectContaining({ code: 'LEDGER_LOCKED', hint: expect.stringContaining('--take-over') }),
      );
      expect(take(dir, OTHER, { kernel, takeOver: true }).previous?.pid).toBe(101);
    },
  );

  it('is never taken over from a process that is seen running', () => {
    const dir = freshFolder();
    take(dir, SELF, { kernel: 'none' });
    expect(() => take(dir, OTHER, { probe: () => 'tick 1', kernel: 'none', takeOver: true })).toThrow(/it is running/);
  });

  it('lets only one of two take-overs through', () => {
    const dir = freshFolder();
    take(dir, SELF);
    writeFileSync(join(dir, 'lock.takeover'), JSON.stringify({ ...OTHER, kernel_lock: false }));
    const third = { ...SELF, pid: 303, started: 'tick 3' };
    const probe = (pid: number) => (pid === 202 ? 'tick 2' : undefined);
    expect(() => take(dir, third, { probe })).toThrow(/it is taking the ledger over/);
    expect(take(dir, third).previous).toEqual({ ...SELF, kernel_lock: true, journal: JOURNAL });
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toEqual({
      ...third,
      kernel_lock: true,
      journal: JOURNAL,
    });
    expect(existsSync(join(dir, 'lock.takeover'))).toBe(false);
  });

  it('never removes a lock that has changed hands, and knows that it has', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const held = JSON.parse(readFileSync(join(dir, 'lock'), 'utf8')) as Holder;
    expect(lockLost(dir, held)).toBeUndefined();
    writeFileSync(join(dir, 'lock'), JSON.stringify(OTHER));
    expect(lockLost(dir, held)).toMatch(/now held by process 202/);
    await ledger.close();
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toEqual(OTHER);
  });

  it('does not guess about a file that is no lock, and follows no link', async () => {
    const dir = freshFolder();
    for (const text of ['keep out', '', '{"pid":1,"host":"there"}', 'null']) {
      writeFileSync(join(dir, 'lock'), text);
      expect(() => take(dir, SELF)).toThrow(/not a lock of this program/);
    }
    const linked = freshFolder();
    symlinkSync(join(dir, 'lock'), join(linked, 'lock'));
    await expect(openLedger(linked)).rejects.toThrow(expect.objectContaining({ code: 'INPUT_NOT_REGULAR' }));
  });
});

describe('a writer that lost its lock', () => {
  it.each([
    ['to another holder', (dir: string) => writeFileSync(join(dir, 'lock'), JSON.stringify(OTHER)), /process 202/],
    ['with the file', (dir: string) => renameSync(join(dir, 'lock'), join(dir, '.lock.tmp')), /it is gone/],
    [
      'and whose journal another one writes to',
      (dir: string) => writeFileSync(join(dir, 'attempts.jsonl'), 'x\n', { flag: 'a' }),
      /somebody else writes to it/,
    ],
    [
      'and whose journal was replaced',
      (dir: string) => {
        const path = join(dir, 'attempts.jsonl');
        const text = readFileSync(path);
        renameSync(path, join(dir, '.old.tmp'));
        writeFileSync(path, text);
      },
      /was moved or replaced/,
    ],
  ])('%s writes nothing more and says so', async (_, change, message) => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    await startCell(ledger, bindingFor());
    change(dir);
    const path = join(dir, 'attempts.jsonl');
    const before = readFileSync(path, 'utf8');
    const refused = expect.objectContaining({ code: 'LEDGER_TAKEN', exit: 5, message: expect.stringMatching(message) });
    await expect(startCell(ledger, bindingFor({ task: 'task-2' }))).rejects.toThrow(refused);
    await expect(startCell(ledger, bindingFor({ task: 'task-3' }))).rejects.toThrow(refused);
    expect(readFileSync(path, 'utf8')).toBe(before);
    await ledger.close();
  });
});
