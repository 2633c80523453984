import { join } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { createEngine } from '../../../engine/index.js';
import { readTaskFiles, readTaskSet } from '../../../tasks/taskset.js';
import { claims } from '../../../transfer/claim.js';
import { completionGrid, readCompletions } from '../../../transfer/completion.js';
import { CONTROL, runsOf, TREATMENT } from '../../../transfer/condition.js';
import { familyTable, mainTable, seedTable } from '../../../transfer/report.js';
import { assertGate, requireSeal, type Seal, sealPrimary } from '../../../transfer/seal.js';
import { CROSSED_STREAM, FLIP_STREAM } from '../../../transfer/stream.js';
import {
  type Stage,
  type StudyPlan,
  type StudyResult,
  transferStudy,
} from '../../../transfer/study.js';
import { readStudyPlan } from '../../../transfer/study-plan.js';
import { verifyTrainingRun } from '../../../transfer/training-manifest.js';
import { canonicalDigest, canonicalJson } from '../../../util/canonical.js';
import { type Envelope, envelope, inputFileAt, RNG_ID } from '../../../util/envelope.js';
import { FlavourError } from '../../../util/error.js';
import { readText, writeAtomic } from '../../../util/file.js';
import { parseJson } from '../../../util/json.js';
import { latexTable, markdownTable, tableCsv } from '../../../util/report-table.js';
import { countOption, numberOption, seedOption } from '../../options.js';
import { printLine, printTable } from '../../print.js';

interface ContrastFlags {
  readonly completions: readonly string[];
  readonly tasks: readonly string[];
  readonly split?: string;
  readonly stage: Stage;
  readonly seal?: string;
  readonly primary?: string;
  readonly plan?: string;
  readonly manifests?: readonly string[];
  readonly rng: 'philox' | 'numpy';
  readonly protocolSha256?: string;
  readonly seed: bigint;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  readonly threshold: number;
  readonly learner: string;
  readonly out: string;
  readonly json?: boolean;
}

/** `transfer contrast`. */
export function registerContrast(transfer: Command): void {
  transfer
    .command('contrast')
    .description('Estimate the effect of training from generations, and seal it.')
    .requiredOption(
      '--completions <files...>',
      'rows {condition, training_seed, task_id, completion}',
    )
    .requiredOption('--tasks <files...>', 'task files with the maps')
    .option('--split <file>', 'task rows that the generations must cover exactly')
    .addOption(
      new Option('--stage <name>', 'primary, or secondary after it')
        .choices(['primary', 'secondary'])
        .default('primary'),
    )
    .option('--seal <file>', 'seal of the primary stage; the secondary stage needs it')
    .option('--primary <file>', 'primary analysis to show beside the secondary one')
    .option('--plan <file>', 'frozen study plan: its draws, threshold and digest are used')
    .option('--manifests <folders...>', 'training runs to check before anything is computed')
    .addOption(
      new Option('--rng <name>', 'numpy replays the published streams')
        .choices(['philox', 'numpy'])
        .default('philox'),
    )
    .option('--protocol-sha256 <digest>', 'protocol whose digest seeds the replayed streams')
    .option('--seed <n>', 'seed of the philox streams', seedOption, 20260820n)
    .option('--draws <n>', 'crossed bootstrap draws', countOption, 50_000)
    .option('--flips <n>', 'anchor sign flips', countOption, 100_000)
    .option('--alpha <x>', 'error rate', numberOption, 0.05)
    .option('--threshold <points>', 'practical threshold', numberOption, 3)
    .option('--learner <name>', 'what was trained, for the claims', 'the model')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print the analysis document')
    .action(runContrast);
}

/** What fixes the study: a frozen plan, a named protocol, or the settings of this call. */
function protocolOf(flags: ContrastFlags): { plan: StudyPlan; protocolSha256: string } {
  const frozen = flags.plan === undefined ? undefined : readStudyPlan(flags.plan);
  const settings = frozen
    ? {
        draws: frozen.inference.draws,
        flips: frozen.inference.flips,
        alpha: frozen.inference.alpha,
        threshold: frozen.inference.threshold_points,
      }
    : {
        draws: flags.draws,
        flips: flags.flips,
        alpha: flags.alpha,
        threshold: flags.threshold,
      };
  const given = flags.protocolSha256 ?? frozen?.artifact_sha256;
  if (flags.protocolSha256 !== undefined && !/^[0-9a-f]{64}$/.test(flags.protocolSha256)) {
    throw new FlavourError('USAGE', '--protocol-sha256 is not 64 lower-case hexadecimal digits');
  }
  if (flags.rng === 'numpy' && given === undefined) {
    throw new FlavourError('USAGE', '--rng numpy needs the digest that seeds its streams', {
      hint: 'Give --protocol-sha256 or --plan.',
    });
  }
  const protocolSha256 = given ?? canonicalDigest({ ...settings, seed: flags.seed.toString() });
  return {
    protocolSha256,
    plan: {
      stage: flags.stage,
      ...settings,
      random:
        flags.rng === 'numpy'
          ? { kind: 'numpy', protocolSha256 }
          : { kind: 'philox', seed: flags.seed },
    },
  };
}

