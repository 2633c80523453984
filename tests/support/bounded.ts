import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** What a bounded run said, and what it took. */
interface BoundedRun {
  readonly code: number | null;
  /** Whether it was ended because it took too long. */
  readonly hung: boolean;
  readonly output: string;
  /** Most memory that it had, bytes. */
  readonly memory: number;
}

const TELL = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('\\nmemory ' + process.resourceUsage().maxRSS * 1024))",
)}`;

/** Runs the built command line with a heap of so many MiB and for so many seconds at most. */
export function boundedCli(args: readonly string[], { heap = 512, seconds = 60 } = {}): BoundedRun {
  const run = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heap}`, '--import', TELL, resolve('dist/cli/main.js'), ...args],
    { encoding: 'utf8', timeout: seconds * 1000, maxBuffer: 1 << 28 },
  );
  const output = run.stdout + run.stderr;
  return {
    code: run.status,
    hung: run.signal !== null,
    output,
    memory: Number(/memory (\d+)/.exec(output)?.[1] ?? Number.POSITIVE_INFINITY),
  };
}
