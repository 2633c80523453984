import { fail } from '../util/error.js';
import { joinedKey } from '../util/joined.js';
import type { ScheduleCount, ShardDeclaration } from './journal-event.js';
import type { LedgerState, Scheduled, Totals } from './journal-state.js';
import { missingShards, shardName, shardOfCell } from './ledger-shard.js';
import type { LedgerView } from './ledger-view.js';

/** What was put together of a plan that was collected in shards. */
export interface JoinedShards {
  readonly manifest_sha256: string;
  readonly count: number;
  /** Numbers of shards that no source holds, of a merge that was asked to do without. */
  readonly missing: readonly number[];
  /** Cells of the plan in the shards that are there. */
  readonly cells: number;
  /** Cap of the whole plan, micro-USD. */
  readonly cap_micros: number;
}

const SAME_PLAN = 'Run `collect --shard` of one plan on every shard, then merge: what is recorded is not asked again.';

/**
 * Holds shards of a plan against each other: one plan, one number of shards, each once, all of them unless `partial`. A source may be a merge of
 * some of them. Undefined where no source is a shard. Errors: SHARDS_DIFFER, SHARDS_INCOMPLETE.
 */
export function joinedShards(views: readonly LedgerView[], partial: boolean): JoinedShards | undefined {
  const unfinished = views.filter(({ state }) => state.shards.size > 0 && missingShards(state.shards).length > 0);
  const [first] = unfinished;
  if (first === undefined) return undefined;
  const whole = views.find((view) => !unfinished.includes(view));
  if (whole !== undefined)
    fail(
      'SHARDS_DIFFER',
      { file: whole.dir },
      `is the ledger of a whole plan and no shard, ${first.dir} is shard ${namesOf(first.state)}`,
      'Merge the shards of one plan first; what comes of that can be merged with other ledgers.',
    );
  const [reference] = first.state.shards.values();
  const { manifest_sha256, count, cap_micros, cap_tokens } = reference!;
  const met = new Map<number, ShardDeclaration & { readonly dir: string }>();
  for (const { dir, state } of unfinished)
    for (const shard of state.shards.values()) {
      if (shard.count !== count)
        fail(
          'SHARDS_DIFFER',
          { file: dir },
          `is shard ${shardName(shard)}, ${first.dir} one of ${count}`,
          'Shards of one plan are shares of one number; collect those of the other number anew, in folders of their own.',
        );
      const other = met.get(shard.index);
      if (other !== undefined)
        fail(
          'SHARDS_DIFFER',
          { file: dir },
          `is shard ${shardName(shard)}, as ${other.dir} is`,
          'Give every shard once.',
        );
      if (shard.manifest_sha256 !== manifest_sha256)
        fail(
          'SHARDS_DIFFER',
          { file: dir },
          `was collected under plan ${shard.manifest_sha256} last, ${first.dir} under ${manifest_sha256}`,
          SAME_PLAN,
        );
      if (shard.cap_micros !== cap_micros || shard.cap_tokens !== cap_tokens)
        fail(
          'LEDGER_DAMAGED',
          { file: dir },
          `says that the plan has a cap of ${shard.cap_micros} micro-USD and ${shard.cap_tokens} tokens, ${first.dir} of ${cap_micros} and ${cap_tokens}`,
          'A plan has one cap; restore the ledger from a copy.',
          { exit: 4 },
        );
      met.set(shard.index, { ...shard, dir });
    }
  for (const { dir, state } of unfinished) {
    const foreign = [...state.cells.keys()].find((cell) => !state.shards.has(shardOfCell(cell, count)));
    if (foreign !== undefined)
      fail(
        'SHARDS_DIFFER',
        { file: dir },
        `holds cell ${foreign} of shard ${shardOfCell(foreign, count)}; it is shard ${namesOf(state)}`,
        'What was collected or imported beside a shard belongs into a ledger of its own, which is merged with the whole.',
      );
  }
  const missing = missingShards(met);
  if (missing.length > 0 && !partial)
    fail(
      'SHARDS_INCOMPLETE',
      null,
      `shard ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', ...' : ''} of ${count} is missing`,
      'Give every shard, or --partial to join those that are there; the others can be merged with what comes of it.',
    );
  const cells = [...met.values()].reduce((sum, shard) => sum + shard.cells, 0);
  return { manifest_sha256, count, missing, cells, cap_micros };
}

function namesOf(state: LedgerState): string {
  return [...state.shards.values()].map(shardName).join(', ');
}

/** The schedules of shards as that of one ledger, by phase: their cells added up, rows in the order in which the plan has them. */
export function joinedSchedules(views: readonly LedgerView[]): Map<Scheduled['phase'], ScheduleCount[]> {
  const rows = new Map<string, Scheduled>();
  for (const { state } of views)
    for (const row of state.schedule.values()) {
      const name = joinedKey(row.phase, row.model_id, row.panel, row.family);
      rows.set(name, { ...row, cells: row.cells + (rows.get(name)?.cells ?? 0) });
    }
  const phases = new Map<Scheduled['phase'], ScheduleCount[]>();
  for (const { phase, ...count } of rows.values()) phases.set(phase, [...(phases.get(phase) ?? []), count]);
  return phases;
}

/** Proves that what was paid in all shards is paid in what they were joined into, and that no record was lost or taken twice. */
export function assertTotals(joined: LedgerState, views: readonly LedgerView[]): void {
  for (const name of Object.keys(joined.totals) as (keyof Totals)[]) {
    const sum = views.reduce((total, { state }) => total + state.totals[name], 0);
    if (joined.totals[name] !== sum)
      throw new Error(`shards add up to ${sum} of ${name}, the joined ledger has ${joined.totals[name]}`);
  }
}
