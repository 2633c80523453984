import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { smallTable } from '../support/service-table.js';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed file, without the repository', () => {
  it('holds all that the command, the pipe and the library need, and no sources of tests', () => {
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { stdio: 'pipe' });
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    const home = join(folder, 'node_modules');
    mkdirSync(home);
    execFileSync('tar', ['-xzf', join(folder, packed), '-C', home]);
    execFileSync('mv', [join(home, 'package'), join(home, 'flavourbench')]);
    symlinkSync(resolve('node_modules'), join(home, 'flavourbench', 'node_modules'));
    const files = readdirSync(join(home, 'flavourbench'));
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'CITATION.cff', 'dist', 'docs', 'package.json']),
    );
    for (const name of ['src', 'tests', 'assembly', 'bench']) expect(files).not.toContain(name);
    writeFileSync(join(folder, 'scores.csv'), smallTable().csv);
    writeFileSync(
      join(folder, 'audit.mjs'),
      `import { readScores } from 'flavourbench';
       import { rankAudit } from 'flavourbench/analyses';
       import { createEngine } from 'flavourbench/engine';
       const { matrix } = await readScores(['scores.csv']);
       const engine = await createEngine();
       console.log((await rankAudit({ matrix, engine, draws: 100, flips: 200 })).results.models[0].model);
       await engine.close();`,
    );
    const run = (args: readonly string[], input = '') =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', input });
    const command = join(home, 'flavourbench', 'dist', 'bundle', 'run.cjs');
    expect(run([command, 'scores.csv', '--draws', '100', '--flips', '200'])).toMatch(/^4 models x 30 tasks.*\nm0 /);
    expect(run(['audit.mjs'])).toBe('m0\n');
    const asked = { op: 'audit', table: smallTable().csv, options: { draws: 100, flips: 200 } };
    expect(JSON.parse(run([command, 'pipe'], `${JSON.stringify(asked)}\n`)).answer.verdict.leader).toMatch(/^m0 /);
  });
});
