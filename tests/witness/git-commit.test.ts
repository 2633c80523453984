import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { lookInCommit } from '../../src/witness/git-commit.js';
import { freshFolder } from '../support/folders.js';

const PLAN = Buffer.from('{"plan":1}\n');
const at = '2026-08-20T12:00:00Z';
const folder = freshFolder();
/** A name that a careless call would read as an option. */
const repository = join(folder, '--upload-pack=touch hacked;$(touch hacked)');
let commit: string;
let empty: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=Somebody', '-c', 'user.email=s@example.org', ...args], {
    env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim();

beforeAll(() => {
  mkdirSync(join(repository, 'a/b'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'empty');
  empty = git('rev-parse', 'HEAD');
  writeFileSync(join(repository, 'a/b/plan file.json'), PLAN);
  writeFileSync(join(repository, 'other'), 'x');
  git('add', '.');
  git('commit', '-q', '-m', 'plan\n\ncommitter A <a@b> 5 +0000\n');
  commit = git('rev-parse', 'HEAD');
});

const look = (id: string, files: readonly Uint8Array[] = [PLAN]) =>
  lookInCommit({ repository, commit: id, files, searchPath: process.env.PATH });
const error = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('a commit', () => {
  it('holds a file by its bytes, in whatever folder, and states its date', () => {
    expect(look(commit, [PLAN, Buffer.from('{"plan":2}\n'), Buffer.from('x')])).toEqual({
      at: '2026-08-20T12:00:00.000Z',
      holds: [true, false, true],
    });
    expect(look(empty)).toEqual({ at: '2026-08-20T12:00:00.000Z', holds: [false] });
  });

  it('must be there, and be a commit', () => {
    expect(() => look('a'.repeat(40))).toThrow(error('COMMIT_REFUSED', /has no object a{40}/));
    expect(() => look('a'.repeat(64))).toThrow(error('COMMIT_REFUSED', /has no object/));
    expect(() => look(git('rev-parse', `${commit}^{tree}`))).toThrow(error('COMMIT_REFUSED', /is a tree/));
    expect(() =>
      lookInCommit({ repository: join(folder, 'none'), commit, files: [PLAN], searchPath: process.env.PATH }),
    ).toThrow(error('GIT_FAILED', /git cannot read it/));
  });

  it('is read with nothing run that the repository asks for, and no configuration of it', () => {
    const hacked = join(folder, 'hacked');
    const run = `touch ${hacked}`;
    for (const [name, value] of [
      ...[
        ['core.fsmonitor', run],
        ['core.pager', run],
        ['core.sshCommand', run],
        ['alias.cat-file', `!${run}`],
      ],
      ...[
        ['filter.x.smudge', run],
        ['diff.external', run],
        ['extensions.partialClone', 'origin'],
      ],
      ...[
        ['remote.origin.url', `ext::sh -c "${run}"`],
        ['remote.origin.promisor', 'true'],
        ['protocol.ext.allow', 'always'],
      ],
    ] as [string, string][])
      git('config', name, value);
    expect(look(commit).holds).toEqual([true]);
    expect(() => look('b'.repeat(40))).toThrow(error('COMMIT_REFUSED', /has no object/));
    expect(existsSync(hacked)).toBe(false);
    expect(readdirSync(folder)).not.toContain('hacked');
    expect(existsSync('hacked')).toBe(false);
  });

  it('is not taken where another object was put in its place', () => {
    git('replace', empty, commit);
    expect(look(empty).holds).toEqual([false]);
    const evil = Buffer.from('written afterwards');
    writeFileSync(join(folder, 'evil'), evil);
    const blob = git('hash-object', '-w', join(folder, 'evil'));
    const tree = git('rev-parse', `${commit}^{tree}`);
    const path = join(repository, '.git/objects', tree.slice(0, 2), tree.slice(2));
    const entry = Buffer.concat([Buffer.from('100644 plan\0'), Buffer.from(blob, 'hex')]);
    rmSync(path);
    writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`tree ${entry.length}\0`), entry])));
    expect(() => look(commit, [evil])).toThrow(error('COMMIT_REFUSED', /other content than its name says/));
  });

  it('cannot be looked up without git, and the hint says what stands then', () => {
    expect(() => lookInCommit({ repository, commit: empty, files: [], searchPath: '/nowhere' })).toThrow(
      expect.objectContaining({ code: 'GIT_FAILED', hint: expect.stringContaining('as stated') }),
    );
  });
});
