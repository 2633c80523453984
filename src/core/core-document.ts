import { z } from 'zod';
import { protocolSchema } from '../collect/protocol.js';
import { canonicalDigest, sealed, setDigest } from '../io/canonical.js';
import { count, sha256Text } from '../util/schema.js';
import type { CoreSelection, SelectedStratum } from './select-core.js';
import { isValidCell, type ValidityMatrix, validityDigest } from './validity.js';

export const CORE_PLAN_SCHEMA = 'flavourbench-core-plan/1';

const text = z.string();
/** The parser of plans that name none, by its name alone: nothing here can read an answer. */
const FIRST_PARSER = 'flavourbench-selection-set-parser-v3';
const countsByFamily = z.record(text, count);

/** What the selection was made from, said by digest; no path, no clock. */
const sourcesSchema = z.object({
  ledgers: z
    .array(
      z.object({
        journal_head: text,
        records: count,
        cells: count.describe('Cells of the validity matrices whose record came from this ledger.'),
        simulated: z.boolean(),
        scores_inspected: count,
      }),
    )
    .readonly()
    .describe('In order of priority.'),
  task_sets: z.array(z.object({ panel: text, physical_sha256: text, task_set_sha256: text.nullable() })).readonly(),
  protocol: protocolSchema
    .nullable()
    .optional()
    .describe('The protocol of every answer; null where the answers state none, absent in plans of version 0.1.0.'),
  left_out_by_protocol: z
    .array(z.object({ model_id: text, protocol_sha256: text.nullable() }))
    .readonly()
    .optional()
    .describe('Models that were asked under another protocol, where one was chosen.'),
  decoding: z
    .record(text, z.unknown())
    .optional()
    .describe(
      'Every value that an answer states to be drawn with; absent where none does, and in plans of version 0.1.0.',
    ),
  left_out_by_decoding: z
    .array(z.object({ model_id: text, decoding: z.record(text, z.unknown()) }))
    .readonly()
    .optional()
    .describe('Models whose answers were drawn with other values, where values were chosen.'),
  parser: text.default(FIRST_PARSER),
  parser_sha256: sha256Text
    .optional()
    .describe('Digest of the contract of that parser; absent in plans of version 0.1.0.'),
  phase: text.default('primary'),
  mixed_contracts: z
    .array(z.object({ model_id: text, panel: text, contracts: z.array(text).readonly() }))
    .readonly()
    .describe('Blocks that pool two contracts; empty unless that was allowed.'),
  unpinned_model_ids: z
    .array(text)
    .readonly()
    .describe('Models whose route is not pinned; empty unless that was allowed.'),
});

/** The selection in one panel. */
const panelSchema = z.object({
  panel: text,
  candidate_tasks_by_family: countsByFamily,
  available_complete_tasks_by_family: countsByFamily,
  selected_task_ids_by_family: z.record(text, z.array(text).readonly()),
  selected_primary_tasks: count,
  selected_task_ids_sha256: sha256Text,
  validity_matrix_sha256: sha256Text,
  invalid_candidate_cells_by_model: z.record(text, count),
  tasks_lost_by_family: z.record(
    text,
    z.array(
      z.object({
        model_id: text,
        invalid: count.describe('Tasks that this model spoils.'),
        alone: count.describe('Tasks that only this model spoils.'),
      }),
    ),
  ),
  response_artifact_count: count,
  response_artifact_set_sha256: text.describe('Digest of the set of the digests of the records looked at.'),
});
type PanelSelection = z.infer<typeof panelSchema>;

/** The written form of a core plan of ours (`core.json`). */
export const coreDocumentSchema = z.object({
  schema: z.literal(CORE_PLAN_SCHEMA),
  canonicalization: z.literal('RFC8785'),
  status: z.enum(['frozen_before_scores', 'frozen_after_scores_were_inspected']),
  scores_inspected: count.default(0).describe('How often scores of the ledgers were looked at before the freeze.'),
  common_core: z.object({
    selection_seed: text,
    selection_rule: text,
    response_validity_definition: text,
    selection_uses_status_and_parseability_only: z.literal(true),
    tasks_per_stratum: count,
    tasks_per_stratum_set_by: z.enum(['given', 'smallest_pool']),
    included_families: z.array(text).readonly(),
    excluded_families: z.array(text),
    ranked_model_ids: z.array(text).readonly(),
    ranked_models: count,
    primary_tasks_per_model: count,
    model_task_cells: count,
    pairwise_hypotheses: count,
    panels: z.record(text, panelSchema),
  }),
  sources: sourcesSchema,
  artifact_sha256: sha256Text,
});
type CoreDocument = z.infer<typeof coreDocumentSchema>;

/** What is needed of a core plan to find its records again; plans of earlier versions lack other keys. */
export const frozenCoreSchema = z.object({
  ...coreDocumentSchema.pick({ schema: true, scores_inspected: true }).shape,
  sources: sourcesSchema
    .pick({ phase: true, protocol: true, decoding: true, parser: true, parser_sha256: true })
    .default({ phase: 'primary', parser: FIRST_PARSER }),
  common_core: z.object({
    ranked_model_ids: z.array(text),
    panels: z.record(text, panelSchema.pick({ response_artifact_set_sha256: true })),
  }),
});

/** What the sources of a core plan are made from: with the digests of the records looked at, per panel. */
type CoreProvenance = Readonly<z.infer<typeof sourcesSchema>> & {
  readonly records: ReadonlyMap<string, readonly string[]>;
};

function byFamily<T>(strata: readonly SelectedStratum[], value: (s: SelectedStratum) => T): Record<string, T> {
  return Object.fromEntries(strata.map((stratum) => [stratum.family, value(stratum)]));
}

function invalidCells(matrix: ValidityMatrix): Record<string, number> {
  return Object.fromEntries(
    matrix.models.map((model, m) => [model, matrix.tasks.filter((_, t) => !isValidCell(matrix, m, t)).length]),
  );
}

function panelBlock(
  matrix: ValidityMatrix,
  strata: readonly SelectedStratum[],
  records: readonly string[],
): PanelSelection {
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

/** Words whether scores were looked at before a core was frozen. */
export function coreStatus(looks: number): CoreDocument['status'] {
  return looks === 0 ? 'frozen_before_scores' : 'frozen_after_scores_were_inspected';
}

/**
 * Makes the document of a frozen core: what was selected, from what, by which rule, and that no score was involved. Digests as in
 * compiler d.2; the file reads back with `readCorePlan`.
 */
export function coreDocument(options: {
  readonly selection: CoreSelection;
  readonly matrices: readonly ValidityMatrix[];
  readonly families: readonly string[];
  readonly provenance: CoreProvenance;
}): CoreDocument {
  const { selection, matrices, families, provenance } = options;
  const models = matrices[0]?.models ?? [];
  const tasks = selection.strata.reduce((sum, stratum) => sum + stratum.selected.length, 0);
  const others = matrices.flatMap((matrix) => matrix.tasks.map((task) => task.family));
  const { records, ...sources } = provenance;
  const inspected = provenance.ledgers.reduce((sum, l) => sum + l.scores_inspected, 0);
  const document: Omit<CoreDocument, 'artifact_sha256'> = {
    schema: CORE_PLAN_SCHEMA,
    canonicalization: 'RFC8785',
    status: coreStatus(inspected),
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
  };
  return sealed(document);
}
