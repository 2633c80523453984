import { describe, expect, it } from 'vitest';
import { reusedIn } from '../../src/release/plans/study-stages.js';

const study = (stage: string, protocol: string, ...ids: string[]) => ({
  schema: 'flavourbench-transfer-analysis/1',
  plan: { protocol_sha256: protocol },
  results: { stage, per_task: ids.map((task_id) => ({ task_id })) },
});
const reused = (secondary: object, primary: object = study('primary', 'p', 'a', 'b')) =>
  reusedIn(
    new Map([
      ['analyses/one.json', primary as never],
      ['analyses/two.json', secondary as never],
    ]),
  );

describe('a secondary evaluation beside the primary one in a release', () => {
  it('is of the same plan and of other tasks', () => {
    expect(reused(study('secondary', 'p', 'c', 'd'))).toEqual([]);
  });

  it('replicates nothing where it asks about a task again, or is of another plan', () => {
    expect(reused(study('secondary', 'p', 'c', 'b'))).toEqual([
      {
        ...{ file: 'analyses/two.json', at: 'results.per_task', found: 'b' },
        expected: 'no task of the primary evaluation (analyses/one.json)',
      },
    ]);
    expect(reused(study('secondary', 'q', 'c'))).toMatchObject([{ at: 'plan.protocol_sha256', found: 'q' }]);
  });

  it('may stand alone, and beside documents of other kinds', () => {
    expect(reused(study('secondary', 'p', 'a'), { schema: 'flavourbench-sensitivity-weights/1' })).toEqual([]);
    expect(reused(study('primary', 'q', 'a'))).toEqual([]);
  });
});
