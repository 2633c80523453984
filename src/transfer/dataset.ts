import type { CorePlan } from '../tasks/coreplan.js';
import { RANKED_FAMILIES } from '../tasks/task.js';
import { sha256 } from '../util/digest.js';
import { type PyValue, pyCanonical, pySealed, pyStored } from '../util/pyjson.js';
import { type ControlProof, controlRow, controlStrata, proveControl } from './control.js';
import type { PoolTask } from './pool.js';
import {
  dpoRows,
  type ExportRow,
  grpoRow,
  PREFERENCE_GAP_BPS,
  sftRow,
  supplementalRow,
  taskRow,
} from './row.js';
import type { Split, SplitName } from './split.js';
import type { SplitRule } from './split-rule.js';

/** A file of a training data set, rows in order. */
export interface DatasetFile {
  readonly name: string;
  readonly rows: readonly ExportRow[];
}

/** A training data set before it is written. */
export interface Dataset {
  readonly files: readonly DatasetFile[];
  readonly controls: readonly { readonly split: SplitName; readonly proof: ControlProof }[];
}

/** Rows as the released files hold them: one canonical object a line. */
export function jsonlText(rows: readonly ExportRow[]): string {
  return rows.map((row) => `${pyCanonical(row)}\n`).join('');
}

/** All exports of a split, files in name order (compiler e.3). */
export function buildDataset(split: Split, rule: SplitRule): Dataset {
  const files: DatasetFile[] = [];
  const controls: { split: SplitName; proof: ControlProof }[] = [];
  const add = (name: string, rows: readonly ExportRow[]) =>
    files.push({ name: `${name}.jsonl`, rows });
  const tasksOf = (name: SplitName, tasks: readonly PoolTask[]) =>
    add(
      `${name}_tasks`,
      tasks.map((entry) => taskRow(entry, name)),
    );
  for (const name of ['train', 'validation'] as const) {
    const tasks = split[name];
    tasksOf(name, tasks);
    add(
      `sft_${name}`,
      tasks.map((entry) => sftRow(entry, name)),
    );
    add(
      `dpo_${name}`,
      tasks.flatMap((entry) => dpoRows(entry, name)),
    );
    add(
      `grpo_${name}`,
      tasks.map((entry) => grpoRow(entry, name)),
    );
    if (rule.controlSalt !== undefined) {
      const strata = controlStrata(tasks, rule.controlSalt);
      controls.push({ split: name, proof: proveControl(strata) });
      const byId = new Map(
        strata.flatMap(({ pairs }) => pairs.map((pair) => [pair.entry.task.id, pair] as const)),
      );
      add(
        `sft_format_control_${name}`,
        tasks.map(({ task }) => controlRow(byId.get(task.id)!, name)),
      );
    }
  }
  if (split.evaluation.length > 0) tasksOf('evaluation', split.evaluation);
  if (split.supplemental.length > 0) {
    const family = split.supplemental[0]?.entry.task.family;
    add(
      `supplemental_${family}`,
      split.supplemental.map(({ entry, split: name }) => supplementalRow(entry, name)),
    );
  }
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), controls };
}

export interface ManifestInputs {
  readonly schemaVersion: string;
  readonly status: string;
  readonly rule: SplitRule;
  readonly core: CorePlan | undefined;
  /** `artifact_sha256` of each task set by panel. */
  readonly sources: ReadonlyMap<string, string>;
}

/** The manifest document of a data set, sealed Python-style like the published one. */
export function datasetManifest(dataset: Dataset, inputs: ManifestInputs): string {
  const { rule, core } = inputs;
  const texts = dataset.files.map((file) => ({ file, text: jsonlText(file.rows) }));
  const stem = (name: string) => name.replace(/\.jsonl$/, '');
  const held = rule.evaluation > 0;
  const control = rule.controlSalt;
  const document: { [key: string]: PyValue | undefined } = {
    schema_version: inputs.schemaVersion,
    status: inputs.status,
    split_salt: rule.salt,
    official_test:
      core === undefined
        ? { tasks: 0, anchors: 0 }
        : {
            tasks: core.ids.length,
            anchors: core.ids.length,
            plan_semantic_sha256: core.artifactSha256,
            plan_physical_sha256: core.physicalSha256,
          },
    sources: Object.fromEntries(
      [...inputs.sources].map(([panel, digest]) => [`${panel}_semantic_sha256`, digest]),
    ),
    counts: Object.fromEntries(dataset.files.map(({ name, rows }) => [stem(name), rows.length])),
    contract: {
      primary_families: [...RANKED_FAMILIES],
      [held ? 'train_validation_evaluation_anchor_overlap' : 'train_validation_anchor_overlap']: 0,
      development_official_anchor_overlap: 0,
      direct_optimization_on_official_test_forbidden: true,
      direct_optimization_on_evaluation_split_forbidden: held ? true : undefined,
      evaluation_split_is_public_not_secret: held ? true : undefined,
      dpo_minimum_reward_margin_bps: PREFERENCE_GAP_BPS,
      sft_format_control_salt: control,
      sft_format_control_preserves_label_histogram_by_family_panel:
        control === undefined ? undefined : true,
      sft_format_control_optimal_targets: control === undefined ? undefined : 0,
    },
    files: texts.map(({ file, text }) => ({
      name: file.name,
      bytes: Buffer.byteLength(text),
      rows: file.rows.length,
      sha256: sha256(text),
    })),
  };
  return pyStored(pySealed(document));
}
