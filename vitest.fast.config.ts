import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import whole from './vitest.config.js';

/**
 * The tests of `npm run test:fast`: what a change breaks first, in under a quarter of the suite's time. It leaves out whole
 * programs and releases, rebuilds and published values, faulty servers, backends beside the plain kernels, and simulations;
 * files share a worker's modules, of which loading is a third of the time otherwise.
 */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      isolate: false,
      exclude: [
        ...configDefaults.exclude,
        'tests/{e2e,faults,release,published,spec}/**',
        'tests/**/{golden*,faults,figures-hard}.test.ts',
        'tests/parity/{pool,webgpu}.test.ts',
        'tests/analyses/{coverage,power}.test.ts',
        'tests/responses/parser-fuzz.test.ts',
        'tests/collect/run-collection.test.ts',
        'tests/inference/known-bugs.test.ts',
      ],
    },
  }),
);
