import { existsSync, lstatSync, readdirSync, renameSync, type Stats, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { openStore } from '../io/write/guard.js';
import { makeFolder } from '../io/write/temporary.js';
import { diskHint, type FlavourError, fail, failure, shown } from '../util/error.js';
import { PHASES, type Phase } from './cell-key.js';

const ONLY_LEDGER = 'Only the ledger writes into its folder; move the file out.';

/** Paths inside a ledger folder. */
export const layout = {
  lock: (dir: string) => join(dir, 'lock'),
  journal: (dir: string) => join(dir, 'attempts.jsonl'),
  frozenPlan: (dir: string, sha256: string) => join(dir, `manifest-${sha256}.json`),
  records: (dir: string) => join(dir, 'records'),
  block: (dir: string, phase: Phase, slot: string) => join(dir, 'records', phase, slot),
  record: (dir: string, phase: Phase, slot: string, cell: string, sha256: string) =>
    join(dir, 'records', phase, slot, `${cell}-${sha256}.json`),
  quarantine: (dir: string) => join(dir, 'quarantine'),
  inspections: (dir: string) => join(dir, 'inspections'),
};

/** A record file as its name tells it. */
export interface RecordFile {
  readonly path: string;
  readonly phase: Phase;
  readonly slot: string;
  readonly cell: string;
  readonly sha256: string;
}

const RECORD_NAME = /^([0-9a-f]{64})-([0-9a-f]{64})\.json$/;
const TEMPORARY = /^\.[0-9a-f]{18}\.tmp$/;

function folders(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  const other = entries.find((entry) => !entry.isDirectory());
  if (other !== undefined)
    fail('LEDGER_DAMAGED', { file: join(path, other.name) }, 'a folder expected, found something else', ONLY_LEDGER, {
      exit: 4,
    });
  return entries.map((entry) => entry.name).sort();
}

/**
 * Lists every record file below `records/`, by name alone, and unfinished temporary files apart. Errors: LEDGER_DAMAGED (exit 4) for
 * anything else in there.
 */
export function listRecords(dir: string): { files: RecordFile[]; temporary: string[] } {
  const files: RecordFile[] = [];
  const temporary: string[] = [];
  for (const phase of folders(layout.records(dir))) {
    if (!PHASES.includes(phase as Phase))
      fail(
        'LEDGER_DAMAGED',
        { file: join(layout.records(dir), phase) },
        `a folder named ${PHASES.join(', ')} expected, found ${shown(phase)}`,
        ONLY_LEDGER,
        { exit: 4 },
      );
    for (const slot of folders(join(layout.records(dir), phase))) {
      const block = layout.block(dir, phase as Phase, slot);
      for (const item of readdirSync(block, { withFileTypes: true })) {
        const { name } = item;
        const found = item.isFile() ? RECORD_NAME.exec(name) : null;
        if (found) {
          files.push({
            path: join(block, name),
            phase: phase as Phase,
            slot,
            cell: found[1]!,
            sha256: found[2]!,
          });
        } else if (TEMPORARY.test(name)) temporary.push(join(block, name));
        else
          fail(
            'LEDGER_DAMAGED',
            { file: join(block, name) },
            'a record file <cell>-<sha256>.json expected',
            ONLY_LEDGER,
            {
              exit: 4,
            },
          );
      }
    }
  }
  return { files, temporary };
}

/** A writer has a file under a temporary name for moments; one that waits for the lock has one as well. */
const MOMENTS_MS = 60_000;

/** Lists temporary files beside the journal that some killed process left: far older than the lock that was just taken. */
export function abandonedBeside(dir: string): string[] {
  const { mtimeMs: now } = statSync(layout.lock(dir));
  return readdirSync(dir)
    .filter((name) => TEMPORARY.test(name))
    .map((name) => join(dir, name))
    .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > MOMENTS_MS);
}

/** Removes what a killed writer left behind under a temporary name; only the holder of the lock may do this. */
export function sweepTemporary(paths: readonly string[]): void {
  for (const path of paths) unlinkSync(path);
}

