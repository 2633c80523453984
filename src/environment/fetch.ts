import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../io/digest.js';
import { assertOutputFile, readInput, writeOnce } from '../io/file.js';
import { releaseLock, takeLock } from '../io/lock.js';
import { assertOutside } from '../io/write/guard.js';
import { makeFolder } from '../io/write/temporary.js';
import { FlavourError, fail } from '../util/error.js';
import { VERSION } from '../util/version.js';
import { type Asset, assetUrl } from './assets.js';
import { download, type TransferOptions } from './download.js';

export interface FetchOptions {
  readonly asset: Asset;
  /** Folder the asset's `group/file` goes under. */
  readonly folder: string;
  /** A file or an http(s) address to take instead of the registered one. */
  readonly from?: string;
  /** Revision of a data set. */
  readonly revision?: string;
  readonly transfer: TransferOptions;
}

interface Fetched {
  readonly path: string;
  readonly bytes: number;
  /** `present`: it was there already. */
  readonly how: 'present' | 'copied' | 'downloaded';
}

async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const NOT_PINNED = 'This is not the pinned file; nothing was kept.';

const isAddress = (text: string) => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/**
 * Puts an asset under `folder`, visible under its name only after its size and SHA-256 were found right. Errors:
 * DIGEST_MISMATCH (exit 4), ASSET_UNAVAILABLE (exit 3; the bytes so far are kept for the next try), ASSET_UNADDRESSED.
 */
export async function fetchAsset(options: FetchOptions): Promise<Fetched> {
  const { asset, from } = options;
  const path = join(options.folder, ...asset.id.split('/'));
  assertOwnFolders(options.folder, dirname(path));
  if (assertOutputFile(path)) {
    const digest = await fileDigest(path);
    if (digest === asset.sha256) return { path, bytes: statSync(path).size, how: 'present' };
    fail(
      'DIGEST_MISMATCH',
      { file: path },
      `SHA-256 is ${digest}; ${asset.sha256} is pinned`,
      'Move the file away and fetch again.',
      { exit: 4 },
    );
  }
  if (from !== undefined && !isAddress(from)) return copied(asset, from, path);
  const url = from ?? assetUrl(asset, options.revision);
  if (url === null) {
    fail(
      'ASSET_UNADDRESSED',
      null,
      `${asset.id} has no immutable address`,
      `${asset.dataset ? 'Give --revision REV of the data set, or ' : 'Give '}--from FILE or --from URL; the file is accepted when its SHA-256 is ${asset.sha256}.`,
    );
  }
  return downloaded(options, url, path);
}

/** Refuses a link in place of a folder below the one that was asked for: bytes would land outside it. Errors: OUTPUT_NOT_REGULAR. */
function assertOwnFolders(outer: string, inner: string): void {
  for (let folder = inner; folder !== outer && folder.length > outer.length; folder = dirname(folder)) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) continue;
    fail(
      'OUTPUT_NOT_REGULAR',
      { file: folder },
      `is ${stat.isSymbolicLink() ? 'a symbolic link' : 'no folder'}; a download goes to a folder of its own`,
      'Move it away, or choose another folder with --out.',
    );
  }
}

function copied(asset: Asset, from: string, path: string): Fetched {
  const data = readInput(from);
  if (asset.bytes !== null && data.length !== asset.bytes)
    fail(
      'DIGEST_MISMATCH',
      { file: from },
      `${asset.id}: ${data.length} bytes; ${asset.bytes} are expected`,
      NOT_PINNED,
      { exit: 4 },
    );
  const digest = sha256(data);
  if (digest !== asset.sha256)
    fail(
      'DIGEST_MISMATCH',
      { file: from },
      `${asset.id}: SHA-256 is ${digest}; ${asset.sha256} is pinned`,
      NOT_PINNED,
      { exit: 4 },
    );
  writeOnce(path, data);
  return { path, bytes: data.length, how: 'copied' };
}

async function downloaded(options: FetchOptions, url: string, path: string): Promise<Fetched> {
  const { asset, transfer } = options;
  const part = `${path}.part`;
  const userAgent = `flavourbench/${VERSION}`;
  try {
    assertOutside(path);
    makeFolder(dirname(path));
    return await withPartLock(part, async () => {
      try {
        return await fill();
      } catch (error) {
        const wrong = error instanceof FlavourError && error.code === 'DIGEST_MISMATCH';
        const empty = existsSync(part) && statSync(part).size === 0;
        if (wrong || empty) rmSync(part, { force: true });
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof FlavourError) throw error;
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    fail(
      'STORE_UNWRITABLE',
      { file: path },
      `cannot be written: ${(error as Error).message}`,
      'Check the folder and the space on its disk, or choose another one with --out.',
      { cause: error },
    );
  }

  async function fill(): Promise<Fetched> {
    const resumed = assertOutputFile(part);
    const ask = () => download({ ...transfer, url, part, bytes: asset.bytes, userAgent });
    let bytes = await ask();
    let digest = await fileDigest(part);
    if (digest !== asset.sha256 && resumed) {
      rmSync(part);
      bytes = await ask();
      digest = await fileDigest(part);
    }
    if (digest !== asset.sha256)
      fail(
        'DIGEST_MISMATCH',
        { file: asset.id },
        `${bytes} bytes with SHA-256 ${digest} arrived; ${asset.sha256} is pinned`,
        NOT_PINNED,
        { exit: 4 },
      );
    renameSync(part, path);
    return { path, bytes, how: 'downloaded' };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Runs while no other process writes the same partial file: two writers would mix their bytes after one of them had checked the
 * digest. A lock left by a process that is gone, or one without a process number, is taken over. Errors: ASSET_BUSY.
 */
async function withPartLock<T>(part: string, run: () => Promise<T>): Promise<T> {
  const lock = `${part}.lock`;
  const text = String(process.pid);
  takeLock<number | null>(lock, {
    text,
    read: (found) => (/^\d{1,10}$/.test(found) ? Number(found) : null),
    holds: (pid) => (pid !== null && isAlive(pid) ? 'it is running' : undefined),
    takingOver: 'it is taking the file over',
    refuse: (file, pid) =>
      fail(
        'ASSET_BUSY',
        { file },
        `${part} is being written by process ${pid ?? 'unknown'}`,
        `Wait for it; if no fetch is running, remove ${file}.`,
      ),
  });
  try {
    return await run();
  } finally {
    releaseLock(lock, text);
  }
}
