import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The software adapter that comes with Chromium, for tests of the WebGPU backend; loaders read these at process start. */
const CHROMIUM = '/usr/lib/chromium';
const software = `${CHROMIUM}/vk_swiftshader_icd.json`;
const graphics: Record<string, string> = existsSync(software)
  ? { VK_DRIVER_FILES: software, LD_LIBRARY_PATH: CHROMIUM }
  : {};

export default defineConfig({
  resolve: { alias: { '#platform': fileURLToPath(new URL('src/io/platform-node.ts', import.meta.url)) } },
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    env: graphics,
    maxWorkers: 2,
    reporters: ['default', './tests/support/plain-reporter.ts'],
  },
});
