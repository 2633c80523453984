import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orderKey } from '../../src/io/digest.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { cli } from '../support/cli.js';
import { freshFolder } from '../support/folders.js';

const WRITER = resolve('tests/support/ledger-writer.js');
const CELLS = 400;

/** Runs a writer and kills it with SIGKILL after so many acknowledgements; resolves to what it had acknowledged. */
function writeUntil(dir: string, limit: number): Promise<{ said: string[]; done: boolean }> {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [WRITER, dir, String(CELLS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').length > limit) child.kill('SIGKILL');
    });
    child.on('error', fail);
    child.on('close', () => {
      const said = text.split('\n').slice(0, -1);
      settle({ said, done: said.at(-1) === 'done' });
    });
  });
}

describe('a writer killed with SIGKILL, again and again', () => {
  it('loses nothing that it had acknowledged, asks no cell twice, and ends complete', async () => {
    const dir = freshFolder();
    const started: string[] = [];
    const recorded = new Set<string>();
    let rounds = 0;
    for (let done = false; !done; rounds += 1) {
      const limit = 1 + (Number.parseInt(orderKey('kill', String(rounds)).slice(0, 6), 16) % 150);
      const run = await writeUntil(dir, rounds < 5 ? limit : Number.POSITIVE_INFINITY);
      done = run.done;
      for (const line of run.said) {
        if (line.startsWith('S ')) started.push(line.slice(2));
        if (line.startsWith('R ')) recorded.add(line.slice(2));
      }
      const { state } = viewLedger(dir);
      expect(started.filter((cell) => !state.cells.has(cell))).toEqual([]);
      expect([...recorded].filter((cell) => !state.cells.get(cell)?.head)).toEqual([]);
    }
    expect(rounds).toBeGreaterThan(2);
    expect(new Set(started).size).toBe(started.length);
    const report = verifyLedger(dir);
    expect(report).toMatchObject({ problems: [], repairable: [], records: CELLS });
    const { totals, takeovers } = viewLedger(dir).state;
    expect(totals.cost_micros + totals.uncertain_micros).toBeGreaterThanOrEqual(7 * recorded.size);
    expect(totals.cost_micros).toBeLessThanOrEqual(7 * CELLS);
    expect(takeovers).toBeGreaterThan(0);
  });
});

describe('two processes on one ledger', () => {
  it('are told apart: the second is told who holds it, and readers are let in', async () => {
    const dir = freshFolder();
    const child = spawn(process.execPath, [WRITER, dir, '1500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((ready) => child.stdout.once('data', ready));
      const second = cli(['ledger', 'seal', dir]);
      expect(second.code).toBe(2);
      expect(second.stderr).toMatch(
        new RegExp(
          `LEDGER_LOCKED: .*lock: is held by process ${child.pid}, started tick \\d+, host .+, boot [0-9a-f-]{36}, processes pid:\\[\\d+\\]: it is running`,
        ),
      );
      const status = cli(['ledger', 'status', dir, '--json']);
      expect(status.code).toBe(0);
      expect(JSON.parse(status.stdout).total.failed).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
      await new Promise((closed) => child.once('close', closed));
    }
    const sealed = cli(['ledger', 'seal', dir]);
    expect(sealed.stderr).toMatch(new RegExp(`took over the lock of process ${child.pid}`));
    expect(sealed.code).toBe(0);
    expect(cli(['ledger', 'verify', dir]).code).toBe(0);
  });
});
