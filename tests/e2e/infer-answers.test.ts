import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { inferDocument, inferFolder, SMALL } from '../support/infer-run.js';
import { noShared, shared } from '../support/shared.js';

const { inferFile, inferPath } = inferFolder();

const maps = (best: string) => {
  const scores: Record<string, number> = {};
  const labels = 'ABCDEFGH';
  for (let a = 0; a < 8; a += 1)
    for (let b = a + 1; b < 8; b += 1)
      for (let c = b + 1; c < 8; c += 1) {
        const key = `${labels[a]}${labels[b]}${labels[c]}`;
        scores[key] = key === best ? 10_000 : a * 100 + b * 10 + c;
      }
  return scores;
};
const task = (id: string, family: string, best: string) => {
  const scores = maps(best);
  const mean = Object.values(scores).reduce((a, b) => a + b, 0) / 56;
  return {
    task_id: id,
    family,
    anchor_ingredient: `anchor ${id}`,
    choices: Object.fromEntries([...'ABCDEFGH'].map((label, i) => [label, `thing_${i}`])),
    optimal_selection: best,
    selection_scores_bps: scores,
    chance_score_bps: Math.round(mean),
  };
};

describe('flavourbench infer on answers', () => {
  const TASKS = [
    task('a', 'substitution', 'ABC'),
    task('b', 'pairing', 'FGH'),
    task('c', 'constraint', 'ADG'),
    task('d', 'cultural_composition', 'ADG'),
  ];
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const answers = [
    { model_id: 'one', task_id: 'a', selection: 'ABC' },
    { model_id: 'one', task_id: 'b', response: 'FINAL_SELECTION: F, G, H' },
    {
      model_id: 'one',
      task_id: 'c',
      answer_markdown: 'so:\nFINAL_SELECTION: thing 0, thing 3, thing 6',
    },
    { model_id: 'two', task_id: 'c', selection: 'BCD' },
    { model_id: 'two', task_id: 'b', selection: 'ABD' },
    { model_id: 'two', task_id: 'a', completion: 'FINAL_SELECTION: h,g,f' },
  ];
  const extra = [
    { model_id: 'one', task_id: 'd', selection: 'ABC' },
    { model_id: 'one', task_id: 'elsewhere', selection: 'ABC' },
    { model_id: 'two', task_id: 'a', panel: 'panel_2', selection: 'ABC' },
  ];
  const call = (rows: readonly unknown[], ...more: string[]) =>
    cli([
      'infer',
      '--responses',
      inferFile('r.jsonl', lines(rows)),
      '--tasks',
      inferFile('t.jsonl', lines(TASKS)),
      ...SMALL,
      ...more,
    ]);

  it('reads selections and texts, passes extra cells over and counts them', () => {
    const { stdout, code } = call([...answers, ...extra], '--json');
    expect(code).toBe(0);
    const { results, run } = JSON.parse(stdout);
    expect(results.models.map((m: { model_id: string }) => m.model_id)).toEqual(['one', 'two']);
    expect(results.models[0].flavourbench_score).toBe(100);
    expect(results.models[0].coverage).toMatchObject({ completed: 3, parseable: 3 });
    expect(results.inference.independent_cluster_count).toBe(3);
    expect(run.warnings.slice(-2)).toEqual(['ignored 2 answers of other tasks', 'ignored 1 answer of other panels']);
    expect(run.warnings).toContainEqual(expect.stringContaining('have one cluster each'));
    expect(run.warnings).toContainEqual(expect.stringMatching(/^77\.8 % of the bootstrap draws left a stratum empty/));
  });

  it('withholds the result when a cell is absent or cannot be read, and lists all of them', () => {
    const out = inferPath('withheld');
    const broken = answers
      .filter((row) => !(row.model_id === 'two' && row.task_id === 'b'))
      .map((row) => (row.completion ? { ...row, completion: 'FINAL_SELECTION: A, B' } : row));
    const { code, stderr, stdout } = call(broken, '--out', out);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/INCOMPLETE: 2 of 6 cells/);
    expect(readdirSync(out)).toEqual(['missing.csv']);
    expect(readFileSync(join(out, 'missing.csv'), 'utf8')).toBe('model,task,reason\ntwo,a,wrong_count\ntwo,b,absent\n');
    expect(call(answers, '--out', out).code).toBe(0);
    expect(readdirSync(out)).not.toContain('missing.csv');
  });

  it('names the line of a second answer to a cell', () => {
    const { code, stderr } = call([...answers, { ...answers[0], selection: 'ABD' }]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/CELL_DUPLICATE: .*r\.jsonl, line 7: .*"one".*"a".*line 1/);
  });

  it('lists a model of the roster that never answered', () => {
    const roster = inferFile('roster.txt', 'two\none\nthree\n');
    const { code, stderr } = call(answers, '--roster', roster);
    expect(code).toBe(3);
    expect(stderr).toMatch(/3 of 9 cells.*"three" "a" \(absent\)/);
  });
});

describe.skipIf(noShared)('flavourbench infer on golden data', () => {
  it('reproduces golden/c from its published streams', () => {
    const { stdout, code } = cli([
      'infer',
      '--responses',
      shared('golden/c/responses.jsonl'),
      '--tasks',
      shared('golden/c/tasks.jsonl'),
      '--draws',
      '1000',
      '--flips',
      '2000',
      '--seed',
      '1',
      '--rng',
      'numpy',
      '--strata',
      'family',
      '--json',
    ]);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    const golden = JSON.parse(readFileSync(shared('golden/c/result.json'), 'utf8'));
    expect(found.streams).toEqual({
      score_bootstrap: '1',
      chance_flips: '2',
      pair_flips: '3',
      pair_bootstrap: '4',
    });
    golden.pairwise_comparisons.forEach((pair: Record<string, unknown>, k: number) => {
      const mine = found.results.pairwise_comparisons[k];
      for (const key of ['sign_flip_p', 'holm_p', 'direction', 'holm_significant', 'left_model_id'])
        expect(mine[key]).toBe(pair[key]);
    });
    for (const key of Object.keys(golden)) expect(found.results).toHaveProperty(key);
    for (const key of Object.keys(golden.models[0])) expect(found.results.models[0]).toHaveProperty(key);
  });

  it('reproduces golden/a from the released task sets and the core', () => {
    const sets = readdirSync(shared('data/tasksets')).map((name) => shared(`data/tasksets/${name}`));
    const plan = readdirSync(shared('data/plan')).map((name) => shared(`data/plan/${name}`));
    const call = ['infer', '--responses', shared('golden/a/responses.jsonl'), '--out', inferPath(''), '--quiet'];
    const replay = [...call, '--rng', 'numpy', '--strata', 'family'];
    expect(cli([...replay, '--tasks', ...sets, '--core', ...plan])).toMatchObject({ code: 0 });
    const released = inferDocument(inferPath('')).document;
    const golden = JSON.parse(readFileSync(shared('golden/a/result.json'), 'utf8'));
    expect(released.results.plan_sha256).toBe('2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507');
    golden.pairwise_comparisons.forEach((pair: Record<string, unknown>, k: number) => {
      const found = released.results.pairwise_comparisons[k];
      for (const key of ['left_model_id', 'right_model_id', 'sign_flip_p', 'holm_p', 'direction'])
        expect(found[key]).toBe(pair[key]);
      for (const key of ['mean_difference', 'cohen_dz']) expect(found[key]).toBeCloseTo(pair[key] as number, 9);
    });
    expect(released.results.resolved_pair_count).toBe(167);
  });
});
