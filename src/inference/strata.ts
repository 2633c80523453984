import type { ScoreMatrix } from '../core/matrix.js';
import { RANKED_FAMILIES } from '../tasks/task.js';

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

/** Forms the strata of a matrix. Only combinations that hold a task count, so no stratum is empty. */
export function strataOf(matrix: ScoreMatrix, mode: StrataMode): Strata {
  const label = (panel: string, family: string) => (mode === 'family' ? family : `${panel}/${family}`);
  const present = new Set(matrix.families.map((family, t) => label(matrix.panels[t]!, family)));
  const families = familyOrder(matrix.families);
  const labels = (mode === 'family' ? [''] : panelOrder(matrix.panels))
    .flatMap((panel) => families.map((family) => label(panel, family)))
    .filter((name) => present.has(name));
  const index = new Map(labels.map((name, s) => [name, s]));
  const ofTask = new Int32Array(matrix.tasks.length);
  const sizes = new Int32Array(labels.length);
  for (let t = 0; t < ofTask.length; t += 1) {
    const s = index.get(label(matrix.panels[t]!, matrix.families[t]!))!;
    ofTask[t] = s;
    sizes[s] = sizes[s]! + 1;
  }
  return { mode, labels, ofTask, sizes };
}