async function runContrast(flags: ContrastFlags): Promise<void> {
  const { plan, protocolSha256 } = protocolOf(flags);
  const opened: Seal | undefined =
    flags.stage === 'secondary' ? requireSeal(flags.seal, protocolSha256) : undefined;
  const manifests = (flags.manifests ?? []).map(verifyTrainingRun);
  const { byId } = readTaskFiles(flags.tasks);
  const expected =
    flags.split === undefined ? undefined : readTaskSet(flags.split).tasks.map(({ id }) => id);
  const grid = completionGrid(
    flags.completions.flatMap((path) => readCompletions(readText(path), path)),
    byId,
    expected,
  );
  if (manifests.length > 0) {
    const seeds = runsOf(grid, TREATMENT).map(({ seed }) => seed as number);
    assertGate(manifests, seeds, [CONTROL, TREATMENT], protocolSha256);
  }
  const engine = await createEngine({ backend: 'wasm' });
  const result = await transferStudy(grid, plan, engine).finally(() => engine.close());
  const { document, text } = envelope({
    schema: 'flavourbench-transfer-analysis/1',
    plan: {
      stage: plan.stage,
      draws: plan.draws,
      flips: plan.flips,
      alpha: plan.alpha,
      threshold_points: plan.threshold,
      protocol_sha256: protocolSha256,
      primary_seal_sha256: opened?.artifact_sha256 ?? null,
    },
    inputs: [
      ...flags.completions.map((path) => inputFileAt('completions', path)),
      ...flags.tasks.map((path) => inputFileAt('tasks', path)),
    ],
    rng: RNG_ID[flags.rng],
    seed: flags.rng === 'numpy' ? null : flags.seed,
    streams:
      flags.rng === 'numpy'
        ? {
            bootstrap: result.contrast.bootstrap_seed,
            flips: result.contrast.sign_flip_seed,
          }
        : { bootstrap: CROSSED_STREAM, flips: FLIP_STREAM },
    results: result,
    run: { backend: engine.backend, threads: engine.threads, reason: 'small job', warnings: [] },
  });
  const results = [...primaryOf(flags), result].filter(
    (one, i, all) => all.findIndex(({ stage }) => stage === one.stage) === i,
  );
  await writeStudy(flags, plan, results, text);
  if (flags.stage === 'primary') {
    const seal = sealPrimary({
      protocolSha256,
      analysisSha256: document.artifact_sha256,
      resultsSha256: document.results_sha256,
      taskIds: grid.tasks.map(({ id }) => id),
      manifests,
    });
    writeAtomic(join(flags.out, 'seal.json'), `${canonicalJson(seal)}\n`);
  }
  if (flags.json) process.stdout.write(text);
  else printStudy(flags, result, results);
}

/** The primary result, to stand beside the secondary one in tables and figures. */
function primaryOf(flags: ContrastFlags): StudyResult[] {
  if (flags.primary === undefined || flags.stage === 'primary') return [];
  const document = parseJson(readText(flags.primary), {
    file: flags.primary,
  }) as unknown as Envelope<unknown, StudyResult>;
  if (document.results?.stage !== 'primary') {
    throw new FlavourError('SCHEMA_INVALID', `${flags.primary} is not a primary analysis`, {
      hint: 'Give the analysis.json of the primary stage.',
      where: { file: flags.primary },
    });
  }
  return [document.results];
}

async function writeStudy(
  flags: ContrastFlags,
  plan: StudyPlan,
  results: readonly StudyResult[],
  text: string,
): Promise<void> {
  const { effectFigure, scoreFigure, transferFigureData } = await import(
    '../../../transfer/figure.js'
  );
  writeAtomic(join(flags.out, 'analysis.json'), text);
  for (const table of [mainTable(results), familyTable(results), seedTable(results)]) {
    writeAtomic(join(flags.out, `${table.name}.tex`), latexTable(table));
    writeAtomic(join(flags.out, `${table.name}.md`), markdownTable(table));
    writeAtomic(join(flags.out, `${table.name}.csv`), tableCsv(table));
  }
  for (const theme of ['light', 'dark'] as const) {
    const suffix = theme === 'light' ? '' : '-dark';
    const title = 'Score by training condition';
    writeAtomic(join(flags.out, `scores${suffix}.svg`), scoreFigure(results, theme, title));
    writeAtomic(
      join(flags.out, `effect${suffix}.svg`),
      effectFigure(results, theme, plan.threshold),
    );
  }
  writeAtomic(join(flags.out, 'figures.csv'), transferFigureData(results));
  const { said, unsaid } = claims(results.at(-1) as StudyResult, flags.learner);
  writeAtomic(
    join(flags.out, 'claims.md'),
    `## Allowed\n\n${said}\n\n## Not allowed\n\n${unsaid}\n`,
  );
}

function printStudy(
  flags: ContrastFlags,
  result: StudyResult,
  results: readonly StudyResult[],
): void {
  for (const table of [mainTable(results), seedTable(results)]) {
    printTable(
      table.columns.map(({ title }) => title),
      table.rows,
    );
    printLine('');
  }
  const { said, unsaid } = claims(result, flags.learner);
  printLine(said);
  printLine(unsaid);
  printLine(
    flags.stage === 'primary'
      ? `Sealed. Written to ${flags.out}; the secondary stage takes --seal ${join(flags.out, 'seal.json')}`
      : `Written to ${flags.out}`,
  );
}
