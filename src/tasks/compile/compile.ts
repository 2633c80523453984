import type { OnProgress } from '../../engine/engine.js';
import { type FlavourError, fail, failure, shown } from '../../util/error.js';
import { assembleTasks } from './assemble-tasks.js';
import type { Candidate, TaskSource } from './family.js';
import { type FamilyCandidates, generate, generateScoreable } from './generate.js';
import { type Selection, selectFamily } from './select-tasks.js';
import { type FirstPanel, type TaskSetDocument, taskSetDocument } from './taskset-document.js';

interface CompileRequest {
  readonly source: TaskSource;
  readonly seed: string;
  /** The panel compiled before, for panel 2; null for panel 1. */
  readonly first: FirstPanel | null;
  /** What the source begins ids with unless given. */
  readonly idPrefix?: string;
  readonly onProgress?: OnProgress;
}

/** What one family gave: its candidates, and which of them were taken. */
export interface CompiledFamily extends FamilyCandidates {
  readonly selection: Selection<Candidate>;
}

export interface Compiled {
  readonly source: TaskSource;
  readonly document: TaskSetDocument;
  /** In the order of the source. */
  readonly families: readonly CompiledFamily[];
}

/**
 * Compiles one panel from any source: candidates, strata, selection, labels, maps, references, digests (compiler b). Pure:
 * the same request gives the same document. Errors: PANEL_FOREIGN, POOL_EMPTY, STRATUM_SHORT, CATEGORIES_FEW, MAP_REJECTED,
 * PROMPT_LEAKS.
 */
export function compileSource(request: CompileRequest): Compiled {
  const { source, seed, first } = request;
  const { design, words } = source;
  if (first) assertSameVocabulary(source, first);
  const make = design.scoreability === 'before' ? generateScoreable : generate;
  const made = make(source, undefined, request.onProgress);
  const used = new Set(design.excludedAnchors);
  const earlier = new Set(first?.anchors);
  const families = made.map((each): CompiledFamily => {
    const { candidates } = each;
    if (candidates.length === 0) throw emptyFamily(each, source);
    const common = { design, seed, used, earlier, designPlace: words.design };
    return { ...each, selection: selectFamily({ family: each.family.id, candidates, ...common }) };
  });
  const panel = source.panel(first);
  const tasks = assembleTasks({
    source,
    seed,
    idPrefix: request.idPrefix ?? panel.idPrefix,
    split: panel.split,
    selected: families.flatMap(({ family, selection }) => selection.selected.map((each) => ({ family, ...each }))),
  });
  const { protocol } = source;
  const fields = source.document(tasks);
  return { source, document: taskSetDocument({ design, protocol, seed, fields, families, tasks, first }), families };
}

/** Anchors of another vocabulary are novel by name alone: a panel after them would prefer nothing. */
function assertSameVocabulary({ name, names }: TaskSource, { anchors }: FirstPanel): void {
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
function emptyFamily({ family, rejections }: FamilyCandidates, { words }: TaskSource): FlavourError {
  const counts = new Map<string, number>();
  for (const { rule } of rejections) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const rules = [...counts].map(([rule, count]) => `${rule} ${count}`).join(', ');
  const example = rejections[0];
  return failure(
    'POOL_EMPTY',
    null,
    `${family.id}: none of ${family.anchors.length} ${words.anchors} gives a candidate; turned down by ${rules || 'no rule: there is none'}`,
    example
      ? `For example ${example.anchor}: ${example.detail} (${example.rule}). ${words.emptyFamily}`
      : words.noAnchors,
  );
}
