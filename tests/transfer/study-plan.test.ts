import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  assertPlannedSeeds,
  freezeStudy,
  plannedTaskFile,
  readStudyPlan,
  type StudyPlanOptions,
} from '../../src/transfer/study-plan.js';
import { BASE_ID, BASE_REVISION } from '../support/adapter-folder.js';

const OPTIONS: StudyPlanOptions = {
  base: `${BASE_ID}@${BASE_REVISION}`,
  seeds: [3, 1, 2],
  data: new Map([['sft_train.jsonl', 'a'.repeat(64)]]),
  primaryTasks: 'b'.repeat(64),
  primaryContent: 'd'.repeat(64),
  secondaryTasks: null,
  rng: 'philox',
  alpha: 0.05,
  draws: 1000,
  flips: 2000,
  threshold: 3,
  at: '2026-08-20T00:00:00.000Z',
};

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stored = (plan: object) => {
  const path = join(folder, 'plan.json');
  writeFileSync(path, JSON.stringify(plan));
  return path;
};

describe('a frozen study plan', () => {
  const plan = freezeStudy(OPTIONS);

  it('is known by its content: the same choices give the same digest, any other choice another', () => {
    expect(freezeStudy({ ...OPTIONS, seeds: [1, 2, 3] })).toEqual(plan);
    const others: Partial<StudyPlanOptions>[] = [
      { seeds: [1, 2] },
      { threshold: 2 },
      { draws: 1001 },
      { alpha: 0.01 },
      { primaryTasks: 'c'.repeat(64) },
      { secondaryTasks: 'c'.repeat(64) },
      { primaryContent: 'c'.repeat(64) },
      { rng: 'numpy' },
      { base: `${BASE_ID}@${'0'.repeat(40)}` },
      { data: new Map([['sft_train.jsonl', 'c'.repeat(64)]]) },
    ];
    const digests = others.map((other) => freezeStudy({ ...OPTIONS, ...other }).artifact_sha256);
    expect(new Set([plan.artifact_sha256, ...digests]).size).toBe(others.length + 1);
  });

  it.each([
    [{ alpha: 2 }, 'inference.alpha'],
    [{ alpha: 0 }, 'inference.alpha'],
    [{ threshold: -1 }, 'inference.threshold_points'],
    [{ seeds: [2 ** 32] }, 'seeds[0]'],
  ])('refuses %j, which no plan could be read back with', (other, message) => {
    expect(() => freezeStudy({ ...OPTIONS, ...other })).toThrow(message);
  });

  it('fixes estimand, training, decoding, gates and the one contrast', () => {
    expect(plan).toMatchObject({
      status: 'frozen_before_outcomes',
      seeds: [1, 2, 3],
      training: { epochs: 3, learning_rate: 1e-4, lora: { rank: 16, alpha: 32 } },
      decoding: { greedy: true, thinking: false, max_new_tokens: 64 },
      inference: { threshold_points: 3, confirmatory_contrasts: 1 },
    });
    expect(plan.gates).toHaveLength(4);
  });

  it('is read back, and refused after any edit', () => {
    expect(readStudyPlan(stored(plan))).toEqual(plan);
    const edited = { ...plan, inference: { ...plan.inference, threshold_points: 1 } };
    expect(() => readStudyPlan(stored(edited))).toThrow(/its content has/);
    const { gates: _, ...less } = plan;
    expect(() => readStudyPlan(stored(less))).toThrow(/gates/);
    expect(() => readStudyPlan(stored({ ...plan, note: '' }))).toThrow(/note/);
  });

  it('refuses repeated seeds and a base that can move', () => {
    expect(() => freezeStudy({ ...OPTIONS, seeds: [1, 1] })).toThrow(/repeat/);
    expect(() => freezeStudy({ ...OPTIONS, base: 'a/b@main' })).toThrow(/40-digit/);
  });

  it('accepts its own task file and seeds, no other', () => {
    const files = new Map([
      ['x', 'f'.repeat(64)],
      ['y', 'b'.repeat(64)],
    ]);
    expect(plannedTaskFile(plan, 'primary', files)).toBe('y');
    expect(() => plannedTaskFile(plan, 'primary', new Map([['x', '']]))).toThrow(/another digest/);
    expect(() => plannedTaskFile(plan, 'secondary', files)).toThrow(/no secondary evaluation/);
    expect(() => assertPlannedSeeds(plan, [3, 2, 1])).not.toThrow();
    expect(() => assertPlannedSeeds(plan, [1, 2])).toThrow(/fixed training seeds 1, 2, 3/);
  });
});
