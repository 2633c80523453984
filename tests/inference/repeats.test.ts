import { describe, expect, it } from 'vitest';
import { passAt, repeatReport, repeatWords } from '../../src/inference/repeats.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';

const choose = (n: number, k: number): number => (k === 0 ? 1 : k > n ? 0 : (choose(n - 1, k - 1) * n) / k);

/** Values by model, task and attempt. */
function table(values: readonly (readonly (readonly number[])[])[], families?: readonly string[]) {
  const lines = values.flatMap((tasks, m) =>
    tasks.flatMap((attempts, t) => attempts.map((value, k) => `m${m},t${t},${families?.[t] ?? 'f'},${k + 1},${value}`)),
  );
  const { matrix, attempts } = matrixFromCsv(`model,task,family,epoch,value\n${lines.join('\n')}\n`, {
    file: 'x.csv',
    scale: 1,
  });
  return { matrix, attempts: attempts! };
}

describe('what attempts say', () => {
  it('pass@k is one minus the chance that k of n attempts all fail', () => {
    for (let n = 1; n <= 7; n += 1)
      for (let x = 0; x <= n; x += 1)
        for (let k = 1; k <= n; k += 1) expect(passAt(n, x, k)).toBeCloseTo(1 - choose(n - x, k) / choose(n, k), 14);
  });

  it('divides the variance as the one-way analysis does, for one stratum of lone tasks', () => {
    const report = repeatReport({
      ...table([
        [
          [3, 5],
          [9, 9],
          [1, 7],
        ],
        [
          [2, 2],
          [4, 6],
          [8, 0],
        ],
      ]),
      strata: 'family',
    });
    // Means 4, 9, 4: variance 25/3; within (2 + 0 + 18) / 3.
    const [first] = report.models;
    expect(first!.mean_at_k).toBeCloseTo(17 / 3, 14);
    expect(first!.within_variance).toBeCloseTo(20 / 3, 14);
    expect(first!.between_variance).toBeCloseTo(25 / 3 - 10 / 3, 14);
    expect(first!.se! ** 2).toBeCloseTo(25 / 9, 13);
    expect(first!.se_endless_attempts! ** 2).toBeCloseTo(25 / 9 - 20 / 18, 13);
    expect(first!.se_twice_attempts! ** 2).toBeCloseTo(25 / 9 - 20 / 36, 13);
    expect(first!.se_twice_tasks! ** 2).toBeCloseTo(25 / 18, 13);
    expect(first!.pass_at).toBeNull();
    // Differences 2, 4, 0: variance 4; within 20/3 + (0 + 2 + 32)/3 = 18, over 3 tasks and 2 attempts 3: more than there is.
    expect(report.median_pair).toMatchObject({ left: 'm0', right: 'm1', se_endless_attempts: 0 });
    expect(report.median_pair!.se! ** 2).toBeCloseTo(3, 13);
    expect(repeatWords(report)).toMatch(
      /mean of 2 attempts.*twice the tasks.*twice the attempts; what any number of attempts would leave is too small to be seen in these data\.$/s,
    );
  });

  it('never says that tasks do not differ or that endless attempts leave no error', () => {
    const same = table(
      Array.from({ length: 2 }, () => [
        [0, 4],
        [4, 0],
        [0, 4],
      ]),
    );
    const said = repeatWords(repeatReport({ ...same, strata: 'family' }));
    expect(said).toContain('tasks by no more than attempts alone explain.');
    expect(said).not.toMatch(/ 0\.0*[ ,.]/);
  });

  it('averages pass@k and means over strata that weigh the same', () => {
    const { matrix, attempts } = table(
      [
        [
          [1, 0, 0],
          [1, 1, 0],
          [0, 0, 0],
        ],
      ],
      ['f', 'g', 'g'],
    );
    const [model] = repeatReport({ matrix, attempts, strata: 'family' }).models;
    expect(model!.mean_at_k).toBeCloseTo((1 / 3 + (2 / 3 + 0) / 2) / 2, 14);
    const expected = [1, 2, 3].map((k) => (passAt(3, 1, k) + (passAt(3, 2, k) + 0) / 2) / 2);
    expect(model!.pass_at!.map(({ k }) => k)).toEqual([1, 2, 3]);
    model!.pass_at!.forEach(({ value }, i) => {
      expect(value).toBeCloseTo(expected[i]!, 14);
    });
    expect(model!.se).toBeNull();
  });

  it('does not depend on the order of the models', () => {
    const values = [0, 1, 2, 3].map((m) =>
      Array.from({ length: 9 }, (_, t) =>
        Array.from({ length: 4 }, (__, k) => ((m >> 1) * 7 + t * 5 + k * k * 3 + m * t) % 2),
      ),
    );
    const one = table(values);
    const turned = matrixFromCsv(
      `model,task,family,epoch,value\n${[2, 0, 3, 1].flatMap((m) => values[m]!.flatMap((as, t) => as.map((v, k) => `m${m},t${t},f,${k},${v}`))).join('\n')}\n`,
      { file: 'x.csv', scale: 1 },
    );
    const reports = [
      repeatReport({ ...one, strata: 'family' }),
      repeatReport({ matrix: turned.matrix, attempts: turned.attempts!, strata: 'family' }),
    ];
    const sorted = reports.map(({ models, ...rest }) => ({
      ...rest,
      models: models.toSorted((a, b) => (a.model < b.model ? -1 : 1)),
    }));
    expect(sorted[1]).toEqual(sorted[0]);
  });
});
