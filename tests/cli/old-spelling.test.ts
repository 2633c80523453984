import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'old-spelling-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('an old spelling', () => {
  const tasks = ['--tasks', 'fixtures/tasks-small.json'];

  it.each([
    [['maps', 'compare', 'x.json', 'y.json', '--names', 'a,b,c'], '--sides is "a,b,c"'],
    [['rescore', 'x.jsonl', '--tasks', 'y.json', '--compare', 'v3'], '--parsers is "v3"'],
    [['env', 'import', join(dir, 'none'), '--as', 'x', '--only', 'y'], 'none'],
    [['compile', 'pantry', '--seed', 'x', '--families', 'paring', '--out', 'x.json'], '--only-families names "paring"'],
    [
      ['maps', 'fixtures/tasks-small.json', '--env', 'pantry', '--families', 'paring', '--out', 'x.jsonl'],
      'no task of paring',
    ],
    [
      ['core', 'freeze', '--ledger', dir, ...tasks, '--seed', 'x', '--per-stratum', '3', '--families', 'a', 'a'],
      'ledger',
    ],
    [['release', 'figures', join(dir, 'none'), '--only', 'pie', '--out', dir], 'none'],
  ])('means what it meant where a word has another meaning elsewhere: %j', async (args, words) => {
    const { code, stderr } = await cliInline(args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('unknown option');
  });

  it('does what the new one does, with a note on standard error', async () => {
    const old = await cliInline(['template', ...tasks, '--output', join(dir, 'old.jsonl')]);
    expect(old).toMatchObject({ code: 0, stderr: 'flavourbench: --output is now --out\n' });
    const now = await cliInline(['template', ...tasks, '--out', join(dir, 'new.jsonl')]);
    expect(now).toMatchObject({ code: 0, stderr: '' });
    const quiet = await cliInline(['template', ...tasks, '--output', join(dir, 'old.jsonl'), '--json']);
    expect(quiet.stderr).toBe('');
    const shown = await cliInline([
      'bench',
      '--models',
      '4',
      '--clusters',
      '9',
      '--draws',
      '50',
      '--repeats',
      '1',
      '--backend',
      'wasm',
    ]);
    expect(shown.stderr).toBe(
      'flavourbench: --models is now --model-count\nflavourbench: --clusters is now --cluster-count\n',
    );
    const both = await cliInline(['template', ...tasks, '--output', join(dir, 'x'), '--out', join(dir, 'y')]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('old spelling of --out')]);
  });
});
