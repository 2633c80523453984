import type { AnalysisInputs, OtherMaps } from '../analyses/inputs.js';
import { incomplete } from '../core/matrix.js';
import type { Engine } from '../engine/engine.js';
import type { EngineOptions } from '../engine/node.js';
import { runInference } from '../inference/infer.js';
import { inferencePlan } from '../inference/plan.js';
import type { InputFile, RunFacts } from '../io/envelope.js';
import { inputFileAt } from '../io/read-file.js';
import type { PlacedAnswer } from '../responses/answer-rows.js';
import type { SetParser } from '../responses/parser.js';
import { responseParserFields } from '../responses/parser-contract.js';
import type { Reading } from '../scores/scores-reading.js';
import type { Shares } from '../shares/ranged-work.js';
import type { Task } from '../tasks/task.js';
import { readTaskFiles } from '../tasks/task-files.js';
import type { TaskFiles } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { once } from '../util/once.js';
import { type AnalysisOutputOptions, printReading } from './analysis-output.js';
import { callEngine } from './call-engine.js';
import { dataHome } from './data-home.js';
import { sayForecasts } from './forecast-note.js';
import { droppedWords, type MatrixInputOptions, matrixInputs } from './matrix-inputs.js';
import { chosenParser } from './parser-option.js';
import { stages } from './progress.js';
import { modelChoice } from './row-options.js';

/** The options of a call that name inputs of analyses. */
export interface InputFlags extends MatrixInputOptions {
  readonly ledger?: readonly string[];
  readonly inference?: string;
  readonly pool?: string;
  /** `NAME=FILE`. */
  readonly maps?: readonly string[];
  readonly env?: readonly string[];
  readonly substitutions?: string;
  readonly substitutionsTrain?: string;
  readonly backend?: NonNullable<EngineOptions['backend']>;
  readonly threads?: number;
  /** Says nothing, not even what a long work will take. */
  readonly quiet?: boolean;
  /** Stands before the engine, where its draws are shared among processes. */
  readonly around?: (engine: Engine) => Engine;
  /** Files that surely lead to draws: the engine is opened before they are read. */
  readonly drawn?: readonly string[];
  readonly shares?: Shares | undefined;
}

/** The inputs of a call, and what its documents say of them. */
export interface OpenedInputs {
  readonly inputs: AnalysisInputs;
  /** Files that were read so far, each once. */
  readonly files: InputFile[];
  /** Which backend worked, and why, and what was read; to be asked after the work. */
  facts(): Omit<RunFacts, 'warnings'>;
  /** Keeps what was read, for `facts` and for the first line that is printed. */
  noteReading(reading: Reading | undefined): void;
  /** What was read of tables or logs; undefined before it was, and of answers. */
  reading(): Reading | undefined;
  /** Prints the one line that says what was read, once, where scores were and words are wanted. */
  sayReading(wanted: AnalysisOutputOptions): void;
  /** Closes the engine, where one was opened. */
  close(): Promise<void>;
}

/** What to do about INPUT_MISSING, with which an analysis is skipped and named. */
const GIVE_INPUT = 'Give the input, or run `sensitivity all`, which skips what it cannot do.';

/** Errors: USAGE for a name that stands twice. */
function assertOnce(option: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  fail('USAGE', null, `${option} names ${shown(twice)} twice`, 'Give each name once.');
}

