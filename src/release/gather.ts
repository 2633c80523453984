import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { SENSITIVITY_INDEX } from '../analyses/list.js';
import { type Asked, askedDigest } from '../collect/asked.js';
import {
  assertSameRecords,
  type ChosenCells,
  chooseRecords,
  modelsOf,
  openSources,
  readFrozenCore,
} from '../core/ledger-records.js';
import { readRoster } from '../core/model-roster.js';

import { outlines } from '../core/task-outline.js';

import type { OpenPlan } from '../inference/plan.js';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readInput, readText, storedFile } from '../io/file.js';
import { parseObject } from '../io/json.js';
import { PyFloat, type PyValue } from '../io/pyjson.js';
import { readObject } from '../io/read-file.js';
import { decodeText } from '../io/utf8.js';
import type { Phase } from '../ledger/cell-key.js';
import { layout as ledgerLayout } from '../ledger/ledger-folder.js';
import { placed } from '../responses/answer.js';
import { readAnswers } from '../responses/answer-file.js';
import { DEFAULT_PARSER, type SetParser } from '../responses/parser.js';
import { coreTasks } from '../tasks/coreplan.js';
import { isCulinary, rankedTasks, type Task } from '../tasks/task.js';
import { readTaskFiles, readTaskSet, verifyCorePlan } from '../tasks/task-files.js';
import type { TaskFiles } from '../tasks/taskset.js';
import { fail, shown } from '../util/error.js';
import { VERSION } from '../util/version.js';
import { linesWithHosts, releasedJournal } from './journal.js';
import { type Observation, observationFrom } from './observation.js';
import { TOKEN_END } from './plans/check-plans.js';
import type { ReleasedPlan } from './plans/released-plan.js';
import { isOurs } from './proofs/core-proof.js';
import { RELEASE_FILES, type ReleaseFile, textFile } from './release-files.js';
import type { ReleaseSources } from './release-sources.js';

import type { ReleaseTitle } from './statement.js';

/** Files a release is built from. */
export interface GatherOptions {
  readonly tasks: readonly string[];
  /** Plan of `core freeze`, or the published one; absent: all tasks of the ranked families. */
  readonly core?: string;
  /** Ledgers in order of priority. */
  readonly ledgers: readonly string[];
  /** Files of answers, where there is no ledger. */
  readonly responses: readonly string[];
  readonly roster?: string;
  /** Documents of analyses, and folders that hold some. */
  readonly analyses?: readonly string[];
  readonly plan: OpenPlan;
  /** Release journal lines that name a host, as version 0.1.0 wrote them. */
  readonly withHosts?: boolean;
  /** Parser of the answers; absent: that of a core of ours, else that of the inference, else v4. */
  readonly parser?: SetParser;
  /** Parser of the inference whose plan is used. */
  readonly inferredWith?: SetParser;
  /** Plan of `infer plan`; absent or null where there is none. */
  readonly analysisPlan?: ReleasedPlan | null;
  /** `track` says what is asked where it is not given, by whether the ranked tasks are about food. */
  readonly title: Omit<ReleaseTitle, 'track'> & { readonly track?: string };
}

export interface Gathered {
  readonly sources: ReleaseSources;
  /** Answers to other tasks, of other models or panels: not released. */
  readonly ignored: number;
  /** Files beside the documents of analyses, by name: a release makes its own tables and figures. */
  readonly leftOut: readonly string[];
}

