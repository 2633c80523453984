import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matrixDigest } from '../../src/analyses/about.js';
import { matrixFromRows } from '../../src/core/matrix-rows.js';
import { sealed } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { cliInline } from '../support/cli-inline.js';
import { readDocument, reseal, type SmallWorld, smallWorld, writeDocument } from '../support/release-world.js';

const TASKS = 'fixtures/tasks-small.json';

let world: SmallWorld;
const at = (name: string) => join(world.dir, name);

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

/** Weights, metrics, precision and the filter of the small world; `more` changes what they are about. */
async function analyse(out: string, ...more: string[]): Promise<void> {
  const files = ['--scores', at('m.arrow'), '--ledger', at('ledger'), '--tasks', TASKS, '--core', at('core.json')];
  const inference = ['--inference', at('inference/inference.json')];
  await ok('sensitivity', 'all', ...files, ...inference, '--draws', '50', '--quiet', '--out', at(out), ...more);
}

const build = (out: string, ...analyses: string[]) =>
  cliInline([
    ...world.build,
    '--no-figures',
    ...analyses.flatMap((name) => ['--analyses', at(name)]),
    '--out',
    at(out),
  ]);

beforeAll(async () => {
  world = await smallWorld();
  await analyse('own');
  await analyse('fewer', '--without', 'simulated/skill-00');
  expect((await build('release', 'own')).stderr).toBe('');
}, 300_000);
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

