import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { zip as zipped } from '../../fixtures/zip.js';
import { kindWords } from '../../src/explorer/compared-pair.js';
import { listedTasks } from '../../src/explorer/listed-tasks.js';
import type { HeldFile } from '../../src/explorer/sources/held-file.js';
import { recognise } from '../../src/explorer/sources/recognised-source.js';
import type { FlavourError } from '../../src/util/error.js';
import { held, heldFolder } from '../support/held-folder.js';
import { CORE_PLAN, RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { hasShared } from '../support/shared.js';

const OLD = resolve('fixtures/version-1');
const RELEASE = join(OLD, 'collection/release');
const dir = mkdtempSync(join(tmpdir(), 'flavourbench-sources-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const single = (path: string) => held(path.replace(/.*\//, ''), readFileSync(path), false);
const refusal = (files: readonly HeldFile[]) =>
  recognise(files).then(
    ({ kind }) => kind,
    (error: FlavourError) => `${error.code}: ${error.message} ${error.hint}`,
  );

describe('given files are known by their content', () => {
  it('as a release: its folder, also inside another, and archives of it', async () => {
    const tar = join(dir, 'rel.tar.gz');
    expect(spawnSync('tar', ['-czf', tar, '-C', join(OLD, 'collection'), 'release']).status).toBe(0);
    const files = heldFolder(RELEASE, 'rel');
    const zip = zipped(await Promise.all(files.map(async ({ name, bytes }) => ({ name, data: await bytes() }))));
    const ways = [
      files,
      heldFolder(join(OLD, 'collection'), 'all').filter(({ name }) => !name.includes('/ledger/')),
      [single(tar)],
      [held('any name', zip, false)],
    ];
    const opened = await Promise.all(ways.map((files) => recognise(files)));
    const [first] = opened;
    for (const release of opened) {
      expect(release.kind).toBe('release');
      expect(await release.digests()).toEqual(await first!.digests());
      expect([...release.inventory!.keys()].sort()).toEqual(
        readdirSync(RELEASE, { recursive: true, encoding: 'utf8' })
          .filter((name) => statSync(join(RELEASE, name)).isFile())
          .sort(),
      );
    }
    const { stated, matrix, analyses } = first!;
    const document = JSON.parse(readFileSync(join(RELEASE, 'inference.json'), 'utf8'));
    expect(stated!.inference.models.map(({ score }) => score)).toEqual(
      document.results.models.map((model: { flavourbench_score: number }) => model.flavourbench_score),
    );
    expect(matrix!.models.length).toBe(stated!.inference.models.length);
    expect(analyses.map(({ name, analysis }) => [name, analysis?.name ?? null])).toEqual([
      ['metrics', 'metrics'],
      ['sensitivity', null],
      ['weights', 'weights'],
    ]);
  });

  it('as results, one document or a folder of them', async () => {
    const one = await recognise([single(join(OLD, 'rank-audit.json'))]);
    expect([one.kind, one.analyses.map(({ analysis }) => analysis!.name)]).toEqual(['result', ['rank-audit']]);
    const several = await recognise(heldFolder(join(OLD, 'sensitivity'), 'out'));
    expect(several.analyses.map(({ analysis }) => analysis!.name).sort()).toEqual(
      ['generalizability', 'metrics', 'precision', 'precision', 'weights'].sort(),
    );
    const inference = await recognise([single(join(RELEASE, 'inference.json'))]);
    expect([inference.kind, inference.matrix, inference.stated!.inference.models.length > 1]).toEqual([
      'result',
      null,
      true,
    ]);
  });

  it('as scores, whatever the file is called', async () => {
    const table = new TextEncoder().encode('model,task,score\na,t1,1\na,t2,0\nb,t1,0\nb,t2,0\n');
    const opened = await recognise([held('release.json', table, false)]);
    expect([opened.kind, opened.matrix!.models]).toEqual(['table', ['a', 'b']]);
  });

  it('as tasks, which are called so', async () => {
    const opened = await recognise([single('fixtures/tasks-small.json')]);
    expect([opened.kind, opened.matrix]).toEqual(['tasks', null]);
    expect(opened.reading).toMatch(/^\d+ tasks in 1 file\. No scores: answers can be scored here\.$/);
  });

  it.skipIf(!hasShared)('as the published document', async () => {
    const opened = await recognise([single(RELEASE_JSON())]);
    expect([opened.kind, opened.stated!.inference.models.length]).toEqual(['published', 27]);
    expect(listedTasks(opened)).toEqual([]);
    const { pairs, plan } = opened.stated!.inference;
    expect(new Set(pairs.map((pair) => kindWords(pair, plan)))).toEqual(new Set(['100,000 draws']));
  });

  it.skipIf(!hasShared)(
    'as the published document with its tasks, which are listed though it scores none',
    async () => {
      const opened = await recognise([RELEASE_JSON(), CORE_PLAN(), ...TASK_SETS()].map(single));
      const listed = listedTasks(opened);
      expect(listed.length).toBe(534);
      expect(listed.every(({ mean, column, task }) => mean === null && column === -1 && task!.prompt !== '')).toBe(
        true,
      );
      expect(new Set(listed.map(({ id }) => id)).size).toBe(534);
    },
  );
});

describe('what is broken, foreign or incomplete is refused with the true reason', () => {
  it('a release that lacks a file, or is one file of one', async () => {
    const files = heldFolder(RELEASE, 'rel');
    const without = (name: string) => files.filter((file) => file.name !== `rel/${name}`);
    for (const name of ['matrix.arrow', 'release.json'])
      expect((await recognise(without(name))).reading).toMatch(
        new RegExp(`^A release that cannot be shown: .*rel: holds no ${name}`),
      );
    expect(await refusal([single(join(RELEASE, 'release.json'))])).toMatch(
      /INPUT_NOT_FOUND.*one file of a release.*whole folder/,
    );
  });

  it('documents and archives that are cut off', async () => {
    const bytes = readFileSync(join(RELEASE, 'inference.json'));
    expect(await refusal([held('inference.json', bytes.subarray(0, bytes.length - 40), false)])).toMatch(
      /JSON_INVALID: inference\.json/,
    );
    const tar = readFileSync(join(dir, 'rel.tar.gz'));
    expect(await refusal([held('rel.tar.gz', tar.subarray(0, 3000), false)])).toMatch(/PACKED_INVALID: rel\.tar\.gz/);
  });

  it('a document of this project that no page shows, by its schema', async () => {
    const text = '{"schema":"flavourbench-transfer-demo/1","plan":{},"results":{}}';
    expect(await refusal([held('analysis.json', new TextEncoder().encode(text), false)])).toMatch(
      /SCHEMA_INVALID: analysis\.json: flavourbench-transfer-demo\/1: a document of this project that no page shows/,
    );
  });

  it('what is no scores at all, by its name', async () => {
    expect(await refusal([held('x.json', new TextEncoder().encode('{"schema":"elsewhere/1"}'), false)])).not.toBe(
      'table',
    );
    expect(await refusal([single(join(RELEASE, 'tasks/panel_1.jsonl'))])).toMatch(/task/);
  });
});
