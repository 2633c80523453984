import { existsSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readInput, storedFile, writeAtomic, writeOnce } from '../io/file.js';
import { openStore } from '../io/write/guard.js';
import { dropTemporary, makeFolder, temporaryFolder } from '../io/write/temporary.js';
import { FlavourError, fail } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { JOURNAL_SCHEMA, type JournalEvent } from './journal-event.js';
import { journalText } from './journal-line.js';
import { applyEvent, emptyState } from './journal-state.js';
import { assertNewLedger, layout } from './ledger-folder.js';
import { type LedgerView, viewLedger } from './ledger-view.js';
import { assertTotals, type JoinedShards, joinedSchedules, joinedShards } from './merge-shards.js';
import { verifyLedger } from './verify-ledger.js';

interface MergeResult {
  readonly records: number;
  /** Records that both ledgers held, byte for byte. */
  readonly shared: number;
  readonly events: number;
  /** Booked and uncertain, micro-USD, and tokens: of all sources, each record once. */
  readonly cost_micros: number;
  readonly uncertain_micros: number;
  readonly tokens: number;
  /** Of a plan that was collected in shards; null where the sources are no shards. */
  readonly shards: JoinedShards | null;
}

interface Source {
  readonly view: LedgerView;
  readonly events: { readonly event: JournalEvent; readonly sha256: string }[];
}

/** Reads a ledger whole and proves it: every line, record and document. */
function load(dir: string): Source {
  const events: Source['events'] = [];
  const [problem] = verifyLedger(dir).problems;
  if (problem !== undefined)
    fail(
      'LEDGER_DAMAGED',
      { file: problem.file },
      problem.what,
      `\`flavourbench ledger verify ${shellWord(dir)}\` lists all of it; restore the files from a copy.`,
      { exit: 4 },
    );
  const view = viewLedger(dir, ({ text, eventSha256 }) => {
    events.push({ event: JSON.parse(text) as JournalEvent, sha256: eventSha256 });
  });
  const open = [...view.state.cells.values()].filter((c) => c.attempt === 'maybe_accepted').length;
  const unfinished =
    view.scan.tail.length > 0
      ? 'its last journal line is torn'
      : view.adopted.length > 0
        ? `${view.adopted.length} records are not in its journal`
        : view.unmoved.length > 0
          ? 'a quarantine is not finished'
          : open > 0
            ? `${open} cells may be in delivery`
            : undefined;
  if (unfinished !== undefined) {
    fail(
      'INCOMPLETE',
      { file: dir },
      `the ledger cannot be merged yet: ${unfinished}`,
      'Run `ledger seal` on it first, when no run is using it.',
      { exit: 3 },
    );
  }
  return { view, events };
}

/** Lists every other file of a ledger: quarantine, manifests, stamps. */
export function otherFiles(dir: string): string[] {
  const below = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [];
  return [
    ...readdirSync(dir)
      .filter((name) => name.startsWith('manifest-'))
      .map((name) => join(dir, name)),
    ...below(layout.quarantine(dir)),
    ...below(layout.inspections(dir)),
  ];
}

/**
 * Joins ledgers into a new folder: the journals one after the other on a new chain, each event once; the records once. Every source is proved
 * first. Two different records of one cell, or two contracts in one block, are a conflict: nothing is written. Shards of a plan are joined whole
 * (collection 1.18), or as far as they are given with `partial`. Errors: LEDGER_DAMAGED, LEDGER_CONFLICT (exit 4), USAGE, SHARDS_DIFFER,
 * SHARDS_INCOMPLETE, INCOMPLETE (exit 3) for a source that an interrupted run left unfinished.
 */
