import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedNotice } from '../../src/release/names.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

let dir: string;
let server: FaultServer;
let tasks: string;
beforeAll(async () => {
  process.env.TEST_KEY = SECRET;
  dir = temporaryFolder();
  tasks = writeTasks(dir, 24);
  const prices = { prompt: 2, completion: 6 };
  server = await startFaultServer({ seed: 's', prices, choose: () => 'correct' });
});
afterAll(async () => {
  delete process.env.TEST_KEY;
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const formula = (id: string) => ({ id, transport: 'simulated', skill: 0.5 });

/** Card and page of a release whose answers these models gave. */
async function released(name: string, models: readonly unknown[]) {
  const at = (file: string) => join(dir, name, file);
  const plan = writePlan(dir, { task_sets: [{ path: 'panel_1.jsonl' }], budget: { usd: '5' }, models }, `${name}.json`);
  const steps = [
    ['collect', plan, '--ledger', at('ledger'), '--yes'],
    [...['release', 'build', '--tasks', tasks, '--ledger', at('ledger')], ...['--no-figures', '--out', at('release')]],
    ['release', 'report', at('release'), '--out', at('page.html')],
  ];
  for (const step of steps) {
    const { code, stderr } = await cliInline(step);
    expect([step[0], code, code === 0 ? '' : stderr]).toEqual([step[0], 0, '']);
  }
  return {
    card: readFileSync(at('release/README.md'), 'utf8'),
    page: readFileSync(at('page.html'), 'utf8'),
  };
}

describe('simulated responders in a release', () => {
  it('are named where other models were asked, and the others are not called formulas', async () => {
    const models = ['t/a', 't/b'].map((id) => faultModel(server.url, 'openai', id));
    const { card, page } = await released('mixed', [...models, { ...formula('sim/c'), skill: 1 }]);
    for (const text of [card, page]) {
      expect(text).toContain('SIMULATED in part: 1 of 3 ranked models is a formula');
      expect(text).toMatch(/not a model: sim\/c\. Its place ranks nothing/);
      expect(text).not.toContain('the responders are formulas');
    }
    expect(card).toMatch(/\| sim\/c \(simulated\) \|/);
    expect(card).not.toMatch(/t\/[ab] \(simulated\)/);
    expect(page.match(/simulated: a formula/g)).toHaveLength(1);
    expect(page.match(/sim\/c \(simulated\) (?:scores|has the largest)/g)).toHaveLength(2);
  });

  it('are all of it where no model was asked', async () => {
    const { card, page } = await released('formulas', [formula('sim/a'), formula('sim/b')]);
    for (const text of [card, page]) {
      expect(text).toContain('SIMULATED: the responders are formulas, not models.');
      expect(text).not.toMatch(/in part|\(simulated\)|simulated: a formula/);
    }
  });

  it('are counted where they are many, and silent where there are none', () => {
    const names = Array.from({ length: 14 }, (_, i) => `s${i}`);
    expect(simulatedNotice({ models: 20, names })).toMatch(/14 of 20 .* s11 and 2 more\. Their/);
    expect(simulatedNotice({ models: 20, names: [] })).toBeNull();
  });
});
