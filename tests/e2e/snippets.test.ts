import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

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
    const program = (source ?? '').replace('flavourbench-demo/scores.arrow', 'scores.csv');

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
      writeFileSync(join(folder, 'scores.csv'), matrix);
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
