import { fail } from '../util/error.js';
import type { ChosenRecord } from './ledger-records.js';

/** What is looked at of the records that stand for cells. */
type RankedCells = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly entry: Pick<ChosenRecord['entry'], 'panel' | 'contract_sha256' | 'rank_eligible'> }>
>;

/** A block whose chosen records come from more than one contract. */
interface MixedBlock {
  readonly model_id: string;
  readonly panel: string;
  readonly contracts: readonly string[];
}

/** Lists the blocks whose chosen records come from more than one contract. */
export function mixedBlocks(chosen: RankedCells): MixedBlock[] {
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

/** Lists the models with a chosen record whose route was not pinned. */
export function unpinnedModels(chosen: RankedCells): string[] {
  return [...chosen].filter(([, row]) => [...row.values()].some(({ entry }) => !entry.rank_eligible)).map(([id]) => id);
}

/**
 * Refuses what would make a ranking unsound, unless the caller allows it; then it is recorded. Errors: ROUTE_MIXED, ROUTE_UNPINNED.
 */
export function assertRankable(options: {
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
