import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrow } from '../../src/util/arrow.js';
import { canonicalJson } from '../../src/util/canonical.js';
import { sha256 } from '../../src/util/digest.js';
import { cli } from '../support/cli.js';
import { noShared, shared } from '../support/shared.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'infer-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const SMALL = ['--draws', '200', '--flips', '300'];
const HEAD = 'model,task,panel,family,cluster,value';
const MATRIX = `${HEAD}
alpha,t1,panel_1,fish,c1,7100
alpha,t2,panel_1,fish,c2,6200
alpha,t3,panel_1,soup,c3,9000
alpha,t4,panel_1,soup,c4,10000
beta,t1,panel_1,fish,c1,100
beta,t2,panel_1,fish,c2,2200
beta,t3,panel_1,soup,c3,0
beta,t4,panel_1,soup,c4,4100
`;
const CHANCE = 'task,value\nt1,3000\nt2,3000\nt3,2000\nt4,2500\n';

const load = (folder: string) => {
  const text = readFileSync(join(folder, 'inference.json'), 'utf8');
  return { text, document: JSON.parse(text) };
};

describe('infer on a matrix', () => {
  it('writes the envelope, the released tables and their twins, the same bytes each time', async () => {
    const scores = file('m.csv', MATRIX);
    const chance = file('chance.csv', CHANCE);
    const call = ['infer', '--scores', scores, '--chance', chance, ...SMALL, '--out'];
    const first = cli([...call, join(dir, 'one')]);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect(cli([...call, join(dir, 'two')]).code).toBe(0);
    const names = readdirSync(join(dir, 'one')).sort();
    expect(names).toEqual([
      'inference.json',
      'leaderboard.csv',
      'models.arrow',
      'pairs.arrow',
      'pairwise.csv',
      'replication.arrow',
    ]);
    for (const name of names)
      expect(
        readFileSync(join(dir, 'one', name)).equals(readFileSync(join(dir, 'two', name))),
        name,
      ).toBe(true);
    const { text, document } = load(join(dir, 'one'));
    const { artifact_sha256: artifact, ...body } = document;
    expect(artifact).toBe(sha256(canonicalJson(body)));
    expect(document.results_sha256).toBe(sha256(canonicalJson(document.results)));
    expect(text).toBe(`${canonicalJson(document)}\n`);
    expect(text).not.toContain(dir);
    expect(document).toMatchObject({
      schema: 'flavourbench-inference/1',
      canonicalization: 'RFC8785',
      rng: 'philox4x32-10/1',
      seed: '20260820',
      streams: { bootstrap: 0, flips: 1 },
      plan: { rng: 'philox', strata: 'panel-family', scheme: 'joint', draws: 200, flips: 300 },
      inputs: [
        { role: 'scores', sha256: sha256(MATRIX), bytes: MATRIX.length },
        { role: 'chance', sha256: sha256(CHANCE), bytes: CHANCE.length },
      ],
    });
    expect(document.run.timings).toBeUndefined();
    expect(document.results.models[0].coverage).toMatchObject({ completed: null, valid_scored: 4 });
    const models = await readArrow(readFileSync(join(dir, 'one', 'models.arrow')), 'models');
    expect(models.column('score')).toEqual([80.75, 16]);
    expect(models.metadata.get('results_sha256')).toBe(document.results_sha256);
    const pairs = await readArrow(readFileSync(join(dir, 'one', 'pairs.arrow')), 'pairs');
    expect(pairs.column('exact_p')).toEqual([2 / 16]);
    const [header, row] = readFileSync(join(dir, 'one', 'leaderboard.csv'), 'utf8').split('\n');
    expect(header).toBe(
      'rank,rank_group,rank_ci_low,rank_ci_high,model,model_id,flavourbench_score,pointwise_ci_low,pointwise_ci_high,simultaneous_ci_low,simultaneous_ci_high,valid_scored,scheduled,coverage,above_exact_chance_holm',
    );
    expect(row).toMatch(/^1,1,1,1,alpha,alpha,80\.750000,.*,4,4,1\.000000,(true|false)$/);
  });

  it('prints a leaderboard that says how it was made and what is unresolved', () => {
    const { stdout, code } = cli(['infer', '--scores', file('m.csv', MATRIX), ...SMALL]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/alpha\s+80\.8/);
    for (const words of [
      'rng philox',
      'seed 20260820',
      'panel-family',
      '200 bootstrap draws (joint)',
      '0 of 1 pair (',
      'unresolved against beta',
    ])
      expect(stdout).toContain(words);
    expect(stdout).not.toContain('\u001b');
  });

  it('prints the document under --json and nothing under --quiet', () => {
    const scores = file('m.csv', MATRIX);
    const { stdout } = cli(['infer', '--scores', scores, ...SMALL, '--json', '--timings']);
    expect(JSON.parse(stdout).run.timings.inference).toBeGreaterThan(0);
    expect(cli(['infer', '--scores', scores, ...SMALL, '--quiet']).stdout).toBe('');
  });

  it('says the same on every backend', () => {
    const call = ['infer', '--scores', file('m.csv', MATRIX), ...SMALL, '--json', '--backend'];
    const [reference, wasm] = ['reference', 'wasm'].map((name) =>
      JSON.parse(cli([...call, name]).stdout),
    );
    expect(wasm.run.backend).toBe('wasm');
    expect(wasm.results_sha256).toBe(reference.results_sha256);
    expect(cli([...call, 'abacus']).stderr).toContain('"code":"USAGE"');
  });

  it('quantises on request only, and says by how much', () => {
    const real = file(
      'real.csv',
      MATRIX.replace('7100', '71.004').replaceAll(/,(\d+)00$/gm, ',$1'),
    );
    const refused = cli(['infer', '--scores', real, ...SMALL]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/CELL_NOT_INTEGER.*"alpha".*"t1"/);
    const { stdout, code } = cli([
      'infer',
      '--scores',
      real,
      ...SMALL,
      '--quantize',
      '100',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results.inference.quantization.largest_error).toBeCloseTo(0.004, 9);
  });

  it('ranks the models of a roster in its order', () => {
    const roster = file('roster.csv', 'model_id,model_name\nbeta,Beta the second\nalpha,\n');
    const { stdout } = cli([
      'infer',
      '--scores',
      file('m.csv', MATRIX),
      ...SMALL,
      '--json',
      '--roster',
      roster,
    ]);
    const { models } = JSON.parse(stdout).results;
    expect(models.map((model: { model_name: string }) => model.model_name)).toEqual([
      'Beta the second',
      'alpha',
    ]);
    const unknown = cli([
      'infer',
      '--scores',
      file('m.csv', MATRIX),
      ...SMALL,
      '--roster',
      file('r.txt', 'alpha\ngamma\n'),
    ]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('"gamma"');
  });

  const calls: readonly [string, string, () => string[]][] = [
    ['no input', 'USAGE', () => []],
    ['both kinds of input', 'USAGE', () => ['--scores', 'x', '--responses', 'y', '--tasks', 'z']],
    ['a file that is not there', 'INPUT_NOT_FOUND', () => ['--scores', join(dir, 'absent.csv')]],
    ['a folder', 'INPUT_NOT_REGULAR', () => ['--scores', dir]],
    [
      'a cell given twice',
      'CELL_DUPLICATE',
      () => ['--scores', file('d.csv', `${MATRIX}beta,t4,panel_1,soup,c4,1\n`)],
    ],
    [
      'a lost cluster',
      'CLUSTER_MISSING',
      () => ['--scores', file('k.csv', MATRIX.replace('c1', ''))],
    ],
    [
      'numpy with stratified',
      'USAGE',
      () => ['--scores', file('m.csv', MATRIX), '--rng', 'numpy', '--scheme', 'stratified'],
    ],
  ];
  it.each(calls)('refuses %s and writes nothing', (_, code, args) => {
    const out = join(dir, 'refused');
    const run = cli(['infer', ...args(), ...SMALL, '--out', out, '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stderr).error.code).toBe(code);
    expect(run.stdout).toBe('');
    expect(() => readdirSync(out)).toThrow();
  });

  it('withholds the result of a matrix with a missing cell and lists it', () => {
    const out = join(dir, 'gap');
    const scores = file('g.csv', MATRIX.replace(/beta,t4.*\n/, '').replace('9000', ''));
    const run = cli(['infer', '--scores', scores, ...SMALL, '--out', out]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(
      /INCOMPLETE: .*g\.csv: 2 of 8 cells are missing.*"beta" "t4" \(absent\)/,
    );
    expect(readdirSync(out)).toEqual(['missing.csv']);
    expect(readFileSync(join(out, 'missing.csv'), 'utf8')).toBe(
      'model,task,reason\nalpha,t3,empty\nbeta,t4,absent\n',
    );
  });

  it('takes a wide matrix with clusters beside it, and prints digits that fit its range', () => {
    const scores = file('wide.csv', 'model,t1,t2,t3\na,0.75,0.5,0.251\nb,1,0,0.25\n');
    const call = ['infer', '--scores', scores, ...SMALL, '--quantize', '1000'];
    const { stdout, code } = cli(call);
    expect(code).toBe(0);
    expect(stdout).toMatch(/a +0\.500 +0\.\d{3} to 0\.\d{3}/);
    expect(stdout).toContain('2 models x 3 tasks in 3 clusters');
    expect(stdout).toContain('0 of 1 pair (');
    expect(stdout).toContain('none was rounded');
    expect(stdout).not.toContain('above chance');
    const clusters = file('clusters.csv', 'task,cluster\nt1,x\nt2,x\n');
    const { results, inputs } = JSON.parse(cli([...call, '--clusters', clusters, '--json']).stdout);
    expect(results.inference.independent_cluster_count).toBe(2);
    expect(inputs.map(({ role }: { role: string }) => role)).toEqual(['scores', 'clusters']);
  });

  it('doubts the scale of a matrix of noughts and ones', () => {
    const scores = file('binary.csv', 'model,t1,t2\na,1,0\nb,0,1\n');
    expect(cli(['infer', '--scores', scores, ...SMALL]).stdout).toMatch(/Note: no score is above/);
    const one = cli(['infer', '--scores', scores, ...SMALL, '--scale', '1']);
    expect(one.stdout).not.toContain('Note:');
  });

  it('says what so few draws and flips cannot show', () => {
    const few = ['--draws', '10', '--flips', '15'];
    const call = ['infer', '--scores', file('m.csv', MATRIX), ...few];
    const notes = [
      expect.stringContaining('10 bootstrap draws: fewer than 5'),
      expect.stringContaining('15 sign flips: the smallest Holm p of 1 pair is 0.0625'),
    ];
    expect(JSON.parse(cli([...call, '--json']).stdout).run.warnings).toEqual(notes);
    expect(cli(call).stdout).toMatch(/Note: 10 bootstrap draws.*\nNote: 15 sign flips/);
  });

  it('refuses a symbolic link', () => {
    symlinkSync(file('m.csv', MATRIX), join(dir, 'link.csv'));
    const { stderr } = cli(['infer', '--scores', join(dir, 'link.csv'), ...SMALL]);
    expect(stderr).toMatch(
      /^flavourbench: INPUT_NOT_REGULAR: .*symbolic link.*\n {2}hint: [^\n]*\n$/,
    );
  });
});

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

describe('infer on answers', () => {
  const TASKS = [
    task('a', 'substitution', 'ABC'),
    task('b', 'pairing', 'FGH'),
    task('c', 'constraint', 'ADG'),
    task('d', 'cultural_composition', 'ADG'),
  ];
  const lines = (rows: readonly unknown[]) =>
    rows.map((row) => `${JSON.stringify(row)}\n`).join('');
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
      file('r.jsonl', lines(rows)),
      '--tasks',
      file('t.jsonl', lines(TASKS)),
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
    expect(run.warnings).toEqual([
      'ignored 2 answers of other tasks',
      'ignored 1 answer of other panels',
    ]);
  });

  it('withholds the result when a cell is absent or cannot be read, and lists all of them', () => {
    const out = join(dir, 'withheld');
    const broken = answers
      .filter((row) => !(row.model_id === 'two' && row.task_id === 'b'))
      .map((row) => (row.completion ? { ...row, completion: 'FINAL_SELECTION: A, B' } : row));
    const { code, stderr, stdout } = call(broken, '--out', out);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/INCOMPLETE: 2 of 6 cells/);
    expect(readdirSync(out)).toEqual(['missing.csv']);
    expect(readFileSync(join(out, 'missing.csv'), 'utf8')).toBe(
      'model,task,reason\ntwo,a,wrong_count\ntwo,b,absent\n',
    );
    expect(call(answers, '--out', out).code).toBe(0);
    expect(readdirSync(out)).not.toContain('missing.csv');
  });

  it('names the line of a second answer to a cell', () => {
    const { code, stderr } = call([...answers, { ...answers[0], selection: 'ABD' }]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/CELL_DUPLICATE: .*r\.jsonl, line 7: .*"one".*"a".*line 1/);
  });

  it('lists a model of the roster that never answered', () => {
    const roster = file('roster.txt', 'two\none\nthree\n');
    const { code, stderr } = call(answers, '--roster', roster);
    expect(code).toBe(3);
    expect(stderr).toMatch(/3 of 9 cells.*"three" "a" \(absent\)/);
  });
});

describe.skipIf(noShared)('infer on golden data', () => {
  it('golden/c by its published streams', () => {
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
    for (const key of Object.keys(golden.models[0]))
      expect(found.results.models[0]).toHaveProperty(key);
  });

  it('golden/a from the released task sets and the core', () => {
    const sets = readdirSync(shared('data/tasksets')).map((name) =>
      shared(`data/tasksets/${name}`),
    );
    const plan = readdirSync(shared('data/plan')).map((name) => shared(`data/plan/${name}`));
    const call = [
      'infer',
      '--responses',
      shared('golden/a/responses.jsonl'),
      '--out',
      dir,
      '--quiet',
    ];
    const replay = [...call, '--rng', 'numpy', '--strata', 'family'];
    expect(cli([...replay, '--tasks', ...sets, '--core', ...plan])).toMatchObject({ code: 0 });
    const released = load(dir).document;
    const golden = JSON.parse(readFileSync(shared('golden/a/result.json'), 'utf8'));
    expect(released.results.plan_sha256).toBe(
      '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507',
    );
    golden.pairwise_comparisons.forEach((pair: Record<string, unknown>, k: number) => {
      const found = released.results.pairwise_comparisons[k];
      for (const key of ['left_model_id', 'right_model_id', 'sign_flip_p', 'holm_p', 'direction'])
        expect(found[key]).toBe(pair[key]);
      for (const key of ['mean_difference', 'cohen_dz'])
        expect(found[key]).toBeCloseTo(pair[key] as number, 9);
    });
    expect(released.results.resolved_pair_count).toBe(167);
  });
});