/** Reads everything a release needs. Errors: USAGE, and those of the readers. */
export async function gatherSources(options: GatherOptions): Promise<Gathered> {
  const { ledgers, responses, core: corePath } = options;
  if (ledgers.length > 0 === responses.length > 0) {
    fail('USAGE', null, 'answers come from --ledger or from --responses', 'Give one of the two.');
  }
  const { files, taskFiles } = gatherTasks(options.tasks);
  const core =
    corePath === undefined
      ? null
      : {
          plan: verifyCorePlan(corePath),
          document: readObject(corePath),
          bytes: readInput(corePath),
        };
  if (ledgers.length === 0 && isOurs(core?.document)) {
    fail(
      'USAGE',
      null,
      `${corePath} was frozen on the records of a ledger, which --responses cannot bear out`,
      'Give the ledgers it was frozen on with --ledger, or leave --core out.',
    );
  }
  const tasks = core ? coreTasks(core.plan, files) : rankedTasks(files.tasks);
  const roster = options.roster === undefined ? [] : await readRoster(readInput(options.roster), options.roster);
  const rows = roster.map(({ modelId }) => modelId);
  const frozen = isOurs(core?.document) ? readFrozenCore(corePath!) : null;
  if (frozen && options.parser !== undefined && options.parser !== frozen.parser) {
    fail(
      'USAGE',
      null,
      `${corePath} was frozen with parser ${frozen.parser}, and --parser asks for ${options.parser}`,
      'Leave --parser out, or freeze a core with the other parser.',
    );
  }
  const parser = options.parser ?? frozen?.parser ?? options.inferredWith ?? DEFAULT_PARSER;
  const answers =
    ledgers.length > 0
      ? fromLedgers({ ledgers, files, rows, frozen, parser })
      : fromResponses({ responses, files, rows });
  const analyses = gatherAnalyses(options.analyses ?? []);
  return {
    sources: {
      title: { ...options.title, track: options.title.track ?? trackOf(tasks) },
      plan: options.plan,
      analysisPlan: options.analysisPlan ?? null,
      taskFiles,
      files,
      tasks,
      core,
      roster,
      models: answers.models,
      observations: answers.observations,
      parser,
      rules: 2,
      version: VERSION,
      phase: answers.phase,
      asked: answers.asked,
      journals: ledgers.map((ledger, i) => journalOf(ledger, i, options.withHosts ?? false)),
      analyses: analyses.documents,
    },
    ignored: answers.ignored,
    leftOut: analyses.leftOut,
  };
}

function trackOf(tasks: readonly Task[]): string {
  const food = isCulinary(tasks.map(({ family }) => family));
  return food ? 'Executable culinary selection tasks' : 'Executable selection tasks';
}

/** Task files under the names they have in a release, in the order of those names. */
function gatherTasks(paths: readonly string[]): {
  readonly files: TaskFiles;
  readonly taskFiles: ReleaseFile[];
} {
  const named = paths.map((path) => {
    const panel = readTaskSet(path).panel.replace(/[^A-Za-z0-9._-]+/g, '_');
    const end = extname(path) === '.jsonl' ? '.jsonl' : '.json';
    return { path, base: `${RELEASE_FILES.tasks}${panel}`, end };
  });
  const counts = new Map<string, number>();
  const placed = named.map(({ path, base, end }) => {
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return { path, name: `${base}${count > 1 ? `-${count}` : ''}${end}` };
  });
  placed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    files: readTaskFiles(placed.map(({ path }) => path)),
    taskFiles: placed.map(({ path, name }) => ({ name, bytes: readInput(path) })),
  };
}

interface Answers {
  readonly models: readonly string[];
  readonly observations: readonly Observation[];
  readonly phase: string;
  readonly ignored: number;
  readonly asked: ReadonlyMap<string, Asked>;
}

/** How each model was asked, by what the key of its records binds. */
function askedOf(chosen: ChosenCells): Map<string, Asked> {
  const found = new Map<string, Asked>();
  for (const row of chosen.values())
    for (const { asked } of row.values()) if (asked !== null) found.set(askedDigest(asked), asked);
  return found;
}

function fromLedgers(options: {
  readonly ledgers: readonly string[];
  readonly files: TaskFiles;
  readonly rows: readonly string[];
  readonly frozen: ReturnType<typeof readFrozenCore> | null;
  readonly parser: SetParser;
}): Answers {
  const { ledgers, files, rows, frozen, parser } = options;
  const phase = (frozen?.phase ?? 'primary') as Phase;
  const sources = openSources(ledgers);
  const models = frozen?.models ?? (rows.length > 0 ? rows : modelsOf(sources, phase));
  const tasks = [...outlines(files).values()].flat();
  const keep = frozen ? { keep: frozen.keep } : {};
  const chosen = chooseRecords({ sources, models, tasks, phase, repeat: 0, parser, ...keep });
  const asked = askedOf(chosen);
  if (frozen) assertSameRecords({ chosen, stated: frozen.responseSets });
  const observations = [...chosen.values()].flatMap((row) =>
    [...row.values()].map(({ file, source }) =>
      observationFrom({
        ledger: source,
        bytes: Buffer.from(readFileSync(file.path, 'utf8').trimEnd()),
        file: file.path,
        line: 1,
      }),
    ),
  );
  return { models, observations, phase, ignored: 0, asked };
}

