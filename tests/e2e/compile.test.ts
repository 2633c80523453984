import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrow } from '../../src/io/arrow.js';
import { sha256 } from '../../src/io/digest.js';
import { cli } from '../support/cli.js';
import { cliInline as run } from '../support/cli-inline.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'compile-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);
const PACKING = 'fixtures/worlds/packing.json';
const SMALL = ['--env', 'pantry', '--per-stratum', '6'];
const compile = (...args: string[]) => run(['compile', ...SMALL, ...args]);
const pairing = (...args: string[]) => compile('--only-families', 'pairing', ...args);

describe('flavourbench compile', () => {
  it('writes a panel that verifies, and leaves it alone the second time', async () => {
    const first = cli(['compile', ...SMALL, '--seed', 'one', '--out', at('p1.json'), '--json']);
    expect(first.code, first.stderr).toBe(0);
    const bytes = readFileSync(at('p1.json'));
    expect(JSON.parse(first.stdout)).toMatchObject({ added: true, counts: { tasks: 96 } });
    const again = await compile('--seed', 'one', '--out', at('p1.json'), '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ added: false });
    expect(readFileSync(at('p1.json')).equals(bytes)).toBe(true);
    expect((await run(['tasks', 'verify', at('p1.json')])).code).toBe(0);
  });

  it('gives the same bytes on both backends, and names a file in a folder by its digest', async () => {
    const wasm = await pairing('--seed', 'one', '--out', at('pairing.json'), '--json');
    const reference = await pairing('--seed', 'one', '--backend', 'reference', '--out', `${at('sets')}/`);
    expect([wasm.code, reference.code], reference.stderr).toEqual([0, 0]);
    const { artifact_sha256: digest } = JSON.parse(wasm.stdout);
    const [name] = readdirSync(at('sets'));
    expect(name).toBe(`flavourbench-selection-taskset-${digest}.json`);
    expect(readFileSync(join(at('sets'), name!)).equals(readFileSync(at('pairing.json')))).toBe(true);
  });

  it('prints the design in the form that --design takes, and names it where a design does not fit', async () => {
    const released = await run(['compile', '--print-design']);
    expect([released.code, released.stderr]).toEqual([0, '']);
    expect(JSON.parse(released.stdout)).toMatchObject({
      tasks_per_stratum: 40,
      category_cap: 24,
      least_categories: 8,
    });
    writeFileSync(at('design.json'), released.stdout);
    const few = await run(['compile', '--print-design', ...SMALL, '--design', at('design.json')]);
    expect(JSON.parse(few.stdout)).toEqual({
      ...JSON.parse(released.stdout),
      tasks_per_stratum: 6,
    });
    writeFileSync(at('few.json'), JSON.stringify({ least_categories: 15 }));
    const given = ['--seed', 'one', '--out', at('few-out.json')];
    const refused = await pairing('--design', at('few.json'), ...given);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /CATEGORIES_FEW: pairing covers \d+ categories, 15 needed\n.*least_categories or category_cap in the JSON of --design FILE \(`compile --print-design`/,
    );
    writeFileSync(at('none.json'), JSON.stringify({ categories: ['hats'] }));
    const none = await pairing('--design', at('none.json'), ...given);
    expect(none.stderr).toMatch(/POOL_EMPTY.*\n.*categories and complements in the JSON of --design/);
    const world = await run(['compile', '--print-design', '--world', PACKING]);
    expect(world.stderr).toMatch(/USAGE: --print-design does not go with --world/);
    const seedless = await run(['compile', '--env', 'pantry', '--out', at('x.json')]);
    expect(seedless.stderr).toMatch(/USAGE: --seed is missing/);
  });

  it('refuses to replace another panel unless told to', async () => {
    writeFileSync(at('taken.json'), 'mine');
    const refused = await pairing('--seed', 'one', '--out', at('taken.json'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/OUTPUT_EXISTS/)]);
    expect(readFileSync(at('taken.json'), 'utf8')).toBe('mine');
    expect((await pairing('--seed', 'one', '--out', at('taken.json'), '--force')).code).toBe(0);
  });

  it('compiles a second panel bound to the first', async () => {
    const done = await compile(...['--seed', 'two', '--panel', '2', '--after', at('p1.json'), '--out', at('p2.json')]);
    expect(done.code, done.stderr).toBe(0);
    const { replication, tasks } = JSON.parse(readFileSync(at('p2.json'), 'utf8'));
    expect(replication).toMatchObject({
      index: 2,
      first_panel_physical_sha256: sha256(readFileSync(at('p1.json'))),
      shared_anchor_count: 0,
      novel_anchor_count: 96,
    });
    expect(tasks[0].task_id).toBe('fb-executable-rep2-substitution-001');
    expect((await run(['tasks', 'verify', at('p1.json'), at('p2.json')])).code).toBe(0);
  });

  it('compiles a world, explains its anchors, and keeps it apart from environments', async () => {
    const world = ['compile', '--world', PACKING, '--seed', 'one'];
    expect((await run([...world, '--out', at('world.json')])).code).toBe(0);
    const why = await run([...world, '--explain', 'alpine_pass']);
    expect(why.stdout).toMatch(/^trip: \w+: .*, stratum \d, difficulty \d/);
    const wrong = await run(['compile', '--env', PACKING, '--seed', 'x', '--out', 'x.json']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/Give it with --world/)]);
  });

  it('refuses a first panel that was changed', async () => {
    const text = readFileSync(at('p1.json'), 'utf8').replace('"pairing"', '"parings"');
    writeFileSync(at('changed.json'), text);
    const done = await compile(
      ...['--seed', 'x', '--panel', '2', '--after', at('changed.json'), '--out', at('no.json')],
    );
    expect(done.code).toBe(4);
  });

  it('refuses a first panel of another vocabulary', async () => {
    const done = await compile(...['--seed', 'x', '--panel', '2', '--after', at('world.json'), '--out', at('no.json')]);
    expect([done.code, done.stderr]).toEqual([
      2,
      expect.stringMatching(/PANEL_FOREIGN: 36 of 36 anchors .* not in environment "pantry"/),
    ]);
  });

  it('explains an anchor instead of writing a panel when --explain is given', async () => {
    const { tasks } = JSON.parse(readFileSync(at('pairing.json'), 'utf8'));
    const done = await pairing('--seed', 'one', '--explain', tasks[0].anchor_ingredient);
    expect(done.stdout).toMatch(/^pairing: selected: task 1 of its family, stratum 1/);
  });

  it('reads a design file and says what is wrong with one', async () => {
    writeFileSync(at('design.json'), JSON.stringify({ families: ['pairing'], strata: 2 }));
    const done = await compile(...['--seed', 'one', '--design', at('design.json'), '--out', at('d.json'), '--json']);
    expect(JSON.parse(done.stdout).counts).toMatchObject({ tasks: 12, tasks_per_family: 12 });
    writeFileSync(at('bad.json'), JSON.stringify({ strata: 'many' }));
    const bad = await compile('--seed', 'one', '--design', at('bad.json'), '--out', at('e.json'));
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/bad\.json: strata/)]);
  });

  it.each([
    [['--seed', 'x'], /either --out FILE or --explain/],
    [['--seed', 'x', '--panel', '2', '--out', 'x.json'], /go together/],
    [['--seed', 'x', '--panel', '3', '--out', 'x.json'], /--panel is "3"/],
    [['--seed', 'x', '--only-families', 'dessert', '--out', 'x.json'], /families.*"dessert"/],
    [['--seed', '', '--out', 'x.json'], /--seed is empty/],
    [['--seed', 'x', '--id-prefix', '../a', '--out', 'x.json'], /--id-prefix is "\.\.\/a"/],
  ])('refuses %j', async (args, message) => {
    const done = await compile(...args);
    expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('flavourbench maps', () => {
  it('recomputes the maps of its own environment to the bit', async () => {
    const done = await run(['maps', '--tasks', at('p1.json'), '--env', 'pantry', '--out', at('m.jsonl')]);
    expect(done.code, done.stderr).toBe(0);
    const { tasks } = JSON.parse(readFileSync(at('p1.json'), 'utf8'));
    const rows = readFileSync(at('m.jsonl'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(96);
    for (const [i, line] of rows.entries()) {
      const row = JSON.parse(line);
      expect(row.task_id).toBe(tasks[i].task_id);
      expect(row.selection_scores_bps).toEqual(tasks[i].selection_scores_bps);
      const choices = Object.entries(tasks[i].choices).sort();
      expect(row.choices_sha256).toBe(sha256(JSON.stringify(Object.fromEntries(choices))));
    }
  });

  it('writes the envelope with the digests of what went in', async () => {
    const done = await run(['maps', '--tasks', at('p1.json'), '--env', 'pantry', '--out', at('m.json')]);
    expect(done.code, done.stderr).toBe(0);
    const document = JSON.parse(readFileSync(at('m.json'), 'utf8'));
    expect(document.schema).toBe('flavourbench-maps/1');
    expect(document.inputs[0].sha256).toBe(sha256(readFileSync(at('p1.json'))));
    expect(document.results.tasks).toHaveLength(96);
  });

  it('compares the maps of two environments and draws their agreement', async () => {
    const out = at('cmp');
    const done = await run(['maps', 'compare', at('p1.json'), at('m.jsonl'), '--out', out, '--json']);
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({
      summary: { tasks: 96, same_optimum_rate: 1 },
      matchedByChoices: 96,
      different: [],
    });
    expect(readdirSync(out).sort()).toEqual(['agreement.csv', 'agreement.png', 'agreement.svg']);
    expect(readFileSync(join(out, 'agreement.csv'), 'utf8').split('\n')).toHaveLength(98);
  });

  it('takes several files for one side, of different tasks', async () => {
    const half = (name: string, odd: number) => {
      const rows = readFileSync(at('m.jsonl'), 'utf8').trim().split('\n');
      writeFileSync(at(name), `${rows.filter((_, i) => i % 2 === odd).join('\n')}\n`);
      return at(name);
    };
    const halves = [half('even.jsonl', 0), half('odd.jsonl', 1)];
    const done = await run(['maps', 'compare', ...halves, at('m.jsonl'), '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ summary: { tasks: 96 }, onlySecond: [] });
    const twice = await run(['maps', 'compare', ...halves, halves[0]!, at('m.jsonl')]);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toMatch(/TASK_DUPLICATE: \S+: task \S+ stands in \S+even.jsonl and \S+even.jsonl/);
  });

  it('makes dense maps of every anchor', async () => {
    const done = await run(['maps', '--all-anchors', '--env', 'pantry', '--out', at('d.arrow'), '--json']);
    expect(done.code, done.stderr).toBe(0);
    const { maps } = JSON.parse(done.stdout);
    const table = await readArrow(readFileSync(at('d.arrow')), 'd.arrow');
    expect(maps).toBeGreaterThan(5000);
    expect(table.rows).toBe(maps);
    expect(table.names.slice(-1)).toEqual(['FGH']);
    expect(Math.max(...(table.column('ABC') as number[]))).toBe(10_000);
  });

  it.each([
    [['--env', 'pantry', '--out', 'x.jsonl'], /either task files or --all-anchors/],
    [['--tasks', 'x.json'], /maps needs --env NAME\n {2}hint: For example: flavourbench maps panel-1\.json/],
    [['--all-anchors', '--core', 'x', '--env', 'pantry', '--out', 'x.arrow'], /--core does not go with --all-anchors/],
    [
      ['--tasks', 'x.json', '--design', 'x', '--env', 'pantry', '--out', 'x.jsonl'],
      /--design does not go with task files/,
    ],
    [['compare', 'x'], /one file was given/],
    [['compare', 'x', 'y', '--sides', 'a,b,c'], /--sides is "a,b,c"; two names/],
    [['--tasks', 'nowhere.json', '--env', 'pantry', '--out', 'x.jsonl'], /does not exist/],
  ])('refuses %j', async (args, message) => {
    const done = await run(['maps', ...args]);
    expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('a space of vectors and categories', () => {
  const CASES = 'fixtures/cases/embeddings';
  const design = ['--design', `${CASES}/design.json`, '--seed', 's'];

  it('is compiled and mapped with the tag table that the call names', async () => {
    const vectors = `${CASES}/category-only/vectors.csv`;
    const tags = ['--tags', `${CASES}/category-only/tags.csv`];
    const bare = await run(['compile', vectors, ...design, '--out', at('space.json')]);
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringMatching(/TAGS_MISSING.*\n.*`--tags FILE` of compile/)]);
    const done = await run(['compile', vectors, ...tags, ...design, '--out', at('space.json')]);
    expect(done.code, done.stderr).toBe(0);
    const maps = await run(['maps', at('space.json'), '--env', vectors, ...tags, '--out', at('space-maps.json')]);
    expect(maps.code, maps.stderr).toBe(0);
    const { plan, results } = JSON.parse(readFileSync(at('space-maps.json'), 'utf8'));
    expect(plan.environment.tags_sha256).toBe(sha256(readFileSync(`${CASES}/category-only/tags.csv`)));
    const { tasks } = JSON.parse(readFileSync(at('space.json'), 'utf8'));
    expect(results.tasks.map((task: { selection_scores_bps: object }) => task.selection_scores_bps)).toEqual(
      tasks.map((task: { selection_scores_bps: object }) => task.selection_scores_bps),
    );
    const same = await run(['maps', 'compare', at('space.json'), at('space-maps.json')]);
    expect(same.stdout).toMatch(/\n8 tasks are the same on both sides, by their choices\n$/);
  });

  it('lists what a part of the vocabulary does not cover, with exit 3', async () => {
    const lines = readFileSync(`${CASES}/category-only/vectors.csv`, 'utf8').split('\n');
    const { tasks } = JSON.parse(readFileSync(at('space.json'), 'utf8'));
    const gone = tasks[0].choices.A;
    writeFileSync(at('part.csv'), lines.filter((line) => !line.startsWith(`${gone},`)).join('\n'));
    const call = ['maps', at('space.json'), '--env', at('part.csv'), '--out', at('part.jsonl')];
    const refused = await run(call);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--covered recomputes the \d of 8 tasks/),
    ]);
    const done = await run([...call, '--covered']);
    expect([done.code, done.stdout]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(`lacks some of its names.*\n {4}most often ${gone} \\(\\d\\)\n {4}${tasks[0].task_id}`),
      ),
    ]);
  });

  it('takes the place of --env by an argument, and not beside it', async () => {
    const twice = await run(['compile', 'pantry', '--env', 'pantry', '--seed', 's', '--out', at('x.json')]);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/"pantry" and --env are both given/)]);
    const two = await run(['env', 'import', CASES, 'tags.csv', '--as', 'x']);
    expect(two.stderr).toMatch(/"tags\.csv" is a second file or folder; one is imported\n.*--tags FILE/);
  });
});

describe('flavourbench tasks', () => {
  it('lists tasks, one family of them, and the nearest ids of one that is not there', async () => {
    const listed = await run(['tasks', 'list', at('p1.json'), '--json']);
    expect(JSON.parse(listed.stdout)).toHaveLength(96);
    const some = await run(['tasks', 'list', at('p1.json'), '--family', 'pairing']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(25);
    expect(some.stdout).toMatch(/\nfb-executable-pairing-001 +pairing +panel_1 +1 +\w+\n/);
    const none = await run(['tasks', 'list', at('p1.json'), '--family', 'paring']);
    expect(none.stderr).toMatch(/no task of family "paring".*\n.*The nearest is --family pairing\./);
    const unknown = await run(['tasks', 'show', at('p1.json'), 'fb-executable-paring-003']);
    expect(unknown.stderr).toMatch(/TASK_UNKNOWN: .*\n.*Did you mean fb-executable-pairing-003, /);
  });
});
