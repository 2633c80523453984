import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { candidatesFromCsv } from '../src/analyses/candidates.js';
import { readSubstitutions } from '../src/cli/substitution-events.js';
import { parsePlan } from '../src/collect/collection-plan.js';
import { readReply } from '../src/collect/read-reply.js';
import { parseRetryList } from '../src/collect/retry-list.js';
import { readRoster } from '../src/core/model-roster.js';
import { readDirections } from '../src/environment/directions.js';
import { readNames } from '../src/environment/name-list.js';
import { readTags } from '../src/environment/tags.js';
import { readVectors } from '../src/environment/vectors.js';
import { readWorld } from '../src/environment/world.js';
import { readAnalysisPlan } from '../src/inference/analysis-plan.js';
import { readLeaderboard } from '../src/inference/read-leaderboard.js';
import { canonicalJson, sealed } from '../src/io/canonical.js';
import { parseObject } from '../src/io/json.js';
import { readObject } from '../src/io/read-file.js';
import { decodeText } from '../src/io/utf8.js';
import { readLog } from '../src/ledger/import-log.js';
import { CHAIN_START, encodeLine } from '../src/ledger/journal-line.js';
import { scanJournal } from '../src/ledger/journal-scan.js';
import { applyLine, emptyState } from '../src/ledger/journal-state.js';
import { readRecord } from '../src/ledger/record.js';
import { openPublished } from '../src/published/open-published.js';
import { proveJournal } from '../src/release/journal.js';
import { rescoreFile } from '../src/responses/answer-file.js';
import { rescorer } from '../src/responses/rescore.js';
import { checkReport } from '../src/responses/verify-report.js';
import { scoresOf } from '../src/scores/read-scores.js';
import { readTaskLabels } from '../src/scores/task-labels.js';
import { designFrom } from '../src/tasks/compile/design-file.js';
import { provedCorePlan } from '../src/tasks/coreplan.js';
import { readMapFile } from '../src/tasks/maps-read.js';
import { taskSetOf } from '../src/tasks/taskset.js';
import { provedTasks } from '../src/tasks/verify-tasks.js';
import { readCompletions } from '../src/transfer/completion.js';
import * as seeds from './seeds.js';
import { TASKS } from './seeds.js';

/** A sound file, from which damaged ones are made. */
export interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A damaged file as a target reads it. */
export interface Input {
  readonly name: string;
  readonly bytes: Buffer;
  /** Writes it and gives its path, for readers that take one. */
  path(): string;
  text(): string;
}

/** A reader of the program, and files that it reads. */
export interface Target {
  readonly name: string;
  /** How often it is tried, of the sum of all. */
  readonly weight: number;
  readonly seeds: readonly Seed[];
  /** Whether what it reads may be packed. */
  readonly packed?: boolean;
  run(input: Input): unknown;
}

/** Makes an input that is written into a folder when it is asked for. */
export function inputOf(folder: string, seed: Seed, bytes: Buffer): Input {
  const name = seed.name.split('/').at(-1)!;
  return {
    name: seed.name,
    bytes,
    path() {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    },
    text: () => decodeText(name, bytes),
  };
}

const scores = ({ name, bytes }: Input) =>
  scoresOf([{ name, folder: name.split('/').slice(0, -1).join('/'), bytes }], { missing: 'common-tasks' });

/** A document is sealed anew, so that what is behind its digest is reached. */
function resealed(text: string, file: string): string {
  const { artifact_sha256, ...rest } = parseObject(text, { file });
  return `${canonicalJson(artifact_sha256 === undefined ? rest : sealed(rest))}\n`;
}

/** Events, one a line, are chained anew. */
function journalOf(text: string): string {
  let chain = CHAIN_START;
  const lines: string[] = [];
  for (const event of text.split('\n').filter((line) => line.trim() !== '')) {
    const next = encodeLine(parseObject(event, { file: 'event' }) as never, chain);
    lines.push(`${next.line}\n`);
    chain = next.chain;
  }
  return lines.join('');
}

function readJournal(path: string): void {
  const state = emptyState();
  scanJournal(path, (line) => {
    applyLine(state, line, path);
  });
}

const reply = ({ bytes }: Input, kind: 'chat_completions' | 'messages') =>
  readReply({ status: 200, headers: {}, body: bytes, oversized: false } as never, kind);