/** A value read with its number tokens, as plain JSON. */
function plainValue(value: PyValue | undefined): unknown {
  if (value instanceof PyFloat) return value.value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item)]));
  return typeof value === 'bigint' ? value.toString() : value;
}

function fromResponses(options: {
  readonly responses: readonly string[];
  readonly files: TaskFiles;
  readonly rows: readonly string[];
}): Answers {
  const { responses, files, rows } = options;
  const roster = rows.length > 0 ? new Set(rows) : null;
  const models = new Set(rows);
  const observations: Observation[] = [];
  let ignored = 0;
  for (const path of responses)
    for (const answered of readAnswers(path)) {
      const { answer, file, line, row } = answered;
      const task = files.byId.get(answer.task);
      const elsewhere = answer.panel !== '' && answer.panel !== task?.panel;
      if (!task || elsewhere || (roster && !roster.has(answer.model))) {
        ignored += 1;
        continue;
      }
      if (answer.model === '') {
        fail(
          'SCHEMA_INVALID',
          { file, line },
          `${placed(answered)}: the answer to task ${shown(answer.task)} names no model`,
          'Give model_id in every row.',
        );
      }
      models.add(answer.model);
      const bytes = Buffer.from(canonicalJson(plainValue(row())));
      // Rows of JSON, which `readAnswers` reads alone, have a line.
      observations.push(observationFrom({ ledger: null, bytes, file, line: line! }));
    }
  return { models: [...models], observations, phase: 'primary', ignored, asked: new Map() };
}

/** The journal of a ledger under its name in a release. Errors: USAGE where lines name a host, unless that is wanted. */
function journalOf(ledger: string, index: number, withHosts: boolean): ReleaseFile {
  const name = index === 0 ? RELEASE_FILES.attempts : `attempts-${index + 1}.jsonl`;
  const file = ledgerLayout.journal(ledger);
  const text = releasedJournal(readText(storedFile(file)));
  const [first, ...others] = linesWithHosts(text);
  if (first !== undefined && !withHosts)
    fail(
      'USAGE',
      { file, line: first },
      `this line${others.length === 0 ? '' : ` and ${others.length} more`} names the host that held a lock; a journal is released whole, since a line without its content could hide anything`,
      'Add --with-hosts to release these lines as they are; ledgers of this version name no host.',
    );
  return textFile(name, text);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Documents of analyses and tokens, folders opened. The same file twice is one; another of that name takes the name of its folder in front. What is
 * neither, or only lists some, is left out.
 */
function gatherAnalyses(paths: readonly string[]): {
  readonly documents: readonly ReleaseFile[];
  readonly leftOut: readonly string[];
} {
  const files = paths.flatMap((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(path).map((name) => join(path, name))
      : [path],
  );
  const found = new Map<string, ReleaseFile>();
  const leftOut: string[] = [];
  for (const path of files) {
    const file = basename(path);
    const token = file.endsWith(TOKEN_END);
    if (!token && !file.endsWith('.json')) {
      leftOut.push(file);
      continue;
    }
    const bytes = readInput(path);
    const first = found.get(file);
    if (first !== undefined && sha256(first.bytes) === sha256(bytes)) continue;
    const name = first === undefined ? file : `${basename(dirname(path))}-${file}`;
    if (!NAME.test(name) || found.has(name)) {
      const what = found.has(name) ? 'a second file of that name' : 'not a name for a release';
      fail('USAGE', { file: path }, what, 'Names are unique and have letters, digits, dots and hyphens.');
    }
    const schema = token ? undefined : parseObject(decodeText(path, bytes), { file: path }).schema;
    if (schema === SENSITIVITY_INDEX) leftOut.push(name);
    else found.set(name, { name: `${RELEASE_FILES.analyses}${name}`, bytes });
  }
  return { documents: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), leftOut: leftOut.sort() };
}
