import { join } from 'node:path';
import type { Command } from 'commander';
import { createEngine } from '../../../engine/node.js';
import { openPlanOf, readAnalysisPlan } from '../../../inference/analysis-plan.js';
import { INFERENCE_SCHEMAS, isOfTheCall } from '../../../inference/inference-document.js';
import { DEFAULT_PLAN, type OpenPlan, readStatedPlan } from '../../../inference/plan.js';
import { readInput, readText } from '../../../io/file.js';
import { asObject, type JsonObject } from '../../../io/json.js';
import { readObject } from '../../../io/read-file.js';
import { buildRelease, writeRelease } from '../../../release/build.js';
import { reasonedCells } from '../../../release/candidate-cells.js';
import { gatherSources } from '../../../release/gather.js';
import type { ReleasedPlan } from '../../../release/plans/released-plan.js';
import { differenceText, jsonDifferences } from '../../../release/proofs/differences.js';
import { RELEASE_FILES, type ReleaseFile } from '../../../release/release-files.js';
import type { ReleaseView } from '../../../release/view.js';
import type { SetParser } from '../../../responses/parser.js';
import { statedParser } from '../../../responses/parser-contract.js';
import { fail, shown } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { asStated } from '../../../witness/witness.js';
import { parserOption, parserWords } from '../../parser-option.js';

import { lettersWithoutGlyph, plain, printJson, printLettersWithoutGlyph, printLine } from '../../print.js';
import { findWitnesses, type WitnessFlags, witnessOptions } from '../../witness-options.js';

import { elsewhere } from '../../words-elsewhere.js';
import { digestLines } from './view.js';

