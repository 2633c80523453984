import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Names that a newcomer cannot guess, and what is said instead (docs/glossary.md has the words with one meaning). */
const OPAQUE: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^breathe$/, 'yieldToEvents: what the caller does'],
  [/Apart$/, 'what is kept apart or told apart: proveFiles, assertDisjoint'],
  [/[bB]oxe[sd]/, 'lettersWithoutGlyph, rectangles'],
  [/^seen$/, 'what was met: ids, linesById, done'],
  [/^(?:un)?dressed$/, 'withFrame, withFonts'],
  [/^fates?$/i, 'outcome'],
  [/^[tT]old$/, 'facts, notified'],
  [/Surroundings?$/i, 'context, services'],
  [/^doubts?$/, 'warnings'],
  [/^spoilers$/, 'the cells that fail'],
  [/^strangers?$/, 'unknown files, unlisted models'],
  [/^(?:Seat|seat)$/, 'the worker and its job'],
  [/^(?:Say|say)$/, 'answerText'],
  [/^(?:Hold|Held)$/, 'Reservation; what is held'],
  [/^unsaid$/, 'undeclared'],
  [/^(?:woken|wake)$/, 'resume, resumed'],
];

/** Names of before, by the table of words that meant several things: what they are called now. */
const RENAMED: Readonly<Record<string, string>> = {
  PoolOptions: 'WorkersOptions',
  WebPoolOptions: 'WebWorkersOptions',
  PoolCell: 'CandidateCell',
  CorePool: 'EligibleTasks or CandidateSelection',
  poolsOf: 'eligibleTasks',
  FamilyPool: 'FamilyCandidates',
  WorldPool: 'WorldCandidates',
  worldPools: 'worldCandidates',
  scoreablePools: 'scoreableCandidates',
  PoolTask: 'RowTask',
  PoolFiles: 'RowFiles',
  seedPool: 'seedState',
  BootstrapPlan: 'BootstrapBound',
  FlipPlan: 'FlipTotals',
  planBootstrap: 'bootstrapBound',
  planFlips: 'flipTotals',
  OrderPlan: 'OrderRanks',
  QuantilePlan: 'QuantileRanks',
  planQuantiles: 'quantileRanks',
  SubsetPlan: 'SubsetSizes',
  PlanModel: 'PlannedModel',
  FrozenStudyPlan: 'StudyPlan',
  ReleasePlan: 'StatedPlan',
  EnvelopeClass: 'ReplyKind',
  envelopeClass: 'replyKind',
  readErrorEnvelope: 'readErrorReply',
  AnalysisReport: 'Analysis',
  releaseReport: 'releasePage',
  ReportTable: 'TextTable',
  ReportColumn: 'TextColumn',
  LedgerReport: 'LedgerVerification',
  StudyReport: 'StudyTables',
  ControlReport: 'SplitControl',
  InferencePlanDocument: 'StatedInferencePlan',
  planDocument: 'statedInferencePlan',
  DocumentRequest: 'TaskSetRequest',
  datasetCard: 'releaseCard or trainingCard',
  Board: 'Leaderboard',
  BoardModel: 'LeaderboardModel',
  BoardPair: 'LeaderboardPair',
  readBoard: 'readLeaderboard',
  boardScores: 'stratifiedScores',
  BoardAgreement: 'RankAgreement',
  boardAgreement: 'rankAgreement',
  MetricBoard: 'MetricScores',
  metricBoards: 'metricScores',
  Sheet: 'FigureData',
  EnvironmentRecord: 'StoredEnvironment',
  csvCell: 'csvField',
  cellNumber: 'fieldNumber',
};

const root = 'src';
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();

/** Every identifier of a file once. Comments and texts are not looked at, nor keys of object literals: documents have them. */
function identifiers(file: string, text = readFileSync(join(root, file), 'utf8')): Set<string> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    if (ts.isPropertyAssignment(node)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function opaqueNames(file: string, names: Iterable<string>): string[] {
  return [...names].flatMap((name) => {
    const instead =
      OPAQUE.find(([pattern]) => pattern.test(name))?.[1] ?? (Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined);
    return instead === undefined ? [] : [`${file}: ${name}; say ${instead}`];
  });
}

describe('names in src', () => {
  it('no identifier and no file name is one that a newcomer cannot guess', () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // Parsing is slow: only where the list has a word of the file, be it in a comment.
      const suspect = opaqueNames(file, new Set(text.match(/\w+/g))).length > 0;
      const names = [basename(file).replace(/(?:\.d)?\.tsx?$/, ''), ...(suspect ? identifiers(file, text) : [])];
      return opaqueNames(file, names);
    });
    expect(found).toEqual([]);
  });

  it('a name of the list would be found: in a declaration, a parameter, a property and a file name', () => {
    for (const name of ['breathe', 'ProofsApart', 'boxes', 'boxedLetters', 'seen', 'dressed', 'fate', 'Told', 'doubts'])
      expect(opaqueNames('x.ts', [name])).toHaveLength(1);
    expect(opaqueNames('x.ts', ['openSurroundings', 'part', 'addressed', 'outcome'])).toHaveLength(1);
    expect(identifiers('cli/print.ts')).toContain('printLine');
  });
});

/** The same base name in two rooms, with the reason why no other says as well what is inside. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  'text.ts': 'draw: text as a figure shows it; util: characters of any text',
  'weights.ts': 'analyses: the weights of families, an analysis of that name; engine/reference: weights of a draw',
};

const roomOf = (file: string) => file.split('/')[0]!;

describe('files in src', () => {
  it('no file has more than 320 lines', () => {
    const long = files
      .map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 320);
    expect(long).toEqual([]);
  });

  it('no folder has more than 45 files', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 45)).toEqual([]);
  });

  it('no two rooms have a file of the same name, but for those listed with a reason', () => {
    const rooms = new Map<string, Set<string>>();
    for (const file of files) {
      // A command's file is named by the command; index.ts and browser.ts are the entries of their room.
      if (file.startsWith('cli/commands/') || /^(?:index|browser)\.ts$/.test(basename(file))) continue;
      const name = basename(file);
      rooms.set(name, (rooms.get(name) ?? new Set()).add(roomOf(file)));
    }
    const shared = [...rooms].filter(([, where]) => where.size > 1);
    expect(shared.filter(([name]) => !(name in SHARED_NAMES)).map(([name, where]) => [name, ...where])).toEqual([]);
    expect(Object.keys(SHARED_NAMES).filter((name) => !shared.some(([each]) => each === name))).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  const text = readFileSync('docs/glossary.md', 'utf8');
  const words = [...text.matchAll(/^\*\*([^*]+)\.\*\*/gm)].map(([, word]) => word!.toLowerCase());

  it('explains every word once', () => {
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  });

  it('has the words that meant several things', () => {
    for (const word of [
      'pool',
      'envelope',
      'report',
      'document',
      'statement',
      'card',
      'leaderboard',
      'view',
      'manifest',
    ])
      expect(words).toContain(word);
  });
});
