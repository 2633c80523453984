import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalDigest, canonicalJson } from '../io/canonical.js';
import { storedFile } from '../io/file.js';
import { parserNamed, parseSelection } from '../responses/parser.js';
import { foreignContract } from '../responses/parser-contract.js';
import type { Task } from '../tasks/task.js';
import { FlavourError, shown } from '../util/error.js';
import { listInspections, proveInspection } from './inspection.js';
import { entryOf } from './journal-event.js';
import { peekAttempt } from './journal-line.js';
import type { JournalLine } from './journal-scan.js';
import { layout, quarantinedPath, type RecordFile } from './ledger-folder.js';
import { shardProblem } from './ledger-shard.js';
import { type LedgerView, readRecordFile, viewLedger } from './ledger-view.js';
import { commitBlocks, commitmentSchema } from './quarantine.js';
import type { ResponseRecord } from './record.js';
import { sealedDocument } from './stored-document.js';

interface LedgerProblem {
  readonly file: string;
  readonly what: string;
}

export interface LedgerVerification {
  readonly journal_lines: number;
  readonly journal_head: string;
  readonly records: number;
  readonly quarantined: number;
  /** Digest of the sorted digests of the records in force. */
  readonly record_set_sha256: string;
  readonly problems: readonly LedgerProblem[];
  /** Things that the next writer puts right by itself. */
  readonly repairable: readonly string[];
}

const CELL_OF_EVENT = /"cell":"([0-9a-f]{64})"/;
const RESERVED = /"reserved_micros":(\d+)/;

/** What a journal line says of a request: whose it is, and its money in micro-USD where it states any. */
interface LineOfCell {
  readonly cell: string;
  readonly cost: number | undefined;
  readonly reserved: number | undefined;
}

/**
 * Reads everything again and proves it: each journal line, each record in force, superseded or quarantined (digest, name, folder, journal entry,
 * cited events), each commitment, frozen plan and stamp. `extra` adds a check of each record in force, such as its parse.
 */
export function verifyLedger(dir: string, extra?: (record: ResponseRecord) => string | undefined): LedgerVerification {
  const lines = new Map<string, LineOfCell>();
  const view = viewLedger(dir, ({ text, eventSha256 }: JournalLine) => {
    const cell = CELL_OF_EVENT.exec(text)?.[1];
    if (cell === undefined) return;
    const reserved = RESERVED.exec(text)?.[1];
    const cost = peekAttempt(text)?.cost_micros;
    lines.set(eventSha256, { cell, cost, reserved: reserved === undefined ? undefined : Number(reserved) });
  });
  const problems: LedgerProblem[] = [];
  const attempt = (file: string, check: () => string | undefined): void => {
    try {
      const what = check();
      if (what !== undefined) problems.push({ file, what });
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      const { message } = error;
      const named = `${file}: `;
      problems.push({
        file,
        what: message.startsWith(named) ? message.slice(named.length) : message,
      });
    }
  };
  const entries = new Map(
    [...view.state.cells.values()].flatMap((cell) =>
      [...cell.superseded, ...(cell.head ? [cell.head] : [])].map((e) => [e.record_sha256, e]),
    ),
  );
  for (const file of view.files.values()) {
    attempt(file.path, () => {
      const record = readRecordFile(file);
      if (canonicalJson(entryOf(record)) !== canonicalJson(withoutFrame(entries.get(file.sha256))))
        return 'its journal entry says something else';
      const foreign = record.attempt_event_sha256s.find(
        (sha) => lines.get(sha)?.cell !== record.cell && !view.state.salvaged.lostEvents.has(sha),
      );
      if (foreign !== undefined) return `cites event ${foreign}, which is not of its cell`;
      return moneyProblem(record, lines) ?? extra?.(record);
    });
  }
  for (const folder of [layout.quarantine(dir), layout.inspections(dir)]) verifyKinds(folder, attempt);
  verifyQuarantine(view, attempt);
  verifyDocuments(dir, attempt);
  const shard = shardProblem(view.state);
  if (shard !== undefined) problems.push({ file: layout.journal(dir), what: shard });
  const stamps = new Set(listInspections(dir));
  for (const sha256 of view.state.inspections)
    if (!stamps.has(sha256)) problems.push({ file: layout.inspections(dir), what: `stamp ${sha256} is missing` });
  const inForce = [...view.state.cells.values()].flatMap((c) => c.head?.record_sha256 ?? []);
  return {
    journal_lines: view.scan.lines,
    journal_head: view.scan.chain,
    records: view.files.size,
    quarantined: view.state.quarantined.length,
    record_set_sha256: canonicalDigest(inForce.sort()),
    problems: problems.sort((a, b) => (a.file < b.file ? -1 : 1)),
    repairable: repairable(view),
  };
}

/** Says where the money of a record is not that of the journal lines that it cites; undefined where it is, or where a salvage lost some. */
function moneyProblem(
  { attempt_event_sha256s: cited, budget, generation }: ResponseRecord,
  lines: ReadonlyMap<string, LineOfCell>,
): string | undefined {
  if (budget === null) return undefined;
  const { actual_micros: actual, reserved_micros: reserved } = budget;
  if (generation !== null && generation.cost_micros !== actual)
    return `states a cost of ${generation.cost_micros} micro-USD and books ${actual}`;
  const own = cited.map((sha256) => lines.get(sha256));
  if (own.includes(undefined)) return undefined;
  const paid = own.findLast((line) => line?.cost !== undefined)?.cost;
  if (paid !== undefined && paid !== actual) return `books ${actual} micro-USD, its journal lines state ${paid}`;
  const aside = own.findLast((line) => line?.reserved !== undefined)?.reserved;
  if (aside === undefined || aside === reserved) return undefined;
  return `says that ${reserved} micro-USD were set aside, its journal lines say ${aside}`;
}

