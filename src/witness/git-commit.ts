import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { fail } from '../util/error.js';

/** Objects that are read at once, and bytes that they may have together. */
const MOST_OBJECTS = 200_000;
const MOST_BYTES = 1 << 28;

/** Object names of SHA-1 repositories have 40 digits, of SHA-256 ones 64. */
type Algorithm = 'sha1' | 'sha256';

/** Where files are looked for, and which. */
export interface CommitSearch {
  readonly repository: string;
  /** Its full id. */
  readonly commit: string;
  readonly files: readonly Uint8Array[];
  /** Folders in which git is looked for, as in `PATH`. */
  readonly searchPath: string | undefined;
}

interface GitObject {
  readonly kind: string;
  readonly body: Buffer;
}

function nameOf(algorithm: Algorithm, kind: string, body: Uint8Array): string {
  return createHash(algorithm).update(`${kind} ${body.length}\0`).update(body).digest('hex');
}

/**
 * Reads objects of a repository by their names and proves each by its digest: nothing that the repository says is believed. Only `git cat-file`
 * runs, without a shell, with no configuration of the system or the user, no replaced objects and no fetching; it runs neither hooks nor filters.
 */
function readObjects(
  { repository, searchPath }: CommitSearch,
  names: readonly string[],
  algorithm: Algorithm,
): GitObject[] {
  const run = spawnSync(
    'git',
    [
      ...['--no-pager', '-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`],
      ...['-c', 'protocol.allow=never', '-C', resolve(repository), 'cat-file', '--batch'],
    ],
    {
      input: `${names.join('\n')}\n`,
      maxBuffer: MOST_BYTES,
      env: {
        PATH: searchPath,
        ...{ LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_NO_REPLACE_OBJECTS: '1' },
        ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
      },
    },
  );
  const place = { file: repository };
  if ((run.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    fail(
      'GIT_FAILED',
      place,
      'git is not installed',
      'Install git, or leave --git out: the commit then stands as stated.',
    );
  if (run.error !== undefined || run.status !== 0) {
    const said = run.error?.message ?? run.stderr.toString('utf8').trim().split('\n')[0]!;
    fail('GIT_FAILED', place, `git cannot read it: ${said}`, 'Give the folder of a repository with --git.');
  }
  return parsed(run.stdout, names, algorithm, repository);
}

/** Takes the objects out of what `git cat-file --batch` prints: a line `NAME KIND SIZE`, the bytes, a line end. */
function parsed(out: Buffer, names: readonly string[], algorithm: Algorithm, file: string): GitObject[] {
  let at = 0;
  return names.map((name) => {
    const end = out.indexOf(10, at);
    const [, kind, size] = out.toString('latin1', at, end).split(' ');
    if (kind === undefined || size === undefined)
      fail(
        'COMMIT_REFUSED',
        { file },
        `has no object ${name}`,
        'Give a whole clone of the repository that holds the commit.',
        {
          exit: 4,
        },
      );
    at = end + 1 + Number(size) + 1;
    const body = out.subarray(end + 1, at - 1);
    if (nameOf(algorithm, kind, body) === name) return { kind, body };
    return fail(
      'COMMIT_REFUSED',
      { file },
      `object ${name} has other content than its name says`,
      'Clone the repository again.',
      {
        exit: 4,
      },
    );
  });
}

/** Lists the trees and the other objects that a tree names. */
function entriesOf(tree: Buffer, algorithm: Algorithm): { readonly trees: string[]; readonly blobs: string[] } {
  const length = algorithm === 'sha1' ? 20 : 32;
  const trees: string[] = [];
  const blobs: string[] = [];
  for (let at = 0; at < tree.length; ) {
    const zero = tree.indexOf(0, at);
    if (zero < 0) break;
    const name = tree.toString('hex', zero + 1, zero + 1 + length);
    const isTree = tree.toString('latin1', at, at + 6) === '40000 ';
    (isTree ? trees : blobs).push(name);
    at = zero + 1 + length;
  }
  return { trees, blobs };
}

/** A commit of a repository, from which files were looked for. */
export interface FoundCommit {
  /** The date of the committer, ISO 8601, UTC. */
  readonly at: string;
  /** Whether the commit holds each of the files that were looked for, byte for byte, under whatever name. */
  readonly holds: readonly boolean[];
}

/**
 * Looks for files in a commit by their bytes. Errors: GIT_FAILED without git or for what is no repository; COMMIT_REFUSED (exit 4) for a commit
 * that is not there or an object that was tampered with; BOUND_EXCEEDED.
 */
export function lookInCommit(search: CommitSearch): FoundCommit {
  const { repository, commit, files } = search;
  const algorithm = commit.length === 40 ? 'sha1' : 'sha256';
  const [found] = readObjects(search, [commit], algorithm);
  const header = /^tree ([0-9a-f]+)\n(?:.*\n)*?committer .* (\d{1,12}) [-+]\d{4}\n/.exec(found!.body.toString('utf8'));
  if (found!.kind !== 'commit' || header === null)
    fail('COMMIT_REFUSED', { file: repository }, `${commit} is a ${found!.kind}`, 'Give the id of a commit.', {
      exit: 4,
    });
  const wanted = files.map((bytes) => nameOf(algorithm, 'blob', bytes));
  const blobs = new Set<string>();
  const met = new Set<string>();
  let level = [header[1]!];
  while (level.length > 0) {
    const next = new Set<string>();
    for (const { body } of readObjects(search, level, algorithm)) {
      const entries = entriesOf(body, algorithm);
      for (const name of entries.blobs) blobs.add(name);
      for (const name of entries.trees) if (!met.has(name)) next.add(name);
    }
    for (const name of next) met.add(name);
    if (met.size > MOST_OBJECTS)
      fail('BOUND_EXCEEDED', { file: repository }, `commit ${commit} has more than ${MOST_OBJECTS} folders`);
    level = [...next];
  }
  return { at: new Date(Number(header[2]) * 1000).toISOString(), holds: wanted.map((name) => blobs.has(name)) };
}
