import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface FuzzReport {
  readonly cases: number;
  readonly refused: number;
  readonly not_held: readonly object[];
  readonly memory: number;
  readonly targets: Readonly<Record<string, { readonly cases: number; readonly refused: number }>>;
  readonly bounds: { readonly memory: number; readonly watchdog: number };
}

/** The files of a target that it refuses as they are. */
interface Sound {
  readonly target: string;
  readonly seeds: number;
  readonly refused: Readonly<Record<string, string>>;
}

const fuzz = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['fuzz/run.js', '--json', ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });

it('ten thousand damaged files of every format are read or refused, none in more than 30 s, in 1 GiB', {
  timeout: 600_000,
}, () => {
  const run = fuzz('--cases', '10000', '--seed', '1');
  expect(run.stderr).toBe('');
  const report = JSON.parse(run.stdout) as FuzzReport;
  expect(report.not_held).toEqual([]);
  expect(report.cases).toBe(10_000);
  expect(report.bounds).toMatchObject({ memory: 2 ** 30, watchdog: 30_000 });
  expect(report.memory).toBeLessThan(2 ** 30);
  const targets = Object.entries(report.targets);
  expect(targets.length).toBeGreaterThan(30);
  for (const [name, { cases, refused }] of targets) {
    expect([name, cases > 50]).toEqual([name, true]);
    // Sound enough to be read here and there; where a digest covers every byte, what was damaged never is.
    expect([name, refused < cases || /^(records|reports|journals|journals of a release)$/.test(name)]).toEqual([
      name,
      true,
    ]);
  }
});

it('every target reads a file that is not damaged', () => {
  const out = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const run = spawnSync(process.execPath, ['build/fuzz/worker.js', '--sound', '--out', out], { encoding: 'utf8' });
  rmSync(out, { recursive: true });
  const read = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sound);
  expect(read.length).toBeGreaterThan(30);
  const none = read.filter(({ seeds, refused }) => Object.keys(refused).length === seeds);
  expect(none).toEqual([]);
});

it('a case follows from the seed and its number alone', () => {
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'fuzz-')));
  const saved = folders.map((out) => {
    const run = spawnSync(
      process.execPath,
      ['build/fuzz/worker.js', '--save', '--seed', '7', '--from', '123', '--out', out],
      {
        encoding: 'utf8',
      },
    );
    const { path, ...facts } = JSON.parse(run.stdout) as { path: string };
    return { facts, bytes: readFileSync(path).toString('hex') };
  });
  expect(saved[1]).toEqual(saved[0]);
  for (const folder of folders) rmSync(folder, { recursive: true });
});
