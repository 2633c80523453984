import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlan } from '../../src/collect/collection-plan.js';
import { compilePlan } from '../../src/collect/compile-plan.js';
import { buildSchedule, type CellJob } from '../../src/collect/schedule.js';
import { orderKey } from '../../src/io/digest.js';
import { faultModel, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const URL = 'http://127.0.0.1:1';
const A = faultModel(URL, 'openai', 'lab/a');
const B = faultModel(URL, 'openai', 'lab/b');

function schedule(plan: Record<string, unknown>): readonly CellJob[] {
  const file = writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 48) }],
    budget: { usd: '1' },
    models: [A, B],
    seed: 'seed',
    ...plan,
  });
  const collection = compilePlan({ plan: readPlan(file), folder, file, allowUnpinned: true });
  return buildSchedule(collection);
}

const cells = (jobs: readonly CellJob[]): readonly string[] => jobs.map((j) => j.binding.cell);

describe('the schedule of a collection', () => {
  it('is ordered by SHA-256 of seed, phase, model and task', () => {
    const jobs = schedule({});
    const keys = jobs.map(({ binding: { key, task_id } }) => orderKey('seed', key.phase, key.model_id, task_id));
    expect(jobs).toHaveLength(96);
    expect(keys).toEqual([...keys].sort());
  });

  it('keeps every cell when a model is added or a price, name, timeout or ceiling of concurrency changes', () => {
    const before = cells(schedule({ models: [A] }));
    const dearer = {
      ...A,
      price: { prompt: '9', completion: '9' },
      name: 'New',
      timeout_s: 9,
      concurrency: 1,
    };
    const after = schedule({ models: [B, dearer], budget: { usd: '7' } });
    const kept = after.filter((job) => job.binding.key.model_id === 'lab/a');
    expect(cells(kept)).toEqual(before);
  });

  // EleutherAI/lm-evaluation-harness#4063: a key without the model gave the answers of A as those of B.
  it.each([
    ['decoding', { decoding: { temperature: 0.5, max_tokens: 64 } }],
    ['ceiling', { decoding: { temperature: 0, max_tokens: 65 } }],
    ['effort', { effort: 'low' }],
    ['protocol', { protocol: 'bare' }],
    ['address', { base_url: 'http://127.0.0.1:2/v1' }],
    ['expected model', { expected_model: 'other' }],
    ['revision', { revision: 'r2' }],
    ['extra body', { extra_body: { top_k: 1 } }],
  ])('has other cells when the %s changes', (_, change) => {
    const before = new Set(cells(schedule({ models: [A] })));
    const after = cells(schedule({ models: [{ ...A, ...change }] }));
    expect(after.some((cell) => before.has(cell))).toBe(false);
  });

  it('does not depend on the order of the models or of the tasks', () => {
    expect(cells(schedule({ models: [B, A] }))).toEqual(cells(schedule({ models: [A, B] })));
  });

  it('has k cells for k samples', () => {
    const jobs = schedule({ models: [A], phases: { primary: { samples: 3 } } });
    expect(new Set(cells(jobs)).size).toBe(144);
    expect(jobs.slice(0, 3).map((job) => job.binding.key.repeat)).toEqual([0, 1, 2]);
    expect(new Set(jobs.slice(0, 3).map((job) => job.binding.task_id)).size).toBe(1);
  });

  it('asks pilot before primary before repeat, each of its own size', () => {
    const jobs = schedule({
      models: [A],
      phases: { pilot: { per_family: 1 }, primary: {}, repeat: { per_family: 5 } },
    });
    const phases = jobs.map((job) => job.binding.key.phase);
    expect(phases).toEqual([...Array(4).fill('pilot'), ...Array(48).fill('primary'), ...Array(20).fill('repeat')]);
  });

  it('takes the pilot task whose chance is nearest to the median of its family', () => {
    const jobs = schedule({ models: [A], phases: { pilot: { per_family: 1 }, primary: {} } });
    const chance = (job: CellJob): number => (job.task as unknown as { chance: number }).chance;
    for (const pilot of jobs.filter((job) => job.binding.key.phase === 'pilot')) {
      const family = jobs.filter(
        (job) => job.binding.key.phase === 'primary' && job.binding.family === pilot.binding.family,
      );
      const sorted = family.map(chance).sort((a, b) => a - b);
      const median = (sorted[5]! + sorted[6]!) / 2;
      const best = Math.min(...family.map((job) => Math.abs(chance(job) - median)));
      expect(Math.abs(chance(pilot) - median)).toBe(best);
    }
  });
});
