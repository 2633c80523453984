import type { Reporter, TestModule } from 'vitest/node';
import { noShared, noSharedReason } from './shared.js';

/** Ends every run with one plain line, `N passed, N failed, N skipped`, and the reasons of the skips. */
// biome-ignore lint/style/noDefaultExport: vitest loads reporters by default export
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const skips: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') count.passed += 1;
        else if (result.state === 'failed') count.failed += 1;
        else {
          count.skipped += 1;
          skips.push(`skipped: ${test.fullName}${'note' in result && result.note ? ` (${result.note})` : ''}`);
        }
      }
    }
    if (skips.length > 0) process.stdout.write(`${skips.join('\n')}\n`);
    if (skips.length > 0 && noShared) process.stdout.write(`why: ${noSharedReason}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    if (process.env.CI === 'true' && count.skipped > 0) {
      process.stdout.write('CI=true: a skipped test counts as a failure\n');
      process.exitCode = 1;
    }
  }
}
