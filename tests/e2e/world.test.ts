import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseWords } from '../../src/explorer/release-words.js';
import { pipelineStations } from '../../src/release/figure-rows.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { protocolTable } from '../../src/release/tables/leaderboard-tables.js';
import { cliInline } from '../support/cli-inline.js';

const WORLD = 'fixtures/worlds/packing.json';
let folder: string;
const at = (name: string) => join(folder, name);
const json = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));

async function run(...args: string[]): Promise<string> {
  const done = await cliInline(args);
  expect([done.code, done.stderr]).toEqual([0, '']);
  return done.stdout;
}
const freeze = (out: string, ...more: string[]) => [
  ...['core', 'freeze', '--ledger', at('ledger'), '--tasks', at('tasks.json'), '--seed', 'S'],
  ...['--allow-unpinned', '--out', at(out), ...more],
];

/** Answers of three formulas: one picks the best portfolio, the others every seventh or eleventh key of the map. */
function answers(): string {
  const { tasks } = json('tasks.json');
  return [0, 7, 11]
    .flatMap((step) =>
      tasks.map((task: Record<string, never>, t: number) => {
        const map: Record<string, number> = task.selection_scores_bps as never;
        const keys = Object.keys(map).sort();
        const key = step === 0 ? keys.find((each) => map[each] === 10_000) : keys[(t * step) % keys.length];
        const response = `FINAL_SELECTION: ${[...key!].join(', ')}`;
        return JSON.stringify({ model_id: `m${step}`, task_id: task.task_id, response });
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'world-'));
  await run('compile', '--world', WORLD, '--seed', 'S', '--out', at('tasks.json'));
  writeFileSync(at('answers.jsonl'), answers());
  await run(
    ...['ledger', 'import', at('ledger'), at('answers.jsonl')],
    ...['--tasks', at('tasks.json'), '--label', 'formulas'],
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a core of a world of one’s own', () => {
  it('takes all families of the world where none is named', async () => {
    await run(...freeze('core.json', '--per-stratum', '4'));
    const families = ['replacement', 'trip', 'light_addition'];
    expect(json('core.json').common_core.included_families).toEqual(families);
    await run(...freeze('named.json', '--per-stratum', '4', '--only-families', ...families));
    expect(readFileSync(at('named.json'), 'utf8')).toBe(readFileSync(at('core.json'), 'utf8'));
  });

  it.each([
    [['replacement', 'trip', 'light_addition']],
    [['trip', 'light_addition', 'replacement']],
    [['light_addition,replacement']],
  ])('is read back by later commands in any order of its families: %s', async (families) => {
    const plan = 'ordered.json';
    await run(...freeze(plan, '--per-stratum', '3', '--only-families', ...families, '--force'));
    expect(await run('core', 'show', at(plan))).toMatch(/OK: [69] tasks in [23] strata/);
    const given = ['--core', at(plan), '--tasks', at('tasks.json'), '--ledger', at('ledger')];
    await run('core', 'matrix', ...given, '--out', at('m.csv'), '--force');
    const named = families.flatMap((text) => text.split(','));
    const rows = readFileSync(at('m.csv'), 'utf8').trim().split('\n');
    expect([...new Set(rows.slice(1).map((row) => row.split(',')[3]))]).toEqual(named);
  });

  it('in an order of its own builds a release that verifies, and whose card names the core', async () => {
    await run(...freeze('own.json', '--per-stratum', '3', '--only-families', 'trip', 'replacement'));
    const given = ['--core', at('own.json'), '--tasks', at('tasks.json')];
    const out = ['--no-figures', '--out', at('own')];
    await run('release', 'build', ...given, '--ledger', at('ledger'), ...out);
    expect(await run('release', 'verify', at('own'))).toMatch(/PASS/);
    const card = readFileSync(at('own/README.md'), 'utf8');
    expect(card).toContain('| `core.json` | the frozen core');
    expect(card).toContain('the core selected again');
  });

  it('refuses a family that is named twice, and lists the families when one is unknown', async () => {
    const twice = await cliInline(freeze('no.json', '--per-stratum', '3', '--only-families', 'trip', 'trip'));
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/names "trip" twice/)]);
    const stranger = await cliInline(freeze('no.json', '--per-stratum', '3', '--only-families', 'pairing'));
    expect(stranger.stderr).toMatch(/no task of family "pairing"; it has "replacement", "trip", "light_addition"/);
  });
});