describe('a document of an analysis', () => {
  it('says what it is about, by digests that do not depend on files', () => {
    const { about } = readDocument(at('own'), 'metrics.json') as { about: Record<string, unknown> };
    const { models, ...digests } = about;
    expect(models).toEqual(['00', '15', '25', '35', '45', '60'].map((skill) => `simulated/skill-${skill}`));
    expect(digests).toMatchObject({ inference_sha256: null, core_sha256: null, candidates_sha256: null });
    for (const digest of [digests.matrix_sha256, digests.answers_sha256]) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const filter = readDocument(at('own'), 'filter.json').about as Record<string, unknown>;
    expect(filter.core_sha256).toBe(readDocument(world.dir, 'core.json').artifact_sha256);
    expect(filter.candidates_sha256).toMatch(/^[0-9a-f]{64}$/);
    const precision = readDocument(at('own'), 'precision.json').about as Record<string, unknown>;
    expect(precision.inference_sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the digest of a matrix', () => {
  const matrix = (values: readonly (readonly number[])[], scale = 1) =>
    matrixFromRows({ models: ['a', 'b'], tasks: ['x', 'y'], values, scale });
  const plain = matrixDigest(
    matrix([
      [1, 2],
      [3, 4],
    ]),
  );

  it('is the same in another order and at another scale', () => {
    const turned = matrixFromRows({
      models: ['b', 'a'],
      tasks: ['y', 'x'],
      values: [
        [4, 3],
        [2, 1],
      ],
      scale: 1,
    });
    expect(matrixDigest(turned)).toBe(plain);
    expect(
      matrixDigest(
        matrix(
          [
            [100, 200],
            [300, 400],
          ],
          100,
        ),
      ),
    ).toBe(plain);
  });

  it('is another one for other values, scales and labels', () => {
    expect(
      matrixDigest(
        matrix([
          [1, 2],
          [3, 5],
        ]),
      ),
    ).not.toBe(plain);
    expect(
      matrixDigest(
        matrix(
          [
            [1, 2],
            [3, 4],
          ],
          100,
        ),
      ),
    ).not.toBe(plain);
    expect(
      matrixDigest({
        ...matrix([
          [1, 2],
          [3, 4],
        ]),
        clusters: ['x', 'x'],
      }),
    ).not.toBe(plain);
  });
});

describe('release build --analyses', () => {
  it('takes analyses of this leaderboard, from every folder that is named', async () => {
    for (const part of ['one', 'two']) mkdirSync(at(part));
    cpSync(at('own/weights.json'), at('one/weights.json'));
    cpSync(at('own/metrics.json'), at('two/metrics.json'));
    expect((await build('both', 'one', 'two')).stderr).toBe('');
    const { analyses } = readDocument(at('both'), 'release.json').results as { analyses: { filename: string }[] };
    expect(analyses.map(({ filename }) => filename)).toEqual(
      ['metrics', 'weights'].flatMap((name) => ['arrow', 'csv', 'json'].map((end) => `analyses/${name}.${end}`)),
    );
  });

  it('takes weightings of an inference.json alone: of its results, and no others', async () => {
    const inference = at('inference/inference.json');
    await ok('sensitivity', 'weights', '--inference', inference, '--quiet', '--out', at('stated'));
    const stated = readDocument(at('stated'), 'weights.json') as {
      about: Record<string, unknown>;
      results_sha256: string;
    };
    const own = readDocument(at('own'), 'weights.json');
    expect(stated.results_sha256).toBe(own.results_sha256);
    expect(stated.about).toMatchObject({
      matrix_sha256: null,
      inference_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await build('of-stated', 'stated')).stderr).toBe('');
    expect(readDocument(at('of-stated'), 'analyses/weights.json').about).toEqual(own.about);
    mkdirSync(at('elsewhere'));
    const elsewhere = sealed({ ...stated, about: { ...stated.about, inference_sha256: 'f'.repeat(64) } });
    writeDocument(at('elsewhere'), 'weights.json', elsewhere);
    const { code, stderr } = await build('foreign', 'elsewhere');
    expect([code, stderr]).toEqual([4, expect.stringMatching(/about\.inference_sha256: .*found f{64}/)]);
  });

  it('refuses analyses of other models with what was expected and found', async () => {
    const { code, stderr } = await build('foreign', 'fewer');
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /ANALYSIS_FOREIGN: analyses\/\w+\.json: about\.models: .*skill-00.*found simulated\/skill-15/,
    );
  });

  it('refuses other scores of the same models with both digests', async () => {
    mkdirSync(at('other'));
    const rows = readFileSync('fixtures/responses-small.jsonl', 'utf8').trim().split('\n');
    const changed = rows.map((row) =>
      row.replace(/FINAL_SELECTION: \w, \w, \w|FINAL_SELECTION: \w,\w,\w/, 'FINAL_SELECTION: A,B,C'),
    );
    writeFileSync(at('other.jsonl'), `${changed.join('\n')}\n`);
    const files = ['--responses', at('other.jsonl'), '--tasks', TASKS, '--core', at('core.json')];
    await ok('sensitivity', 'weights', ...files, '--quiet', '--out', at('other'));
    const { code, stderr } = await build('foreign', 'other');
    const digest = (folder: string) =>
      (readDocument(at(folder), 'weights.json').about as Record<string, string>).matrix_sha256;
    expect(code).toBe(4);
    expect(stderr).toContain(`about.matrix_sha256: `);
    expect(stderr).toContain(`expected ${digest('own')}, found ${digest('other')}`);
  });

  it('refuses a document that does not say what it is about, and makes the tables itself', async () => {
    mkdirSync(at('silent'));
    cpSync('fixtures/version-1/collection/release/analyses/weights.json', at('silent/weights.json'));
    const silent = await build('foreign', 'silent');
    expect([silent.code, silent.stderr]).toEqual([4, expect.stringMatching(/weights\.json: about: .*found none/)]);
    mkdirSync(at('stray'));
    cpSync(at('own/weights.json'), at('stray/weights.json'));
    cpSync(at('fewer/weights.arrow'), at('stray/weights.arrow'));
    expect((await build('stray-release', 'stray')).stderr).toBe('');
    expect(readFileSync(at('stray-release/analyses/weights.arrow'))).toEqual(readFileSync(at('own/weights.arrow')));
  });
});

describe('a release into which the analyses of other models were put', () => {
  const verify = async (name: string) => {
    const { code, stdout } = await cliInline(['release', 'verify', at(name), '--json']);
    return { code, ...(JSON.parse(stdout) as { differences: { file: string; at: string }[] }) };
  };

  it('verifies with its own', async () => {
    expect(await verify('release')).toMatchObject({ code: 0, differences: [] });
  });

  it('needs no --analyses to be asked for it: a note says so where lines are read, and --quick contradicts it', async () => {
    const call = (...more: string[]) => cliInline(['release', 'verify', at('nowhere'), '--analyses', ...more]);
    const note = 'flavourbench: --analyses is done now unless --quick is given\n';
    expect((await call()).stderr).toMatch(new RegExp(`^${note}`));
    expect((await call('--json')).stderr).not.toContain('is done now');
    const both = await call('--quick');
    expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/--analyses.*--quick/)]);
  });

  it('fails its verification without options, and nothing is drawn from it', async () => {
    const forged = at('forged');
    cpSync(at('release'), forged, { recursive: true });
    for (const end of ['json', 'arrow', 'csv'])
      cpSync(at(`fewer/weights.${end}`), join(forged, `analyses/weights.${end}`));
    const release = readDocument(forged, 'release.json') as {
      results: { analyses: { filename: string; sha256: string }[] };
    };
    for (const entry of release.results.analyses) entry.sha256 = sha256(readFileSync(join(forged, entry.filename)));
    writeDocument(forged, 'release.json', release);
    reseal(forged);
    const { code, differences } = await verify('forged');
    expect(code).toBe(4);
    expect(differences.map(({ file, at: place }) => `${file} ${place}`)).toEqual(
      expect.arrayContaining(['analyses/weights.json about.models', 'analyses/weights.json about.matrix_sha256']),
    );
    const { stdout } = await cliInline(['release', 'verify', forged, '--quick']);
    expect(stdout).toMatch(/^looked at +\d+ {2}answers against their digests$/m);
    expect(stdout).not.toMatch(/^proved /m);
    for (const args of [
      ['tables', '--out', at('t')],
      ['figures', '--out', at('f')],
      ['report', '--no-verify', '--out', at('p.html')],
    ]) {
      const [command, ...more] = args as [string, ...string[]];
      const drawn = await cliInline(['release', command, forged, ...more]);
      expect([drawn.code, drawn.stderr], command).toEqual([4, expect.stringContaining('ANALYSIS_FOREIGN')]);
    }
  });
});
