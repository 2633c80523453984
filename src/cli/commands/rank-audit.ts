import type { Command } from 'commander';
import { followInputs } from '../../analyses/about.js';
import type { AnalysisInputs, AuditSource } from '../../analyses/inputs.js';
import { claimWords } from '../../analyses/rank-audit/claims.js';
import {
  type AuditRun,
  type RankAuditOptions,
  type RankAuditResults,
  rankAudit,
  runAudit,
} from '../../analyses/rank-audit/rank-audit.js';
import type { EngineOptions } from '../../engine/node.js';
import { inferenceDocument } from '../../inference/inference-document.js';
import type { InputFile } from '../../io/envelope.js';
import { LOG_NAMES } from '../../logs/formats.js';
import { fail } from '../../util/error.js';
import { counted, either } from '../../util/format.js';
import { type OpenedInputs, openInputs } from '../analysis-inputs.js';
import { analysisOptions, ownOptions } from '../analysis-options.js';
import { type AnalysisOutputOptions, fittingWords, notedWords, writeAnalysis } from '../analysis-output.js';
import { auditTable, auditText } from '../audit-text.js';
import { commandWords } from '../command-words.js';
import { collected } from '../options.js';
import { assertOut } from '../out-target.js';
import { printNote } from '../print.js';
import { type RowFlags, rowOptions } from '../row-options.js';
import { openShares, type ShareFlags, shareOptions } from '../sharing/call-shares.js';
import { columnOptions, type TableFlags, unitOptions } from '../table-options.js';
import { type TaskFlags, taskOptions } from '../task-options.js';
import { terminal } from '../terminal.js';
import { elsewhere, REPLAYED } from '../words-elsewhere.js';

interface AuditFlags extends RankAuditOptions, AnalysisOutputOptions, RowFlags, TableFlags, TaskFlags, ShareFlags {
  readonly table?: boolean;
  readonly compare?: readonly string[];
  readonly annotate?: string;
  readonly metric?: string;
  readonly backend?: NonNullable<EngineOptions['backend']>;
  readonly threads?: number;
}

/** Places in a line of the answer at most. */
const ANSWER = 80;

/** Adds `rank-audit`. */
export function register(program: Command): void {
  const command = program
    .command(rankAudit.name)
    .description(rankAudit.summary)
    .argument(
      '<files...>',
      `scores: a table (CSV, JSON, Excel, Arrow, Parquet, numpy), or logs of ${either(LOG_NAMES)}, or a folder of them`,
    )
    .option('--table', 'print the table of all models, and everything that is to be said')
    .option(
      '--compare <file>',
      'a second table of these models and tasks, or with a model more: what changed, which claims stand',
      collected,
    )
    .option(
      '--annotate <folder>',
      'write a badge, a Markdown table, a model-index block, and logs in JSON with what was found',
    )
    .option('--clusters <file>', 'CSV task,cluster: tasks that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts that weigh the same in a score');
  const rows = shareOptions(taskOptions(rowOptions(columnOptions(unitOptions(command)))));
  const own = ownOptions(analysisOptions(rows, rankAudit.options), rankAudit.name).action(runRankAudit);
  elsewhere(own, { '--rng <name>': REPLAYED }, { '--rng <name>': 'philox' });
}

/** Follows the old spelling of `--missing common-tasks`, with a note. Errors: USAGE for both that contradict each other. */
function withMissing(flags: AuditFlags): AuditFlags {
  if (flags.commonTasks !== true) return { ...flags, commonTasks: flags.missing === 'common-tasks' };
  if (flags.missing !== undefined && flags.missing !== 'common-tasks')
    fail('USAGE', null, `--common-tasks with --missing ${flags.missing}`, 'Give --missing alone.');
  if (!flags.json && !flags.quiet) printNote('--common-tasks is now --missing common-tasks');
  return { ...flags, missing: 'common-tasks' };
}

async function runRankAudit(paths: readonly string[], given: AuditFlags, command: Command): Promise<void> {
  const flags = withMissing(given);
  assertOut(flags);
  const sharing = await openShares(flags, command);
  for (const other of ['compare', 'annotate'] as const)
    if (sharing.shares && flags[other] !== undefined)
      fail('USAGE', null, `--shard with --${other}`, `Leave --${other} out of an audit in shares.`);
  if (flags.compare !== undefined) return runComparison(paths, flags);
  const { backend, threads, quiet } = flags;
  const opened = openInputs({ backend, threads, quiet, around: sharing.around, drawn: paths });
  let source: AuditSource | undefined;
  const follow = (read: AuditSource) => {
    source = read;
  };
  const { inputs, about } = followInputs(auditInputs(opened, paths, flags, follow));
  const outcome = await runAudit(inputs, flags).finally(() => opened.close());
  const { files } = opened;
  if (await sharing.ended(files)) return;
  const page = () => auditPage(outcome, { ...source!, files: opened.files }, commandWords(command));
  const ran = { analysis: rankAudit, outcome, files, about: await about(), facts: opened.facts(), page };
  const read = [opened.reading()?.text ?? '', ...gapFacts(outcome.results)].filter((part) => part !== '').join('; ');
  const resultsSha256 = await writeAnalysis(
    ran,
    () => words(outcome, { read, leftOut: opened.reading()?.left_out.length ?? 0, paths }, flags),
    flags,
  );
  if (flags.annotate !== undefined) {
    const { annotate } = await import('./rank-audit/annotate.js');
    await annotate(flags.annotate, { outcome, paths, resultsSha256 });
  }
  assertConditions(outcome.results);
}

