import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verdictOf } from '../../src/explorer/result-verdict.js';
import { ownResult } from '../../src/explorer/shown-scores.js';
import { recognise } from '../../src/explorer/sources/recognised-source.js';
import { simulatedNotice } from '../../src/release/names.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';
import { heldFolder } from '../support/held-folder.js';

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

/** Card of a release, and what its page shows, whose answers these models gave. */
async function released(name: string, models: readonly unknown[]) {
  const at = (file: string) => join(dir, name, file);
  const plan = writePlan(dir, { task_sets: [{ path: 'panel_1.jsonl' }], budget: { usd: '5' }, models }, `${name}.json`);
  const steps = [
    ['collect', plan, '--ledger', at('ledger'), '--yes'],
    [...['release', 'build', '--tasks', tasks, '--ledger', at('ledger')], ...['--no-figures', '--out', at('release')]],
  ];
  for (const step of steps) {
    const { code, stderr } = await cliInline(step);
    expect([step[0], code, code === 0 ? '' : stderr]).toEqual([step[0], 0, '']);
  }
  return {
    card: readFileSync(at('release/README.md'), 'utf8'),
    opened: await recognise(heldFolder(at('release'), 'release')),
  };
}

describe('simulated responders in a release', () => {
  it('are named where other models were asked, and the others are not called formulas', async () => {
    const models = ['t/a', 't/b'].map((id) => faultModel(server.url, 'openai', id));
    const { card, opened } = await released('mixed', [...models, { ...formula('sim/c'), skill: 1 }]);
    expect(card).toContain('SIMULATED in part: 1 of 3 ranked models is a formula');
    expect(card).toMatch(/not a model: sim\/c\. Its place ranks nothing/);
    expect(card).not.toContain('the responders are formulas');
    expect(card).toMatch(/\| sim\/c \(simulated\) \|/);
    expect(card).not.toMatch(/t\/[ab] \(simulated\)/);
    const names = opened.stated!.inference.models.map(({ name }) => name);
    expect(names.sort()).toEqual(['sim/c (simulated)', 't/a', 't/b']);
    expect(verdictOf((await ownResult(opened))!).leader).toContain('sim/c (simulated)');
  });

  it('are all of it where no model was asked', async () => {
    const { card, opened } = await released('formulas', [formula('sim/a'), formula('sim/b')]);
    expect(card).toContain('SIMULATED: the responders are formulas, not models.');
    expect(card).not.toMatch(/in part|\(simulated\)|simulated: a formula/);
    expect(opened.stated!.inference.models.map(({ name }) => name)).toEqual(['sim/a', 'sim/b']);
  });

  it('are counted where they are many, and silent where there are none', () => {
    const names = Array.from({ length: 14 }, (_, i) => `s${i}`);
    expect(simulatedNotice({ models: 20, names })).toMatch(/14 of 20 .* s11 and 2 more\. Their/);
    expect(simulatedNotice({ models: 20, names: [] })).toBeNull();
  });
});
