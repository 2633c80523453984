import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';

/** Inside the package, where its own name resolves to what it exports. */
mkdirSync('build', { recursive: true });
const folder = mkdtempSync(join('build', 'snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = ['a', 'b', 'c'].flatMap((model, m) =>
  Array.from({ length: 40 }, (_, t) => `${model},t${t},p,pairing,c${t},${(m * 900 + t * 37) % 101}`),
);
const matrix = `model,task,panel,family,cluster,value\n${rows.join('\n')}\n`;

/** The programs that README and docs show, type-checked as a user would and run over a small matrix. */
describe.each(['README.md', 'docs/engine.md', 'docs/inference.md', 'docs/rank-audit.md'])(
  'the program in %s',
  (page) => {
    const [, source] = /^```[jt]s\n([\s\S]*?)^```$/m.exec(readFileSync(page, 'utf8')) ?? [];
    const name = page.replaceAll(/\W/g, '-');
    const program = source ?? '';
    const table = /^```csv\n([\s\S]*?)^```$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? matrix;

    it('passes the type checker', () => {
      const path = join(folder, `${name}.ts`);
      writeFileSync(path, program);
      const compiled = ts.createProgram([path], {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        types: ['node'],
      });
      const messages = ts.getPreEmitDiagnostics(compiled).map(({ messageText }) => messageText);
      expect(messages).toEqual([]);
    });

    it('runs and prints no error', () => {
      writeFileSync(join(folder, 'scores.csv'), table);
      writeFileSync(
        join(folder, `${name}.mjs`),
        ts.transpile(program, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }),
      );
      const run = spawnSync(process.execPath, [`${name}.mjs`], { cwd: folder, encoding: 'utf8' });
      expect(run.stderr).toBe('');
      expect(run.status).toBe(0);
    });
  },
);

/** Commands that docs show under a heading, run as they are written where `fixtures` is, with a home of their own. */
describe('the public space in three commands of docs/compiler.md', () => {
  const page = readFileSync('docs/compiler.md', 'utf8');
  const [, part] = /^## A public space in three commands\n([\s\S]*?)^## /m.exec(page) ?? [];
  const commands = [...(part ?? '').matchAll(/^ {4}flavourbench (.*)$/gm)].map(([, line]) => line!.split(' '));
  const cwd = join(folder, 'space');
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [resolve('dist/bundle/run.cjs'), ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, FLAVOURBENCH_HOME: resolve(cwd, 'home') },
    });

  it('is three commands that end well, on 60 names of a file that its script makes again', () => {
    mkdirSync(cwd);
    symlinkSync(resolve('fixtures'), join(cwd, 'fixtures'));
    expect(commands).toHaveLength(3);
    const done = commands.map(run);
    expect(done.map(({ status, stderr }) => [status, stderr])).toEqual(commands.map(() => [0, '']));
    expect(done[0]!.stdout).toMatch(/^Imported words: matrix, 60 ingredients x 10, tags, /);
    const check = spawnSync(process.execPath, ['fixtures/make-space.js', '--check'], { encoding: 'utf8' });
    expect([check.status, check.stdout]).toEqual([0, '']);
  });

  it('has maps that are proved to be of the same tasks and do not differ, as the page says', () => {
    const { stdout } = run(['maps', 'compare', 'panel.json', 'maps.jsonl']);
    expect(stdout).toContain('0 of 12 maps differ\n12 tasks are the same on both sides, by their choices\n');
  });

  it('has the design that the page shows', () => {
    const [shown] = /^ {4}\{"families"[\s\S]*?\}\}$/m.exec(page) ?? [];
    expect(JSON.parse(shown!)).toEqual(JSON.parse(readFileSync('fixtures/space/design.json', 'utf8')));
  });
});

describe('README.md', () => {
  const text = readFileSync('README.md', 'utf8');
  const block = (kind: string) => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)![1]!;
  const run = (...options: string[]) => {
    writeFileSync(join(folder, 'scores.csv'), block('csv'));
    return cli(['scores.csv', ...options], { cwd: folder });
  };

  it('begins with a table of six lines, and the answer to it as it is printed', () => {
    expect(block('csv').trimEnd().split('\n')).toHaveLength(6);
    expect(run()).toEqual({ code: 0, stdout: block('text'), stderr: '' });
  });

  it('shows the picture that its command makes', () => {
    expect(run('--out', 'rank-audit.png', '--quiet').code).toBe(0);
    const shown = readFileSync('docs/images/rank-audit.png');
    expect(readFileSync(join(folder, 'rank-audit.png')).equals(shown)).toBe(true);
  });
});
