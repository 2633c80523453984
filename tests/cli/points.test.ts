import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'points-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** 41 and 9 of 50 questions right: .82 and .18. */
const file = join(dir, 'scores.csv');
const row = (name: string, right: number) =>
  `${name},${Array.from({ length: 50 }, (_, t) => Number(t < right)).join()}`;
writeFileSync(
  file,
  `model,params,${Array.from({ length: 50 }, (_, t) => `q${t}`).join()}\n${row('up,7', 41)}\n${row('down,70', 9)}\n`,
);
const READ = '2 models x 50 tasks, 0 and 1, from model / 50 columns q0 to q49; left out: params';

describe('every command over scores', () => {
  it.each([
    ['rank-audit', ['rank-audit', file, '--table', '--draws', '100', '--flips', '100']],
    ['infer', ['infer', file, '--draws', '100', '--flips', '100']],
  ])('prints 41 of 50 as 0.82: %s', async (_, call) => {
    const { code, stdout } = await cliInline(call);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\b0\.820?\b/);
    expect(stdout).toMatch(/\b0\.180?\b/);
    expect(stdout).not.toMatch(/\.0082/);
  });

  it.each([
    ['rank-audit', ['rank-audit', file, '--draws', '100', '--flips', '100']],
    ['infer', ['infer', file, '--draws', '100', '--flips', '100']],
    ['power', ['power', file, '--no-simulation']],
    ['coverage', ['coverage', file, '--datasets', '2', '--draws', '50', '--flips', '50']],
    ['sensitivity', ['sensitivity', 'generalizability', file]],
  ])('says in one line and in its document what it read: %s', async (name, call) => {
    const out = join(dir, `${name}.json`);
    const { code, stdout, stderr } = await cliInline([...call, '--out', out]);
    expect(code, stderr).toBe(0);
    const document = JSON.parse(readFileSync(out, 'utf8'));
    expect(document.run.read).toMatchObject({ text: READ, form: 'wide', models: 2, tasks: 50, left_out: ['params'] });
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(READ);
  });
});
