import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { readCorePlan } from '../../src/tasks/task-files.js';
import { leakageProof } from '../../src/transfer/leakage.js';
import { LAB_V1, LAB_V3, splitPool } from '../../src/transfer/split.js';
import { buildDataset, datasetManifest, jsonlText } from '../../src/transfer/training-dataset.js';
import { readRowTasks, trainingPool } from '../../src/transfer/training-pool.js';
import { noShared, released, shared } from '../support/shared.js';

const PANEL_1 = 'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41';
const PANEL_2 = '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f';
const PLAN = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';

describe.skipIf(noShared)('the published training data (released data needed)', () => {
  const load = () => {
    const core = readCorePlan(shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`));
    const { tasks, sources } = readRowTasks(
      [PANEL_1, PANEL_2].map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`)),
    );
    return { core, sources, pool: trainingPool(tasks, core) };
  };
  const { core, pool, sources } = released(load) ?? {};
  const golden = released(() => JSON.parse(readFileSync(shared('golden/lab_splits.json'), 'utf8')));

  it('have 426 primary and 283 supplemental tasks outside the core', () => {
    expect([pool.primary.length, pool.supplemental.length]).toEqual([426, 283]);
  });

  for (const [rule, key] of [
    [LAB_V1, 'v1_file_sha256'],
    [LAB_V3, 'v3_file_sha256'],
  ] as const) {
    it(`are rebuilt byte for byte, every file of ${rule.name}`, () => {
      const { files } = buildDataset(splitPool(pool, rule), rule);
      const digests = Object.fromEntries(files.map(({ name, rows }) => [name, sha256(jsonlText(rows))]));
      expect(digests).toEqual(golden[key]);
    });
  }

  it('have the manifest of the data set of the paper', () => {
    const dataset = buildDataset(splitPool(pool, LAB_V3), LAB_V3);
    const manifest = JSON.parse(
      datasetManifest(dataset, {
        rule: LAB_V3,
        core,
        pool,
        sources,
      }),
    );
    expect(manifest).toEqual(golden.v3_manifest);
  });

  it('have optima rotated by the published shifts and never onto their own task', () => {
    const { controls } = buildDataset(splitPool(pool, LAB_V3), LAB_V3);
    const shifts = controls.flatMap(({ split, shifts: list }) =>
      list.map(({ family, panel, shift }) => [split, family, panel, shift]),
    );
    expect(shifts).toEqual(golden.v3_format_control_shifts);
    expect(controls[0]?.control_mean).toBeCloseTo(28.384851851851852, 10);
    expect(controls[0]?.chance_mean).toBeCloseTo(31.560444444444443, 10);
  });

  it('share no anchor, prompt, candidate set or id with the core, by proof', () => {
    const split = splitPool(pool, LAB_V3);
    const proof = leakageProof(pool, split);
    expect(proof.splits.map(({ name, tasks }) => [name, tasks])).toEqual([
      ['train', 270],
      ['validation', 72],
      ['evaluation', 84],
      ['core', 534],
      ['supplemental train', 220],
      ['supplemental validation', 63],
    ]);
    expect(proof.shared_ingredients).toContainEqual({
      left: 'train',
      right: 'evaluation',
      count: 387,
    });
  });

  it('are refused when a training task leaks into the evaluation', () => {
    const split = splitPool(pool, LAB_V3);
    const leaking = { ...split, evaluation: [...split.evaluation, split.train[0]!] };
    expect(() => leakageProof(pool, leaking)).toThrow(/train and evaluation share 1 task ids/);
  });
});
