import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';

/** Inside the package, where its own name resolves to what it exports. */
mkdirSync('build', { recursive: true });
const folder = mkdtempSync(join('build', 'types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCE = `
import * as all from 'flavourbench';
import { coverage, matrixFromRows, power, rankAudit } from 'flavourbench/analyses';
import { createEngine } from 'flavourbench/engine';
import { createBrowserEngine } from 'flavourbench/engine/browser';
import * as inference from 'flavourbench/inference';
import * as responses from 'flavourbench/responses';

export async function program(): Promise<string> {
  const matrix = matrixFromRows({ models: ['a', 'b'], tasks: ['t', 'u'], values: [[1, 0], [false, null]], missing: 'common-tasks' });
  const engine = await createEngine({ backend: 'wasm' });
  const audit = await rankAudit({ matrix, engine, flips: 1000, multiplicity: 'holm' });
  const plan = await power({ matrix, engine, difference: 0.2, simulation: false });
  const check = await coverage({ matrix, engine, datasets: 10 });
  // @ts-expect-error an option that is none
  await rankAudit({ matrix, engine, flip: 1000 });
  const higher: string | undefined = audit.results.separable[0]?.higher;
  const rate: number | undefined = check.results.holm?.rate;
  const tasks: number | null | undefined = plan.results.pairs[0]?.tasks_needed;
  return [audit.words, higher, rate, tasks, typeof all, typeof inference, typeof responses, typeof createBrowserEngine].join();
}
`;

it('the types of the package check without @types/node', () => {
  const path = join(folder, 'program.ts');
  writeFileSync(path, SOURCE);
  const compiled = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const own = compiled.getSourceFiles().filter(({ fileName }) => /\/dist\/|program\.ts$/.test(fileName));
  expect(own.length).toBeGreaterThan(50);
  const messages = own
    .flatMap((file) => ts.getPreEmitDiagnostics(compiled, file))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  expect(messages).toEqual([]);
  expect(compiled.getSourceFiles().filter(({ fileName }) => fileName.includes('@types/node'))).toEqual([]);
});
