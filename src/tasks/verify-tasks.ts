import { sha256 } from '../io/digest.js';
import { documentDigest } from '../io/document.js';
import { isObject } from '../io/json.js';
import { type PyValue, pyDigest } from '../io/pyjson.js';
import { FlavourError, fail, placeText, shown } from '../util/error.js';
import { joinedKey } from '../util/joined.js';
import { RELEASED_CORE_ROWS_SHA256, RELEASED_TASK_SETS } from './released-digests.js';
import type { Task } from './task.js';
import { marginOf, type TaskRow, taskFromRow } from './task-row.js';
import { openTasks, type RawTasks, replicationOf, taskRowsDigest, writtenRows } from './taskset.js';

/** What was proved of one task file. */
export interface VerifiedTasks {
  readonly path: string;
  readonly kind: 'document' | 'rows';
  readonly tasks: readonly Task[];
  readonly document: Readonly<Record<string, unknown>> | undefined;
  readonly physicalSha256: string;
  /** Digest of the document without its seal, or of the rows sorted by id. */
  readonly semanticSha256: string;
  /** True where the file is, to the byte or row, a released one. */
  readonly released: boolean;
}

/** What to do about a file whose digests do not fit it. */
const REFETCH =
  'The file differs from what its digests say; fetch it again. With a sound copy, `flavourbench maps compare` names the tasks whose maps differ.';
/** What to do about a file that breaks a rule, whatever its digests say. */
const RULE = 'Every task set keeps this rule; correct the program that wrote the file, or fetch it again.';
const ONE_EACH = 'Give every task once: leave out one of the files, or rename the tasks of one.';
const TWO_PANELS = 'Give the first panel that this one was built after, as it was then.';

const FAILED = { exit: 4 } as const;

/** Says what a field should hold and what it holds, and of which task. */
function unlike(expected: unknown, found: unknown, task: string | null): string {
  return `expected ${shown(expected)}, found ${shown(found)}${task === null ? '' : ` (task ${task})`}`;
}

/** A concrete answer in a prompt would anchor models to it (compiler b.11). */
const CONCRETE_ANSWER = /FINAL_SELECTION\s*:\s*[A-H]\s*,\s*[A-H]\s*,\s*[A-H]/i;

/** Holds a field against what it should hold. Errors: VERIFY_FAILED (exit 4). */
function assertSame(
  path: string,
  task: string | null,
  field: string,
  want: unknown,
  is: unknown,
  hint: string = REFETCH,
) {
  if (want !== is) fail('VERIFY_FAILED', { file: path, path: field }, unlike(want, is, task), hint, FAILED);
}

function checkedTask(path: string, raw: RawTasks, index: number): Task {
  const { row, ...place } = raw.rows[index]!;
  const whole = raw.document !== undefined;
  let task: Task;
  try {
    task = taskFromRow(row, { file: path, ...place }, replicationOf(raw.document));
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    // The same words under the code and exit of a verification; they begin with the place.
    const { where = {}, message, hint } = error;
    fail('VERIFY_FAILED', where, message.slice(placeText(where).length + 2), hint, FAILED);
  }
  const check = (field: string, expected: unknown, hint?: string) => {
    if (whole || row[field] !== undefined) {
      assertSame(path, task.id, field, expected, row[field], hint);
    }
  };
  check('optimal_margin_bps', marginOf(task.scores));
  check('prompt_sha256', sha256(task.prompt));
  check('oracle_reference_sha256', pyDigest((row.oracle_reference ?? null) as PyValue));
  check('selection_size', 3, RULE);
  if (whole && task.choices.length !== 8) {
    fail(
      'VERIFY_FAILED',
      { file: path, path: 'choices' },
      unlike('eight names', task.choices.length, task.id),
      RULE,
      FAILED,
    );
  }
  if (CONCRETE_ANSWER.test(task.prompt)) {
    const found = 'a marker with three labels';
    fail('VERIFY_FAILED', { file: path, path: 'prompt' }, unlike('no concrete answer', found, task.id), RULE, FAILED);
  }
  const reference = isObject(row.oracle_reference) ? row.oracle_reference : undefined;
  if (reference?.anchor !== undefined) {
    assertSame(path, task.id, 'oracle_reference.anchor', task.anchor, reference.anchor);
  }
  return task;
}

