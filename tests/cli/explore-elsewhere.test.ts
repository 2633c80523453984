import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cli } from '../support/cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explore-elsewhere-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Logs that name their models by folders whose innermost names are alike. */
it.each(['mteb', 'swe-bench-instances', 'helm', 'lm-evaluation-harness'])(
  'logs of %s are the same models wherever the call is made from',
  (name) => {
    const page = join(folder, `${name}.html`);
    const run = cli(['explore', resolve('fixtures/logs', name), '--out', page, '--json'], { cwd: folder });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(`${name}.html`);
  },
);
