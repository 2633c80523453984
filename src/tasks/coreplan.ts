import { orderKey, sha256 } from '../io/digest.js';
import { documentDigest } from '../io/document.js';
import { decodeText, readInput } from '../io/file.js';
import { isObject, parseObject } from '../io/json.js';
import { pyDigest } from '../io/pyjson.js';
import { type FlavourError, fail, failure, shown } from '../util/error.js';
import { RANKED_FAMILIES, type Task } from './task.js';
import type { TaskFiles } from './taskset.js';

/** The tasks of one panel and family, in hash order. */
export interface CoreStratum {
  readonly panel: string;
  readonly family: string;
  readonly ids: readonly string[];
}

/** A frozen common core: which tasks are ranked, in which order (compiler d). */
export interface CorePlan {
  /** Panels in order; in each the families in the plan's order. */
  readonly strata: readonly CoreStratum[];
  /** All ids, stratum after stratum. */
  readonly ids: readonly string[];
  /** Seed of the hash order. */
  readonly seed: string;
  readonly artifactSha256: string;
  readonly physicalSha256: string;
  /** `selected_task_ids_sha256` of each panel, as the plan states it. */
  readonly selectedSha256: ReadonlyMap<string, string>;
}

type Json = Readonly<Record<string, unknown>>;

function schemaError(path: string, field: string, expected: string, found: unknown): FlavourError {
  return failure(
    'SCHEMA_INVALID',
    { file: path, path: field },
    `${expected} expected, found ${shown(found)}`,
    'Give a common-core plan.',
  );
}

function objectAt(path: string, parent: Json, field: string, key: string): Json {
  const value = typeof parent === 'object' ? parent?.[key] : undefined;
  if (isObject(value)) return value;
  throw schemaError(path, field, 'an object', value);
}

/**
 * Families of a panel in the order the plan was frozen in, which `included_families` states; what it leaves out follows, the
 * published three first. The digest of a panel's list depends on it.
 */
function familiesOf(lists: Json, included: unknown): string[] {
  const stated: readonly unknown[] = Array.isArray(included) ? included : [];
  const order = [...stated, ...RANKED_FAMILIES, ...Object.keys(lists).sort()];
  return [...new Set(order)].filter(
    (family): family is string => typeof family === 'string' && Object.hasOwn(lists, family),
  );
}

/** Order key of a task in the core (compiler d.2). */
export function coreOrderKey(seed: string, panel: string, family: string, id: string): string {
  return orderKey(seed, panel, family, id);
}

function failed(path: string, field: string, expected: string, found: string): FlavourError {
  return failure(
    'VERIFY_FAILED',
    { file: path, path: field },
    `expected ${expected}, found ${found}`,
    'The plan was changed after it was frozen.',
    { exit: 4 },
  );
}

/** Reads a common-core plan. Errors: SCHEMA_INVALID, TASK_DUPLICATE. */
export function readCorePlan(path: string): CorePlan {
  return parsePlan(path, readInput(path)).plan;
}

function parsePlan(path: string, bytes: Buffer): { plan: CorePlan; text: string; document: Json } {
  const text = decodeText(path, bytes);
  const document = parseObject(text, { file: path });
  const core = objectAt(path, document, 'common_core', 'common_core');
  const panels = objectAt(path, core, 'common_core.panels', 'panels');
  const seed = core.selection_seed;
  if (typeof seed !== 'string') throw schemaError(path, 'common_core.selection_seed', 'a text', seed);
  const strata: CoreStratum[] = [];
  const selectedSha256 = new Map<string, string>();
  for (const panel of Object.keys(panels).sort()) {
    const field = `common_core.panels.${panel}`;
    const block = objectAt(path, panels, field, panel);
    const lists = objectAt(path, block, `${field}.selected_task_ids_by_family`, 'selected_task_ids_by_family');
    for (const family of familiesOf(lists, core.included_families)) {
      const ids = lists[family];
      if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) {
        throw schemaError(path, `${field}.selected_task_ids_by_family.${family}`, 'a list of ids', ids);
      }
      strata.push({ panel, family, ids: ids as string[] });
    }
    if (typeof block.selected_task_ids_sha256 === 'string') {
      selectedSha256.set(panel, block.selected_task_ids_sha256);
    }
  }
  const ids = strata.flatMap((stratum) => stratum.ids);
  if (ids.length === 0) throw schemaError(path, 'common_core.panels', 'at least one task', ids);
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) {
      fail('TASK_DUPLICATE', { file: path }, `task ${shown(id)} stands twice in the core`);
    }
    seen.add(id);
  }
  const artifact = document.artifact_sha256;
  return {
    plan: {
      strata,
      ids,
      seed,
      artifactSha256: typeof artifact === 'string' ? artifact : '',
      physicalSha256: sha256(bytes),
      selectedSha256,
    },
    text,
    document,
  };
}

/**
 * Reads a plan and proves what it says of itself: its own digest, the digest of each panel's list, and that every stratum
 * stands in strictly ascending hash order. Errors: VERIFY_FAILED (exit 4) names the first difference.
 */
export function verifyCorePlan(path: string): CorePlan {
  const { plan, text, document } = parsePlan(path, readInput(path));
  const artifact = documentDigest(text, document, path);
  if (artifact !== plan.artifactSha256) {
    throw failed(path, 'artifact_sha256', artifact, plan.artifactSha256 || 'none');
  }
  for (const [panel, stated] of plan.selectedSha256) {
    const flat = plan.strata.filter((s) => s.panel === panel).flatMap((s) => s.ids);
    const digest = pyDigest(flat);
    if (digest !== stated) {
      throw failed(path, `common_core.panels.${panel}.selected_task_ids_sha256`, digest, stated);
    }
  }
  for (const { panel, family, ids } of plan.strata) {
    let before = '';
    ids.forEach((id, i) => {
      const key = coreOrderKey(plan.seed, panel, family, id);
      if (key <= before) {
        const place = `common_core.panels.${panel}.selected_task_ids_by_family.${family}[${i}]`;
        throw failed(path, place, 'ascending hash order', `${id} after ${ids[i - 1]}`);
      }
      before = key;
    });
  }
  return plan;
}

/**
 * The tasks of the core in core order. Panel and family are the plan's.
 * Errors: TASK_UNKNOWN for an id that no file holds, SCHEMA_INVALID where plan and task file disagree.
 */
export function coreTasks(plan: CorePlan, files: TaskFiles): readonly Task[] {
  return plan.strata.flatMap(({ panel, family, ids }) =>
    ids.map((id) => {
      const task = files.byId.get(id);
      if (task === undefined) {
        fail(
          'TASK_UNKNOWN',
          null,
          `the core names task ${shown(id)}; no task file holds it`,
          'Give every task file the plan was frozen on with --tasks.',
        );
      }
      if (task.family !== family || task.panel !== panel) {
        fail(
          'SCHEMA_INVALID',
          null,
          `the core has task ${id} in ${panel}, ${family}; its file says ${task.panel}, ${task.family}`,
          'Use the task files the plan was frozen on.',
        );
      }
      return task;
    }),
  );
}
