import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from '../support/cli-inline.js';
import { noShared, shared } from '../support/shared.js';

const SETS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
].map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`));
const CORE = shared(
  'data/plan/epicure-selection-joint-analysis-plan-2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507.json',
);
const PRIMARY = shared('published/transfer-primary-responses.jsonl');
const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';
const BASE = 'Qwen/Qwen3-0.6B@c1899de289a04d12100db370d81485cdf75e47ca';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-transfer-'));
const at = (name: string) => join(folder, name);
const json = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));
const transfer = (...args: string[]) => cliInline(['transfer', ...args]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(noShared)('transfer split of the released sets (released data needed)', () => {
  const golden = noShared ? {} : JSON.parse(readFileSync(shared('golden/lab_splits.json'), 'utf8'));
  const digests = (name: string) =>
    Object.fromEntries(
      readdirSync(at(name))
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => [file, sha256(readFileSync(join(at(name), file)))]),
    );

  it.each([
    ['lab-v1', 'v1_file_sha256'],
    ['lab-v3', 'v3_file_sha256'],
  ])('rebuilds %s byte for byte', async (rule, key) => {
    const run = await transfer(...['split', '--tasks', ...SETS, '--core', CORE, '--rule', rule, '--out', at(rule)]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(digests(rule)).toEqual(golden[key]);
    expect(json(`${rule}/leakage.json`).overlaps.length).toBeGreaterThan(2);
  });

  it('writes the published manifest for the paper’s data, its own for other rules', async () => {
    expect(json('lab-v3/manifest.json')).toEqual(golden.v3_manifest);
    expect(json('lab-v1/manifest.json')).toMatchObject({
      schema_version: 'flavourbench-training-data/1',
      counts: { train_tasks: 342, validation_tasks: 84 },
    });
    const args = ['--rule', 'lab-v3', '--salt', 'mine', '--evaluation', '10', '--out', at('own')];
    expect((await transfer('split', '--tasks', ...SETS, '--core', CORE, ...args)).code).toBe(0);
    expect(json('own/manifest.json')).toMatchObject({
      schema_version: 'flavourbench-training-data/1',
      split_salt: 'mine',
      counts: { evaluation_tasks: 60, train_tasks: 294 },
    });
  });

  it('refuses the leaderboard as training data and a core without its sets, writing nothing', async () => {
    const refused = await transfer('split', '--tasks', ...SETS, '--out', at('none'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^flavourbench: LEADERBOARD_MAP: task/)]);
    const half = await transfer('split', '--tasks', SETS[0]!, '--core', CORE, '--out', at('none'));
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('TASK_UNKNOWN')]);
    const rule = await transfer('split', '--tasks', ...SETS, '--rule', 'v9', '--out', at('none'));
    expect([rule.code, rule.stderr]).toEqual([2, expect.stringContaining('lab-v1 or lab-v3')]);
    expect(existsSync(at('none'))).toBe(false);
  });

  it('reward --training refuses the leaderboard and a core, and serves other tasks', async () => {
    const reward = (id: string, ...more: string[]) =>
      cliInline([
        ...['reward', '--tasks', ...SETS, '--task-id', id, '--completion', 'FINAL_SELECTION: A,B,C'],
        ...more,
      ]);
    const ranked = JSON.parse(readFileSync(CORE, 'utf8')).common_core.panels.panel_1.selected_task_ids_by_family
      .pairing[0];
    const free = golden.v3_paper.train[0];
    expect((await reward(ranked)).code).toBe(0);
    expect((await reward(ranked, '--training')).stderr).toContain('LEADERBOARD_MAP');
    expect((await reward(free, '--training', '--core', CORE)).code).toBe(0);
  });
});

describe.skipIf(noShared)('transfer contrast of the published responses (released data needed)', () => {
  const contrast = (...args: string[]) => transfer('contrast', '--completions', PRIMARY, '--tasks', ...SETS, ...args);
  const numpy = ['--rng', 'numpy', '--protocol-sha256', PROTOCOL];

  it('seals the published analysis', async () => {
    const run = await contrast(...numpy, '--out', at('primary'));
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('+13.30 [6.52, 20.29]');
    const { results, rng } = json('primary/analysis.json');
    expect(rng).toBe('numpy-pcg64/1');
    expect(results.contrast).toMatchObject({
      estimate: 13.300238095238095,
      exceedances: 16,
      sign_flip_p: 0.00016999830001699983,
    });
    expect(Math.abs(results.contrast.interval[0] - 6.522059523809523)).toBeLessThan(1e-12);
    expect(Math.abs(results.contrast.interval[1] - 20.29068253968254)).toBeLessThan(1e-12);
    expect(json('primary/seal.json')).toMatchObject({
      gate: 'absent',
      protocol_sha256: PROTOCOL,
    });
    expect(readFileSync(at('primary/transfer-main.tex'), 'utf8')).toContain('29.99 & 30.90 & 44.20');
    expect(readFileSync(at('primary/claims.md'), 'utf8')).toMatch(/## Allowed[\s\S]*## Not allowed/);
  });

  it('is sealed once: the same analysis again is fine, another in its place is refused', async () => {
    const quick = ['--flips', '100', '--draws', '100', '--out'];
    expect((await contrast(...quick, at('quick'))).code).toBe(0);
    const twin = readFileSync(at('quick/analysis.json'), 'utf8');
    expect((await contrast(...quick, at('quick'))).code).toBe(0);
    expect(readFileSync(at('quick/analysis.json'), 'utf8')).toBe(twin);
    const before = readFileSync(at('primary/analysis.json'), 'utf8');
    const other = await contrast(...quick, at('primary'));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('OUTPUT_EXISTS')]);
    expect(readFileSync(at('primary/analysis.json'), 'utf8')).toBe(before);
  });

  it('keeps the secondary stage closed without seal and plan, so that the primary tasks cannot be asked again', async () => {
    const second = (...args: string[]) => contrast('--stage', 'secondary', '--out', at('secondary'), ...args);
    const seal = at('primary/seal.json');
    expect((await second(...numpy)).stderr).toContain('SEAL_MISSING');
    writeFileSync(at('edited.json'), readFileSync(seal, 'utf8').replace('absent', 'absenT'));
    expect((await second(...numpy, '--seal', at('edited.json'))).stderr).toContain('SCHEMA_INVALID');
    const digest = json('primary/seal.json').results_sha256;
    writeFileSync(at('edited.json'), readFileSync(seal, 'utf8').replace(digest, '0'.repeat(64)));
    const edited = await second(...numpy, '--seal', at('edited.json'));
    expect([edited.code, edited.stderr]).toEqual([4, expect.stringContaining('DIGEST_MISMATCH')]);
    const unplanned = await second(...numpy, '--seal', seal, '--primary', at('primary/analysis.json'));
    expect([unplanned.code, unplanned.stderr]).toEqual([2, expect.stringContaining('PLAN_MISSING')]);
    expect(existsSync(at('secondary'))).toBe(false);
  });

  it('refuses a grid with a hole, and generations of another set than the split', async () => {
    const lines = readFileSync(PRIMARY, 'utf8').trim().split('\n');
    writeFileSync(at('hole.jsonl'), lines.slice(0, -1).join('\n'));
    const run = (file: string, ...more: string[]) =>
      transfer('contrast', '--completions', file, '--tasks', ...SETS, '--out', at('no'), ...more);
    const hole = await run(at('hole.jsonl'));
    expect([hole.code, hole.stderr]).toEqual([2, expect.stringContaining('CELL_MISSING')]);
    const split = await run(PRIMARY, '--split', at('lab-v3/validation_tasks.jsonl'));
    expect([split.code, split.stderr]).toEqual([2, expect.stringContaining('72 missing')]);
    writeFileSync(at('twice.jsonl'), `${lines[0]}\n${lines[0]}\n`);
    expect((await run(at('twice.jsonl'))).stderr).toContain('CELL_DUPLICATE');
    writeFileSync(at('bad.jsonl'), '{"condition":"x","training_seed":"1"}\n');
    expect((await run(at('bad.jsonl'))).stderr).toContain(
      'bad.jsonl, line 1: training_seed: a whole number or null expected',
    );
    expect((await contrast('--rng', 'numpy', '--out', at('no'))).stderr).toContain('USAGE');
  });

  it('follows a frozen study plan: its tasks, its seeds, its settings, nothing else', async () => {
    const frozen = await transfer(
      ...['plan', '--base', BASE, '--data', at('lab-v3'), '--draws', '300', '--flips', '300'],
      ...['--out', at('plans'), '--json'],
    );
    const { path, protocol_sha256 } = JSON.parse(frozen.stdout);
    const rerun = ['--split', at('lab-v3/evaluation_tasks.jsonl'), '--plan', path];
    const run = await contrast(...rerun, '--out', at('planned'));
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(json('planned/analysis.json').plan).toMatchObject({
      draws: 300,
      flips: 300,
      protocol_sha256,
    });
    const chosen = await contrast(...rerun, '--threshold', '1', '--out', at('no'));
    expect([chosen.code, chosen.stderr]).toEqual([2, expect.stringContaining('fixed by --plan')]);
    for (const [flag, value] of [
      ['--alpha', '2'],
      ['--threshold', '-1'],
    ] as const) {
      const odd = await contrast(flag, value, '--out', at('no'));
      expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining(`${flag} ${value} is`)]);
    }
    const tasks = await contrast('--plan', path, '--out', at('no'));
    expect([tasks.code, tasks.stderr]).toEqual([4, expect.stringContaining('another digest')]);
    const two = ['--base', BASE, '--data', at('lab-v3'), '--seeds', '20260824', '--out'];
    const other = JSON.parse((await transfer('plan', ...two, at('plans'), '--json')).stdout);
    const seeds = await contrast(...rerun.slice(0, 3), other.path, '--out', at('no'));
    expect([seeds.code, seeds.stderr]).toEqual([4, expect.stringContaining('fixed training seeds 20260824')]);
  });

  it('writes recipes that belong to the plan, with a manifest template', async () => {
    const { path } = JSON.parse(
      (await transfer('plan', '--base', BASE, '--data', at('lab-v3'), '--out', at('plans'), '--json')).stdout,
    );
    const recipe = (...more: string[]) =>
      transfer(
        ...['recipe', '--base', BASE, '--arm', 'control', '--data', at('lab-v3'), '--plan', path],
        ...['--out', at('run.py'), ...more],
      );
    const made = await recipe('--seed', '20260825', '--json');
    expect(made.code).toBe(0);
    const script = readFileSync(at('run.py'), 'utf8');
    expect(JSON.parse(made.stdout)).toMatchObject({ path: at('run.py'), sha256: sha256(script) });
    expect(json('run.manifest.json')).toMatchObject({
      condition: 'sft_format_control',
      seed: 20260825,
      recipe_sha256: sha256(script),
      files: [{ path: 'adapter_model.safetensors', sha256: null }],
    });
    const stray = await recipe('--seed', '7');
    expect([stray.code, stray.stderr]).toEqual([4, expect.stringContaining('seed 7 is not one of')]);
  });
});

describe('transfer split of a pantry panel', () => {
  const split = (tasks: string, out: string) =>
    transfer(
      ...['split', '--tasks', tasks, '--evaluation', '2', '--validation', '2', '--parquet'],
      ...['--out', at(out)],
    );

  it('writes rows, Parquet twins, proofs and a card', async () => {
    const run = await split('fixtures/tasks-small.json', 'pantry');
    expect([run.code, run.stderr]).toEqual([0, '']);
    const names = readdirSync(at('pantry'));
    expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(
      names.filter((name) => name.endsWith('.jsonl')).length,
    );
    expect(names).toEqual(expect.arrayContaining(['README.md', 'format-control.json']));
    expect(json('pantry/format-control.json').controls).toMatchObject([
      { split: 'train', rows: 12, accidental_optima: 0 },
      { split: 'validation', rows: 12, accidental_optima: 0 },
    ]);
  });

  it('exits 4 and writes nothing when two splits share a prompt', async () => {
    const set = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8'));
    const { splits } = json('pantry/leakage.json');
    const idOf = (name: string) => splits.find((one: { name: string }) => one.name === name).members[0].task_id;
    const task = (id: string) => set.tasks.find((one: { task_id: string }) => one.task_id === id);
    task(idOf('evaluation')).prompt = task(idOf('train')).prompt;
    writeFileSync(at('leaking.json'), JSON.stringify(set));
    const run = await split(at('leaking.json'), 'leaking');
    expect([run.code, run.stderr]).toEqual([
      4,
      expect.stringContaining('VERIFY_FAILED: train and evaluation share 1 prompts'),
    ]);
    expect(existsSync(at('leaking'))).toBe(false);
  });
});
