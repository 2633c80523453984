import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { verifyAny } from '../../src/published/verify-any.js';
import { cliInline } from '../support/cli-inline.js';
import { buildSmall, filesOf, type SmallWorld, smallWorld } from '../support/release-world.js';

const TASKS = resolve('fixtures/tasks-small.json');
const ANSWERS = resolve('fixtures/responses-small.jsonl');
/** What a document may be replaced by: JSON all, and no document. */
const VALUES = ['null', '[]', '0', '"x"', '{}'];

let world: SmallWorld;
let engine: Engine;
const at = (name: string) => join(world.dir, name);
beforeAll(async () => {
  world = await smallWorld();
  const matrix = ['--scores', at('m.arrow'), '--inference', at('inference/inference.json')];
  await cliInline(['sensitivity', 'all', ...matrix, '--draws', '50', '--out', at('analyses')]);
  await buildSmall(world, at('release'), '--no-figures', '--analyses', at('analyses'));
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(async () => {
  await engine.close();
  rmSync(world.dir, { recursive: true, force: true });
});

/** Runs a command on a file of that content. */
const given = async (text: string, ...args: string[]) => {
  const path = at('given.json');
  writeFileSync(path, text);
  return cliInline(args.map((arg) => (arg === '@' ? path : arg)));
};

describe.each(VALUES)('a document that is only %s', (text) => {
  it('in a release is reported as a difference, and its file is named', async () => {
    const dir = at('release');
    const names = filesOf(dir).filter((name) => name.endsWith('.json'));
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) {
      const before = readFileSync(join(dir, name));
      writeFileSync(join(dir, name), text);
      const { status, differences } = await verifyAny({ dir, engine });
      writeFileSync(join(dir, name), before);
      expect([name, status]).toEqual([name, 'FAIL']);
      expect(differences.map(({ file, found }) => `${file}: ${found}`).join('\n')).toContain(name);
    }
  });

  it('in the place of a manifest of a ledger is reported as a problem', async () => {
    const name = `manifest-${'a'.repeat(64)}.json`;
    writeFileSync(join(at('ledger'), name), text);
    const run = await cliInline(['ledger', 'verify', at('ledger')]);
    expect(run).toMatchObject({ code: 4, stdout: expect.stringContaining(name), stderr: '' });
    writeFileSync(join(at('ledger'), name), '{}');
  });

  it('is refused by every command that takes a document', async () => {
    const tasks = ['--tasks', TASKS];
    const ledger = ['--ledger', at('ledger'), ...tasks];
    const out = at('none');
    const scores = ['--scores', at('m.arrow')];
    const calls = [
      [...world.build.slice(0, -1), '@', '--out', out],
      ['release', 'verify', '@'],
      ['release', 'tables', '@', '--out', out],
      ['release', 'report', '@', '--out', out],
      ['release', 'diff', '@', at('release')],
      ['sensitivity', 'precision', ...scores, '--inference', '@'],
      ['core', 'matrix', ...ledger, '--core', '@', '--out', out],
      ['core', 'show', '@'],
      ['infer', '--responses', ANSWERS, ...tasks, '--core', '@'],
      ['infer', '--responses', '@', ...tasks],
      ['infer', ...scores, '--roster', '@'],
      ['score', '@', ...tasks, '--out', at('report.json')],
      ['score', ANSWERS, '--tasks', '@', '--out', at('report.json')],
      // A list of no answers is a list of answers.
      ...(text === '[]' ? [] : [['rescore', '@', ...tasks]]),
      ['verify-report', '@'],
      ['tasks', 'verify', '@'],
      ['plan', 'check', '@'],
      ['rank-audit', '@'],
      ['ledger', 'import', out, '@', ...tasks, '--label', 'x'],
      ['maps', 'compare', '@', TASKS, '--out', out],
      ['transfer', 'contrast', '--completions', '@', ...tasks, '--out', out],
      ['transfer', 'contrast', '--completions', ANSWERS, ...tasks, '--plan', '@', '--out', out],
      ['compile', '--world', '@', '--seed', 'x', '--out', out],
    ];
    for (const call of calls) {
      const run = await given(text, ...call);
      const said = `${call.join(' ')}: ${run.stdout}${run.stderr}`;
      expect([2, 3, 4], said).toContain(run.code);
      expect(said).not.toMatch(/BUG|undefined|\[object/);
      expect(existsSync(out), said).toBe(false);
    }
  });

  it('is refused as the record of an environment', async () => {
    const home = process.env.FLAVOURBENCH_HOME;
    process.env.FLAVOURBENCH_HOME = at('home');
    try {
      mkdirSync(at('home/environments/odd'), { recursive: true });
      writeFileSync(at('home/environments/odd/environment.json'), text);
      const run = await cliInline(['env', 'show', 'odd']);
      expect(run.code).toBe(2);
      expect(run.stderr).toMatch(/SCHEMA_INVALID: .*environment\.json: [a-z_ ]+: .*found/);
    } finally {
      if (home === undefined) delete process.env.FLAVOURBENCH_HOME;
      else process.env.FLAVOURBENCH_HOME = home;
    }
  });
});