export function mergeLedgers(options: {
  readonly sources: readonly string[];
  readonly out: string;
  readonly at: string;
  readonly partial?: boolean;
  /** Holds what a source says of its shards against the plan that lies in it. */
  readonly proveShards?: (view: LedgerView) => void;
}): MergeResult {
  const { sources: dirs, out, at, partial = false, proveShards } = options;
  assertNewLedger(out);
  const sources = dirs.map(load);
  const views = sources.map(({ view }) => view);
  const shards = joinedShards(views, partial) ?? null;
  if (shards !== null) for (const view of views) proveShards?.(view);
  const merged: JournalEvent = {
    type: 'merged',
    sources: sources.map(({ view }) => ({ head: view.scan.chain })),
    at,
  };
  const created: JournalEvent = { type: 'ledger_created', schema: JOURNAL_SCHEMA, at };
  /** How often an earlier source has the event: a ledger holds one twice when a quarantined record came again. */
  const countsBefore = new Map<string, number>();
  const events: JournalEvent[] = [created, merged];
  const state = emptyState();
  let shared = 0;
  const counts = sources.map(() => new Map<string, number>());
  for (const { source: i, events: turn } of turnsOf(sources, shards !== null)) {
    const own = counts[i]!;
    for (const { event, sha256 } of turn) {
      const times = (own.get(sha256) ?? 0) + 1;
      own.set(sha256, times);
      if (event.type === 'record_written' && isHeld(state, event.cell, event.record_sha256)) {
        shared += 1;
        continue;
      }
      if (event.type === 'ledger_created' || times <= (countsBefore.get(sha256) ?? 0)) continue;
      conflictIn(dirs[i]!, () => applyEvent(state, event, sha256));
      events.push(event);
    }
    for (const [sha256, times] of own) countsBefore.set(sha256, Math.max(times, countsBefore.get(sha256) ?? 0));
  }
  if (shards !== null) {
    assertTotals(state, views);
    for (const [phase, counts] of joinedSchedules(views))
      events.push({ type: 'schedule_declared', manifest_sha256: shards.manifest_sha256, phase, counts, at });
  }
  const records = writeMerged(out, views, journalText(events));
  const { cost_micros, uncertain_micros, tokens } = state.totals;
  return { records, shared, events: events.length, cost_micros, uncertain_micros, tokens, shards };
}

/**
 * Writes a joined ledger as a folder that appears whole or not at all, so that a merge that a full disk or a kill has stopped is called again.
 * Returns how many records it holds.
 */
function writeMerged(out: string, views: readonly LedgerView[], journal: string): number {
  makeFolder(dirname(out));
  const temporary = temporaryFolder(join(dirname(out), '.ledger-'));
  openStore(temporary);
  const made = join(temporary, 'new');
  try {
    for (const view of views) {
      const records = [...view.files.values()].map((file) => file.path);
      for (const path of [...records, ...otherFiles(view.dir)]) {
        const target = join(made, relative(view.dir, path));
        makeFolder(dirname(target));
        writeOnce(target, readInput(storedFile(path)), statSync(path).mode & 0o777);
      }
    }
    writeAtomic(layout.journal(made), journal, 0o600);
    const { size } = viewLedger(made).files;
    if (existsSync(out)) rmdirSync(out);
    renameSync(made, out);
    return size;
  } finally {
    dropTemporary(temporary);
  }
}

interface Turn {
  /** Number of the source. */
  readonly source: number;
  readonly events: Source['events'];
}

/**
 * The order in which events of the sources are joined: source after source. Shards of a plan put blocks aside each for itself when a route changes;
 * they take turns from one such event to the next, so that no answer under the new contract comes before the old ones of the other shards.
 */
function turnsOf(sources: readonly Source[], shards: boolean): Turn[] {
  const turns: (Turn & { readonly round: number })[] = [];
  for (const [i, { events }] of sources.entries()) {
    let from = 0;
    let round = 0;
    for (const [at, { event }] of events.entries()) {
      if (!shards || event.type !== 'block_quarantined') continue;
      turns.push({ source: i, events: events.slice(from, at + 1), round });
      from = at + 1;
      round += 1;
    }
    turns.push({ source: i, events: events.slice(from), round });
  }
  return turns.sort((a, b) => a.round - b.round);
}

function isHeld(state: ReturnType<typeof emptyState>, cell: string, sha256: string): boolean {
  const known = state.cells.get(cell);
  return (
    known?.head?.record_sha256 === sha256 || known?.superseded.some((entry) => entry.record_sha256 === sha256) === true
  );
}

function conflictIn(dir: string, fold: () => void): void {
  try {
    fold();
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    fail(
      error.code,
      { file: dir },
      error.message,
      'Nothing was written. Quarantine the block in one of the two, or keep them apart: `core freeze` takes several ledgers in order.',
      { exit: 4 },
    );
  }
}
