import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let folder: string;
let plan: string;
let dir: string;

const model = (id: string, changes: object = {}) => ({
  id,
  transport: 'simulated',
  skill: 0.5,
  ...changes,
});
const planOf = (models: readonly object[], name: string) =>
  writePlan(
    folder,
    {
      seed: '7',
      protocol: 'leaderboard',
      task_sets: [{ path: 'panel_1.jsonl' }],
      phases: { primary: { samples: 1 } },
      budget: { usd: '0' },
      models,
    },
    name,
  );
const json = async (...args: string[]) => {
  const run = await cliInline([...args, '--json']);
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-e2e-'));
  dir = join(folder, 'ledger');
  writeTasks(folder, 40);
  plan = planOf([model('s/one', { refusal_rate: 0.2 })], 'one.json');
  expect((await cliInline(['collect', plan, '--ledger', dir])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the ledger commands', () => {
  it('list failures in a form that collect --retry takes, and keep what they replace', async () => {
    const failures = (await cliInline(['ledger', 'failures', dir, '--kind', 'refusal'])).stdout;
    const count = failures.trim().split('\n').length;
    const before = await json('ledger', 'status', dir);
    expect(count).toBe(before.total.failed);
    expect(count).toBeGreaterThan(0);
    writeFileSync(join(folder, 'again.jsonl'), failures);
    await cliInline(['collect', plan, '--ledger', dir, '--retry', join(folder, 'again.jsonl')]);
    expect((await json('ledger', 'status', dir)).total).toMatchObject({
      superseded: count,
      scheduled: 40,
    });
  });

  it('explain a planned cell by model and task, and which field a new plan changes', async () => {
    const args = ['--model', 's/one', '--task', 'panel_1-task-0003'];
    expect(await json('ledger', 'explain', dir, '--plan', plan, ...args)).toMatchObject({
      will_be_asked: false,
    });
    const other = planOf([model('s/one', { skill: 0.9 })], 'other.json');
    const found = await json('ledger', 'explain', dir, '--plan', other, ...args);
    expect(found).toMatchObject({ verdict: 'other_contract', will_be_asked: false });
    expect(found.nearest.differs).toMatchObject([{ field: 'simulation' }]);
    const mixed = await cliInline(['collect', other, '--ledger', dir]);
    expect(mixed.code).toBe(2);
    expect(mixed.stderr).toMatch(/ROUTE_MIXED/);
    const named = /explain DIR (--plan PLAN .+) shows/.exec(mixed.stderr)?.[1] ?? '';
    const call = named.replace('PLAN', other).split(' ');
    expect((await json('ledger', 'explain', dir, ...call)).verdict).toBe('other_contract');
  });

  it('put a block aside as a whole, so that another route can replace it', async () => {
    const reason = ['--model', 's/one', '--reason', 'replaced by a better simulation'];
    const aside = await json('ledger', 'quarantine', dir, ...reason);
    expect(aside.blocks).toMatchObject([{ phase: 'primary', panel: 'panel_1', cells: 40 }]);
    const other = join(folder, 'other.json');
    expect((await cliInline(['collect', other, '--ledger', dir])).code).toBe(0);
    expect(await json('ledger', 'status', dir)).toMatchObject({
      quarantined_blocks: 1,
      total: { completed: 40 },
    });
    expect(await json('ledger', 'verify', dir)).toMatchObject({ problems: [], repairable: [] });
  });

  it('merge with a ledger of another model, and refuse one that contradicts', async () => {
    const second = join(folder, 'second');
    expect((await cliInline(['collect', planOf([model('s/two')], 'two.json'), '--ledger', second])).code).toBe(0);
    const merged = join(folder, 'merged');
    expect((await json('ledger', 'merge', dir, second, '--out', merged)).records).toBe(80);
    expect(await json('ledger', 'verify', merged, '--tasks', join(folder, 'panel_1.jsonl'))).toMatchObject({
      problems: [],
    });
    const third = join(folder, 'third');
    await cliInline(['collect', planOf([model('s/two', { name: 'Two' })], 'again.json'), '--ledger', third]);
    const clash = await cliInline(['ledger', 'merge', second, third, '--out', join(folder, 'clash')]);
    expect(clash.code).toBe(4);
    expect(clash.stderr).toMatch(/LEDGER_CONFLICT.*already in force/);
  });

  it('name a folder that is not a ledger', async () => {
    const none = await cliInline(['ledger', 'status', folder]);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/: a ledger expected; there is no attempts.jsonl in it/);
  });
});
