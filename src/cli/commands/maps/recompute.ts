import type { Command } from 'commander';
import { openEnvironment } from '../../../environment/store.js';
import type { InputFile } from '../../../io/envelope.js';
import { readJson } from '../../../io/read-file.js';
import { RELEASED_DESIGN } from '../../../tasks/compile/compile-design.js';
import { type DenseMaps, denseMaps } from '../../../tasks/compile/dense.js';
import { designFrom } from '../../../tasks/compile/design-file.js';
import { type MapRow, readMapFile } from '../../../tasks/maps-read.js';
import { type Rescored, rescoreMaps } from '../../../tasks/maps-rescore.js';
import { denseArrow, denseLines, mapLines, mapsDocument } from '../../../tasks/maps-write.js';
import { readCorePlan } from '../../../tasks/task-files.js';
import { fail, shown } from '../../../util/error.js';
import { dataHome } from '../../data-home.js';
import { mapKernels } from '../../options.js';
import { printJson, printLine, printTable } from '../../print.js';
import { forceOption, writeResult } from '../../write-output.js';

interface RecomputeFlags {
  readonly tasks?: readonly string[];
  readonly env?: string;
  readonly allAnchors?: boolean;
  readonly core?: string;
  readonly families?: string;
  readonly design?: string;
  readonly out?: string;
  readonly backend: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Makes `maps` itself recompute maps. */
export function registerRecompute(maps: Command): void {
  maps
    .option('--tasks <files...>', 'task sets or task rows whose maps are recomputed; this or --all-anchors')
    .option(
      '--env <name>',
      'environment to score under: `pantry`, an imported name, a folder or a world file (required)',
    )
    .option('--all-anchors', 'instead of --tasks: every candidate of every anchor of the environment')
    .option('--core <plan>', 'only the tasks of a common-core plan, in its order')
    .option('--families <list>', 'only these families, separated by commas')
    .option('--design <file>', 'for --all-anchors: JSON with rules that differ from the released')
    .option('--out <file>', '.jsonl rows, .json document, or .arrow with --all-anchors (required)')
    .option('--backend <name>', 'wasm or reference; same digits', 'wasm')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(recompute);
}

async function recompute(flags: RecomputeFlags): Promise<void> {
  const { env, out } = flags;
  if (env === undefined || out === undefined) fail('USAGE', null, 'maps needs --env NAME and --out FILE');
  if ((flags.tasks === undefined) === (flags.allAnchors !== true))
    fail('USAGE', null, 'give either --tasks FILE... or --all-anchors');
  const stray = flags.allAnchors ? ['--core', flags.core] : ['--design', flags.design];
  if (stray[1] !== undefined)
    fail('USAGE', null, `${stray[0]} does not go with ${flags.allAnchors ? '--all-anchors' : '--tasks'}`);
  if (flags.allAnchors) return dense(flags, env, out);
  const files = flags.tasks!.map((path) => readMapFile(path));
  const rows = chosen(
    files.flatMap((file) => file.rows),
    flags,
  );
  const environment = await openEnvironment({ home: dataHome(), name: env });
  const kernels = await mapKernels(flags.backend);
  const rescored = rescoreMaps({ environment, kernels, rows });
  const request = { environment, rescored, inputs: inputsOf(files.map((file) => file.input)) };
  const data = textFor(out, {
    '.jsonl': () => mapLines(environment.name, rescored.rows),
    '.json': () => mapsDocument({ ...request, backend: kernels.backend }).text,
  });
  const written = await writeResult({
    path: out,
    name: 'maps.jsonl',
    data: await data,
    ...forced(flags),
  });
  report(flags, written, rescored);
}

const forced = ({ force }: RecomputeFlags) => ({ force: force === true });

function inputsOf(inputs: readonly InputFile[]): InputFile[] {
  return inputs.map((input) => ({ ...input, role: 'tasks' }));
}

type Writers = Readonly<Record<string, () => string | Uint8Array | Promise<Uint8Array>>>;

function textFor(out: string, writers: Writers): string | Uint8Array | Promise<Uint8Array> {
  const ending = Object.keys(writers).find((end) => out.endsWith(end));
  if (ending) return writers[ending]!();
  fail('USAGE', null, `--out is ${shown(out)}; a name that ends in ${Object.keys(writers).join(' or ')} is expected`);
}

/** The rows that --core and --families leave, each id once. */
function chosen(rows: readonly MapRow[], flags: RecomputeFlags): readonly MapRow[] {
  const byId = new Map<string, MapRow>();
  for (const row of rows) {
    if (byId.has(row.id))
      fail('TASK_DUPLICATE', null, `task ${row.id} stands in two of the files`, 'Give every task once.');
    byId.set(row.id, row);
  }
  const ids = flags.core === undefined ? [...byId.keys()] : readCorePlan(flags.core).ids;
  const families = flags.families === undefined ? null : new Set(flags.families.split(','));
  const out = ids.map((id) => {
    const row = byId.get(id);
    if (!row) fail('TASK_UNKNOWN', null, `task ${id} of the core is in none of the files`);
    return row;
  });
  const kept = out.filter(({ family }) => families === null || families.has(family));
  if (kept.length === 0) fail('USAGE', null, `no task of ${flags.families ?? 'any family'} is left`);
  return kept;
}

function report(
  flags: RecomputeFlags,
  written: { readonly path: string; readonly added: boolean },
  { rows, skipped, ingredients }: Rescored,
): void {
  if (skipped.length > 0) process.exitCode = 3;
  if (flags.json) {
    printJson({ ...written, maps: rows.length, ingredients, skipped });
    return;
  }
  printLine(`${written.added ? 'wrote' : 'unchanged'} ${written.path}: ${rows.length} maps`);
  if (skipped.length === 0) return;
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  printLine(`skipped ${skipped.length} tasks (exit 3):`);
  for (const reason of reasons) {
    const count = skipped.filter((task) => task.reason === reason).length;
    printLine(`  ${count}: ${reason}`);
  }
}

async function dense(flags: RecomputeFlags, env: string, out: string): Promise<void> {
  const environment = await openEnvironment({ home: dataHome(), name: env });
  const design = designFrom(
    { ...(flags.families === undefined ? {} : { families: flags.families.split(',') }) },
    'command line',
    flags.design === undefined ? RELEASED_DESIGN : designFrom(readJson(flags.design), flags.design),
  );
  const kernels = await mapKernels(flags.backend);
  const maps = denseMaps({ environment, kernels, design });
  const data = await textFor(out, {
    '.arrow': () => denseArrow(environment, maps),
    '.jsonl': () => denseLines(maps),
  });
  const { path, added } = await writeResult({
    path: out,
    name: 'maps.arrow',
    data,
    ...forced(flags),
  });
  if (flags.json) {
    printJson({ path, added, maps: maps.maps.length, rejected: maps.rejected });
    return;
  }
  printTable(['family', 'maps'], familyCounts(maps));
  printLine(`${added ? 'wrote' : 'unchanged'} ${path}: ${maps.maps.length} maps`);
}

function familyCounts({ maps }: DenseMaps): [string, number][] {
  const counts = new Map<string, number>();
  for (const { family } of maps) counts.set(family, (counts.get(family) ?? 0) + 1);
  return [...counts];
}
