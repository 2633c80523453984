import { z } from 'zod';
import { canonicalDigest, sealed, setDigest } from '../io/canonical.js';
import type { CoreSelection, SelectedStratum } from './select-core.js';
import { isValidCell, type ValidityMatrix, validityDigest } from './validity.js';

export const CORE_PLAN_SCHEMA = 'flavourbench-core-plan/1';

/** What the selection was made from, said by digest; no path, no clock. */
export interface CoreProvenance {
  /** Ledgers in order of priority. */
  readonly ledgers: readonly {
    readonly journal_head: string;
    readonly records: number;
    /** Cells of the matrices whose record came from this ledger. */
    readonly cells: number;
    readonly simulated: boolean;
    readonly scores_inspected: number;
  }[];
  readonly task_sets: readonly {
    readonly panel: string;
    readonly physical_sha256: string;
    readonly task_set_sha256: string | null;
  }[];
  readonly parser: string;
  readonly phase: string;
  /** Per panel, the digests of the records looked at. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  /** Blocks that pool two contracts; empty unless that was allowed. */
  readonly mixed_contracts: readonly {
    readonly model_id: string;
    readonly panel: string;
    readonly contracts: readonly string[];
  }[];
  /** Models whose route is not pinned; empty unless that was allowed. */
  readonly unpinned_model_ids: readonly string[];
}

function byFamily<T>(strata: readonly SelectedStratum[], value: (s: SelectedStratum) => T): Record<string, T> {
  return Object.fromEntries(strata.map((stratum) => [stratum.family, value(stratum)]));
}

function invalidCells(matrix: ValidityMatrix): Record<string, number> {
  return Object.fromEntries(
    matrix.models.map((model, m) => [model, matrix.tasks.filter((_, t) => !isValidCell(matrix, m, t)).length]),
  );
}

function panelBlock(matrix: ValidityMatrix, strata: readonly SelectedStratum[], records: readonly string[]): object {
  const flat = strata.flatMap((stratum) => stratum.selected);
  return {
    panel: matrix.panel,
    candidate_tasks_by_family: byFamily(strata, (s) => s.candidates),
    available_complete_tasks_by_family: byFamily(strata, (s) => s.available),
    selected_task_ids_by_family: byFamily(strata, (s) => s.selected),
    selected_primary_tasks: flat.length,
    selected_task_ids_sha256: canonicalDigest(flat),
    validity_matrix_sha256: validityDigest(matrix),
    invalid_candidate_cells_by_model: invalidCells(matrix),
    tasks_lost_by_family: byFamily(strata, (s) =>
      s.costs.map(({ model_id, invalid, alone }) => ({ model_id, invalid, alone })),
    ),
    response_artifact_count: records.length,
    response_artifact_set_sha256: setDigest(records),
  };
}

/**
 * The frozen core as a document: what was selected, from what, by which rule, and that no score was involved. Digests as in
 * compiler d.2; the file reads back with `readCorePlan`.
 */
export function coreDocument(options: {
  readonly selection: CoreSelection;
  readonly matrices: readonly ValidityMatrix[];
  readonly families: readonly string[];
  readonly provenance: CoreProvenance;
}): object & { readonly artifact_sha256: string } {
  const { selection, matrices, families, provenance } = options;
  const models = matrices[0]?.models ?? [];
  const tasks = selection.strata.reduce((sum, stratum) => sum + stratum.selected.length, 0);
  const others = matrices.flatMap((matrix) => matrix.tasks.map((task) => task.family));
  const { records, ...sources } = provenance;
  const inspected = provenance.ledgers.reduce((sum, l) => sum + l.scores_inspected, 0);
  return sealed({
    schema: CORE_PLAN_SCHEMA,
    canonicalization: 'RFC8785',
    status: inspected === 0 ? 'frozen_before_scores' : 'frozen_after_scores_were_inspected',
    scores_inspected: inspected,
    common_core: {
      selection_seed: selection.seed,
      selection_rule:
        'in each panel and family, tasks that every ranked model completed and the parser read, ascending in SHA-256(seed NUL panel NUL family NUL task_id), first tasks_per_stratum',
      response_validity_definition: 'status completed and parser outcome ok',
      selection_uses_status_and_parseability_only: true,
      tasks_per_stratum: selection.perStratum,
      tasks_per_stratum_set_by: selection.setBy,
      included_families: families,
      excluded_families: [...new Set(others)].filter((f) => !families.includes(f)).sort(),
      ranked_model_ids: models,
      ranked_models: models.length,
      primary_tasks_per_model: tasks,
      model_task_cells: tasks * models.length,
      pairwise_hypotheses: (models.length * (models.length - 1)) / 2,
      panels: Object.fromEntries(
        matrices.map((matrix) => [
          matrix.panel,
          panelBlock(
            matrix,
            selection.strata.filter((stratum) => stratum.panel === matrix.panel),
            records.get(matrix.panel) ?? [],
          ),
        ]),
      ),
    },
    sources,
  });
}

export const coreDocumentSchema = z.object({
  schema: z.literal(CORE_PLAN_SCHEMA),
  scores_inspected: z.int().min(0).default(0),
  sources: z.object({ phase: z.string().default('primary') }).default({ phase: 'primary' }),
  common_core: z.object({
    ranked_model_ids: z.array(z.string()),
    panels: z.record(z.string(), z.object({ response_artifact_set_sha256: z.string() })),
  }),
});