/** What a page of an audit shows beside its document: the leaderboard, and the scores where none is missing. */
function auditPage(
  { inference }: AuditRun,
  { matrix, bounds, files }: AuditSource & { readonly files: readonly InputFile[] },
  command: readonly string[],
) {
  const run = { backend: 'wasm', threads: 1, reason: 'as the audit', warnings: inference.warnings };
  const { text } = inferenceDocument({ matrix, inference, inputs: files, run });
  return { inference: { name: 'inference.json', text }, matrix: bounds ? null : matrix, command };
}

/** What the first line says of cells that are missing. */
function gapFacts({ tasks_dropped: dropped, gaps }: RankAuditResults): string[] {
  if (dropped > 0) return [`${counted(dropped, 'task')} that some model lacks left out`];
  return gaps ? [`${counted(gaps.missing, 'cell')} missing`] : [];
}

/** Inputs of an audit of some files, whose matrix `follow` is given. */
function auditInputs(
  opened: OpenedInputs,
  paths: readonly string[],
  flags: AuditFlags,
  follow?: (source: AuditSource) => void,
): AnalysisInputs {
  return {
    ...opened.inputs,
    audited: async () => {
      const { readAuditSource } = await import('../audit-source.js');
      const source = await readAuditSource({ ...flags, paths });
      opened.files.push(...source.inputs);
      opened.noteReading(source.reading);
      follow?.(source);
      return source;
    },
  };
}

/** Audits the files of a call and those of `--compare`, in this order, and says what changed; claims are checked on the second. */
async function runComparison(paths: readonly string[], { failUnless, ...flags }: AuditFlags): Promise<void> {
  const [{ compareAudits }, { comparisonTarget, writeComparison }] = await Promise.all([
    import('../../analyses/rank-audit/compare-audits.js'),
    import('./rank-audit/comparison.js'),
  ]);
  if (flags.annotate !== undefined)
    fail('USAGE', null, '--annotate with --compare', 'Annotate the second table by itself.');
  if (flags.out !== undefined) comparisonTarget(flags.out);
  const opened = openInputs({ backend: flags.backend, threads: flags.threads, quiet: flags.quiet });
  const audit = async (files: readonly string[], options: RankAuditOptions) => {
    let source: AuditSource | undefined;
    const inputs = auditInputs(opened, files, flags, (read) => {
      source = read;
    });
    const outcome = await runAudit(inputs, options);
    const { matrix, bounds } = source!;
    const reading = opened.reading()!;
    return { outcome, matrix, reading, complete: bounds === undefined, inference: outcome.inference };
  };
  const [before, after] = await (async () => {
    const first = await audit(paths, flags);
    return [first, await audit(flags.compare!, failUnless === undefined ? flags : { ...flags, failUnless })] as const;
  })().finally(() => opened.close());
  const { seed, streams } = after.outcome;
  await writeComparison({
    comparison: compareAudits(before, after),
    plan: { before: before.outcome.plan, after: after.outcome.plan },
    files: opened.files,
    ...{ seed, streams, options: flags },
    read: [before.reading.text, after.reading.text],
    held: heldClaims(after.outcome.results),
    facts: {
      ...opened.facts(),
      read: { before: before.reading, after: after.reading },
      warnings: [...new Set([...before.outcome.warnings, ...after.outcome.warnings])],
    },
  });
  assertConditions(after.outcome.results);
}

/** Errors: CONDITION_FAILED (exit 6) where a claim of the call does not hold. */
function assertConditions({ conditions = [], tasks, clusters }: RankAuditResults): void {
  const failed = conditions.filter(({ holds }) => !holds);
  if (failed.length === 0) return;
  const said = failed.map((claim) => claimWords(claim, { tasks, clusters })).join('. ');
  const hint = `${counted(conditions.length - failed.length, 'condition')} of ${conditions.length} hold${conditions.length - failed.length === 1 ? 's' : ''}. What is not told apart is not thereby equal.`;
  fail('CONDITION_FAILED', null, said, hint, { exit: 6 });
}

/** Sentences about the claims of a call that hold. */
const heldClaims = ({ conditions = [], tasks, clusters }: RankAuditResults): string[] =>
  conditions.filter(({ holds }) => holds).map((claim) => `${claimWords(claim, { tasks, clusters })}.`);

/** What the terminal gets: the answer, and under `--table` all models and everything that is to be said. */
function words(
  outcome: AuditRun,
  source: { readonly read: string; readonly leftOut: number; readonly paths: readonly string[] },
  { table }: AuditFlags,
): string {
  const { columns } = terminal;
  const short = auditText({ ...source, outcome, width: Math.min(columns, ANSWER), tabled: table === true });
  const answer = [short, ...heldClaims(outcome.results).map(fittingWords)].join('\n');
  if (!table) return answer;
  const all = auditTable(outcome.results, { alpha: outcome.plan.alpha, width: columns });
  return `${answer}\n\n${all}\n\n${fittingWords(notedWords(rankAudit, outcome))}`;
}
