import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/node.js';
import { readArrow } from '../../src/io/arrow.js';
import { parseCsv } from '../../src/io/csv.js';
import { orderKey, sha256 } from '../../src/io/digest.js';
import { readParquet } from '../../src/io/parquet.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { verifyRelease } from '../../src/release/verify.js';
import { cliInline } from '../support/cli-inline.js';
import { buildSmall, filesOf, readDocument, type SmallWorld, smallWorld } from '../support/release-world.js';

let world: SmallWorld;
let good: string;
beforeAll(async () => {
  world = await smallWorld();
  good = join(world.dir, 'release');
  await buildSmall(world, good);
});
afterAll(() => rmSync(world.dir, { recursive: true, force: true }));

const text = (name: string) => readFileSync(join(good, name), 'utf8');
const rows = (name: string) => text(name).trimEnd().split('\n');

describe('a release that release build writes', () => {
  it('is the same bytes each time, and the same release again is success', async () => {
    const again = join(world.dir, 'again');
    await buildSmall(world, again);
    expect(filesOf(again)).toEqual(filesOf(good));
    for (const name of filesOf(good))
      expect(readFileSync(join(again, name)).equals(readFileSync(join(good, name))), name).toBe(true);
    const repeated = await cliInline([...world.build, '--out', again, '--json']);
    expect(JSON.parse(repeated.stdout)).toMatchObject({ added: false });
  });

  it('says neither where nor by whom it was built', () => {
    for (const name of filesOf(good)) {
      const bytes = readFileSync(join(good, name)).toString('latin1');
      for (const secret of [world.dir, process.cwd(), `"${hostname()}"`])
        expect(bytes.includes(secret), `${name}: ${secret}`).toBe(false);
    }
    expect(readDocument(good, 'release.json').run).toMatchObject({ backend: 'wasm', threads: 1 });
  });

  it('has every file of the layout, each in the manifest with size and digest', () => {
    const names = filesOf(good).filter((name) => name !== 'MANIFEST.json');
    const manifest = readDocument(good, 'MANIFEST.json') as {
      files?: { path: string; bytes: number; sha256: string }[];
      release_sha256?: string;
    };
    expect(manifest.files?.map(({ path }) => path).sort()).toEqual(names);
    for (const { path, bytes, sha256: digest } of manifest.files ?? []) {
      const found = readFileSync(join(good, path));
      expect([found.length, sha256(found)], path).toEqual([bytes, digest]);
    }
    expect(manifest.release_sha256).toBe(readDocument(good, 'release.json').artifact_sha256);
    for (const name of [
      ...['release.json', 'core.json', 'models.json', 'cases.json', 'README.md', 'inference.json'],
      ...['observations.jsonl', 'observations.arrow', 'observations.parquet', 'attempts.jsonl'],
      ...['validity.arrow', 'matrix.arrow', 'matrix.parquet', 'leaderboard.csv', 'pairwise.csv'],
      ...['models.arrow', 'pairs.arrow', 'replication.arrow', 'figures/forest.pdf'],
      ...['tables/leaderboard.tex', 'tables/macros.tex', 'tasks/mixed.json'],
    ])
      expect(names, name).toContain(name);
  });

  it('keeps every candidate answer raw, with record, scoring and twins of the same rows', async () => {
    const lines = rows('observations.jsonl').map((line) => JSON.parse(line));
    expect(lines).toHaveLength(6 * 36);
    expect(lines.filter(({ in_core }) => in_core)).toHaveLength(6 * 24);
    for (const { response, release_scoring } of lines.slice(0, 20)) {
      expect(response.generation.answer).toMatch(/FINAL_SELECTION/i);
      expect(release_scoring.selection).toBe(response.parse.selection);
    }
    const arrow = await readArrow(readFileSync(join(good, 'observations.arrow')), 'o');
    const parquet = await readParquet(readFileSync(join(good, 'observations.parquet')), 'observations.parquet');
    const answers = lines.map(({ response }) => response.generation.answer);
    expect(arrow.column('answer')).toEqual(answers);
    expect(parquet.column('answer')).toEqual(answers);
    const scores = Array.from(parquet.column('score_bps')!);
    expect(scores).toEqual(lines.map((l) => l.release_scoring.score_bps));
  });

  it('is itself a file of answers, for inference as for scoring', async () => {
    const file = join(good, 'observations.jsonl');
    const tasks = ['--tasks', 'fixtures/tasks-small.json'];
    const core = ['--core', join(good, 'core.json')];
    const draws = ['--draws', '200', '--flips', '300'];
    const out = join(world.dir, 'from-observations');
    const inferred = await cliInline([
      ...['infer', '--responses', file, ...tasks, ...core, ...draws],
      ...['--out', out],
    ]);
    expect(inferred).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'leaderboard.csv'), 'utf8')).toBe(text('leaderboard.csv'));
    const rescored = await cliInline(['rescore', file, ...tasks]);
    expect(rescored.stdout).toContain('216 rows scored');
    const ledger = join(world.dir, 'from-observations-ledger');
    const entered = await cliInline(['ledger', 'import', ledger, file, ...tasks, '--label', 'r']);
    expect(entered.stdout).toContain('216 records written');
  });

  it('has its cases chosen by hash, the same whatever the scores', () => {
    const { cases } = readDocument(good, 'cases.json') as {
      cases: {
        task_id: string;
        family: string;
        order_key: string;
        higher_ranked: { answer: string };
      }[];
    };
    expect(cases.map(({ family }) => family)).toEqual(['substitution', 'pairing', 'constraint']);
    const file = sha256(readFileSync(join(good, 'tasks/mixed.json')));
    const core = new Set(
      rows('observations.jsonl').flatMap((line) => {
        const { in_core, response } = JSON.parse(line);
        return in_core ? [`${response.family} ${response.task_id}`] : [];
      }),
    );
    for (const { task_id, family, order_key, higher_ranked } of cases) {
      const keys = [...core]
        .filter((name) => name.startsWith(`${family} `))
        .map((name) => orderKey(file, family, name.slice(family.length + 1)));
      expect(order_key).toBe(orderKey(file, family, task_id));
      expect(order_key).toBe(keys.sort()[0]);
      expect(higher_ranked.answer).toMatch(/FINAL_SELECTION/i);
    }
  });

  it('opens as a view, and says on its card that it is a simulation when it is', async () => {
    const view = await openRelease(good);
    expect(view).toMatchObject({ kind: 'folder', benchmark: 'FlavourBench' });
    expect(view.leaderboard.models).toHaveLength(6);
    expect(view.matrix?.values).toHaveLength(6 * 24);
    expect(view.tasks?.map(({ id }) => id)).toEqual(view.matrix?.tasks);
    const forest = parseCsv(text('figures/forest.csv'), { file: 'forest' });
    expect(forest.header).toEqual(expect.arrayContaining(['low', 'alone_low', 'alone_high', 'high', 'letters']));
    const at = (name: string) => forest.header.indexOf(name);
    for (const row of forest.rows) {
      const [low, inner, outer, high] = ['low', 'alone_low', 'alone_high', 'high'].map((name) => Number(row[at(name)]));
      expect(low).toBeLessThanOrEqual(inner!);
      expect(outer).toBeLessThanOrEqual(high!);
    }
    expect(parseCsv(text('figures/pairs.csv'), { file: 'pairs' }).rows).toHaveLength(15);
    expect(text('tables/decisions.csv')).toContain('0.8 similarity to the anchor + 0.2 coherence');
    expect(text('README.md')).toMatch(/^---\npretty_name: "FlavourBench"\n/);
    expect(text('README.md')).toContain('Verification cannot show');
  });

  it('is refused with an inference of other answers, and with a file that is none', async () => {
    const other = join(world.dir, 'other.json');
    const document = readDocument(world.dir, 'inference/inference.json') as {
      results: { models: { flavourbench_score: number }[] };
    };
    document.results.models[1]!.flavourbench_score += 1;
    writeFileSync(other, JSON.stringify(document));
    const build = world.build.map((arg) => (arg.endsWith('inference.json') ? other : arg));
    const out = join(world.dir, 'never');
    const wrong = await cliInline([...build, '--out', out]);
    expect(wrong).toMatchObject({ code: 4 });
    expect(wrong.stderr).toMatch(/VERIFY_FAILED: .*other\.json: models\[1\].*flavourbench_score/);
    expect(existsSync(out)).toBe(false);
    writeFileSync(other, '{}');
    expect((await cliInline([...build, '--out', out])).stderr).toContain('SCHEMA_INVALID');
  });

  it('replaces another release only when forced, and never anything else', async () => {
    const out = join(world.dir, 'replaced');
    await buildSmall(world, out, '--no-figures');
    const titled = [...world.build, '--title', 'Other', '--no-figures', '--out', out];
    const refused = await cliInline(titled);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('OUTPUT_EXISTS');
    expect((await cliInline([...titled, '--force'])).code).toBe(0);
    expect((await openRelease(out)).benchmark).toBe('Other');
    const ledger = await cliInline([...world.build, '--out', join(world.dir, 'ledger'), '--force']);
    expect(ledger.stderr).toContain('something that is no release');
    expect(existsSync(join(world.dir, 'ledger/attempts.jsonl'))).toBe(true);
  });

  it('deletes no file of anybody else with the release that it replaces', async () => {
    const out = join(world.dir, 'noted');
    await buildSmall(world, out, '--no-figures');
    writeFileSync(join(out, 'mynotes.txt'), 'mine');
    const titled = [...world.build, '--title', 'Other', '--no-figures', '--out', out, '--force'];
    const refused = await cliInline(titled);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('mynotes.txt') });
    expect(readFileSync(join(out, 'mynotes.txt'), 'utf8')).toBe('mine');
    rmSync(join(out, 'mynotes.txt'));
    expect((await cliInline(titled)).code).toBe(0);
    expect(readdirSync(world.dir).filter((name) => name.startsWith('.release-'))).toEqual([]);
  });

  it('is not written over by a page about it', async () => {
    const page = ['release', 'report', good, '--no-verify', '--out', join(good, 'release.json')];
    const before = text('release.json');
    expect(await cliInline(page)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('OUTPUT_EXISTS'),
    });
    expect(text('release.json')).toBe(before);
  });

  it.each(['[null]', 'null', '"text"', '{'])('is refused with %s in the place of an analysis', async (json) => {
    const analysis = join(world.dir, 'odd.json');
    writeFileSync(analysis, json);
    const out = join(world.dir, 'odd');
    const refused = await cliInline([...world.build, '--analyses', analysis, '--out', out]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('odd.json') });
    expect(existsSync(out)).toBe(false);
  });

  it('may have a folder named by its digest, which verification holds it to', async () => {
    const { stdout } = await cliInline([
      ...world.build,
      ...['--no-figures', '--json', '--into', join(world.dir, 'all')],
    ]);
    const { path, manifest_sha256 } = JSON.parse(stdout);
    expect(path).toContain(`flavourbench-release-${manifest_sha256}`);
    const engine = await createEngine({ backend: 'wasm' });
    const result = await verifyRelease({ dir: path, engine, expect: manifest_sha256 });
    await engine.close();
    expect(result.status).toBe('PASS');
  });

  it('may join several ledgers, each with its journal', async () => {
    const rows = readFileSync('fixtures/responses-small.jsonl', 'utf8').trimEnd().split('\n');
    const at = (name: string) => join(world.dir, name);
    const tasks = ['--tasks', 'fixtures/tasks-small.json'];
    const ledgers = ['panel_1', 'panel_2'].map((panel) => at(`ledger-${panel}`));
    for (const [i, ledger] of ledgers.entries()) {
      const file = `${ledger}.jsonl`;
      writeFileSync(file, `${rows.filter((row) => row.includes(`"panel_${i + 1}"`)).join('\n')}\n`);
      await cliInline(['ledger', 'import', ledger, file, ...tasks, '--label', 'half']);
    }
    const freeze = ['--seed', 's', '--per-stratum', '4', '--allow-unpinned'];
    const from = ['--ledger', ...ledgers, ...tasks];
    await cliInline(['core', 'freeze', ...from, ...freeze, '--out', at('both.json')]);
    const out = at('both');
    const built = await cliInline([
      ...['release', 'build', ...from, '--core', at('both.json')],
      ...['--no-figures', '--out', out],
    ]);
    expect(built.stderr).toBe('');
    expect(filesOf(out)).toEqual(expect.arrayContaining(['attempts.jsonl', 'attempts-2.jsonl']));
    expect((await cliInline(['release', 'verify', out])).code).toBe(0);
    const last = readFileSync(join(out, 'observations.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
    expect(JSON.parse(last!)).toMatchObject({ ledger: 1, response: { panel: 'panel_2' } });
  });

  it('needs no ledger and no core: a file of selections is enough', async () => {
    const answers = join(world.dir, 'answers.jsonl');
    writeFileSync(
      answers,
      `${rows('observations.jsonl')
        .map((line) => {
          const { response } = JSON.parse(line);
          const { task_id, key, parse } = response;
          return JSON.stringify({ model_id: key.model_id, task_id, selection: parse.selection });
        })
        .join('\n')}\n`,
    );
    const out = join(world.dir, 'plain');
    const tasks = ['--tasks', 'fixtures/tasks-small.json', '--responses', answers];
    const unsealed = join(world.dir, 'unsealed.json');
    const { tasks: listed } = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8'));
    const bare = listed.map(({ artifact_sha256: _, task_set_sha256: __, ...task }: Record<string, unknown>) => task);
    writeFileSync(unsealed, JSON.stringify({ tasks: bare }));
    const built = await cliInline([...['release', 'build', '--tasks', unsealed, '--responses', answers, '--out', out]]);
    expect(built.stderr).toBe('');
    const checked = await cliInline(['release', 'verify', out]);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain('there is no core plan');
    expect(checked.stdout).not.toMatch(/answers against their digests|tasks: prompt/);
    expect(checked.stdout).toMatch(/^proved +36 {2}tasks without digests: choices, map, optimum$/m);
    expect(checked.stdout).toMatch(/^not proved +36 {2}where tasks without digests come from: /m);
    expect(checked.stdout).toMatch(/^not proved +\d+ {2}where answers without a record come from: /m);
    expect(checked.stdout).toMatch(/\nPASS: [0-9a-f]{64}\n$/);
    const core = ['--core', join(world.dir, 'core.json')];
    const frozen = await cliInline(['release', 'build', ...tasks, ...core, '--out', `${out}-core`]);
    expect([frozen.code, frozen.stderr]).toEqual([
      2,
      expect.stringContaining('core.json was frozen on the records of a ledger'),
    ]);
    const both = await cliInline([...world.build, '--responses', answers, '--out', out]);
    expect(both.stderr).toContain('answers come from --ledger or from --responses');
  });
});
