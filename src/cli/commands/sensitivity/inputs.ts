import type { Checkpoint } from '../../../analyses/checkpoints/other-maps.js';
import type { AnswerGrid } from '../../../analyses/pool.js';
import type { CandidatePool } from '../../../analyses/roster/omission.js';
import type { Substitution } from '../../../analyses/substitutions/check.js';
import type { SubstitutionSpace } from '../../../analyses/substitutions/ranks.js';
import { incomplete, type ScoreMatrix } from '../../../core/matrix.js';
import { createEngine } from '../../../engine/node.js';
import { runInference } from '../../../inference/infer.js';
import { inferencePlan } from '../../../inference/plan.js';
import type { InputFile } from '../../../io/envelope.js';
import { inputFileAt } from '../../../io/read-file.js';
import type { PlacedAnswer } from '../../../responses/answer-rows.js';
import { type CorePlan, readCorePlan } from '../../../tasks/coreplan.js';
import { rankedTasks, type Task } from '../../../tasks/task.js';
import { readTaskFiles } from '../../../tasks/taskset.js';
import { type FlavourError, fail, failure, shown } from '../../../util/error.js';
import { dataHome } from '../../data-home.js';
import { type MatrixInputOptions, matrixInputs } from '../../matrix-inputs.js';
import { ledgerAnswers, resolvedOf } from './sources.js';

export interface SensitivityFlags extends MatrixInputOptions {
  readonly ledger?: readonly string[];
  readonly inference?: string;
  readonly pool?: string;
  readonly maps?: readonly string[];
  readonly env?: readonly string[];
  readonly substitutions?: string;
  readonly substitutionsTrain?: string;
  readonly rng: 'philox' | 'numpy';
  readonly seed?: bigint;
  readonly alpha: number;
  readonly draws?: number;
  readonly sizes?: readonly number[];
  readonly target: number;
  readonly gateModel?: string;
  readonly minGroup: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** An input that this call does not give: the analysis is skipped and named. */
function missingInput(what: string): FlavourError {
  return failure(
    'INPUT_MISSING',
    null,
    what,
    'Give the input, or run `sensitivity all`, which skips what it cannot do.',
    { exit: 3 },
  );
}

/** Everything the analyses may ask for, read once and only when asked. */
export interface SensitivityInputs {
  readonly files: readonly InputFile[];
  matrix(): Promise<ScoreMatrix>;
  /** Pairs of rows the leaderboard resolves. */
  resolved(): Promise<readonly (readonly [number, number])[]>;
  /** Selections on the columns of the matrix. */
  grid(): Promise<AnswerGrid>;
  pool(): Promise<CandidatePool>;
  core(): CorePlan;
  task(id: string): Task;
  checkpoints(): Promise<Checkpoint[]>;
  /** Spaces of the substitution check, with the identities of their environments. */
  environments(): Promise<{ readonly space: SubstitutionSpace; readonly sha256: string }[]>;
  substitutions(): Promise<Readonly<Record<'test' | 'train', readonly Substitution[]>>>;
}

/** Errors: USAGE for a name that stands twice. */
function assertOnce(option: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  fail('USAGE', null, `${option} names ${shown(twice)} twice`, 'Give each name once.');
}

function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}