describe('answers to a world of one’s own', () => {
  it('are asked for by the template, scored over all families, and verified', async () => {
    const given = ['--tasks', at('tasks.json')];
    expect(await run('template', ...given, '--out', at('t.jsonl'))).toMatch(/: 36 rows/);
    const report = ['--draws', '50', '--flips', '50'];
    const score = ['score', at('answers.jsonl'), ...given, '--model', 'm0', ...report];
    await run(...score, '--out', at('report.json'));
    const { diagnostic_valid_score, families, coverage } = json('report.json');
    expect([diagnostic_valid_score, coverage.valid]).toEqual([100, 36]);
    expect(families.map(({ family }: { family: string }) => family)).toEqual([
      ...['replacement', 'trip', 'light_addition'],
    ]);
    const verify = ['verify-report', at('report.json'), ...given, '--model', 'm0'];
    expect(await run(...verify, '--responses', at('answers.jsonl'))).toMatch(/^OK/);
  });

  it('become training rows where the core leaves enough, and are refused with numbers where not', async () => {
    const split = ['transfer', 'split', '--tasks', at('tasks.json'), '--core', at('core.json')];
    const out = ['--out', at('data')];
    const few = await cliInline([...split, ...out]);
    expect(few.code).toBe(2);
    expect(few.stderr).toMatch(/has 8 tasks outside the core; 26 are held out/);
    expect(few.stderr).toMatch(/--evaluation N and --validation N/);
    const held = ['--evaluation', '2', '--validation', '2'];
    expect(await run(...split, ...held, ...out)).toMatch(/Kept apart: train 12, validation 6/);
    const other = ['--rule', 'lab-v1', '--validation', '2'];
    const mixed = await cliInline([...split, ...other, ...out]);
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      expect.stringMatching(
        /data: the folder holds rows that are not of this split: evaluation_tasks.jsonl, format-control.json, sft_/,
      ),
    ]);
    expect(await run(...split, ...held, ...out)).toMatch(/Kept apart: train 12, validation 6/);

    await run(...freeze('whole.json', '--per-stratum', 'auto'));
    split[split.length - 1] = at('whole.json');
    const given = ['--responses', at('answers.jsonl'), '--tasks', at('tasks.json')];
    const core = ['--core', at('whole.json')];
    const roster = await cliInline(['sensitivity', 'roster', ...given, ...core]);
    expect([roster.code, roster.stderr]).toEqual([
      3,
      expect.stringMatching(/outside the core, which holds all tasks of these sets/),
    ]);
    const none = await cliInline([...split, ...held, ...out]);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringMatching(/STRATUM_EMPTY: no task is left to train on: the core holds 36 tasks/),
    ]);
  });
});

describe('maps of a world of one’s own', () => {
  it('follow the weights of its document, and skip families that need more than vectors', async () => {
    const own = ['maps', '--tasks', at('tasks.json'), '--env', WORLD, '--out', at('maps.jsonl')];
    const done = await cliInline(own);
    expect([done.code, done.stderr]).toEqual([3, '']);
    expect(done.stdout).toMatch(/12 maps/);
    expect(done.stdout).toMatch(/12: family trip is scored by quantities and synergies of its own/);
    expect(done.stdout).toMatch(/light_addition is scored by quantities, limits and categories/);
    const { tasks } = json('tasks.json');
    const rows = readFileSync(at('maps.jsonl'), 'utf8').trim().split('\n');
    rows.forEach((line, t) => {
      const { task_id, selection_scores_bps } = JSON.parse(line);
      expect(task_id).toBe(tasks[t].task_id);
      expect(selection_scores_bps).toEqual(tasks[t].selection_scores_bps);
    });
  });

  it('say what to do where no weights are stated', async () => {
    const { design: _, ...bare } = json('tasks.json');
    const weights = { replacement: { weights: { single: 0.8, pair: 0.2 } } };
    const path = at('bare.json');
    const maps = [...['maps', '--tasks', path, '--only-families', 'replacement', '--env', WORLD]];
    writeFileSync(path, JSON.stringify(bare));
    const refused = await cliInline([...maps, '--out', at('bare.jsonl')]);
    expect(refused.stderr).toMatch(/does not state how family replacement weighs/);
    expect(refused.stderr).toContain('"design": {"replacement": {"weights"');
    writeFileSync(path, JSON.stringify({ ...bare, design: weights }));
    await run(...maps, '--out', at('bare.jsonl'));
    const first = readFileSync(at('maps.jsonl'), 'utf8');
    expect(readFileSync(at('bare.jsonl'), 'utf8')).toBe(first);
  });
});

describe('what is said of a world that is not food', () => {
  it('names items, no diets, and no core that is not there', async () => {
    const given = ['--tasks', at('tasks.json'), '--responses', at('answers.jsonl')];
    await run('release', 'build', ...given, '--no-figures', '--out', at('release'));
    const card = readFileSync(at('release/README.md'), 'utf8');
    expect(card).toContain('\nExecutable selection tasks. ');
    expect(card).not.toMatch(/\bcore\b|culinary|ingredient/);
    const view = await openRelease(at('release'));
    const said = JSON.stringify([pipelineStations(view), releaseWords(view), protocolTable(view)]);
    expect(said).toMatch(/Candidate items/);
    expect(said).not.toMatch(/culinary|ingredient/i);

    const shown = await run('env', 'show', WORLD);
    expect(shown).toMatch(/^packing: world, 74 items x 7\n/);
    expect(shown).not.toMatch(/ingredient|vegan|NOVA/);
    expect(await run('env', 'show', WORLD, 'wool_hat')).toBe('wool_hat (row 0)\n  clothing\n');
    expect(await run('env', 'neighbors', WORLD, 'wool_hat', '-k', '1')).toMatch(/^item /);
  });
});
