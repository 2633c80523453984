import type { Asked } from '../collect/asked.js';
import { askedIn } from '../collect/plan-of-record.js';
import type { Protocol } from '../collect/protocol.js';
import { setDigest } from '../io/canonical.js';
import { readObject } from '../io/read-file.js';
import type { Phase } from '../ledger/cell-key.js';
import type { RecordEntry } from '../ledger/journal-event.js';
import type { RecordFile } from '../ledger/ledger-folder.js';
import { type LedgerView, readRecordFile, viewLedger } from '../ledger/ledger-view.js';
import type { ResponseRecord } from '../ledger/record.js';
import { taskChoices } from '../responses/answer.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import { DEFAULT_PARSER, parseAnswer, parserNamed, parseSelection, type SetParser } from '../responses/parser.js';
import { statedParser } from '../responses/parser-contract.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { Task } from '../tasks/task.js';
import { verifyCorePlan } from '../tasks/task-files.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { CORE_PLAN_SCHEMA, frozenCoreSchema } from './core-document.js';
import { agrees, type Decoding, decodingReader } from './decoding.js';
import { type AnswerMatrix, matrixFromAnswers } from './matrix-answers.js';
import type { TaskOutline } from './task-outline.js';

/** A record that stands for one cell, and which ledger it came from. */
export interface ChosenRecord {
  readonly entry: RecordEntry;
  readonly file: RecordFile;
  /** Number of the ledger in the order given. */
  readonly source: number;
  readonly completed: boolean;
  /** Parse outcome, read anew from the answer; null for a failed cell. */
  readonly parse: string | null;
  /** How the model was asked, by the frozen plan of the record; null where no plan says it. */
  readonly asked: Asked | null;
  /** What it was drawn with. */
  readonly decoding: Decoding;
  /** Digest of the prompt that was answered. */
  readonly prompt: string;
}

export interface LedgerSource {
  readonly view: LedgerView;
  readonly askedOf: (record: ResponseRecord) => Asked | null;
}

/** The record of a cell, by model and task. */
export type ChosenCells = ReadonlyMap<string, ReadonlyMap<string, ChosenRecord>>;

/** Reads ledgers without their locks, in the order given. Errors: those of `viewLedger`. */
export function openSources(dirs: readonly string[]): LedgerSource[] {
  return dirs.map((dir) => {
    const view = viewLedger(dir);
    return { view, askedOf: askedIn(dir) };
  });
}

/** Lists the models of the ledgers: in the order of their declared schedules, then by id. */
export function modelsOf(sources: readonly LedgerSource[], phase: Phase): string[] {
  const declared = sources.flatMap(({ view }) =>
    [...view.state.schedule.values()].filter((s) => s.phase === phase).map((s) => s.model_id),
  );
  const recorded = sources.flatMap(({ view }) =>
    [...view.state.cells.values()].flatMap(({ head }) => (head?.phase === phase ? [head.model_id] : [])),
  );
  return [...new Set([...declared, ...[...new Set(recorded)].sort()])];
}

/** Reads an answer's syntax; the selection itself is dropped here. */
function syntaxOf(record: ResponseRecord, choices: readonly string[], version: SetParser): string | null {
  if (record.status !== 'completed') return null;
  return parseSelection(record.generation?.answer, choices, { version }).outcome;
}

/**
 * Chooses one record a cell: the first in ledger order that is completed and parseable, else the first completed, else the first
 * (compiler d.1). Every record looked at is read from the disk, proved and parsed anew. Superseded, quarantined and other phases'
 * records are not looked at. An answer to another wording of a task gives way to one to the wording given; DIGEST_MISMATCH where
 * there is no such answer.
 */
