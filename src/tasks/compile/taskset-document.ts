import { canonicalDigest, sealed } from '../../io/canonical.js';
import { type PyValue, pyStored } from '../../io/pyjson.js';
import type { CompileDesign } from './compile-design.js';

/** Version of the task sets that are compiled here. */
const TASKSET_SCHEMA = 'flavourbench-selection-taskset/1';

/** A task as a document holds it (compiler b.10). */
export interface TaskObject {
  readonly task_id: string;
  readonly split: string;
  readonly family: string;
  readonly validation_stratum: number;
  readonly anchor_ingredient: string;
  readonly primary_category: string;
  readonly prompt: string;
  readonly prompt_sha256: string;
  readonly prompt_protocol: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly selection_size: number;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
  readonly optimal_selection: string;
  readonly chance_score_bps: number;
  readonly optimal_margin_bps: number;
  readonly oracle_reference: Readonly<Record<string, string | number | null>>;
  readonly oracle_reference_sha256: string;
  readonly scoring: Readonly<Record<string, string | number>>;
}

/** What a source adds to the document of its tasks: own blocks under any key, and counts beside those of every task set. */
export interface DocumentFields {
  readonly track: string;
  readonly environment: Readonly<Record<string, string | number>>;
  readonly design: Readonly<Record<string, unknown>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly [block: string]: unknown;
}

/** The first panel as the second one records it (compiler b.8). */
export interface FirstPanel {
  readonly anchors: readonly string[];
  readonly physicalSha256: string;
  readonly artifactSha256: string;
  readonly taskSetSha256: string;
}

/** Forms the digest over ids, prompts, references and maps, in task order (compiler b.11). */
export function taskSetDigest(
  tasks: readonly Pick<TaskObject, 'task_id' | 'prompt_sha256' | 'oracle_reference_sha256' | 'selection_scores_bps'>[],
): string {
  return canonicalDigest(
    tasks.map((task) => ({
      task_id: task.task_id,
      prompt_sha256: task.prompt_sha256,
      oracle_reference_sha256: task.oracle_reference_sha256,
      score_map_sha256: canonicalDigest(task.selection_scores_bps),
    })),
  );
}

function countRules(rejections: readonly { readonly rule: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of rejections) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

function replicationBlock(first: FirstPanel, tasks: readonly TaskObject[]) {
  const before = new Set(first.anchors);
  const anchors = tasks.map((task) => task.anchor_ingredient);
  const shared = anchors.filter((anchor) => before.has(anchor)).sort();
  return {
    index: 2,
    first_panel_anchor_count: before.size,
    first_panel_physical_sha256: first.physicalSha256,
    first_panel_semantic_sha256: first.artifactSha256,
    first_panel_task_set_sha256: first.taskSetSha256,
    novel_anchor_count: anchors.length - shared.length,
    shared_anchor_count: shared.length,
    shared_anchor_sha256: canonicalDigest(shared),
    responses_reused: false,
    selection_is_response_blind: true,
    analysis_dependency:
      'tasks of the two panels that share an anchor belong to one cluster and are resampled together',
  };
}

export interface TaskSetRequest {
  readonly design: Pick<CompileDesign, 'strata' | 'perStratum' | 'choices' | 'select'>;
  readonly protocol: string;
  readonly seed: string;
  readonly fields: DocumentFields;
  readonly families: readonly {
    readonly family: { readonly id: string };
    readonly candidates: readonly unknown[];
    readonly rejections: readonly { readonly rule: string }[];
  }[];
  readonly tasks: readonly TaskObject[];
  readonly first: FirstPanel | null;
}

/** Makes the sealed task-set document: what every task set says, and what its source adds (compiler b.10, b.11). */
export function taskSetDocument(request: TaskSetRequest) {
  const { design, protocol, seed, families, tasks, first } = request;
  const { counts, ...fields } = request.fields;
  return sealed({
    ...fields,
    schema_version: TASKSET_SCHEMA,
    canonicalization: 'RFC8785',
    status: 'compiled_before_model_execution',
    prompt_protocol: protocol,
    selection_seed: seed,
    counts: {
      tasks: tasks.length,
      tasks_per_family: design.strata * design.perStratum,
      tasks_per_family_stratum: design.perStratum,
      choices_per_task: design.choices,
      selection_size: design.select,
      ...counts,
    },
    candidates: Object.fromEntries(
      families.map(({ family, candidates, rejections }) => [
        family.id,
        { accepted: candidates.length, rejected: countRules(rejections) },
      ]),
    ),
    ...(first === null ? {} : { replication: replicationBlock(first, tasks) }),
    tasks,
    task_set_sha256: taskSetDigest(tasks),
  });
}

export type TaskSetDocument = ReturnType<typeof taskSetDocument>;

/** Gives the bytes of the file: two-blank indent, sorted keys, a final line feed. */
export function storedTaskSet(document: TaskSetDocument): string {
  return pyStored(document as unknown as PyValue);
}