/** What stands at a path itself; undefined for nothing. A slash at its end would show the target of a link. */
function standing(path: string): Stats | undefined {
  return lstatSync(resolve(path), { throwIfNoEntry: false });
}

/**
 * Tells whether a ledger's folder is there. Neither it nor anything of it is a link, a pipe or a device: a ledger is a store, which follows no
 * link. Errors: INPUT_NOT_REGULAR, USAGE for something that is no folder.
 */
export function assertLedgerFolder(dir: string): boolean {
  const stat = standing(dir);
  if (stat === undefined) return false;
  if (stat.isSymbolicLink()) fail('INPUT_NOT_REGULAR', { file: dir }, 'is a symbolic link', 'Give the folder itself.');
  if (!stat.isDirectory())
    fail(
      'USAGE',
      { file: dir },
      `a ledger is a folder, found ${stat.isFile() ? 'a file' : 'a pipe or a device'}`,
      'Give a ledger, or a folder that does not exist yet.',
    );
  const { journal, lock, records, quarantine, inspections } = layout;
  for (const [path, right] of [
    ...[journal(dir), lock(dir), `${lock(dir)}.takeover`].map((file) => [file, 'isFile'] as const),
    ...[records(dir), quarantine(dir), inspections(dir)].map((folder) => [folder, 'isDirectory'] as const),
  ]) {
    const found = standing(path);
    if (found === undefined || found[right]()) continue;
    const what = right === 'isFile' ? 'a regular file' : 'a folder';
    fail(
      'INPUT_NOT_REGULAR',
      { file: path },
      `${what} expected, found ${found.isSymbolicLink() ? 'a symbolic link' : 'something else'}`,
      ONLY_LEDGER,
    );
  }
  return true;
}

/**
 * Errors: those of `assertLedgerFolder`; USAGE for a folder that holds something else than a ledger, where a ledger cannot begin.
 */
export function assertLedgerOrEmpty(dir: string): void {
  if (!assertLedgerFolder(dir) || existsSync(layout.journal(dir))) return;
  const other = readdirSync(dir).find((name) => !/^lock(\.takeover)?$|^\..*\.tmp$/.test(name));
  if (other !== undefined) {
    fail(
      'USAGE',
      { file: dir },
      `is not a ledger and not empty: it holds ${other}`,
      'Give a ledger, or a folder that does not exist yet.',
    );
  }
}

/**
 * Proves that a new ledger can be made at a path: nothing or an empty folder stands there, in no ledger and no release.
 * Errors: USAGE; INPUT_NOT_REGULAR as `assertLedgerFolder`.
 */
export function assertNewLedger(out: string): void {
  if (assertLedgerFolder(out) && readdirSync(out).length > 0)
    fail(
      'USAGE',
      { file: out },
      'a folder that does not exist yet or is empty expected: a new ledger is made',
      'Give a folder that does not exist yet with --out.',
    );
  openStore(out);
}

/** Says where a record lies once its block is put aside. */
export function quarantinedPath(dir: string, file: RecordFile): string {
  return join(layout.quarantine(dir), 'records', file.phase, file.slot, basename(file.path));
}

/** Moves what a stopped quarantine left in place. */
export function finishMoves(dir: string, unmoved: readonly RecordFile[]): void {
  for (const file of unmoved) {
    const target = quarantinedPath(dir, file);
    makeFolder(dirname(target));
    renameSync(file.path, target);
  }
}

/** Makes the error for a write of the ledger that did not succeed: LEDGER_WRITE_FAILED (exit 5). */
export function writeFailed(path: string, cause: unknown): FlavourError {
  const place = (cause as { readonly dest?: string } | null)?.dest ?? path;
  const why = cause instanceof Error ? cause.message : String(cause);
  return failure(
    'LEDGER_WRITE_FAILED',
    { file: place },
    why,
    `Nothing more is sent. ${diskHint(cause) ?? 'Look at the disk'}, and run the same command again.`,
    { exit: 5, cause },
  );
}

/** Runs a piece of work that writes below `dir`. Errors: LEDGER_WRITE_FAILED where the disk is full or gone. */
export function onDisk<T>(dir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskHint(error) ? writeFailed(dir, error) : error;
  }
}
