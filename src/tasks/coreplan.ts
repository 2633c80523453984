import { z } from 'zod';
import { orderKey, sha256 } from '../io/digest.js';
import { assertDigests } from '../io/document.js';
import { parseObject } from '../io/json.js';
import { pyDigest } from '../io/pyjson.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { RANKED_FAMILIES, type Task } from './task.js';
import type { TaskFiles } from './taskset.js';

/** The tasks of one panel and family, in hash order. */
interface CoreStratum {
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
  /** Parser that validity was found with, as a plan of ours names it. */
  readonly parser?: string;
  /** Digest of that parser's contract, where the plan states it. */
  readonly parserSha256?: string;
  /** Seed of the hash order. */
  readonly seed: string;
  readonly artifactSha256: string;
  readonly physicalSha256: string;
  /** `selected_task_ids_sha256` of each panel, as the plan states it. */
  readonly selectedSha256: ReadonlyMap<string, string>;
}

type Json = Readonly<Record<string, unknown>>;

/** What is read of a plan; digests that are no text are differences, which `verifyCorePlan` names. */
const planSchema = z.looseObject({
  artifact_sha256: z.unknown().optional(),
  sources: z
    .looseObject({ parser: z.string().optional(), parser_sha256: z.string().optional() })
    .optional()
    .catch(undefined),
  common_core: z.looseObject({
    selection_seed: z.string(),
    included_families: z.unknown().optional(),
    panels: z.record(
      z.string(),
      z.looseObject({
        selected_task_ids_by_family: z.record(z.string(), z.array(z.string())),
        selected_task_ids_sha256: z.unknown().optional(),
      }),
    ),
  }),
});

const HINT = 'Give a common-core plan.';
const CHANGED = 'The plan was changed after it was frozen.';

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

/** Gives the order key of a task in the core (compiler d.2). */
export function coreOrderKey(seed: string, panel: string, family: string, id: string): string {
  return orderKey(seed, panel, family, id);
}

/** Reads a common-core plan from the bytes of a file, which `path` names in errors: SCHEMA_INVALID, TASK_DUPLICATE. */
export function corePlanOf(path: string, bytes: Uint8Array): CorePlan {
  return parsePlan(path, bytes).plan;
}

function parsePlan(path: string, bytes: Uint8Array): { plan: CorePlan; text: string; document: Json } {
  const text = decodeText(path, bytes);
  const document = parseObject(text, { file: path });
  const { common_core: core, artifact_sha256: artifact, sources } = checked(planSchema, document, { file: path }, HINT);
  const { panels, selection_seed: seed } = core;
  const strata: CoreStratum[] = [];
  const selectedSha256 = new Map<string, string>();
  for (const panel of Object.keys(panels).sort()) {
    const block = panels[panel]!;
    const lists = block.selected_task_ids_by_family;
    for (const family of familiesOf(lists, core.included_families)) strata.push({ panel, family, ids: lists[family]! });
    if (typeof block.selected_task_ids_sha256 === 'string') {
      selectedSha256.set(panel, block.selected_task_ids_sha256);
    }
  }
  const ids = strata.flatMap((stratum) => stratum.ids);
  if (ids.length === 0)
    fail('SCHEMA_INVALID', { file: path, path: 'common_core.panels' }, 'at least one task expected, found none', HINT);
  const known = new Set<string>();
  for (const id of ids) {
    if (known.has(id)) {
      fail('TASK_DUPLICATE', { file: path }, `task ${shown(id)} stands twice in the core`, HINT);
    }
    known.add(id);
  }
  return {
    plan: {
      strata,
      ids,
      seed,
      ...(sources?.parser === undefined ? {} : { parser: sources.parser }),
      ...(sources?.parser_sha256 === undefined ? {} : { parserSha256: sources.parser_sha256 }),
      artifactSha256: typeof artifact === 'string' ? artifact : '',
      physicalSha256: sha256(bytes),
      selectedSha256,
    },
    text,
    document,
  };
}

/**
 * Reads a plan from the bytes of a file and proves what it says of itself: its own digest, the digest of each panel's list, and that every stratum
 * stands in strictly ascending hash order. Errors: VERIFY_FAILED (exit 4) names the first difference.
 */
export function provedCorePlan(path: string, bytes: Uint8Array): CorePlan {
  const { plan, text, document } = parsePlan(path, bytes);
  assertDigests(document, { file: path }, CHANGED, { text, code: 'VERIFY_FAILED' });
  for (const [panel, stated] of plan.selectedSha256) {
    const flat = plan.strata.filter((s) => s.panel === panel).flatMap((s) => s.ids);
    const digest = pyDigest(flat);
    if (digest !== stated) {
      fail(
        'VERIFY_FAILED',
        { file: path, path: `common_core.panels.${panel}.selected_task_ids_sha256` },
        `expected ${digest}, found ${stated}`,
        CHANGED,
        { exit: 4 },
      );
    }
  }
  for (const { panel, family, ids } of plan.strata) {
    let before = '';
    ids.forEach((id, i) => {
      const key = coreOrderKey(plan.seed, panel, family, id);
      if (key <= before) {
        const place = `common_core.panels.${panel}.selected_task_ids_by_family.${family}[${i}]`;
        fail(
          'VERIFY_FAILED',
          { file: path, path: place },
          `expected ascending hash order, found ${id} after ${ids[i - 1]}`,
          CHANGED,
          { exit: 4 },
        );
      }
      before = key;
    });
  }
  return plan;
}

/**
 * Lists the tasks of the core in core order; panel and family are the plan's.
 * Errors: TASK_UNKNOWN for an id that no file holds; SCHEMA_INVALID where plan and task file disagree.
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
