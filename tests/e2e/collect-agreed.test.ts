import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

/** What happens to the ledger between the consent to a cost and the lock. */
const between = vi.hoisted(() => ({ act: () => {} }));
vi.mock('../../src/cli/commands/collect/confirm.js', async (original) => {
  const real = await original<typeof import('../../src/cli/commands/collect/confirm.js')>();
  return {
    ...real,
    confirmCost: async (...args: Parameters<typeof real.confirmCost>) => {
      await real.confirmCost(...args);
      between.act();
    },
  };
});

let folder: string;
let server: FaultServer;
const at = (name: string) => join(folder, name);
const collect = (...more: string[]) => cliInline(['collect', at('plan.json'), '--ledger', at('ledger'), ...more]);
const confirmed = async () => {
  const { stdout } = await collect('--dry-run', '--json');
  return ['--confirm', JSON.parse(stdout).largest_cost.confirmation as string];
};

beforeAll(async () => {
  folder = temporaryFolder();
  server = await startFaultServer({ seed: 'a', prices: { prompt: 2, completion: 6 }, choose: () => 'correct' });
  vi.stubEnv('TEST_KEY', SECRET);
  writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 6) }],
    budget: { usd: '5' },
    models: [faultModel(server.url, 'openai', 't/one')],
  });
  expect((await collect('--yes', '--limit', '2')).code).toBe(0);
  cpSync(at('ledger'), at('two-asked'), { recursive: true });
  expect((await collect('--yes', '--limit', '2')).code).toBe(0);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('asks nothing where the ledger has more to ask, once it is locked, than was agreed to', async () => {
  between.act = () => {
    rmSync(at('ledger'), { recursive: true });
    cpSync(at('two-asked'), at('ledger'), { recursive: true });
  };
  const asked = server.accepted.size;
  const { code, stderr } = await collect(...(await confirmed()));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/USAGE: the ledger changed .* 2 cells not among those/)]);
  between.act = () => {};
  expect(server.accepted.size).toBe(asked);
  const rest = await collect(...(await confirmed()), '--json');
  expect([rest.code, JSON.parse(rest.stdout)]).toEqual([0, expect.objectContaining({ asked: 4 })]);
});