/** Everything that reads what somebody else may have written. */
export const TARGETS: readonly Target[] = [
  { name: 'tables', weight: 12, seeds: seeds.tables, packed: true, run: scores },
  { name: 'logs', weight: 8, seeds: seeds.logs, packed: true, run: scores },
  {
    name: 'answers',
    weight: 6,
    seeds: seeds.answers,
    run: (input) => rescoreFile(input.path(), rescorer({ tasks: TASKS, ignoreUnknown: true })),
  },
  { name: 'answers to import', weight: 2, seeds: seeds.answerLines, run: importedAnswers },
  { name: 'reports', weight: 1, seeds: seeds.reports, run: (input) => checkReport(input.text(), input.name) },
  {
    name: 'completions',
    weight: 1,
    seeds: seeds.completions,
    run: (input) => readCompletions(input.text(), input.name),
  },
  { name: 'vectors', weight: 6, seeds: seeds.vectors, packed: true, run: (input) => readVectors(input.path()) },
  { name: 'names', weight: 1, seeds: seeds.names, packed: true, run: (input) => readNames(input.path()) },
  { name: 'tags', weight: 1, seeds: seeds.tags, packed: true, run: (input) => readTags(input.path()) },
  { name: 'directions', weight: 1, seeds: seeds.directions, run: (input) => readDirections(input.path(), 4) },
  { name: 'substitutions', weight: 2, seeds: seeds.substitutions, run: (input) => readSubstitutions(input.path()) },
  { name: 'worlds', weight: 1, seeds: seeds.worlds, run: (input) => readWorld(input.path()) },
  {
    name: 'designs',
    weight: 1,
    seeds: seeds.designs,
    run: (input) => designFrom(readObject(input.path()), input.name),
  },
  { name: 'task sets', weight: 2, seeds: seeds.taskSets, run: (input) => taskSetOf(input.name, input.bytes) },
  { name: 'task sets, proved', weight: 1, seeds: seeds.taskSets, run: (input) => provedTasks(input.name, input.bytes) },
  { name: 'maps', weight: 1, seeds: seeds.taskSets, run: (input) => readMapFile(input.path()) },
  {
    name: 'cores',
    weight: 1,
    seeds: seeds.cores,
    run: (input) => provedCorePlan(input.name, Buffer.from(resealed(input.text(), input.name))),
  },
  {
    name: 'labels of tasks',
    weight: 1,
    seeds: seeds.labels,
    run: (input) => readTaskLabels({ clusters: input.name }, () => input.bytes),
  },
  {
    name: 'candidates',
    weight: 1,
    seeds: seeds.candidates,
    run: (input) => candidatesFromCsv(input.text(), input.name),
  },
  { name: 'rosters', weight: 1, seeds: seeds.rosters, run: (input) => readRoster(input.bytes, input.name) },
  { name: 'collection plans', weight: 3, seeds: seeds.plans, run: (input) => parsePlan(input.text(), input.name) },
  { name: 'analysis plans', weight: 1, seeds: seeds.analysisPlans, run: (input) => analysisPlan(input) },
  { name: 'retry lists', weight: 1, seeds: seeds.retries, run: (input) => parseRetryList(input.text(), input.name) },
  { name: 'replies', weight: 3, seeds: seeds.replies, run: (input) => reply(input, 'chat_completions') },
  { name: 'replies, messages', weight: 1, seeds: seeds.messages, run: (input) => reply(input, 'messages') },
  { name: 'records', weight: 1, seeds: seeds.records, run: (input) => readRecord(input.text(), input.name) },
  {
    name: 'records, sealed anew',
    weight: 2,
    seeds: seeds.records,
    run: (input) => readRecord(resealed(input.text(), input.name), input.name),
  },
  { name: 'journals', weight: 1, seeds: seeds.journals, run: (input) => readJournal(input.path()) },
  { name: 'journals, chained anew', weight: 2, seeds: seeds.events, run: chainedJournal },
  {
    name: 'journals of a release',
    weight: 1,
    seeds: seeds.journals,
    run: (input) => proveJournal(input.bytes, input.name),
  },
  {
    name: 'results',
    weight: 2,
    seeds: seeds.results,
    run: (input) => readLeaderboard(parseObject(input.text(), { file: input.name }).results, { file: input.name }),
  },
  { name: 'published documents', weight: 1, seeds: seeds.published, run: (input) => openPublished(input.path()) },
];

function importedAnswers(input: Input) {
  return readLog({ file: input.path(), label: 'fuzz', tasks: new Map(TASKS.map((task) => [task.id, task])) } as never);
}

function analysisPlan(input: Input) {
  return readAnalysisPlan(resealed(input.text(), input.name), input.name);
}

function chainedJournal(input: Input): void {
  const path = input.path();
  writeFileSync(path, journalOf(input.text()));
  readJournal(path);
}
