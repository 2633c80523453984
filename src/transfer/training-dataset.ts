import { parquetWriteBuffer } from 'hyparquet-writer';
import { familyOrder } from '../inference/strata.js';
import { sha256 } from '../io/digest.js';
import { PyFloat, type PyValue, pyCanonical, pySealed, pyStored } from '../io/pyjson.js';
import type { CorePlan } from '../tasks/coreplan.js';
import { RELEASED_CORE_PLAN_SHA256 } from '../tasks/released-digests.js';
import {
  dpoRows,
  type ExportRow,
  grpoRow,
  PREFERENCE_GAP_BPS,
  sftRow,
  supplementalRow,
  taskRow,
} from './export-row.js';
import { type ControlProof, type FormatControl, formatControl, proveControl } from './format-control.js';
import { LAB_V3, type Split, type SplitName, type SplitRule } from './split.js';
import type { RowTask, TrainingPool } from './training-pool.js';

/** A file of a training data set, rows in order. */
interface DatasetFile {
  readonly name: string;
  readonly rows: readonly ExportRow[];
}

/** The format control of one split: how it was made and what was proved of it. */
type SplitControl = ControlProof & {
  readonly split: SplitName;
  readonly shifts: FormatControl['shifts'];
};

/** A training data set before it is written. */
export interface Dataset {
  readonly files: readonly DatasetFile[];
  readonly controls: readonly SplitControl[];
}

/** Writes rows as the released files hold them: one canonical object a line. */
export function jsonlText(rows: readonly ExportRow[]): string {
  return rows.map((row) => `${pyCanonical(row)}\n`).join('');
}

/** Makes all exports of a split, files in name order (compiler e.3). */
export function buildDataset(split: Split, rule: SplitRule): Dataset {
  const files: DatasetFile[] = [];
  const controls: SplitControl[] = [];
  const add = (name: string, rows: readonly ExportRow[]) => files.push({ name: `${name}.jsonl`, rows });
  const tasksOf = (name: SplitName, tasks: readonly RowTask[]) =>
    add(
      `${name}_tasks`,
      tasks.map((entry) => taskRow(entry, name)),
    );
  for (const name of ['train', 'validation'] as const) {
    const tasks = split[name];
    tasksOf(name, tasks);
    const treatment = tasks.map((entry) => sftRow(entry, name));
    add(`sft_${name}`, treatment);
    add(
      `dpo_${name}`,
      tasks.flatMap((entry) => dpoRows(entry, name)),
    );
    add(
      `grpo_${name}`,
      tasks.map((entry) => grpoRow(entry, name)),
    );
    if (rule.controlSalt !== undefined) {
      const { rows, shifts } = formatControl(tasks, name, rule.controlSalt);
      add(`sft_format_control_${name}`, rows);
      controls.push({ split: name, shifts, ...proveControl({ tasks, treatment, control: rows }) });
    }
  }
  if (split.evaluation.length > 0) tasksOf('evaluation', split.evaluation);
  for (const family of new Set(split.supplemental.map(({ entry }) => entry.task.family))) {
    const rows = split.supplemental.filter(({ entry }) => entry.task.family === family);
    add(
      `supplemental_${family}`,
      rows.map(({ entry, split: name }) => supplementalRow(entry, name)),
    );
  }
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), controls };
}

interface ManifestInputs {
  readonly rule: SplitRule;
  readonly core: CorePlan | undefined;
  readonly pool: TrainingPool;
  /** Digest of each task file by panel. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Writes the manifest of a data set, sealed Python-style; for the paper's data set it is the published one, byte for byte. */
export function datasetManifest(dataset: Dataset, inputs: ManifestInputs): string {
  const { rule, core, pool } = inputs;
  const published = rule === LAB_V3 && core?.artifactSha256 === RELEASED_CORE_PLAN_SHA256;
  const texts = dataset.files.map((file) => ({ file, text: jsonlText(file.rows) }));
  const stem = (name: string) => name.replace(/\.jsonl$/, '');
  const held = rule.evaluation > 0;
  const control = rule.controlSalt;
  const document: { [key: string]: PyValue | undefined } = {
    schema_version: published ? 'flavourbench-lab-dataset-v3' : 'flavourbench-training-data/1',
    status: published ? 'preregistered_transfer_maps_not_official_leaderboard_test' : 'training_maps_outside_the_core',
    split_salt: rule.salt,
    official_test:
      core === undefined
        ? { tasks: 0, anchors: 0 }
        : {
            tasks: core.ids.length,
            anchors: pool.core.anchors.size,
            plan_semantic_sha256: core.artifactSha256,
            plan_physical_sha256: core.physicalSha256,
          },
    sources: Object.fromEntries([...inputs.sources].map(([panel, digest]) => [`${panel}_semantic_sha256`, digest])),
    counts: Object.fromEntries(dataset.files.map(({ name, rows }) => [stem(name), rows.length])),
    contract: {
      primary_families: familyOrder(pool.primary.map(({ task }) => task.family)),
      [held ? 'train_validation_evaluation_anchor_overlap' : 'train_validation_anchor_overlap']: 0,
      development_official_anchor_overlap: 0,
      direct_optimization_on_official_test_forbidden: true,
      direct_optimization_on_evaluation_split_forbidden: held ? true : undefined,
      evaluation_split_is_public_not_secret: held ? true : undefined,
      dpo_minimum_reward_margin_bps: PREFERENCE_GAP_BPS,
      sft_format_control_salt: control,
      sft_format_control_preserves_label_histogram_by_family_panel: control === undefined ? undefined : true,
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

type Cell = string | number | boolean | null;

/** Objects and lists become their canonical JSON text, so that a column has one plain type. */
function cellOf(value: PyValue | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'object') return pyCanonical(value);
  return typeof value === 'bigint' ? value.toString() : value;
}

function typeOf(values: readonly (PyValue | undefined)[]): 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN' {
  const value = values.find((v) => v !== undefined && v !== null);
  if (value instanceof PyFloat) return 'DOUBLE';
  if (typeof value === 'number') return 'INT32';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'STRING';
}

/** Writes rows as a Parquet file: one column a key, in key order. */
export function rowsParquet(rows: readonly ExportRow[]): Uint8Array {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();
  const columnData = keys.map((name) => {
    const values = rows.map((row) => row[name]);
    return { name, data: values.map(cellOf), type: typeOf(values), nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
