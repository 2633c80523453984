import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameUnder, pageNames } from '../../src/cli/page-names.js';
import { cli } from '../support/cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explore-elsewhere-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const page = () => join(folder, 'page.html');

/** Logs that name their models by folders whose innermost names are alike. */
it.each(['mteb', 'swe-bench-instances', 'helm', 'lm-evaluation-harness'])(
  'logs of %s are the same models wherever the call is made from',
  (name) => {
    const logs = resolve('fixtures/logs', name);
    for (const [cwd, path] of [
      [folder, logs],
      [folder, `${logs}/`],
      [logs, '.'],
      [resolve(logs, '..'), `./${name}/`],
      [resolve(logs, '../helm'), `../${name}`],
    ] as const) {
      const run = cli(['explore', path, '--out', page(), '--force', '--json'], { cwd });
      expect([cwd, path, run]).toEqual([
        cwd,
        path,
        { code: 0, stderr: '', stdout: expect.stringContaining('page.html') },
      ]);
    }
  },
);

it('several folders of one name outside of the working folder are told apart by those above them', () => {
  const revisions = ['one', 'two'].map((lab) =>
    resolve(`fixtures/logs/mteb/lab__${lab}/0123456789abcdef0123456789abcdef01234567`),
  );
  const run = cli(['explore', ...revisions, '--out', page(), '--force', '--json'], { cwd: folder });
  expect(run).toMatchObject({ code: 0, stderr: '' });
});

describe('names of a page', () => {
  const cwd = process.cwd();
  it.each([
    [['a.csv'], ['a.csv']],
    [[join(cwd, 'x/y')], ['x/y']],
    [['.'], [basename(cwd)]],
    [['-'], ['-']],
    [['/elsewhere/b.csv'], ['b.csv']],
    [
      ['/elsewhere/one/r', '/elsewhere/two/r'],
      ['one/r', 'two/r'],
    ],
    [
      ['/elsewhere/one/r', '/elsewhere/one/s', 'a'],
      ['r', 's', 'a'],
    ],
    [
      ['/elsewhere/r', '/elsewhere/two/r'],
      ['r', 'two/r'],
    ],
  ])('of %j are %j', (paths, names) => {
    expect(pageNames(paths)).toEqual(names);
  });

  it('reach what lies under them', () => {
    expect(nameUnder('.', 'here', 'a/b')).toBe('here/a/b');
    expect(nameUnder('./x/', 'x', 'x/b')).toBe('x/b');
    expect(nameUnder('a.csv', 'a.csv', 'a.csv')).toBe('a.csv');
  });
});
