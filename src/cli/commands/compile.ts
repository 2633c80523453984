import type { Command } from 'commander';
import type { OnProgress } from '../../engine/engine.js';
import { openEnvironment } from '../../environment/store.js';
import { readWorld } from '../../environment/world.js';
import { readJson } from '../../io/read-file.js';
import type { Compiled } from '../../tasks/compile/compile.js';
import { type CompileDesign, FAMILIES, RELEASED_DESIGN } from '../../tasks/compile/compile-design.js';
import { designBlock, designFrom } from '../../tasks/compile/design-file.js';
import type { AnchorOutcome } from '../../tasks/compile/explain-anchor.js';
import { compileTaskSet, explainAnchor, readFirstPanel } from '../../tasks/compile/released-source.js';
import { storedTaskSet } from '../../tasks/compile/taskset-document.js';
import { compileWorld, explainWorldAnchor } from '../../tasks/compile/world-source.js';
import { fail, shown } from '../../util/error.js';
import { nearestHint } from '../../util/spelling.js';
import { dataHome } from '../data-home.js';
import { oldSpelling } from '../old-spelling.js';
import { countOption, mapKernels } from '../options.js';
import { printJson, printLine, printTable } from '../print.js';
import { stages } from '../progress.js';
import { forceOption, writeResult } from '../write-output.js';
import { explainCompile } from './compile-explain.js';