/** A journal entry without the fields that every event has. */
function withoutFrame(entry: object | undefined): object {
  const { at: _, type: __, ...rest } = (entry ?? {}) as { at?: string; type?: string };
  return rest;
}

type Attempt = (file: string, check: () => string | undefined) => void;

/** Files and folders alone stand in a store: what a link leads to is not kept, and is not taken along. */
function verifyKinds(folder: string, attempt: Attempt): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isDirectory() && !entry.isFile())
      attempt(join(entry.parentPath, entry.name), () => void storedFile(join(entry.parentPath, entry.name)));
}

function verifyQuarantine(view: LedgerView, attempt: Attempt): void {
  const byDigest = new Map(view.state.quarantined.map((e) => [e.record_sha256, e]));
  const unmoved = new Set(view.unmoved.map((file) => file.sha256));
  for (const { commitment_sha256, records } of view.state.quarantines) {
    const path = join(layout.quarantine(view.dir), `block-${commitment_sha256}.json`);
    attempt(path, () => {
      const { blocks } = sealedDocument(path, commitmentSchema);
      const entries = records.flatMap((sha) => byDigest.get(sha) ?? []);
      return canonicalJson(blocks) === canonicalJson(commitBlocks(entries))
        ? undefined
        : 'commits to other records than the journal says';
    });
  }
  for (const entry of byDigest.values()) {
    if (unmoved.has(entry.record_sha256)) continue;
    const name: RecordFile = {
      path: layout.record(view.dir, entry.phase, entry.slot, entry.cell, entry.record_sha256),
      phase: entry.phase,
      slot: entry.slot,
      cell: entry.cell,
      sha256: entry.record_sha256,
    };
    const path = quarantinedPath(view.dir, name);
    attempt(path, () => {
      if (!existsSync(path)) return 'is missing from quarantine';
      readRecordFile({ ...name, path });
      return undefined;
    });
  }
}

function verifyDocuments(dir: string, attempt: Attempt): void {
  const prove = (path: string, schema: z.ZodType) =>
    attempt(path, () => {
      sealedDocument(path, schema);
      return undefined;
    });
  // What a frozen plan says is proved where it is used (`readFrozenPlan`); a ledger holds plans that it does not use.
  for (const name of readdirSync(dir)) if (name.startsWith('manifest-')) prove(join(dir, name), z.looseObject({}));
  for (const sha of listInspections(dir))
    attempt(join(layout.inspections(dir), `inspection-${sha}.json`), () => {
      proveInspection(dir, sha);
      return undefined;
    });
}

function repairable(view: LedgerView): string[] {
  const found: string[] = [];
  const { tail, tailComplete } = view.scan;
  if (tail.length > 0 && !tailComplete) found.push(`torn last journal line, ${tail.length} bytes`);
  if (view.adopted.length > 0) found.push(`${view.adopted.length} records are not in the journal yet`);
  const waiting = listInspections(view.dir).filter((sha256) => !view.state.inspections.has(sha256)).length;
  if (waiting > 0) found.push(`${waiting} looks at scores are not in the journal yet`);
  if (view.unmoved.length > 0) found.push(`${view.unmoved.length} quarantined records not moved`);
  if (view.temporary.length > 0) found.push(`${view.temporary.length} unfinished temporary files`);
  const open = [...view.state.cells.values()].filter((c) => c.attempt === 'maybe_accepted').length;
  if (open > 0) found.push(`${open} cells in flight or to be sealed`);
  return found;
}

/**
 * Makes a check for `verifyLedger`: it reads a record's answer again with the parser that the record names, and compares. A record of another
 * parser does not pass. The selection of a relabelled task is checked only where its own task is at hand.
 */
export function parseCheck(tasks: ReadonlyMap<string, Task>): (record: ResponseRecord) => string | undefined {
  return ({ task_id, parse, generation, status }) => {
    const task = tasks.get(task_id);
    if (status !== 'completed') return undefined;
    if (parse === null) return 'is completed, and no parser read its answer';
    const version = parserNamed(parse.parser);
    if (version === undefined) return `was read with ${shown(parse.parser)}, which is no parser of this version`;
    const foreign = foreignContract(version, parse.parser_sha256);
    if (foreign !== undefined) return foreign;
    if (!task) return undefined;
    const { outcome, key, reasoned } = parseSelection(generation?.answer, task.choices, { version });
    const says = `says ${parse.outcome} ${parse.selection ?? ''}`;
    if (outcome !== parse.outcome || key !== parse.selection)
      return `${says}, its answer parses to ${outcome} ${key ?? ''}`;
    const stated = version === 'v3' ? undefined : reasoned;
    if (parse.inline_reasoning === stated) return undefined;
    return `states inline_reasoning ${parse.inline_reasoning}, its answer gives ${stated}`;
  };
}
