import type { ScoreMatrix } from '../core/matrix.js';
import { RANKED_FAMILIES } from '../tasks/task.js';
import { joinedNames } from '../util/joined.js';

/** `panel-family`: the paper's strata, one a panel and family. `family`: the released code's, panels pooled. */
export type StrataMode = 'panel-family' | 'family';

/** A partition of the tasks whose parts weigh the same in a score. */
export interface Strata {
  readonly mode: StrataMode;
  /** S labels: `pairing`, or `panel_1/pairing`; panel-major, families in order. */
  readonly labels: readonly string[];
  /** Per task: index into `labels`. */
  readonly ofTask: Int32Array;
  /** Per stratum: number of tasks. */
  readonly sizes: Int32Array;
}

/** Lists the families of a matrix: the ranked ones in their published order, then any others by first appearance. */
export function familyOrder(families: readonly string[]): string[] {
  const present = new Set(families);
  const ranked = RANKED_FAMILIES.filter((family) => present.has(family));
  return [...new Set<string>([...ranked, ...families])];
}

/** Lists panels by first appearance. */
export function panelOrder(panels: readonly string[]): string[] {
  return [...new Set(panels)];
}

/**
 * Forms the strata of a matrix. Only combinations that hold a task count, so no stratum is empty. Two panels and families whose joined labels
 * would be one are two strata, and labels then stand in quotes (decisions 5.2).
 */
export function strataOf(matrix: Pick<ScoreMatrix, 'tasks' | 'panels' | 'families'>, mode: StrataMode): Strata {
  const families = familyOrder(matrix.families);
  const panels = mode === 'family' ? [''] : panelOrder(matrix.panels);
  const familyNumber = new Map(families.map((family, f) => [family, f]));
  const panelNumber = new Map(panels.map((panel, p) => [panel, p]));
  const cellOf = (t: number) =>
    (mode === 'family' ? 0 : panelNumber.get(matrix.panels[t]!)!) * families.length +
    familyNumber.get(matrix.families[t]!)!;
  const cells = [...new Set(matrix.tasks.map((_, t) => cellOf(t)))].sort((a, b) => a - b);
  const index = new Map(cells.map((cell, s) => [cell, s]));
  const ofTask = Int32Array.from(matrix.tasks, (_, t) => index.get(cellOf(t))!);
  const sizes = new Int32Array(cells.length);
  for (const s of ofTask) sizes[s] = sizes[s]! + 1;
  const pairs = cells.map(
    (cell) => [panels[Math.floor(cell / families.length)]!, families[cell % families.length]!] as const,
  );
  const labels = mode === 'family' ? pairs.map(([, family]) => family) : joinedNames(pairs, '/');
  return { mode, labels, ofTask, sizes };
}
