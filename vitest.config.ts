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
 * What `npm run test:fast` leaves out: whole programs and releases, rebuilds and published values, faulty servers, backends beside the plain
 * kernels, and simulations. All others are its tests, in under a quarter of the suite's time. They share the modules of their worker, of which
 * loading is a third of their time otherwise; `isolate: true` parts them.
 */
const SLOW = [
  'tests/{e2e,faults,release,published,spec,witness}/**/*.test.ts',
  'tests/**/{golden*,faults,figures-hard}.test.ts',
  'tests/parity/{pool,webgpu}.test.ts',
  'tests/analyses/{coverage,power}.test.ts',
  'tests/responses/parser-fuzz.test.ts',
  'tests/collect/run-collection.test.ts',
  'tests/inference/known-bugs.test.ts',
];

/** Of these, files that share the modules of their worker too; each would spend about a second of processor time on a process of its own and on loading. */
const TOGETHER = [
  'tests/{release,published,spec,witness}/**/*.test.ts',
  'tests/{tasks/compile/golden,collect/faults,collect/run-collection}.test.ts',
  'tests/e2e/{action,audit,audit-compare,bench,collect-routes,core,infer-{answers,matrix,witness},ledger,protocol,python,rows,score,sensitivity,serve*,world}.test.ts',
  'tests/e2e/{rescore-folder,rescore-inputs,transfer-evaluate}.test.ts',
  'tests/faults/{blank-lines,fetch*,import-kill,ledger-damage,money,outputs-inside,pool,*sizes,table-damage,token-budget,webgpu}.test.ts',
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
    globalSetup: './tests/support/temporary-files.ts',
    // Workers wait for programs, servers and clocks: three of them left a fifth of two processors idle.
    maxWorkers: 4,
    reporters: ['default', './tests/support/plain-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW, ...ELSEWHERE],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: SLOW,
          exclude: [...configDefaults.exclude, ...TOGETHER, ...ELSEWHERE],
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          exclude: [...configDefaults.exclude, ...ELSEWHERE],
          isolate: false,
        },
      },
    ],
  },
});