/** Opens the inputs of a call. */
export function sensitivityInputs(flags: SensitivityFlags): SensitivityInputs {
  const files: InputFile[] = [];
  const seen = new Set<string>();
  const note = (role: string, path: string): string => {
    if (!seen.has(path)) files.push(inputFileAt(role, path));
    seen.add(path);
    return path;
  };
  const tasks = once(() => {
    if (flags.tasks === undefined) throw missingInput('task files (--tasks)');
    for (const path of flags.tasks) note('tasks', path);
    return readTaskFiles(flags.tasks);
  });
  const core = once(() => {
    if (flags.core === undefined) throw missingInput('a core plan (--core)');
    return readCorePlan(note('core', flags.core));
  });
  const matrix = once(async () => {
    const { responses: _, tasks: __, core: ___, ...alone } = flags;
    const given: MatrixInputOptions = flags.scores === undefined ? flags : alone;
    if (given.scores === undefined && given.responses === undefined) {
      throw missingInput('a score matrix (--scores) or answers (--responses with --tasks)');
    }
    const read = await matrixInputs(given, () => {});
    for (const file of read.inputs) files.push(file);
    for (const path of [...(given.responses ?? []), ...(given.tasks ?? []), given.core, given.scores])
      if (path !== undefined) seen.add(path);
    return read.matrix;
  });
  const answersOf = async (columns: readonly Task[]): Promise<PlacedAnswer[]> => {
    if (flags.ledger !== undefined) return ledgerAnswers(flags.ledger, tasks(), columns);
    if (flags.responses === undefined) throw missingInput('answers (--responses, or --ledger)');
    const { readAnswers } = await import('../../../responses/answer-file.js');
    return flags.responses.flatMap((path) => [...readAnswers(note('responses', path))]);
  };
  const gridOver = async (columns: readonly Task[], models?: readonly string[]) => {
    const { answerGrid } = await import('../../../analyses/pool.js');
    return answerGrid(columns, await answersOf(columns), models);
  };
  const task = (id: string): Task => {
    const found = tasks().byId.get(id);
    if (found) return found;
    fail('TASK_UNKNOWN', null, `task ${shown(id)} is in none of the task files`, 'Give every task set with --tasks.');
  };
  return {
    files,
    matrix,
    core,
    resolved: once(async () => {
      const board = await matrix();
      if (flags.inference !== undefined) return resolvedOf(note('inference', flags.inference), board);
      const plan = inferencePlan({ alpha: flags.alpha });
      const engine = await createEngine({});
      const { pairs } = await runInference({ matrix: board, plan, engine }).finally(() => engine.close());
      return pairs.flatMap(({ left, right, significant }) => (significant ? [[left, right] as const] : []));
    }),
    grid: once(async () => {
      const board = await matrix();
      const grid = await gridOver(board.tasks.map(task), board.models);
      const hole = grid.actions.indexOf(-1);
      if (hole >= 0) {
        const model = grid.models[Math.floor(hole / board.tasks.length)]!;
        const task = board.tasks[hole % board.tasks.length]!;
        throw incomplete([{ model, task, reason: 'absent' }], grid.actions.length);
      }
      return grid;
    }),
    pool: once(async () => {
      if (flags.pool !== undefined) {
        const { readPoolCsv } = await import('../../../analyses/pool-csv.js');
        return readPoolCsv(note('pool', flags.pool));
      }
      const candidates = rankedTasks(tasks().tasks);
      const grid = await gridOver(candidates);
      const { poolOfGrid } = await import('../../../analyses/pool.js');
      const pool = poolOfGrid(grid);
      const core_ = new Set(core().ids);
      if (candidates.every(({ id }) => core_.has(id)))
        throw missingInput('tasks outside the core, which holds all tasks of these sets');
      const beyond = candidates.findIndex(({ id }, t) => !core_.has(id) && pool.valid[t] === 1);
      if (beyond < 0) throw missingInput('answers to the candidates outside the core (--pool)');
      return pool;
    }),
    task,
    checkpoints: once(async () => {
      if (flags.maps === undefined) throw missingInput('maps of other checkpoints (--maps NAME=FILE)');
      const { readMapFile } = await import('../../../tasks/maps-read.js');
      const named = flags.maps.map((entry) => {
        const cut = entry.indexOf('=');
        if (cut >= 1) return { name: entry.slice(0, cut), path: entry.slice(cut + 1) };
        return fail(
          'USAGE',
          null,
          `--maps ${shown(entry)} is not NAME=FILE`,
          'For example --maps cooc=cooc-maps.jsonl.',
        );
      });
      assertOnce(
        '--maps',
        named.map(({ name }) => name),
      );
      return named.map(({ name, path }) => ({ name, maps: readMapFile(note('maps', path)).rows }));
    }),
    environments: once(async () => {
      const { env } = flags;
      if (env === undefined) throw missingInput('environments (--env)');
      assertOnce('--env', env);
      const { openEnvironment } = await import('../../../environment/store.js');
      const { spaceOf } = await import('../../../analyses/substitutions/space.js');
      return Promise.all(
        env.map(async (name) => {
          const environment = await openEnvironment({ home: dataHome(), name });
          return { space: spaceOf(environment), sha256: environment.identity.sha256 };
        }),
      );
    }),
    substitutions: once(async () => {
      const { substitutions: test, substitutionsTrain: train } = flags;
      if (test === undefined || train === undefined) {
        throw missingInput(
          'observed substitutions, held out and training part (--substitutions, --substitutions-train)',
        );
      }
      const { readSubstitutions } = await import('../../../analyses/substitutions/events.js');
      return {
        test: readSubstitutions(note('substitutions', test)),
        train: readSubstitutions(note('substitutions_train', train)),
      };
    }),
  };
}