interface BuildFlags extends WitnessFlags {
  readonly tasks: readonly string[];
  readonly core?: string;
  readonly ledger?: readonly string[];
  readonly responses?: readonly string[];
  readonly roster?: string;
  readonly parser?: SetParser;
  readonly inference?: string;
  readonly plan?: string;
  readonly analyses?: readonly string[];
  readonly title: string;
  readonly track?: string;
  readonly claim: string;
  readonly licence: string;
  readonly out?: string;
  readonly into?: string;
  readonly figures: boolean;
  readonly withHosts?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface InferenceFile {
  readonly plan: OpenPlan;
  readonly results: JsonObject;
  /** Parser of its answers; absent where it comes from a matrix. */
  readonly parser?: SetParser;
}

/** Plan and results of an inference.json. Errors: SCHEMA_INVALID. */
function readInference(path: string): InferenceFile {
  const document = readObject(path);
  if (!Object.values<unknown>(INFERENCE_SCHEMAS).includes(document.schema)) {
    fail(
      'SCHEMA_INVALID',
      { file: path, path: 'schema' },
      `schema ${shown(document.schema)}`,
      'Give the inference.json that `infer --out` wrote.',
    );
  }
  const results = asObject(document.results, { file: path });
  if (asObject(document.plan, { file: path }).family_weights !== undefined)
    fail(
      'USAGE',
      { file: path, path: 'plan.family_weights' },
      'families do not weigh the same',
      'A release states the score of its track: give an inference.json made without --family-weights.',
    );
  const { response_parser, response_parser_sha256: parser_sha256 } = results;
  const stated = { parser: response_parser, parser_sha256 };
  const parser = statedParser(stated, { file: path, path: 'results.response_parser' });
  return {
    plan: readStatedPlan(document.plan, path),
    results,
    ...(typeof results.failure_handling === 'string' ? { parser } : {}),
  };
}

/** The frozen plan of a call, with its witnesses as the release will state them. */
async function releasedPlan(flags: BuildFlags): Promise<ReleasedPlan | null> {
  const { plan: file } = flags;
  const plan = file === undefined ? null : readAnalysisPlan(readText(file), file);
  const bytes = file === undefined ? new Uint8Array() : readInput(file);
  const found = await findWitnesses(plan === null ? [] : [{ file: file!, bytes, document: plan }], flags);
  if (plan === null) return null;
  const [{ witnesses, token } = { witnesses: [], token: null }] = found;
  return { plan, bytes, witnesses: asStated(witnesses), token: token?.bytes ?? null };
}

async function build(flags: BuildFlags): Promise<void> {
  if ((flags.out === undefined) === (flags.into === undefined)) {
    fail(
      'USAGE',
      null,
      'where the release goes is not clear',
      'Give --out FOLDER, or --into PARENT for a folder named by its digest.',
    );
  }
  const given = flags.inference === undefined ? undefined : readInference(flags.inference);
  const analysisPlan = await releasedPlan(flags);
  const frozenPlan = analysisPlan === null ? undefined : openPlanOf(analysisPlan.plan, flags.plan!);
  const { title, track, claim, licence } = flags;
  const { sources, ignored, leftOut } = await gatherSources({
    tasks: flags.tasks,
    ledgers: flags.ledger ?? [],
    responses: flags.responses ?? [],
    core: flags.core,
    roster: flags.roster,
    parser: flags.parser,
    inferredWith: given?.parser,
    analyses: flags.analyses,
    plan: given?.plan ?? frozenPlan ?? DEFAULT_PLAN,
    analysisPlan,
    withHosts: flags.withHosts,
    title: { benchmark: title, claim, licence, track },
  });
  const engine = await createEngine({ backend: 'wasm' });
  const illustrate = async (view: ReleaseView) => (await import('../../../release/illustrate.js')).illustrations(view);
  const built = await buildRelease({
    sources,
    engine,
    ...(flags.figures ? { illustrate } : {}),
  }).finally(() => engine.close());
  if (given) assertAgrees(flags.inference!, given.results, built.assembled.results);
  const address = built.manifest.artifact_sha256;
  const dir = flags.out ?? join(flags.into!, `flavourbench-release-${address}`);
  const added = writeRelease({ dir, files: built.files, force: flags.force ?? false });
  const { matrix, candidates, digest } = built.assembled;
  const { parser } = candidates;
  const facts = {
    path: dir,
    added,
    manifest_sha256: address,
    release_sha256: digest,
    files: built.files.length,
    models: matrix.models.length,
    tasks: matrix.tasks.length,
    answers: candidates.ordered.length,
    ignored_answers: ignored,
    left_out: leftOut,
    parser,
    inline_reasoning_answers: reasonedCells(candidates),
  };
  if (flags.json) printJson(facts);
  else {
    printLine(
      `${counted(facts.models, 'model')} x ${counted(facts.tasks, 'task')}, ${facts.answers} answers, ${facts.files} files; ${added ? 'wrote' : 'unchanged'} ${dir}`,
    );
    printLine(parserWords(parser, facts.inline_reasoning_answers));
    printLettersWithoutGlyph(await lettersWithoutGlyph(built.files.flatMap(svgOf)));
    if (ignored > 0) printLine(`${ignored} answers of other tasks, models or panels left out`);
    if (leftOut.length > 0)
      printLine(
        plain(`left out beside the documents of analyses, whose tables a release makes itself: ${namesOf(leftOut)}`),
      );
    for (const line of digestLines(address, digest)) printLine(line);
  }
}

/** The first of many names. */
const namesOf = (names: readonly string[]): string =>
  `${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;

/** A figure of a release as text; nothing for another file. */
const svgOf = ({ name, bytes }: ReleaseFile): string[] =>
  name.startsWith(RELEASE_FILES.figures) && name.endsWith('.svg') ? [Buffer.from(bytes).toString('utf8')] : [];

/** The inference at hand must be the release's own. Errors: VERIFY_FAILED naming the first difference. */
function assertAgrees(path: string, results: object, own: object): void {
  const [first] = jsonDifferences(path, own, results, {
    ignore: isOfTheCall,
  });
  if (!first) return;
  fail(
    'VERIFY_FAILED',
    { file: path, path: first.at },
    differenceText(first),
    'The inference has other answers, tasks or models, or models in another order: run it on the matrix that `core matrix` writes.',
    { exit: 4 },
  );
}

/** Adds `release build` to its group. */
export function registerBuild(release: Command): void {
  const command = release
    .command('build')
    .description('Build a release folder: everything, content-addressed, the same bytes each time.')
    .requiredOption('--tasks <files...>', 'task sets of every panel')
    .option('--core <plan>', 'core plan: which tasks are ranked')
    .option('--ledger <dirs...>', 'ledgers, in order of priority')
    .option('--responses <files...>', 'answers, where there is no ledger')
    .option('--roster <file>', 'ranked models, their order and names')
    .addOption(parserOption())
    .option('--inference <file>', 'inference.json: its plan is used, its results must agree')
    .option('--plan <file>', 'plan that `infer plan` froze: released with every deviation from it');
  witnessOptions(command)
    .option('--analyses <paths...>', 'documents of analyses, or folders of them')
    .option('--title <text>', 'name of the benchmark', 'FlavourBench')
    .option(
      '--track <text>',
      'what is asked (default: Executable culinary selection tasks; without "culinary" where no family is)',
    )
    .option(
      '--claim <text>',
      'what the scores mean',
      'Agreement with the score maps of the ranked tasks; not general quality of a model',
    )
    .option('--licence <text>', 'licence of the release', 'not stated')
    .option('--out <folder>', 'folder of the release')
    .option('--into <folder>', 'parent of a folder that is named by the address of the release')
    .option('--no-figures', 'leave figures and tables out')
    .option('--with-hosts', 'release journal lines that name the host of a lock, as version 0.1.0 wrote them')
    .option('--force', 'replace a release')
    .option('--json', 'print JSON')
    .action(build);
  const PLANNED = [
    'a release is inferred by the plan that it states',
    'Give it to `flavourbench infer`, and --inference DIR/inference.json here; or freeze it with `infer plan`, and give --plan.',
  ] as const;
  const words = ['--draws <n>', '--flips <n>', '--seed <n>', '--rng <name>', '--strata <name>'];
  elsewhere(command, {
    ...Object.fromEntries(words.map((word) => [word, PLANNED])),
    '--threads <n>': ['one thread infers a release in less time than others take to start', 'Leave it out.'],
  });
}
