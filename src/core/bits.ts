import { fail } from '../util/error.js';
import type { TaskOutline } from './outline.js';
import type { ChosenCells, ChosenRecord } from './sources.js';
import type { ValidityMatrix } from './validity.js';

/** The validity matrix of a panel: of every chosen record only its status and its parse outcome. An absent cell is 0, 0. */
export function validityOf(options: {
  readonly panel: string;
  readonly models: readonly string[];
  readonly tasks: readonly TaskOutline[];
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, Pick<ChosenRecord, 'completed' | 'parse'>>>;
}): ValidityMatrix {
  const { panel, models, tasks, chosen } = options;
  const completed = new Uint8Array(models.length * tasks.length);
  const parseable = new Uint8Array(models.length * tasks.length);
  models.forEach((model, m) => {
    const row = chosen.get(model);
    tasks.forEach((task, t) => {
      const record = row?.get(task.id);
      completed[m * tasks.length + t] = Number(record?.completed === true);
      parseable[m * tasks.length + t] = Number(record?.parse === 'ok');
    });
  });
  return {
    panel,
    models,
    tasks: tasks.map(({ id, family }) => ({ id, family })),
    completed,
    parseable,
  };
}

export interface MixedBlock {
  readonly model_id: string;
  readonly panel: string;
  readonly contracts: readonly string[];
}

/** Blocks whose chosen records come from more than one contract. */
export function mixedBlocks(chosen: ChosenCells): MixedBlock[] {
  const found: MixedBlock[] = [];
  for (const [model_id, row] of chosen) {
    const panels = new Map<string, Set<string>>();
    for (const { entry } of row.values()) {
      const contracts = panels.get(entry.panel) ?? new Set();
      panels.set(entry.panel, contracts.add(entry.contract_sha256));
    }
    for (const [panel, contracts] of [...panels].sort())
      if (contracts.size > 1) found.push({ model_id, panel, contracts: [...contracts].sort() });
  }
  return found;
}

/** Models with a chosen record whose route was not pinned. */
export function unpinnedModels(chosen: ChosenCells): string[] {
  const unpinned = (record: ChosenRecord) => !record.entry.rank_eligible;
  return [...chosen].filter(([, row]) => [...row.values()].some(unpinned)).map(([id]) => id);
}

/** Refuses what would make a ranking unsound, unless the caller allows it; then it is recorded. */
export function assertPoolable(options: {
  readonly mixed: readonly MixedBlock[];
  readonly unpinned: readonly string[];
  readonly allowMixedRoutes: boolean;
  readonly allowUnpinned: boolean;
}): void {
  const { mixed, unpinned, allowMixedRoutes, allowUnpinned } = options;
  if (mixed.length > 0 && !allowMixedRoutes) {
    const names = mixed.map((block) => `${block.model_id} in ${block.panel}`).join(', ');
    fail(
      'ROUTE_MIXED',
      null,
      `records of more than one contract: ${names}`,
      'Replace the block whole (`ledger quarantine`), or pass --allow-mixed-routes: the plan then says so.',
    );
  }
  if (unpinned.length > 0 && !allowUnpinned) {
    fail(
      'ROUTE_UNPINNED',
      null,
      `not rank-eligible: ${unpinned.join(', ')}`,
      'Leave them out with --roster, or pass --allow-unpinned: the plan then says so.',
    );
  }
}
