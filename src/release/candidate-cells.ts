import { type Asked, askedProblem } from '../collect/asked.js';
import { type Decoding, decodingReader } from '../core/decoding.js';
import { type AnswerMatrix, matrixFromAnswers } from '../core/matrix-answers.js';
import type { TaskOutline } from '../core/task-outline.js';
import { type ValidityMatrix, validityOf } from '../core/validity.js';
import type { SetParser } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import type { TaskFiles } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { isCompleted, type Observation, type Scoring, scoringOf } from './observation.js';
import { RELEASE_FILES } from './release-files.js';

/** One candidate cell that was answered. */
export interface CandidateCell {
  readonly observation: Observation;
  readonly task: Task;
  readonly scoring: Scoring;
  readonly inCore: boolean;
  /** What the validity matrix may know. */
  readonly completed: boolean;
  readonly parse: string | null;
  readonly source: number;
  /** How the model was asked; null where no plan says it. */
  readonly asked: Asked | null;
  /** What the answer was drawn with; empty in a release of version 0.1.0, which compared without regard to it. */
  readonly decoding: Decoding;
  /** Digest of the prompt that was answered, where record or task file has one. */
  readonly prompt: string;
}

/** Every answered candidate cell, models in roster order, tasks by panel and in file order. */
export interface CandidateCells {
  readonly models: readonly string[];
  readonly parser: SetParser;
  readonly panels: ReadonlyMap<string, readonly TaskOutline[]>;
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, CandidateCell>>;
  /** In the order of observations.jsonl. */
  readonly ordered: readonly CandidateCell[];
}

/**
 * Lays observations out by model and task, each parsed and scored anew. Errors: MODEL_UNKNOWN off the roster; TASK_UNKNOWN in no
 * task file; CELL_DUPLICATE for a second answer; DIGEST_MISMATCH (exit 4) for an answer to another prompt.
 */
export function candidateCells(options: {
  readonly observations: Iterable<Observation>;
  readonly models: readonly string[];
  readonly files: TaskFiles;
  readonly panels: ReadonlyMap<string, readonly TaskOutline[]>;
  /** Ids of the ranked tasks. */
  readonly core: ReadonlySet<string>;
  /** How models were asked, by what the keys of their records bind; null for a release that does not say. */
  readonly asked: ReadonlyMap<string, Asked> | null;
  readonly parser: SetParser;
}): CandidateCells {
  const { observations, models, files, panels, core, asked, parser } = options;
  const prompts = new Map([...panels.values()].flat().map((t) => [t.id, t.promptSha256]));
  const cells = new Map(models.map((model) => [model, new Map<string, CandidateCell>()]));
  const askedOf = askedReader(asked);
  const drawnWith = decodingReader();
  for (const observation of observations) {
    const { answer, record, model } = observation;
    const row = cells.get(model);
    const task = files.byId.get(answer.task);
    if (!row)
      fail('MODEL_UNKNOWN', null, `model ${shown(model)} is not on the roster`, 'Leave its answers out, or rank it.');
    if (!task)
      fail('TASK_UNKNOWN', null, `task ${shown(answer.task)} is in no task file`, 'Give every task file with --tasks.');
    if (row.has(task.id)) {
      fail(
        'CELL_DUPLICATE',
        null,
        `model ${shown(model)}, task ${shown(task.id)}: two answers`,
        'A cell has one answer; keep one.',
      );
    }
    const prompt = prompts.get(task.id) ?? null;
    if (record !== null && prompt !== null && record.key.prompt_sha256 !== prompt) {
      fail(
        'DIGEST_MISMATCH',
        null,
        `model ${shown(model)}, task ${shown(task.id)}: the answer is to another prompt`,
        'Give the task files that the collection was planned on.',
        { exit: 4 },
      );
    }
    const scoring = scoringOf(observation, task, parser);
    const how = askedOf(observation);
    row.set(task.id, {
      observation,
      task,
      scoring,
      inCore: core.has(task.id),
      completed: isCompleted(observation),
      parse: scoring.outcome,
      source: observation.ledger ?? 0,
      asked: how,
      decoding: record === null || asked === null ? {} : drawnWith(record.key, how?.extra_body),
      prompt: record?.key.prompt_sha256 ?? prompt ?? '',
    });
  }
  const order = [...panels.values()].flat();
  const ordered = models.flatMap((model) => order.flatMap((task) => cells.get(model)?.get(task.id) ?? []));
  return { models, parser, panels, cells, ordered };
}

/**
 * Makes a reader that tells how the model of an observation was asked, proved against the key of its record. Errors: DIGEST_MISMATCH (exit 4).
 */
function askedReader(asked: ReadonlyMap<string, Asked> | null): (observation: Observation) => Asked | null {
  const sound = new Set<string>();
  return ({ record }) => {
    if (record === null || asked === null) return null;
    const { key, manifest_sha256: plan } = record;
    const found = asked.get(key.protocol_sha256);
    const problem =
      found === undefined
        ? plan === null
          ? undefined
          : `${key.model_id}: no protocol is stated, yet its records name the plan ${plan} that asked them`
        : sound.has(key.protocol_sha256)
          ? undefined
          : askedProblem(found, key.protocol_sha256);
    if (problem !== undefined)
      fail(
        'DIGEST_MISMATCH',
        { file: RELEASE_FILES.roster },
        problem,
        'The statement was changed after the release was built.',
        { exit: 4 },
      );
    sound.add(key.protocol_sha256);
    return found ?? null;
  };
}

/** Gathers status and parse bits of every candidate cell, a matrix a panel. */
export function candidateValidity({ models, panels, cells }: CandidateCells): ValidityMatrix[] {
  return [...panels].map(([panel, tasks]) => validityOf({ panel, models, tasks, chosen: cells }));
}

/** Forms the score matrix over the ranked tasks; null with the list of what is missing. */
export function candidateMatrix(candidates: CandidateCells, tasks: readonly Task[]): AnswerMatrix {
  return matrixFromAnswers({
    tasks,
    roster: candidates.models,
    parser: candidates.parser,
    answers: candidates.ordered
      .filter(({ inCore }) => inCore)
      .map(({ observation }, i) => ({
        answer: observation.answer,
        file: 'observations',
        line: i + 1,
        row: () => ({}),
      })),
  });
}

/** Counts the candidate cells that nobody answered. */
export function absentCells({ models, panels, ordered }: CandidateCells): number {
  const candidates = [...panels.values()].reduce((sum, tasks) => sum + tasks.length, 0);
  return models.length * candidates - ordered.length;
}

/** Counts the answers in which reasoning was passed over. */
export function reasonedCells({ ordered }: CandidateCells): number {
  return ordered.filter(({ scoring }) => scoring.reasoned).length;
}

/** Collects the ids of the models for whom a formula answered. */
export function simulatedIn({ ordered }: CandidateCells): ReadonlySet<string> {
  return new Set(
    ordered.flatMap(({ observation: { model, record } }) => (record?.source === 'simulated' ? [model] : [])),
  );
}
