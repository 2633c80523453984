import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const small = ['--model-count', '4', '--cluster-count', '12', '--draws', '200', '--repeats', '1'];

describe('flavourbench bench', () => {
  it('prints draws a second of every backend', () => {
    const { code, stdout } = cli(['bench', ...small, '--backend', 'wasm', 'reference']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/work +backend +threads +draws +ms +draws\/s/);
    expect(stdout).toMatch(/bootstrap +wasm +1 +200 /);
    expect(stdout).toMatch(/flips +reference +1 +200 /);
    expect(stdout).not.toMatch(/pool/);
  });

  it('writes the machine, its figures and a chart', () => {
    const plot = join(folder, 'chart.svg');
    const args = ['bench', ...small, '--backend', 'wasm', '--json', '--out', plot];
    const { code, stdout } = cli(args);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.schema).toBe('flavourbench-bench/1');
    expect(report.machine).toMatchObject({ node: process.version });
    expect(report.throughput).toHaveLength(2);
    for (const row of report.throughput) {
      expect(row.draws_per_second).toBeGreaterThan(0);
      expect(row.milliseconds).toBeGreaterThan(0);
    }
    expect(report.by_models.map((row: { models: number }) => row.models)).toContain(256);
    const svg = readFileSync(plot, 'utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it.each([
    ['--model-count', '1000000'],
    ['--cluster-count', '9000000'],
  ])('refuses at once a matrix larger than any inference takes (%s %s)', (option, count) => {
    const { code, stderr } = cli(['bench', option, count, '--backend', 'wasm']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^flavourbench: BOUND_EXCEEDED: .*at most 1,024 models/)]);
  });

  it('refuses at once more threads than any engine takes', async () => {
    const { code, stderr } = await cliInline(['bench', '--threads', '1000000']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('1000000 threads; a whole number from 1 to 256')]);
  });
});
