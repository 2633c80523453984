import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedDesign } from './simulated.js';
import { writeWideTables } from './wide-tables.js';
import { nativeTime } from './yardstick.js';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What a run took: milliseconds on the clock and of all processors, and the largest resident set. */
interface Run {
  readonly wall: number;
  readonly processor: number;
  readonly megabytes: number;
}

/** Runs the command line as it is installed, under GNU time: what a process held before it became Node counts as its own where this one starts it. */
function audit(folder: string, table: string, flags: readonly string[]): Run {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const call = ['rank-audit', join(folder, table), ...flags, '--threads', '2', '--out', out];
  const start = performance.now();
  const words = ['-f', '%U %S %M', process.execPath, 'dist/bundle/run.cjs', ...call];
  const { stderr, status, error } = spawnSync('/usr/bin/time', words, { encoding: 'utf8' });
  const wall = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  const [user, system, kilobytes] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { wall, processor: 1000 * (user! + system!), megabytes: (kilobytes! * 1024) / 1e6 };
}

/** Tables of bench/wide-tables.js, what is asked for beside the default, and runs. */
const TABLES = [
  ['1,000 models x 5 tasks', '1000x5.csv', [], 5],
  ['139 models x 56 tasks, 1,000,000 flips', '139x56.csv', ['--flips', '1000000'], 5],
  ['1,024 models x 534 tasks', '1024x534.csv', [], 1],
] as const;

/**
 * `rank-audit` of wide tables on two threads with all files and the figure, Node's start included: on the clock, in memory, and in processor
 * time over that of native code for 27 models in the same run, where a compiler is found. Needs GNU time in /usr/bin.
 */
export function measure(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-wide-'));
  const native = nativeTime({ design: simulatedDesign(), draws: 50_000, flips: 100_000, pairs: true });
  try {
    writeWideTables(folder);
    return TABLES.flatMap(([name, table, flags, runs]) => {
      const all = Array.from({ length: runs }, () => audit(folder, table, flags));
      const middle = (of: (run: Run) => number): number => all.map(of).sort((a, b) => a - b)[runs >> 1]!;
      const processor = middle((run) => run.processor);
      return [
        { name: `rank-audit, ${name}`, value: middle((run) => run.wall), unit: 'ms' },
        { name: `rank-audit, ${name}: peak memory`, value: middle((run) => run.megabytes), unit: 'MB' },
        { name: `rank-audit, ${name}: processor time`, value: processor, unit: 'ms' },
        ...(native === null
          ? []
          : [{ name: `rank-audit, ${name}: processor time over native`, value: processor / native, unit: 'x' }]),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
