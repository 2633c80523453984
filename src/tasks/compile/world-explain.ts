import type { MapKernels } from '../../engine/maps.js';
import type { World } from '../../environment/world.js';
import { fail, shown } from '../../util/error.js';
import { type AnchorOutcome, fate } from './explain.js';
import { type CompiledWorld, scoreablePools } from './world.js';

export interface ExplainWorldRequest {
  readonly world: World;
  readonly kernels: MapKernels;
  /** Name of an item or of a situation. */
  readonly anchor: string;
  /** The compile to look the anchor up in; null when it failed. */
  readonly compiled: CompiledWorld | null;
}

/** What became of an anchor of a world, family by family. Errors: INGREDIENT_UNKNOWN, ANCHOR_INELIGIBLE. */
export function explainWorldAnchor(request: ExplainWorldRequest): AnchorOutcome[] {
  const { world, kernels, anchor, compiled } = request;
  const { items, families } = world.document;
  const outcomes = (compiled?.pools ?? scoreablePools(world, kernels)).flatMap((pool) => {
    const family = pool.family.id;
    const common = { family, variant: null };
    const kept = pool.candidates
      .filter((candidate) => candidate.anchor.name === anchor)
      .map((candidate) => ({
        ...common,
        ...fate(compiled?.selections ?? [], (other) => other.family === pool.family && other.anchor.name === anchor),
        difficulty: candidate.difficulty,
        choices: candidate.choices.map((row) => items[row]!.name),
      }));
    const turnedDown = pool.rejections
      .filter((rejection) => rejection.anchor === anchor)
      .map(({ rule, detail }) => ({
        ...common,
        outcome: rule,
        detail,
        stratum: null,
        difficulty: null,
        choices: [],
      }));
    return [...kept, ...turnedDown];
  });
  if (outcomes.length > 0) return outcomes;
  const isItem = items.some(({ name }) => name === anchor);
  fail(
    isItem ? 'ANCHOR_INELIGIBLE' : 'INGREDIENT_UNKNOWN',
    null,
    isItem
      ? `${anchor} is an item, but no family takes it as its anchor`
      : `world ${shown(world.document.name)} has no item and no context ${shown(anchor)}`,
    `The families are ${families.map(({ id }) => id).join(', ')}.`,
  );
}