/** Opens the inputs of a call: nothing is read before an analysis asks for it. */
export function openInputs(flags: InputFlags): OpenedInputs {
  const files: InputFile[] = [];
  const noted = new Set<string>();
  const note = (role: string, path: string): string => {
    if (!noted.has(path)) files.push(inputFileAt(role, path));
    noted.add(path);
    return path;
  };
  let inferenceSha256: string | null = null;
  let reading: Reading | undefined;
  let printed = false;
  const bar = stages();
  const onForecast = sayForecasts(flags);
  const engine = callEngine(flags, bar, onForecast);
  const taskFiles = once((): TaskFiles => {
    if (flags.tasks === undefined) fail('INPUT_MISSING', null, 'task files (--tasks)', GIVE_INPUT, { exit: 3 });
    for (const path of flags.tasks) note('tasks', path);
    return readTaskFiles(flags.tasks);
  });
  const task = (id: string): Task =>
    taskFiles().byId.get(id) ??
    fail('TASK_UNKNOWN', null, `task ${shown(id)} is in none of the task files`, 'Give every task set with --tasks.');
  const core = once(async () => {
    if (flags.core === undefined) fail('INPUT_MISSING', null, 'a core plan (--core)', GIVE_INPUT, { exit: 3 });
    const { readCorePlan } = await import('../tasks/task-files.js');
    return readCorePlan(note('core', flags.core));
  });
  const measured = once(async () => {
    const { responses: _, tasks: __, core: ___, parser: ____, ...alone } = flags;
    const given: MatrixInputOptions = flags.scores === undefined ? flags : alone;
    if (given.scores === undefined && given.responses === undefined)
      fail('INPUT_MISSING', null, 'a score matrix (--scores) or answers (--responses with --tasks)', GIVE_INPUT, {
        exit: 3,
      });
    const matrix = await matrixInputs(given, () => {});
    reading = matrix.reading;
    read ??= matrix.parser;
    for (const file of matrix.inputs) files.push(file);
    for (const path of [...(given.responses ?? []), ...(given.tasks ?? []), given.core, ...(given.scores ?? [])])
      if (path !== undefined) noted.add(path);
    return matrix;
  });
  const matrix = async () => (await measured()).matrix;
  const chosen = once(async () => {
    const found = await modelChoice(flags);
    for (const file of found.inputs) if (!files.some(({ sha256 }) => sha256 === file.sha256)) files.push(file);
    return found;
  });
  let read: SetParser | undefined;
  const parser = once(async () => {
    const plan = flags.core === undefined ? undefined : await core();
    read = chosenParser(flags.parser, plan, flags.core);
    return read;
  });
  const answersTo = async (columns: readonly Task[], models?: readonly string[]): Promise<PlacedAnswer[]> => {
    const { ledger: dirs, core: plan } = flags;
    if (dirs !== undefined) {
      const { ledgerAnswers } = await import('./ledger-answers.js');
      return ledgerAnswers({ dirs, plan, files: taskFiles(), columns, models, parser: await parser() });
    }
    if (flags.responses === undefined)
      fail('INPUT_MISSING', null, 'answers (--responses, or --ledger)', GIVE_INPUT, { exit: 3 });
    const { openAnswers } = await import('../responses/answer-file.js');
    const answers: PlacedAnswer[] = [];
    for (const path of flags.responses) for (const one of await openAnswers(note('responses', path))) answers.push(one);
    const { statedCells } = await import('../core/stated-cells.js');
    const stated = statedCells();
    const wanted = new Map(columns.map((task) => [task.id, task]));
    for (const one of answers) {
      const { model, task: id, key } = one.answer;
      const task = wanted.get(id);
      if (task !== undefined && models?.includes(model) !== false) stated.note(model, task, key, one);
    }
    stated.check();
    return answers;
  };
  const gridOver = async (columns: readonly Task[], models?: readonly string[]) => {
    const { answerGrid } = await import('../analyses/candidates.js');
    return answerGrid({ tasks: columns, answers: await answersTo(columns, models), models, parser: await parser() });
  };
  const inputs: AnalysisInputs = {
    matrix,
    familyMeans: once(async () => {
      const { inference, scores, responses, models, without } = flags;
      if (inference === undefined || (scores ?? responses) !== undefined)
        return { matrix: await matrix(), stated: false };
      if ((models ?? without) !== undefined)
        fail('USAGE', null, '--models and --without choose rows of a matrix', 'Give the matrix or the answers too.');
      const { statedMeans } = await import('./inference-input.js');
      const read = statedMeans(note('inference', inference));
      inferenceSha256 = read.sha256;
      return { matrix: read.matrix, stated: true };
    }),
    matrixWarnings: async () => {
      const read = await measured();
      return [...read.warnings, ...droppedWords(read)];
    },
    resolved: async (alpha) => {
      const scores = await matrix();
      if (flags.inference !== undefined) {
        const { resolvedPairs } = await import('./inference-input.js');
        const read = resolvedPairs(note('inference', flags.inference), scores, (await measured()).leftOut ?? []);
        inferenceSha256 = read.sha256;
        return read.pairs;
      }
      const plan = inferencePlan({ alpha, rank_sets: 'none' });
      const { pairs } = await runInference({ matrix: scores, plan, engine: await engine.open() });
      return pairs.flatMap(({ left, right, significant }) => (significant ? [[left, right] as const] : []));
    },
    answers: once(async () => {
      const scores = await matrix();
      const grid = await gridOver(scores.tasks.map(task), scores.models);
      const hole = grid.actions.indexOf(-1);
      if (hole >= 0) {
        const missing = grid.models[Math.floor(hole / scores.tasks.length)]!;
        const at = scores.tasks[hole % scores.tasks.length]!;
        throw incomplete([{ model: missing, task: at, reason: 'absent' }], grid.actions.length);
      }
      return grid;
    }),
    candidates: once(async () => {
      const { candidatesFromAnswers, candidatesFromCsv, chosenCandidates } = await import('../analyses/candidates.js');
      const { choice } = await chosen();
      if (flags.pool !== undefined) {
        const { readText } = await import('../io/file.js');
        return chosenCandidates(candidatesFromCsv(readText(note('pool', flags.pool)), flags.pool), choice);
      }
      const { rankedTasks } = await import('../tasks/task.js');
      const candidates = rankedTasks(taskFiles().tasks);
      const pool = chosenCandidates(candidatesFromAnswers(await gridOver(candidates)), choice);
      const inCore = new Set((await core()).ids);
      if (candidates.every(({ id }) => inCore.has(id)))
        fail('INPUT_MISSING', null, 'tasks outside the core, which holds all tasks of these sets', GIVE_INPUT, {
          exit: 3,
        });
      if (!candidates.some(({ id }, t) => !inCore.has(id) && pool.valid[t] === 1))
        fail('INPUT_MISSING', null, 'answers to the candidates outside the core (--pool)', GIVE_INPUT, { exit: 3 });
      return pool;
    }),
    core,
    tasks: async () => taskFiles().byId,
    otherMaps: once(async () => {
      if (flags.maps === undefined)
        fail('INPUT_MISSING', null, 'maps of other checkpoints (--maps NAME=FILE)', GIVE_INPUT, { exit: 3 });
      const { readMapFile } = await import('../tasks/maps-read.js');
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
      return named.map(({ name, path }): OtherMaps => ({ name, maps: readMapFile(note('maps', path)).rows }));
    }),
    environments: once(async () => {
      const { env } = flags;
      if (env === undefined) fail('INPUT_MISSING', null, 'environments (--env)', GIVE_INPUT, { exit: 3 });
      assertOnce('--env', env);
      const [{ openEnvironment }, { dot, tagsOfRow, unitRow }] = await Promise.all([
        import('../environment/store.js'),
        import('../environment/environment.js'),
      ]);
      return Promise.all(
        env.map(async (name) => {
          const environment = await openEnvironment({ home: dataHome(), name });
          const space = {
            name: environment.name,
            names: environment.names,
            groups: environment.names.map((_, row) => tagsOfRow(environment, row, 'the substitution check').foodGroup),
            similarity: (a: number, b: number) => dot(unitRow(environment, a), unitRow(environment, b)),
          };
          return { space, sha256: environment.identity.sha256 };
        }),
      );
    }),
    substitutions: once(async () => {
      const { substitutions: test, substitutionsTrain: train } = flags;
      if (test === undefined || train === undefined)
        fail(
          'INPUT_MISSING',
          null,
          'observed substitutions, held out and training part (--substitutions, --substitutions-train)',
          GIVE_INPUT,
          { exit: 3 },
        );
      const { readSubstitutions } = await import('./substitution-events.js');
      return {
        test: readSubstitutions(note('substitutions', test)),
        train: readSubstitutions(note('substitutions_train', train)),
      };
    }),
    audited: async () => fail('INPUT_MISSING', null, 'a matrix or logs to audit', GIVE_INPUT, { exit: 3 }),
    inferenceSha256: () => inferenceSha256,
    shares: flags.shares,
    onProgress: bar.onProgress,
    onForecast,
    completions: async () => fail('INPUT_MISSING', null, 'generations (--completions)', GIVE_INPUT, { exit: 3 }),
    engine: engine.open,
  };
  return {
    inputs,
    files,
    facts: () => {
      const ran = engine.ran();
      return {
        backend: ran?.backend ?? 'wasm',
        threads: ran?.threads ?? 1,
        reason: ran?.reason ?? 'as asked',
        ...(reading ? { read: reading } : {}),
        ...(read === undefined ? {} : responseParserFields(read)),
      };
    },
    noteReading(found) {
      reading = found;
    },
    reading: () => reading,
    sayReading(wanted) {
      if (!printed) printReading(reading, wanted);
      printed ||= reading !== undefined;
    },
    async close() {
      bar.stop();
      await engine.close();
    },
  };
}
