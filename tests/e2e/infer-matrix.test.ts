import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldPage } from '../../src/cli/explorer-page.js';
import { readArrow } from '../../src/io/arrow.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from '../support/cli-inline.js';
import { inferDocument, inferFolder, SMALL } from '../support/infer-run.js';

const { inferFile, inferPath } = inferFolder();

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
function emptyFolder(): string {
  mkdirSync(inferPath('nothing'), { recursive: true });
  return inferPath('nothing');
}

/** Values are basis points. */
const BPS = [...SMALL, '--scale', '100'];

describe('flavourbench infer on a matrix', () => {
  it('puts its page into a folder, and of more than 256 models none, nor leaves that of an earlier run', async () => {
    const scores = inferFile('paged.csv', MATRIX);
    const out = inferPath('paged');
    expect((await cliInline(['infer', scores, ...BPS, '--out', out])).code).toBe(0);
    const alone = inferPath('alone.html');
    await cliInline(['infer', scores, ...BPS, '--out', alone]);
    const page = readFileSync(join(out, 'inference.html'));
    expect(page.equals(readFileSync(alone))).toBe(true);
    const [document] = heldPage(page.toString('utf8')).given!.files;
    expect([document!.name, Buffer.from(document!.bytes)]).toEqual([
      'inference.json',
      readFileSync(join(out, 'inference.json')),
    ]);
    const rows = Array.from({ length: 257 }, (_, m) => `m${m},${m % 2},${m % 3 > 0 ? 1 : 0},1`);
    const many = inferFile('many.csv', `model,a,b,c\n${rows.join('\n')}\n`);
    const { code, stderr } = await cliInline(['infer', many, ...SMALL, '--out', out]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('no page of 257 models')]);
    expect(readdirSync(out)).toContain('inference.json');
    expect(readdirSync(out)).not.toContain('inference.html');
  });

  it('writes the envelope, the released tables and their twins, the same bytes each time', async () => {
    const scores = inferFile('m.csv', MATRIX);
    const chance = inferFile('chance.csv', CHANCE);
    const call = ['infer', '--scores', scores, '--chance', chance, ...BPS, '--out'];
    const first = await cliInline([...call, inferPath('one')]);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect((await cliInline([...call, inferPath('two')])).code).toBe(0);
    const names = readdirSync(inferPath('one')).sort();
    expect(names).toEqual([
      'inference.html',
      'inference.json',
      'leaderboard.csv',
      'models.arrow',
      'pairs.arrow',
      'pairwise.csv',
      'replication.arrow',
    ]);
    for (const name of names)
      expect(readFileSync(join(inferPath('one'), name)).equals(readFileSync(join(inferPath('two'), name))), name).toBe(
        true,
      );
    const { text, document } = inferDocument(inferPath('one'));
    const { artifact_sha256: artifact, ...body } = document;
    expect(artifact).toBe(sha256(canonicalJson(body)));
    expect(document.results_sha256).toBe(sha256(canonicalJson(document.results)));
    expect(text).toBe(`${canonicalJson(document)}\n`);
    expect(text).not.toContain(inferPath(''));
    expect(document).toMatchObject({
      schema: 'flavourbench-inference/2',
      canonicalization: 'RFC8785',
      rng: 'philox4x32-10/1',
      seed: '20260820',
      streams: { bootstrap: 0, flips: 1 },
      plan: {
        ...{ rng: 'philox', strata: 'panel-family', scheme: 'joint', draws: 200, flips: 300 },
        ...{ order: 'model-id', ranks: 'shared', exact: 'decides', rank_sets: 'flips', bootstrap: 'enumerated' },
      },
      inputs: [
        { role: 'scores', sha256: sha256(MATRIX), bytes: MATRIX.length },
        { role: 'chance', sha256: sha256(CHANCE), bytes: CHANCE.length },
      ],
    });
    expect(document.run.timings).toBeUndefined();
    expect(document.results.models[0].coverage).toMatchObject({ completed: null, valid_scored: 4 });
    const models = await readArrow(readFileSync(join(inferPath('one'), 'models.arrow')), 'models');
    expect(models.column('score')).toEqual([80.75, 16]);
    expect(models.metadata.get('results_sha256')).toBe(document.results_sha256);
    const pairs = await readArrow(readFileSync(join(inferPath('one'), 'pairs.arrow')), 'pairs');
    expect(pairs.column('exact_p')).toEqual([2 / 16]);
    const [header, row] = readFileSync(join(inferPath('one'), 'leaderboard.csv'), 'utf8').split('\n');
    expect(header).toBe(
      'rank,rank_tied,rank_set_low,rank_set_high,letters,model,model_id,flavourbench_score,pointwise_ci_low,pointwise_ci_high,simultaneous_ci_low,simultaneous_ci_high,valid_scored,scheduled,coverage,above_exact_chance_holm',
    );
    expect(row).toMatch(/^1,false,1,2,a,alpha,alpha,80\.750000,.*,4,4,1\.000000,(true|false)$/);
  });

  it('prints a leaderboard that says how it was made and what is unresolved', async () => {
    const { stdout, code } = await cliInline(['infer', '--scores', inferFile('m.csv', MATRIX), ...BPS]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/alpha\s+80\.8/);
    for (const words of [
      'rng philox',
      'seed 20260820',
      'panel-family',
      'All bootstrap samples of the clusters, weighted (joint), every sign vector of each pair',
      '0 of 1 pair told apart (paired sign flips, step-down max-T, familywise error 0.05)',
      'No two models are told apart: nothing in this order is established. alpha has the highest score.',
      'With 4 clusters this design cannot tell any two models apart, whatever the scores: the least p is 2 / 2^4 = 0.125.',
    ])
      expect(stdout.replaceAll('\n', ' ')).toContain(words);
    expect(stdout).not.toContain('\u001b');
  });

  it('prints the document under --json and nothing under --quiet', async () => {
    const scores = inferFile('m.csv', MATRIX);
    const { stdout } = await cliInline(['infer', '--scores', scores, ...BPS, '--json', '--timings']);
    expect(JSON.parse(stdout).run.timings.inference).toBeGreaterThan(0);
    expect((await cliInline(['infer', '--scores', scores, ...BPS, '--quiet'])).stdout).toBe('');
  });

  it('writes the same results on every backend', async () => {
    const call = ['infer', '--scores', inferFile('m.csv', MATRIX), ...BPS, '--json', '--backend'];
    const results = async (name: string) => JSON.parse((await cliInline([...call, name])).stdout);
    const [reference, wasm] = [await results('reference'), await results('wasm')];
    expect(wasm.run.backend).toBe('wasm');
    expect(wasm.results_sha256).toBe(reference.results_sha256);
    expect((await cliInline([...call, 'abacus'])).stderr).toContain('"code":"USAGE"');
  });

  it('quantises on request only, and says by how much', async () => {
    const real = inferFile('real.csv', MATRIX.replace('7100', '71.004').replaceAll(/,(\d+)00$/gm, ',$1'));
    const refused = await cliInline(['infer', '--scores', real, ...BPS]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/CELL_NOT_INTEGER.*"alpha".*"t1"/);
    const found = await cliInline(['infer', '--scores', real, ...SMALL]);
    expect(found.stdout).toMatch(/^2 models x 4 tasks, 0 to 100 \(scale 1000\), from model \/ task \/ value; families/);
    const { stdout, code } = await cliInline(['infer', '--scores', real, ...SMALL, '--quantize', '100', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results.inference.quantization.largest_error).toBeCloseTo(0.004, 9);
  });

  it('ranks the models of a roster in its order', async () => {
    const roster = inferFile('roster.csv', 'model_id,model_name\nbeta,Beta the second\nalpha,\n');
    const { stdout } = await cliInline([
      'infer',
      '--scores',
      inferFile('m.csv', MATRIX),
      ...BPS,
      '--json',
      '--roster',
      roster,
    ]);
    const { models } = JSON.parse(stdout).results;
    expect(models.map((model: { model_name: string }) => model.model_name)).toEqual(['Beta the second', 'alpha']);
    const unknown = await cliInline([
      'infer',
      '--scores',
      inferFile('m.csv', MATRIX),
      ...BPS,
      '--roster',
      inferFile('r.txt', 'alpha\ngamma\n'),
    ]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('"gamma"');
  });

  const calls: readonly [string, string, () => string[]][] = [
    ['no input', 'USAGE', () => []],
    ['both kinds of input', 'USAGE', () => ['--scores', 'x', '--responses', 'y', '--tasks', 'z']],
    ['a file that is not there', 'INPUT_NOT_FOUND', () => ['--scores', inferPath('absent.csv')]],
    ['an empty folder', 'SCHEMA_INVALID', () => ['--scores', emptyFolder()]],
    [
      'a cell given twice',
      'CELL_DUPLICATE',
      () => ['--scores', inferFile('d.csv', `${MATRIX}beta,t4,panel_1,soup,c4,1\n`)],
    ],
    ['a lost cluster', 'CLUSTER_MISSING', () => ['--scores', inferFile('k.csv', MATRIX.replace('c1', ''))]],
    [
      'numpy with stratified',
      'USAGE',
      () => ['--scores', inferFile('m.csv', MATRIX), '--rng', 'numpy', '--scheme', 'stratified'],
    ],
  ];
  it.each(calls)('refuses %s and writes nothing', async (_, code, args) => {
    const out = inferPath('refused');
    const run = await cliInline(['infer', ...args(), ...BPS, '--out', out, '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stderr).error.code).toBe(code);
    expect(run.stdout).toBe('');
    expect(() => readdirSync(out)).toThrow();
  });

  it('withholds the result of a matrix with a missing cell and lists it', async () => {
    const out = inferPath('gap');
    const scores = inferFile('g.csv', MATRIX.replace(/beta,t4.*\n/, '').replace('9000', ''));
    const run = await cliInline(['infer', '--scores', scores, ...BPS, '--out', out]);
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/INCOMPLETE: .*g\.csv: 2 of 8 cells are missing.*"beta" "t4" \(absent\)/);
    expect(readdirSync(out)).toEqual(['missing.csv']);
    expect(readFileSync(join(out, 'missing.csv'), 'utf8')).toBe('model,task,reason\nalpha,t3,empty\nbeta,t4,absent\n');
  });

  it('takes a wide matrix with clusters beside it, and prints digits that fit its range', async () => {
    const scores = inferFile('wide.csv', 'model,t1,t2,t3\na,0.75,0.5,0.251\nb,1,0,0.25\n');
    const call = ['infer', '--scores', scores, ...SMALL, '--quantize', '1000'];
    const { stdout, code } = await cliInline(call);
    expect(code).toBe(0);
    expect(stdout).toMatch(/a +0\.500 +0\.\d{3} to 0\.\d{3}/);
    expect(stdout).toContain('2 models x 3 tasks in 3 clusters');
    expect(stdout).toContain('0 of 1 pair told apart (');
    expect(stdout).toContain('none was rounded');
    expect(stdout).not.toContain('above chance');
    const clusters = inferFile('clusters.csv', 'task,cluster\nt1,x\nt2,x\n');
    const { results, inputs } = JSON.parse((await cliInline([...call, '--clusters', clusters, '--json'])).stdout);
    expect(results.inference.independent_cluster_count).toBe(2);
    expect(inputs.map(({ role }: { role: string }) => role)).toEqual(['scores', 'clusters']);
  });

  it('reads noughts and ones as points, and says so first', async () => {
    const scores = inferFile('binary.csv', 'model,t1,t2\na,1,0\nb,0,1\n');
    const one = await cliInline(['infer', '--scores', scores, ...SMALL]);
    expect(one.stdout).toMatch(/^2 models x 2 tasks, 0 and 1, from model \/ t1, t2\n/);
    expect(one.stdout).toMatch(/ 1= +1-2 +a +a +0\.500.*\n +1= +1-2 +a +b +0\.500/);
    expect(one.stdout.replaceAll('\n', ' ')).toContain('established. a and b share the highest score');
  });

  it('says what so few draws and flips cannot show', async () => {
    const few = ['--draws', '10', '--flips', '15'];
    const call = ['infer', '--scores', inferFile('m.csv', MATRIX), '--scale', '100', ...few];
    const warned = async (...more: string[]) =>
      JSON.parse((await cliInline([...call, ...more, '--json'])).stdout).run.warnings;
    const draws = expect.stringContaining('10 bootstrap draws: fewer than 5');
    expect(await warned()).toContainEqual(draws);
    const { plan } = JSON.parse((await cliInline([...call, '--json'])).stdout);
    expect(plan.multiplicity_reason).toMatch(/4 clusters its least p is 0\.125$/);
    expect((await cliInline(call)).stdout).toMatch(
      /With 4 clusters this design cannot tell any two models apart.*\n[\s\S]*Note: 10 bootstrap draws/,
    );
    expect(await warned('--rng', 'numpy')).toEqual([
      draws,
      expect.stringContaining('15 sign flips: the smallest Holm p of 1 pair is 0.0625'),
    ]);
  });

  it('follows a symbolic link to its matrix', async () => {
    symlinkSync(inferFile('m.csv', MATRIX), inferPath('link.csv'));
    const run = (name: string) => cliInline(['infer', '--scores', inferPath(name), ...BPS]);
    const [plain, linked] = [await run('m.csv'), await run('link.csv')];
    expect(linked).toEqual(plain);
  });

  it('writes the one file that --out names, and a page that needs nothing beside it', async () => {
    const scores = inferFile('pages.csv', MATRIX);
    const at = (name: string) => inferPath(name);
    const call = ['infer', scores, ...SMALL];
    for (const name of ['one.json', 'one.csv', 'one.arrow', 'one.svg', 'one.png', 'one.html'])
      expect(await cliInline([...call, '--out', at(name), '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(at('one.json'), 'utf8')).toBe((await cliInline([...call, '--json'])).stdout);
    expect(readFileSync(at('one.csv'), 'utf8')).toMatch(/^[\w,]*score/);
    expect(readFileSync(at('one.svg'), 'utf8')).toMatch(/^<svg /);
    const { given } = heldPage(readFileSync(at('one.html'), 'utf8'));
    expect(given!.files.map(({ name }) => name)).toEqual(['inference.json', 'matrix.arrow']);
    expect(Buffer.from(given!.files[0]!.bytes).toString()).toBe(readFileSync(at('one.json'), 'utf8'));
    const other = await cliInline(['infer', scores, ...SMALL, '--seed', '7', '--out', at('one.json')]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('OUTPUT_EXISTS')]);
    expect((await cliInline(['infer', scores, ...SMALL, '--seed', '7', '--out', at('one.json'), '--force'])).code).toBe(
      0,
    );
  });
});