export function chooseRecords(options: {
  readonly sources: readonly LedgerSource[];
  readonly models: readonly string[];
  readonly tasks: readonly TaskOutline[];
  readonly phase: Phase;
  /** Which of k samples. */
  readonly repeat: number;
  /** Which records may stand for a cell, by how they were asked; all unless given. */
  readonly keep?: (asked: Asked | null, decoding: Decoding, entry: RecordEntry) => boolean;
  readonly parser: SetParser;
}): ChosenCells {
  const { sources, models, tasks, phase, repeat, keep, parser } = options;
  const outline = new Map(tasks.map((task) => [task.id, task]));
  const chosen = new Map(models.map((model) => [model, new Map<string, ChosenRecord>()]));
  const drawnWith = decodingReader();
  const otherPrompts: { readonly model: string; readonly task: string; readonly path: string }[] = [];
  sources.forEach(({ view, askedOf }, source) => {
    for (const { head: entry } of view.state.cells.values()) {
      if (entry?.phase !== phase || entry.repeat !== repeat) continue;
      const row = chosen.get(entry.model_id);
      const task = outline.get(entry.task_id);
      if (!row || !task) continue;
      const before = row.get(entry.task_id);
      if (before && rank(before) === 2) continue;
      const file = view.files.get(entry.record_sha256)!;
      const record = readRecordFile(file);
      const asked = askedOf(record);
      const decoding = drawnWith(record.key, asked?.extra_body);
      if (keep?.(asked, decoding, entry) === false) continue;
      if (task.promptSha256 !== null && record.key.prompt_sha256 !== task.promptSha256) {
        otherPrompts.push({ model: entry.model_id, task: task.id, path: file.path });
        continue;
      }
      const completed = record.status === 'completed';
      const parse = syntaxOf(record, task.choices, parser);
      const next = { entry, file, source, completed, parse, asked, decoding, prompt: record.key.prompt_sha256 };
      if (!before || rank(next) > rank(before)) row.set(entry.task_id, next);
    }
  });
  const lost = otherPrompts.find(({ model, task }) => !chosen.get(model)?.has(task));
  if (lost)
    fail(
      'DIGEST_MISMATCH',
      { file: lost.path, path: 'key.prompt_sha256' },
      `the answer is to another prompt than the task files give for ${lost.task}`,
      'Give the task files that the collection was planned on.',
      { exit: 4 },
    );
  return chosen;
}

function rank({ completed, parse }: Pick<ChosenRecord, 'completed' | 'parse'>): number {
  return completed ? (parse === 'ok' ? 2 : 1) : 0;
}

/** Reads the chosen records of a list of tasks as answers, one a cell that has a record. */
export function* answersOf(chosen: ChosenCells, tasks: readonly Task[]): Generator<PlacedAnswer> {
  for (const [model, row] of chosen) {
    for (const { id, panel } of tasks) {
      const found = row.get(id);
      if (!found) continue;
      const { path } = found.file;
      const text = answerText(found.file);
      const failed = !found.completed;
      const answer = { model, task: id, panel, text, selection: null, failed, defect: null };
      yield { answer, file: path, line: 1, row: () => ({}) };
    }
  }
}

function answerText(file: RecordFile): string | null {
  return readRecordFile(file).generation?.answer ?? null;
}

/** Makes the score matrix of a frozen core: models x core tasks, each cell looked up in the task's map. */
export function coreMatrix(options: {
  readonly chosen: ChosenCells;
  /** In core order. */
  readonly tasks: readonly Task[];
  readonly parser: SetParser;
}): AnswerMatrix {
  const { chosen, tasks, parser } = options;
  return matrixFromAnswers({
    tasks,
    answers: answersOf(chosen, tasks),
    roster: [...chosen.keys()],
    parser,
  });
}

/**
 * Proves that the records at hand are those the core was frozen on: same response set per panel. Errors: VERIFY_FAILED (exit 4).
 */
export function assertSameRecords(options: {
  readonly chosen: ChosenCells;
  readonly stated: ReadonlyMap<string, string>;
}): void {
  const sets = new Map<string, string[]>();
  for (const row of options.chosen.values()) {
    for (const { entry } of row.values()) {
      const list = sets.get(entry.panel);
      if (list) list.push(entry.record_sha256);
      else sets.set(entry.panel, [entry.record_sha256]);
    }
  }
  for (const [panel, stated] of options.stated) {
    const found = setDigest(sets.get(panel) ?? []);
    if (found === stated) continue;
    fail(
      'VERIFY_FAILED',
      { path: panel },
      `the plan was frozen on response set ${stated}, the ledgers now give ${found}`,
      'Records were added or replaced after the freeze: freeze again, or give the ledgers as they were.',
      { exit: 4 },
    );
  }
}

