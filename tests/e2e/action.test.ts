import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const dir = mkdtempSync(join(tmpdir(), 'action-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Step {
  readonly name: string;
  readonly shell: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}

const action = parse(readFileSync('action.yml', 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

const tasks = Array.from({ length: 40 }, (_, t) => t);
const scores = join(dir, 'the scores.csv');
writeFileSync(
  scores,
  [
    `model,${tasks.map((t) => `t${t}`).join()}`,
    ...['new > model', 'old $(touch x)', 'near'].map((name, m) =>
      [name, ...tasks.map((t) => Number((t * 7) % 40 < [36, 8, 34][m]!))].join(),
    ),
  ].join('\n'),
);

/** Runs the steps of the action as a runner does, with inputs in place of its expressions. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const summary = join(dir, 'summary.txt');
  writeFileSync(summary, '');
  let last = { code: 0 as number | null, stdout: '' };
  for (const { env = {}, run } of action.runs.steps) {
    const value = (text: string) =>
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputs[name] ?? action.inputs[name]!.default!);
    const given = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)]));
    expect(run).not.toContain('${{');
    const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, ...given, GITHUB_ACTION_PATH: resolve('.'), GITHUB_STEP_SUMMARY: summary },
    });
    last = { code: status, stdout };
    if (status !== 0) break;
  }
  return { ...last, summary: readFileSync(summary, 'utf8') };
}

describe('the composite action', () => {
  it('is made of shell steps whose inputs come by the environment, each explained', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
    for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/\.$/);
  });

  it('lets a job go on where all claims hold, and writes what was asked for', () => {
    const claims = 'new > model > old $(touch x)\nnear > old $(touch x)';
    const { code, stdout, summary } = runAction({ files: scores, 'fail-unless': claims, out: join(dir, 'out.json') });
    expect([code, stdout]).toEqual([0, expect.stringContaining('new > model > old $(touch x) holds')]);
    expect(summary).toContain('near > old $(touch x) holds');
    expect(JSON.parse(readFileSync(join(dir, 'out.json'), 'utf8')).results.conditions).toHaveLength(2);
  });

  it('takes nothing that names say for a command to the runner, or for the end of the block in its summary', () => {
    const hostile = join(dir, 'hostile.csv');
    const names = ['::error::gone', '```', '::stop-commands::x', '## heading'];
    const cells = (m: number) => tasks.map((t) => Number((t * 7) % 40 < 8 * (m + 1)));
    writeFileSync(
      hostile,
      [`model,${tasks.map((t) => `t${t}`).join()}`, ...names.map((name, m) => [name, ...cells(m)].join())].join('\n'),
    );
    const { code, stdout, summary } = runAction({ files: hostile, options: '--table' });
    expect(code).toBe(0);
    const [, token, said] = /^::stop-commands::([0-9a-f]{32})\n([\s\S]*)\n::\1::\n$/.exec(stdout)!;
    for (const name of names) expect(said).toContain(name);
    expect(said).not.toContain(token);
    for (const line of summary.trimEnd().split('\n')) expect(line).toMatch(/^ {4}/);
  });

  it('ends it with exit code 6 where one does not', () => {
    const { code, stdout, summary } = runAction({ files: scores, 'fail-unless': 'new > model > near' });
    expect(code).toBe(6);
    expect(stdout).toMatch(/CONDITION_FAILED: new > model > near does not hold: .* adjusted p/);
    expect(summary).toContain('does not hold');
  });
});
