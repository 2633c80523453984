import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** The software adapter that comes with Chromium, for tests of the WebGPU backend; loaders read these at process start. */
const CHROMIUM = '/usr/lib/chromium';
const software = `${CHROMIUM}/vk_swiftshader_icd.json`;
const graphics: Record<string, string> = existsSync(software)
  ? { VK_DRIVER_FILES: software, LD_LIBRARY_PATH: CHROMIUM }
  : {};

/**
 * Files with modules of their own: whole programs and releases, rebuilds and published values, faulty servers, backends beside the plain
 * kernels, and simulations. All others share those of their worker, of which loading is a third of their time otherwise; they are the tests
 * of `npm run test:fast`, in under a quarter of the suite's time. `isolate: true` there parts them too.
 */
const APART = [
  'tests/{e2e,faults,release,published,spec,witness}/**/*.test.ts',
  'tests/**/{golden*,faults,figures-hard}.test.ts',
  'tests/parity/{pool,webgpu}.test.ts',
  'tests/analyses/{coverage,power}.test.ts',
  'tests/responses/parser-fuzz.test.ts',
  'tests/collect/run-collection.test.ts',
  'tests/inference/known-bugs.test.ts',
];

/** Tests that assume Linux: named pipes, devices, /proc, full disks, processes that signals end, Debian's Chromium and Python. Left out elsewhere. */
const LINUX = [
  'tests/faults/{signals,disk-full,outputs,lock-processes}.test.ts',
  'tests/{cli/piped-inputs,cli/print-error,io/file,io/folder,ledger/journal-writer,scores/score-paths}.test.ts',
  'tests/e2e/{*browser,explore,page-library,python,queue*,release-draw,serve,serve-command}.test.ts',
];
const ELSEWHERE = process.platform === 'linux' ? [] : LINUX;

export default defineConfig({
  resolve: { alias: { '#platform': fileURLToPath(new URL('src/io/platform-node.ts', import.meta.url)) } },
  test: {
    // Ends what hangs; a machine that does other work beside the suite takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    env: graphics,
    maxWorkers: 3,
    reporters: ['default', './tests/support/plain-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...APART, ...ELSEWHERE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, exclude: [...configDefaults.exclude, ...ELSEWHERE] } },
    ],
  },
});
