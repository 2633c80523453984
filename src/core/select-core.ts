import { orderKey } from '../io/digest.js';
import { fail, shown } from '../util/error.js';
import { modelsWithoutAnswer, type ValidityMatrix } from './validity.js';

/** What a model costs a stratum: candidate tasks that cannot enter the core because of its answer. */
interface ModelCost {
  readonly model_id: string;
  /** Tasks this model spoils. */
  readonly invalid: number;
  /** Tasks that only this model spoils: what leaving it out would give back. */
  readonly alone: number;
  readonly task_ids: readonly string[];
}

export interface SelectedStratum {
  readonly panel: string;
  readonly family: string;
  readonly candidates: number;
  /** Tasks valid for every model. */
  readonly available: number;
  readonly selected: readonly string[];
  /** Models that cost this stratum a task, dearest first. */
  readonly costs: readonly ModelCost[];
}

export interface CoreSelection {
  readonly seed: string;
  readonly perStratum: number;
  /** `given`, or `smallest_pool` when the number was left to the data. */
  readonly setBy: 'given' | 'smallest_pool';
  /** Panels in order, families in order. */
  readonly strata: readonly SelectedStratum[];
}

/** The tasks of a panel and family that every model answered. */
export interface EligibleTasks {
  readonly panel: string;
  readonly family: string;
  readonly candidates: number;
  /** Ids valid for every model, in hash order. */
  readonly ids: readonly string[];
  readonly costs: readonly ModelCost[];
}

function eligibleIn(matrix: ValidityMatrix, family: string, seed: string): EligibleTasks {
  const lost = matrix.models.map(() => ({ alone: 0, ids: [] as string[] }));
  const valid: { id: string; key: string }[] = [];
  let candidates = 0;
  matrix.tasks.forEach((task, t) => {
    if (task.family !== family) return;
    candidates += 1;
    const bad = modelsWithoutAnswer(matrix, t);
    if (bad.length === 0) valid.push({ id: task.id, key: orderKey(seed, matrix.panel, family, task.id) });
    for (const m of bad) {
      const loss = lost[m]!;
      loss.ids.push(task.id);
      if (bad.length === 1) loss.alone += 1;
    }
  });
  valid.sort((a, b) => (a.key < b.key ? -1 : 1));
  const costs = lost
    .map((loss, m) => ({
      model_id: matrix.models[m]!,
      invalid: loss.ids.length,
      alone: loss.alone,
      task_ids: loss.ids,
    }))
    .filter((cost) => cost.invalid > 0)
    .sort((a, b) => b.invalid - a.invalid || (a.model_id < b.model_id ? -1 : 1));
  return { panel: matrix.panel, family, candidates, ids: valid.map((v) => v.id), costs };
}

/** Finds the eligible tasks of every panel and family, panels first; says what each model costs, also where no core can be selected. */
export function eligibleTasks(options: {
  readonly matrices: readonly ValidityMatrix[];
  readonly families: readonly string[];
  readonly seed: string;
}): EligibleTasks[] {
  const { matrices, families, seed } = options;
  return matrices.flatMap((matrix) => families.map((f) => eligibleIn(matrix, f, seed)));
}

/**
 * Selects a complete common core: in each panel and family the first `perStratum` tasks, ascending in
 * SHA-256(seed NUL panel NUL family NUL task), among those that every model completed and that the parser read (compiler d.2).
 * `auto` takes the size of the smallest stratum. Errors: CORE_SHORT (exit 3) names every stratum that is too small and who costs it
 * most; STRATUM_EMPTY for a family that a panel does not have.
 */
export function selectCore(options: {
  readonly matrices: readonly ValidityMatrix[];
  readonly families: readonly string[];
  readonly seed: string;
  readonly perStratum: number | 'auto';
}): CoreSelection {
  const { seed } = options;
  const strata = eligibleTasks(options);
  const missing = strata.find((stratum) => stratum.candidates === 0);
  if (missing || strata.length === 0) {
    fail(
      'STRATUM_EMPTY',
      null,
      missing
        ? `${missing.panel} has no task of family ${shown(missing.family)}; it has ${familiesOf(options.matrices, missing.panel)}`
        : 'there is no panel or no family to select from',
      'Give the full task sets, or name the families with --only-families.',
    );
  }
  const smallest = Math.min(...strata.map((stratum) => stratum.ids.length));
  const perStratum = options.perStratum === 'auto' ? smallest : options.perStratum;
  const short = strata.filter((stratum) => stratum.ids.length < Math.max(1, perStratum));
  if (short.length > 0) {
    fail(
      'CORE_SHORT',
      null,
      short.map((stratum) => shortWords(stratum, Math.max(1, perStratum))).join(' | '),
      smallest > 0
        ? `--per-stratum auto takes ${smallest}; or retry the failed cells, or leave a model out with --roster.`
        : 'A stratum without one complete task cannot be ranked: retry the failed cells, or leave a model out with --roster.',
      { exit: 3 },
    );
  }
  return {
    seed,
    perStratum,
    setBy: options.perStratum === 'auto' ? 'smallest_pool' : 'given',
    strata: strata.map(({ ids, ...stratum }) => ({
      ...stratum,
      available: ids.length,
      selected: ids.slice(0, perStratum),
    })),
  };
}

function familiesOf(matrices: readonly ValidityMatrix[], panel: string): string {
  const { tasks } = matrices.find((matrix) => matrix.panel === panel)!;
  return [...new Set(tasks.map(({ family }) => shown(family)))].slice(0, 8).join(', ');
}

/** Says of a stratum that is too small how many tasks it has and which models cost it most. */
function shortWords({ panel, family, ids, candidates, costs }: EligibleTasks, wanted: number): string {
  const blame = costs
    .slice(0, 3)
    .map((c) => `${c.model_id} spoils ${c.invalid}, ${c.alone} alone`)
    .join('; ');
  return `${panel} ${family}: ${ids.length} of ${candidates} tasks are complete, ${wanted} wanted (${blame || 'too few candidates'})`;
}