interface CompileFlags {
  readonly env?: string;
  readonly tags?: string;
  readonly world?: string;
  readonly seed?: string;
  readonly panel: string;
  readonly after?: string;
  readonly design?: string;
  readonly printDesign?: boolean;
  readonly onlyFamilies?: string;
  readonly perStratum?: number;
  readonly idPrefix?: string;
  readonly out?: string;
  readonly explain?: string;
  readonly backend: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Adds `compile`. */
export function register(program: Command): void {
  const command = program
    .command('compile')
    .description('Compile a panel of selection tasks from an environment, every portfolio scored.')
    .argument('[source]', 'environment (as --env) or world file (as --world)')
    .option('--env <name>', 'environment: `pantry`, an imported name, a folder or a matrix file; this or --world')
    .option('--tags <file>', "tag table in place of the environment's own")
    .option('--world <file>', 'world file of your own instead of an environment')
    .option('--seed <text>', 'seed of the hash orders, any text')
    .option('--panel <n>', '1, or 2 to prefer anchors that panel 1 does not use', '1')
    .option('--after <file>', 'task set of panel 1, for --panel 2')
    .option('--design <file>', 'JSON with counts, caps, strata and rules that differ from the released')
    .option('--print-design', 'write nothing: print the design, every key with its value')
    .option('--only-families <list>', 'families to compile, separated by commas (default: those of the design)')
    .option('--per-stratum <n>', 'tasks per stratum (default: that of the design; released: 40)', countOption)
    .option('--id-prefix <text>', 'what task ids begin with')
    .option('--out <file>', 'task set to write (JSON); a folder takes a content-addressed name; this or --explain')
    .option('--explain <anchor>', 'write nothing: say what becomes of one anchor, and why')
    .option('--backend <name>', 'wasm or reference; same digits', 'wasm')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(compile);
  oldSpelling(command, '--families <list>', 'only-families');
}

function designOf(flags: CompileFlags): CompileDesign {
  const base: CompileDesign = {
    ...RELEASED_DESIGN,
    scoreability: flags.panel === '2' ? 'before' : 'after',
  };
  const families = flags.onlyFamilies?.split(',').map((name) => name.trim());
  const unknown = families?.find((name) => !FAMILIES.some((family) => family === name));
  if (unknown !== undefined)
    fail(
      'USAGE',
      null,
      `--only-families names ${shown(unknown)}, which is no family; there are ${FAMILIES.join(', ')}`,
      nearestHint(unknown, FAMILIES, (name) => `--only-families ${name}`),
    );
  const read = flags.design === undefined ? base : designFrom(readJson(flags.design), flags.design, base);
  return designFrom(
    {
      families,
      tasks_per_stratum: flags.perStratum,
    },
    'command line',
    read,
  );
}

/** The design as JSON that `--design` takes back; the count that follows from others is left out. */
function printDesign(flags: CompileFlags): void {
  const { tasks_per_family: _, ...block } = designBlock(designOf(flags));
  printJson(block);
}

function seedOf({ seed }: CompileFlags): string {
  if (seed !== undefined && seed !== '') return seed;
  const found = seed === undefined ? 'missing' : 'empty';
  fail('USAGE', null, `--seed is ${found}; any text is expected`, 'It orders tasks, choices and labels.');
}

function checkFlags({ panel, after, out, explain, idPrefix }: CompileFlags): void {
  if (idPrefix !== undefined && !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(idPrefix)) {
    fail(
      'USAGE',
      null,
      `--id-prefix is ${shown(idPrefix)}`,
      'Use 1 to 64 letters, digits, dots, dashes and underscores; ids become parts of file names.',
    );
  }
  if (panel !== '1' && panel !== '2') fail('USAGE', null, `--panel is ${shown(panel)}; 1 or 2 is expected`);
  if ((panel === '2') !== (after !== undefined)) {
    fail(
      'USAGE',
      null,
      '--panel 2 and --after FILE go together',
      'Panel 2 is compiled after panel 1: --panel 2 --after PANEL1.json.',
    );
  }
  if ((out === undefined) === (explain === undefined))
    fail('USAGE', null, 'give either --out FILE or --explain ANCHOR');
}

/** What is compiled: the released families over an environment, or the families of a world. */
interface Job {
  /** Beginning of the file's name where `--out` is a folder. */
  readonly stem: string;
  compile(onProgress?: OnProgress): Compiled;
  explain(anchor: string, compiled: Compiled | null): AnchorOutcome[];
}

async function releasedJob(flags: CompileFlags, env: string, seed: string): Promise<Job> {
  const design = designOf(flags);
  const environment = await openEnvironment({ home: dataHome(), name: env, tags: flags.tags });
  const request = { environment, kernels: await mapKernels(flags.backend), design };
  return {
    stem: 'flavourbench-selection-taskset',
    compile: (onProgress) => {
      const first = flags.after === undefined ? null : readFirstPanel(flags.after);
      return compileTaskSet({ ...request, seed, first, idPrefix: flags.idPrefix, onProgress });
    },
    explain: (anchor, compiled) => explainAnchor({ ...request, anchor, compiled }),
  };
}

async function worldJob(flags: CompileFlags, path: string, seed: string): Promise<Job> {
  const { perStratum, idPrefix } = flags;
  const request = { world: readWorld(path), kernels: await mapKernels(flags.backend), perStratum };
  return {
    stem: 'flavourbench-world-taskset',
    compile: (onProgress) => compileWorld({ ...request, seed, idPrefix, onProgress }),
    explain: (anchor, compiled) => explainWorldAnchor({ ...request, anchor, compiled }),
  };
}

/** The argument as the option that it stands for. Errors: USAGE where that option is given too. */
function withSource(source: string | undefined, flags: CompileFlags): CompileFlags {
  if (source === undefined) return flags;
  const key = source.endsWith('.json') ? 'world' : 'env';
  if (flags.env === undefined && flags.world === undefined) return { ...flags, [key]: source };
  fail(
    'USAGE',
    null,
    `${shown(source)} and --${flags.env === undefined ? 'world' : 'env'} are both given`,
    'Give one of them.',
  );
}

async function compile(source: string | undefined, given: CompileFlags): Promise<void> {
  const flags = withSource(source, given);
  const { env, world, explain: anchor } = flags;
  if (flags.printDesign) {
    if (world !== undefined) refuseDesignFlags(flags);
    return printDesign(flags);
  }
  if ((env === undefined) === (world === undefined))
    fail(
      'USAGE',
      null,
      'give either --env NAME or --world FILE',
      '`--env pantry` is built in; `env list` shows the others.',
    );
  if (env?.endsWith('.json')) {
    fail('USAGE', null, `--env is ${shown(env)}, a world file`, 'Give it with --world.');
  }
  const seed = seedOf(flags);
  checkFlags(flags);
  if (world !== undefined) refuseDesignFlags(flags);
  const job = world === undefined ? await releasedJob(flags, env!, seed) : await worldJob(flags, world, seed);
  if (anchor !== undefined) {
    const explain = (compiled: Compiled | null) => job.explain(anchor, compiled);
    return explainCompile({ anchor, json: flags.json === true, compile: job.compile, explain });
  }
  const bar = stages();
  const compiled = job.compile(bar.onProgress);
  bar.stop();
  await writeCompiled(compiled, job.stem, flags);
}

async function writeCompiled({ document, families }: Compiled, stem: string, flags: CompileFlags): Promise<void> {
  const { artifact_sha256, task_set_sha256, counts, candidates } = document;
  const { path, added } = await writeResult({
    path: flags.out!,
    name: `${stem}-${artifact_sha256}.json`,
    data: storedTaskSet(document),
    force: flags.force === true,
  });
  if (flags.json) return printJson({ path, added, artifact_sha256, task_set_sha256, counts, candidates });
  printTable(
    ['family', 'candidates', 'turned down', 'tasks'],
    families.map(({ family, candidates: kept, rejections, selection }) => [
      family.id,
      kept.length,
      rejections.length,
      selection.selected.length,
    ]),
  );
  printLine(`${added ? 'wrote' : 'unchanged'} ${path}`);
  printLine(`task set ${task_set_sha256}`);
  printLine(`artifact ${artifact_sha256}`);
}

function refuseDesignFlags(flags: CompileFlags): void {
  const foreign = Object.entries({
    '--panel': flags.panel === '1' ? undefined : flags.panel,
    '--after': flags.after,
    '--design': flags.design,
    '--only-families': flags.onlyFamilies,
    '--print-design': flags.printDesign,
    '--tags': flags.tags,
  }).find(([, value]) => value !== undefined);
  if (foreign)
    fail('USAGE', null, `${foreign[0]} does not go with --world`, 'Counts and families of a world stand in its file.');
}