function checkUnique(path: string, tasks: readonly Task[], anchors: boolean): void {
  const ids = new Set<string>();
  const used = new Map<string, string>();
  for (const { id, anchor } of tasks) {
    if (ids.has(id))
      fail('VERIFY_FAILED', { file: path, path: 'task_id' }, unlike('a unique id', 'a second one', id), RULE, FAILED);
    ids.add(id);
    const other = used.get(anchor);
    if (anchors && other !== undefined) {
      const found = `${anchor}, as ${other}`;
      fail(
        'VERIFY_FAILED',
        { file: path, path: 'anchor_ingredient' },
        unlike('a unique anchor', found, id),
        RULE,
        FAILED,
      );
    }
    used.set(anchor, id);
  }
}

function tally(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Counts as the document states them; a released schema has 640 tasks, 160 a family, 40 a stratum. */
function checkCounts(path: string, document: TaskRow, tasks: readonly Task[]): void {
  const released = RELEASED_TASK_SETS.some(({ schema }) => schema === document.schema_version);
  const stated = isObject(document.counts) ? document.counts : {};
  const expected = (key: string, fixed: number) => (released ? fixed : stated[key]);
  const total = expected('tasks', 640);
  if (total !== undefined) assertSame(path, null, 'number of tasks', total, tasks.length);
  const family = expected('tasks_per_family', 160);
  for (const [name, count] of tally(tasks.map((task) => task.family))) {
    if (family !== undefined) assertSame(path, null, `tasks of ${name}`, family, count);
  }
  const stratum = expected('tasks_per_family_stratum', 40);
  for (const [name, count] of tally(tasks.map((task) => joinedKey(task.family, String(task.stratum))))) {
    if (stratum !== undefined)
      assertSame(path, null, `tasks of stratum ${(JSON.parse(name) as string[]).join(' ')}`, stratum, count);
  }
}

/** `task_set_sha256`: ids, prompts, references and maps in task order (compiler b.11). */
function taskSetDigest(raw: RawTasks): string {
  return pyDigest(
    raw.rows.map(({ row }) => ({
      task_id: row.task_id as string,
      prompt_sha256: row.prompt_sha256 as string,
      oracle_reference_sha256: row.oracle_reference_sha256 as string,
      score_map_sha256: pyDigest(row.selection_scores_bps as PyValue),
    })),
  );
}

/**
 * The digest over all tasks. Where it alone differs, every task agrees with itself, so the message says what that leaves and that
 * no task can be named; and, where the seal of the document holds, that it was sealed so.
 */
function checkTaskSet(path: string, found: string, document: TaskRow, sealed: string): void {
  const stated = document.task_set_sha256;
  if (found === stated) return;
  const left =
    'every task agrees with its own prompt, reference, chance, margin and optimum, so what changed is a score that moves none of these, an id or the order of tasks; the digest covers all tasks at once and cannot name one';
  const seal =
    sealed === document.artifact_sha256 ? '; artifact_sha256 holds, so the document was sealed after the change' : '';
  fail(
    'VERIFY_FAILED',
    { file: path, path: 'task_set_sha256' },
    `expected ${shown(found)}, found ${stated === undefined ? 'nothing' : shown(stated)}; ${left}${seal}`,
    REFETCH,
    FAILED,
  );
}

/**
 * Proves every digest and invariant of a task file (compiler b.11), tasks first, so that the first difference is named as
 * closely as the file allows. Errors: VERIFY_FAILED (exit 4), and those of reading JSON.
 */
export function provedTasks(path: string, bytes: Uint8Array, { text, raw } = openTasks(path, bytes)): VerifiedTasks {
  const { document } = raw;
  if (raw.rows.length === 0)
    fail('VERIFY_FAILED', { file: path, path: 'tasks' }, unlike('at least one task', 'none', null), REFETCH, FAILED);
  const tasks = raw.rows.map((_, index) => checkedTask(path, raw, index));
  const physicalSha256 = sha256(bytes);
  checkUnique(path, tasks, document !== undefined);
  if (document === undefined) {
    const semanticSha256 = taskRowsDigest({ rows: new Map(writtenRows(text, path)), tasks, withPanel: false });
    const released = semanticSha256 === RELEASED_CORE_ROWS_SHA256;
    return { path, kind: 'rows', tasks, document, physicalSha256, semanticSha256, released };
  }
  checkCounts(path, document, tasks);
  const semanticSha256 = documentDigest(text, document, path);
  checkTaskSet(path, taskSetDigest(raw), document, semanticSha256);
  assertSame(path, null, 'artifact_sha256', semanticSha256, document.artifact_sha256);
  const named = /[0-9a-f]{64}/.exec(path.split(/[\\/]/).at(-1)!)?.[0];
  if (named !== undefined) assertSame(path, null, 'digest in the file name', semanticSha256, named);
  const known = RELEASED_TASK_SETS.find(({ schema }) => schema === document.schema_version);
  if (known !== undefined) {
    assertSame(path, null, 'released artifact_sha256', known.artifactSha256, semanticSha256);
    assertSame(path, null, 'file digest', known.physicalSha256, physicalSha256);
  }
  const released = known !== undefined;
  return { path, kind: 'document', tasks, document, physicalSha256, semanticSha256, released };
}

/** The same file twice is a call that is wrong, not a difference. */
function assertDistinct(files: readonly VerifiedTasks[]): void {
  const paths = new Map<string, string>();
  for (const { path, physicalSha256 } of files) {
    const other = paths.get(physicalSha256);
    if (other !== undefined)
      fail('USAGE', { file: path }, `byte for byte the same file as ${other}`, 'Give every file once.');
    paths.set(physicalSha256, path);
  }
}

/**
 * Proves several proved task files against each other: ids are unique over all of them, and a replication
 * states the digests and the shared anchors of the first panel it was built after (compiler b.8).
 */
export function assertTogether(verified: readonly VerifiedTasks[]): void {
  assertDistinct(verified);
  const owner = new Map<string, string>();
  for (const { path, tasks } of verified) {
    for (const { id } of tasks) {
      const other = owner.get(id);
      if (other !== undefined)
        fail(
          'VERIFY_FAILED',
          { file: path, path: 'task_id' },
          unlike('a unique id', `also in ${other}`, id),
          ONE_EACH,
          FAILED,
        );
      owner.set(id, path);
    }
  }
  for (const second of verified) {
    const block = second.document?.replication;
    if (!isObject(block)) continue;
    const first = verified.find(({ semanticSha256 }) => semanticSha256 === block.first_panel_semantic_sha256);
    if (first !== undefined) checkReplication(first, second, block);
  }
}

function checkReplication(first: VerifiedTasks, second: VerifiedTasks, block: TaskRow): void {
  const before = new Set(first.tasks.map((task) => task.anchor));
  const shared = second.tasks.map((task) => task.anchor).filter((anchor) => before.has(anchor));
  const check = (field: string, expected: unknown) =>
    assertSame(second.path, null, `replication.${field}`, expected, block[field], TWO_PANELS);
  check('first_panel_physical_sha256', first.physicalSha256);
  check('first_panel_task_set_sha256', first.document?.task_set_sha256);
  check('first_panel_anchor_count', before.size);
  check('shared_anchor_count', shared.length);
  check('novel_anchor_count', second.tasks.length - shared.length);
  check('shared_anchor_sha256', pyDigest(shared.sort()));
}
