import type { Command } from 'commander';
import type { Environment } from '../../../environment/environment.js';
import { openEnvironment } from '../../../environment/store.js';
import type { InputFile } from '../../../io/envelope.js';
import { inputFileAt, readJson } from '../../../io/read-file.js';
import { RELEASED_DESIGN } from '../../../tasks/compile/compile-design.js';
import { type DenseMaps, denseMaps } from '../../../tasks/compile/dense.js';
import { designFrom } from '../../../tasks/compile/design-file.js';
import { type MapRow, readMapFile } from '../../../tasks/maps-read.js';
import { type Rescored, rescoreMaps } from '../../../tasks/maps-rescore.js';
import { denseArrow, denseLines, mapLines, mapsDocument } from '../../../tasks/maps-write.js';
import { readCorePlan } from '../../../tasks/task-files.js';
import { fail, shown } from '../../../util/error.js';
import { nearestHint } from '../../../util/spelling.js';
import { dataHome } from '../../data-home.js';
import { oldSpelling } from '../../old-spelling.js';
import { mapKernels } from '../../options.js';
import { plain, printJson, printLine, printTable } from '../../print.js';
import { type CallShares, openShares, type ShareFlags, shareOptions } from '../../sharing/call-shares.js';
import { forceOption, writeResult } from '../../write-output.js';

interface RecomputeFlags extends ShareFlags {
  readonly tasks?: readonly string[];
  readonly env?: string;
  readonly tags?: string;
  readonly covered?: boolean;
  readonly allAnchors?: boolean;
  readonly core?: string;
  readonly onlyFamilies?: string;
  readonly design?: string;
  readonly backend: string;
  readonly json?: boolean;
}

/** Makes `maps` itself recompute maps. */
export function registerRecompute(maps: Command): void {
  shareOptions(maps)
    .argument('[files...]', 'task sets or task rows whose maps are recomputed; these or --all-anchors')
    .option('--tasks <files...>', 'the same files, by an option')
    .option(
      '--env <name>',
      'environment to score under: `pantry`, an imported name, a folder or a world file (required)',
    )
    .option('--tags <file>', "tag table in place of the environment's own")
    .option('--covered', 'recompute the tasks whose names the environment has, list the others (exit 3)')
    .option('--all-anchors', 'instead of files: every candidate of every anchor of the environment')
    .option('--core <plan>', 'only the tasks of a common-core plan, in its order')
    .option('--only-families <list>', 'only these families, separated by commas')
    .option('--design <file>', 'for --all-anchors: JSON with rules that differ from the released')
    .option('--out <file>', '.jsonl rows, .json document, or .arrow with --all-anchors (required)')
    .option('--backend <name>', 'wasm or reference; same digits', 'wasm')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .option('--quiet', 'print nothing')
    .action(recompute);
  oldSpelling(maps, '--families <list>', 'only-families');
}