interface LiveScore {
  readonly model_id: string;
  readonly panel: string;
  readonly family: string;
  readonly answers: number;
  /** Mean over the answers so far, points. */
  readonly mean: number;
}

/**
 * Means the scores of what a ledger holds so far, in points, per model and stratum of the primary phase. Whoever calls this un-blinds the ledger
 * and must stamp it (`stampInspection`). Answers are read with the parser that their record names.
 */
export function liveScores(view: LedgerView, tasks: ReadonlyMap<string, Task>): readonly LiveScore[] {
  const sums = new Map<string, { answers: number; bps: number }>();
  for (const { head } of view.state.cells.values()) {
    const task = head && tasks.get(head.task_id);
    if (head?.phase !== 'primary' || head.status !== 'completed' || !task) continue;
    const { generation, parse } = readRecordFile(view.files.get(head.record_sha256)!);
    const parser = parserNamed(parse?.parser) ?? DEFAULT_PARSER;
    const action = parseAnswer(generation?.answer ?? '', taskChoices(task), parser);
    if (action < 0) continue;
    const name = JSON.stringify([head.model_id, head.panel, head.family]);
    const sum = sums.get(name) ?? { answers: 0, bps: 0 };
    sum.answers += 1;
    sum.bps += task.scores[action]!;
    sums.set(name, sum);
  }
  return [...sums.keys()].sort().map((name) => {
    const [model_id, panel, family] = JSON.parse(name) as [string, string, string];
    const { answers, bps } = sums.get(name)!;
    return { model_id, panel, family, answers, mean: bps / answers / 100 };
  });
}

/** A core that `core freeze` wrote, with what is needed to find its records again. */
interface FrozenCore {
  readonly plan: CorePlan;
  readonly models: readonly string[];
  readonly phase: string;
  /** The parser that its validity was found with; absent from none. */
  readonly parser: SetParser;
  /** Per panel: `response_artifact_set_sha256`. */
  readonly responseSets: ReadonlyMap<string, string>;
  readonly scoresInspected: number;
  /** Lets through the records that the core was frozen on: those of its protocol and decoding, or all where the plan is older and names none. */
  readonly keep: (asked: Asked | null, decoding: Decoding) => boolean;
}

const keptBy = (protocol: Protocol | null | undefined, stated: Decoding) => (asked: Asked | null, decoding: Decoding) =>
  (protocol === undefined || protocol?.sha256 === asked?.protocol.sha256) && agrees(decoding, stated);

/** Reads and proves a core plan of ours as `readFrozenCore` does; null for one from elsewhere. */
export function frozenIfOurs(path: string): FrozenCore | null {
  return readObject(path).schema === CORE_PLAN_SCHEMA ? readFrozenCore(path) : null;
}

/** Reads and proves a core plan of ours. Errors: those of `verifyCorePlan`; SCHEMA_INVALID for a plan from elsewhere. */
export function readFrozenCore(path: string): FrozenCore {
  const plan = verifyCorePlan(path);
  const value = readObject(path);
  if (value.schema !== CORE_PLAN_SCHEMA) {
    fail(
      'SCHEMA_INVALID',
      { file: path, path: 'schema' },
      `${shown(CORE_PLAN_SCHEMA)} expected, found ${shown(value.schema)}`,
      'With a released core give the answers to `infer --core` instead.',
    );
  }
  const { scores_inspected, sources, common_core } = checked(
    frozenCoreSchema,
    value,
    { file: path },
    'Give the plan as `core freeze` wrote it.',
  );
  return {
    plan,
    models: common_core.ranked_model_ids,
    phase: sources.phase,
    parser: statedParser(sources, { file: path, path: 'sources.parser' }),
    responseSets: new Map(
      Object.entries(common_core.panels).map(([panel, block]) => [panel, block.response_artifact_set_sha256]),
    ),
    scoresInspected: scores_inspected,
    keep: keptBy(sources.protocol, sources.decoding ?? {}),
  };
}
