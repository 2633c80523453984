import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertAgreed, confirmCost, costWords } from '../../src/cli/commands/collect/confirm.js';
import { readPlan } from '../../src/collect/collection-plan.js';
import { compilePlan } from '../../src/collect/compile-plan.js';
import { largestCost } from '../../src/collect/largest-cost.js';
import { buildSchedule } from '../../src/collect/schedule.js';
import { faultModel, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FREE = { price: { prompt: '0', completion: '0' } };
const FAR = 'https://models.example.org';
type Spent = Parameters<typeof largestCost>[0]['spending'];

/** What a session over four tasks of these models can cost, and the cells that it asks. */
function session(models: readonly Record<string, unknown>[], spending: Spent = null, from = 0) {
  const file = writePlan(folder, { task_sets: [{ path: writeTasks(folder, 4) }], budget: { usd: '0.01' }, models });
  const collection = compilePlan({ plan: readPlan(file), folder: dirname(file), file, allowUnpinned: false });
  const chosen = buildSchedule(collection).slice(from);
  return { chosen, cost: largestCost({ collection, jobs: chosen, spending }) };
}

describe('the most that a session can cost', () => {
  it('names models elsewhere that the plan prices at 0, whose cost nobody here knows', async () => {
    const { cost } = session([
      faultModel(FAR, 'openai', 't/far', FREE),
      faultModel(FAR, 'anthropic', 't/further', FREE),
      faultModel(FAR, 'openai', 't/request', { price: { prompt: '0', completion: '0', request: '0.000001' } }),
      faultModel('https://openrouter.ai', 'openrouter', 't/capped', FREE),
      faultModel('http://127.0.0.1:9', 'openai', 't/here', FREE),
      { id: 'simulated/a', transport: 'simulated' },
    ]);
    expect(cost).toMatchObject({ cells: 24, ceiling_micros: 4, unpriced: ['t/far', 't/further'] });
    expect(costWords(cost)).toContain('and what t/far, t/further costs, which the plan prices at 0');
  });

  it('is agreed to before such a model is asked, though the plan says that it costs nothing', async () => {
    const free = session([faultModel(FAR, 'openai', 't/far', FREE)]).cost;
    expect(free.largest_micros).toBe(0);
    await expect(confirmCost(free, {})).rejects.toMatchObject({ code: 'USAGE' });
    await confirmCost(free, { confirm: free.confirmation });
    const here = session([faultModel('http://127.0.0.1:9', 'openai', 't/here', FREE)]).cost;
    await confirmCost(here, {});
  });

  it('is what the cap leaves after all that was and may have been spent', () => {
    const model = faultModel(FAR, 'openai', 't/far', { decoding: { max_tokens: 1000 } });
    const { cost } = session([model], { spent_micros: 4_000, uncertain_micros: 5_500 });
    expect(cost).toMatchObject({ room_micros: 500, largest_micros: 500 });
    expect(cost.ceiling_micros).toBeGreaterThan(24_000);
    expect(costWords(cost)).toBe('4 cells may cost up to 0.0005 USD (what the cap leaves)');
    expect(session([model], { spent_micros: 99_000, uncertain_micros: 0 }).cost.largest_micros).toBe(0);
  });

  it('holds for the session that begins later only where it asks no other cells and costs no more', () => {
    const model = faultModel(FAR, 'openai', 't/far');
    const agreed = session([model]);
    const [less, spent] = [session([model], null, 1), session([model], { spent_micros: 9_999, uncertain_micros: 0 })];
    assertAgreed(agreed, less);
    assertAgreed(agreed, spent);
    expect(() => assertAgreed(less, agreed)).toThrow(/the ledger changed .* 1 cell not among those agreed to/);
    expect(() => assertAgreed(spent, agreed)).toThrow(/the ledger changed .* 0 cells not among/);
  });
});