async function recompute(given: readonly string[], flags: RecomputeFlags, command: Command): Promise<void> {
  const { env, out, tags, covered } = flags;
  const paths = [...given, ...(flags.tasks ?? [])];
  if (env === undefined || out === undefined)
    fail(
      'USAGE',
      null,
      `maps needs ${env === undefined ? '--env NAME' : '--out FILE'}`,
      'For example: flavourbench maps panel-1.json --env pantry --out maps.jsonl.',
    );
  if ((paths.length === 0) === (flags.allAnchors !== true))
    fail('USAGE', null, 'give either task files or --all-anchors', 'Task files state tasks; --all-anchors makes them.');
  const stray = flags.allAnchors ? { '--core': flags.core, '--covered': covered } : { '--design': flags.design };
  for (const [flag, value] of Object.entries(stray))
    if (value !== undefined)
      fail(
        'USAGE',
        null,
        `${flag} does not go with ${flags.allAnchors ? '--all-anchors' : 'task files'}`,
        `Leave ${flag} out.`,
      );
  const sharing = await openShares(flags, command);
  if (flags.allAnchors) return dense(flags, { env, out, sharing });
  const files = paths.map((path) => readMapFile(path));
  const rows = chosen(
    files.flatMap((file) => file.rows),
    flags,
  );
  const environment = await openEnvironment({ home: dataHome(), name: env, tags });
  const kernels = await mapKernels(flags.backend);
  const rescored = rescoreMaps({ environment, kernels, rows, covered, shares: sharing.shares });
  const inputs = inputsOf(files.map((file) => file.input));
  const tagsSha256 = tags === undefined ? undefined : inputFileAt('tags', tags).sha256;
  if (await sharing.ended(withEnvironment(inputs, environment, tags))) return;
  const request = { environment, rescored, inputs, tagsSha256 };
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

/** The rows that --core and --only-families leave, each id once. */
function chosen(rows: readonly MapRow[], flags: RecomputeFlags): readonly MapRow[] {
  const byId = new Map<string, MapRow>();
  for (const row of rows) {
    if (byId.has(row.id))
      fail('TASK_DUPLICATE', null, `task ${row.id} stands in two of the files`, 'Give every task once.');
    byId.set(row.id, row);
  }
  const ids = flags.core === undefined ? [...byId.keys()] : readCorePlan(flags.core).ids;
  const families = flags.onlyFamilies === undefined ? null : new Set(flags.onlyFamilies.split(','));
  const out = ids.map((id) => {
    const row = byId.get(id);
    if (!row) fail('TASK_UNKNOWN', null, `task ${id} of the core is in none of the files`);
    return row;
  });
  const present = new Set(out.map(({ family }) => family));
  const unknown = families === null ? undefined : [...families].find((family) => !present.has(family));
  if (unknown !== undefined)
    fail(
      'USAGE',
      null,
      `no task of ${unknown} is left; there are ${[...present].join(', ')}`,
      nearestHint(unknown, [...present], (name) => `--only-families ${name}`),
    );
  return families === null ? out : out.filter(({ family }) => families.has(family));
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
  if (flags.quiet) return;
  printLine(`${written.added ? 'wrote' : 'unchanged'} ${written.path}: ${rows.length} maps`);
  if (skipped.length === 0) return;
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  printLine(`skipped ${skipped.length} tasks (exit 3):`);
  for (const reason of reasons) {
    const count = skipped.filter((task) => task.reason === reason).length;
    printLine(`  ${count}: ${reason}`);
  }
  printLacking(skipped);
}

/** The names that most of the skipped tasks lack, and the first of those tasks. */
function printLacking(skipped: Rescored['skipped']): void {
  const lacking = skipped.filter(({ missing }) => missing !== undefined);
  if (lacking.length === 0) return;
  const counts = new Map<string, number>();
  for (const name of lacking.flatMap(({ missing }) => missing!)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8);
  const more = counts.size > most.length ? `, and ${counts.size - most.length} more names` : '';
  printLine(plain(`    most often ${most.map(([name, count]) => `${name} (${count})`).join(', ')}${more}`));
  const ids = lacking.slice(0, 5).map(({ id }) => id);
  printLine(plain(`    ${ids.join(', ')}${lacking.length > ids.length ? ', ...; --json lists all of them' : ''}`));
}

/** Inputs of shares: files, the environment and its tags. */
function withEnvironment(
  files: readonly InputFile[],
  { identity }: Environment,
  tags: string | undefined,
): InputFile[] {
  return [
    ...files,
    { role: 'environment', sha256: identity.sha256, bytes: 0 },
    ...(tags === undefined ? [] : [inputFileAt('tags', tags)]),
  ];
}

interface DenseCall {
  readonly env: string;
  readonly out: string;
  readonly sharing: CallShares;
}

async function dense(flags: RecomputeFlags, { env, out, sharing }: DenseCall): Promise<void> {
  const environment = await openEnvironment({ home: dataHome(), name: env, tags: flags.tags });
  const design = designFrom(
    { ...(flags.onlyFamilies === undefined ? {} : { families: flags.onlyFamilies.split(',') }) },
    'command line',
    flags.design === undefined ? RELEASED_DESIGN : designFrom(readJson(flags.design), flags.design),
  );
  const kernels = await mapKernels(flags.backend);
  const maps = denseMaps({ environment, kernels, design, shares: sharing.shares });
  const files = flags.design === undefined ? [] : [inputFileAt('design', flags.design)];
  if (await sharing.ended(withEnvironment(files, environment, flags.tags))) return;
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
  if (flags.quiet) return;
  printTable(['family', 'maps'], familyCounts(maps));
  printLine(`${added ? 'wrote' : 'unchanged'} ${path}: ${maps.maps.length} maps`);
}

function familyCounts({ maps }: DenseMaps): [string, number][] {
  const counts = new Map<string, number>();
  for (const { family } of maps) counts.set(family, (counts.get(family) ?? 0) + 1);
  return [...counts];
}
