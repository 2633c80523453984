import type { MapKernels } from '../../engine/maps.js';
import type { Environment } from '../../environment/environment.js';
import { type FlavourError, fail, failure, shown } from '../../util/error.js';
import { assembleTasks } from './assemble.js';
import type { Candidate } from './candidate.js';
import { type CompileDesign, DESIGN_PLACE } from './design.js';
import { checkDesign } from './design-file.js';
import { type FirstPanel, type TaskSetDocument, taskSetDocument } from './document.js';
import { type FamilyPool, generate } from './generate.js';
import { keepScoreable } from './score.js';
import { type Selection, selectFamily } from './select.js';
import { openSpace, type Space } from './space.js';

export interface CompileRequest {
  readonly environment: Environment;
  readonly kernels: MapKernels;
  readonly design: CompileDesign;
  readonly seed: string;
  /** The panel compiled before, for panel 2; null for panel 1. */
  readonly first: FirstPanel | null;
  /** `fb-executable-`, or `fb-executable-rep2-` for panel 2, unless given. */
  readonly idPrefix?: string;
}

export interface Compiled {
  readonly document: TaskSetDocument;
  readonly pools: readonly FamilyPool[];
  /** One a family, in the order of the design. */
  readonly selections: readonly Selection<Candidate>[];
  readonly space: Space;
}

/** Candidates of every family; scored and sieved first where the design says so (compiler b.3, b.8). */
function compilePools(space: Space, design: CompileDesign): FamilyPool[] {
  const pools = generate({ space, design });
  return design.scoreability === 'before' ? pools.map((pool) => keepScoreable(space, design, pool)) : pools;
}

/**
 * Compiles one panel: candidates, strata, selection, labels, maps, references, digests (compiler b). Pure: the same request
 * gives the same document. Errors: TAGS_MISSING, POOL_EMPTY, STRATUM_SHORT, CATEGORIES_FEW, MAP_REJECTED, DESIGN_INVALID,
 * PANEL_FOREIGN.
 */
export function compileTaskSet(request: CompileRequest): Compiled {
  const { environment, kernels, design, seed, first } = request;
  checkDesign(design);
  if (first) assertSameVocabulary(environment, first);
  const space = openSpace(environment, design, kernels);
  const pools = compilePools(space, design);
  const used = new Set(design.excludedAnchors);
  const earlier = new Set(first?.anchors);
  const selections = pools.map((pool) => {
    const { family, candidates } = pool;
    if (candidates.length === 0) throw emptyPool(pool, space);
    const designPlace = DESIGN_PLACE;
    return selectFamily({ family, candidates, design, seed, used, earlier, designPlace });
  });
  const tasks = assembleTasks({
    space,
    design,
    seed,
    idPrefix: request.idPrefix ?? (first ? 'fb-executable-rep2-' : 'fb-executable-'),
    split: first ? 'hidden_primary_replication_2' : 'hidden_primary',
    selected: selections.flatMap(({ selected }) => selected),
  });
  const eligible = space.eligible.length;
  const document = taskSetDocument({ environment, eligible, design, seed, pools, tasks, first });
  return { document, pools, selections, space };
}

/** Anchors of another vocabulary are novel by name alone: a panel after them would prefer nothing. */
function assertSameVocabulary({ name, names }: Environment, { anchors }: FirstPanel): void {
  const known = new Set(names);
  const strange = anchors.filter((anchor) => !known.has(anchor));
  if (strange.length === 0) return;
  fail(
    'PANEL_FOREIGN',
    null,
    `${strange.length} of ${anchors.length} anchors of panel 1 are not in environment ${shown(name)}: ${strange.slice(0, 5).join(', ')}`,
    'Give the panel 1 that was compiled from this environment.',
  );
}

/** Says which rule left a family without a candidate. */
function emptyPool({ family, rejections }: FamilyPool, space: Space): FlavourError {
  const counts = new Map<string, number>();
  for (const { rule } of rejections) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const rules = [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ');
  const example = rejections[0];
  return failure(
    'POOL_EMPTY',
    null,
    `${family}: none of ${space.eligible.length} eligible ingredients gives a candidate; turned down by ${rules || 'no rule: there is no eligible ingredient'}`,
    example
      ? `For example ${example.anchor}: ${example.detail}. A family can be left out with --families.`
      : `${space.ineligible.size} ingredients are outside the categories of the design: say yours as categories and complements in ${DESIGN_PLACE}.`,
  );
}
