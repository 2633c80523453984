import { join } from 'node:path';
import type { Command } from 'commander';
import type { Theme } from '../../../draw/colours.js';
import { csvText } from '../../../io/csv.js';
import { compareMaps, type MapComparison } from '../../../tasks/maps-compare.js';
import { type MapFile, type MapRow, readMapFile } from '../../../tasks/maps-read.js';
import { fail, shown } from '../../../util/error.js';
import { fixed, general } from '../../../util/format.js';
import { oldSpelling } from '../../old-spelling.js';
import { lettersWithoutGlyph, printJson, printLettersWithoutGlyph, printLine, printTable } from '../../print.js';
import { forceOption, writeFiles } from '../../write-output.js';

interface CompareFlags {
  readonly checkpoint?: string;
  readonly out?: string;
  readonly sides?: string;
  readonly theme: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Adds `maps compare`. */
export function registerCompare(maps: Command): void {
  const command = maps
    .command('compare')
    .description('Agreement of two sets of maps over the tasks both have: ranks, Pearson, optimum, chance shift.')
    .argument(
      '<files...>',
      'task sets, task rows, or maps as `maps` writes them (.json, .jsonl): the last against those before it',
    )
    .option('--checkpoint <name>', 'checkpoint to take of a file that names some; NAME,NAME where the two differ')
    .option('--out <folder>', 'write agreement.csv, agreement.svg and agreement.png here')
    .option('--sides <a,b>', 'what the two sides are called in the figure')
    .option('--theme <name>', 'light or dark', 'light')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(compare);
  oldSpelling(command, '--names <a,b>', 'sides');
}

async function compare(paths: readonly string[], flags: CompareFlags): Promise<void> {
  const second = paths.at(-1)!;
  const before = paths.slice(0, -1);
  if (before.length === 0)
    fail('USAGE', null, 'one file was given', 'Give the files of one side, then the file of the other.');
  if (flags.theme !== 'light' && flags.theme !== 'dark')
    fail('USAGE', null, `--theme is ${shown(flags.theme)}; light or dark is expected`);
  const given = flags.sides?.split(',');
  if (given !== undefined && given.length !== 2)
    fail('USAGE', null, `--sides is ${shown(flags.sides)}; two names with a comma`);
  const chosen = flags.checkpoint?.split(',') ?? [];
  if (chosen.length > 2) fail('USAGE', null, `--checkpoint names ${chosen.length} checkpoints; one or two`);
  const a = before.map((path) => readMapFile(path, chosen[0]));
  const b = readMapFile(second, chosen[1] ?? chosen[0]);
  const comparison = compareMaps(oneSide(a), b.rows);
  const names = [
    given?.[0] ?? a[0]?.checkpoint ?? 'the first side',
    given?.[1] ?? b.checkpoint ?? 'the second side',
  ] as const;
  if (flags.out !== undefined) await files(flags.out, comparison, names, flags.theme, flags);
  const { summary, byFamily, different, matchedByChoices, onlyFirst, onlySecond } = comparison;
  if (flags.json) {
    const families = Object.fromEntries(byFamily);
    printJson({ summary, families, different, matchedByChoices, onlyFirst, onlySecond });
    return;
  }
  const rows = [...byFamily, ['all', summary] as const];
  printTable(
    ['family', 'tasks', 'rank median', 'Pearson mean', 'same optimum %', 'chance shift'],
    rows.map(([family, s]) => [
      family,
      s.tasks,
      fixed(s.rank_median, 4),
      fixed(s.pearson_mean, 4),
      fixed(100 * s.same_optimum_rate, 1),
      fixed(s.mean_absolute_chance_shift, 3),
    ]),
  );
  const all = comparison.tasks.length;
  printLine(`${different.length} of ${all} maps differ${listed(different)}`);
  for (const [only, path] of [
    [onlyFirst, before.join(', ')],
    [onlySecond, second],
  ] as const)
    if (only.length > 0) printLine(`${only.length} tasks only in ${path}, left out${listed(only)}`);
  if (matchedByChoices > 0) printLine(`${matchedByChoices} tasks are the same on both sides, by their choices`);
  const byId = all - matchedByChoices;
  if (byId > 0)
    printLine(
      `${byId} tasks were matched by id, family and panel alone: a side that neither names its choices nor states their digest cannot show that they are the same`,
    );
}

/** The rows of several files, such as two panels. Errors: TASK_DUPLICATE. */
function oneSide(files: readonly MapFile[]): MapRow[] {
  const from = new Map<string, string>();
  return files.flatMap(({ path, rows }) =>
    rows.map((row) => {
      const other = from.get(row.id);
      if (other !== undefined)
        fail(
          'TASK_DUPLICATE',
          { file: path },
          `task ${row.id} stands in ${other} and ${path}`,
          'Give files of different tasks.',
        );
      from.set(row.id, path);
      return row;
    }),
  );
}

const SHOWN = 5;

function listed(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return `: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ', ...' : ''}`;
}

/** The table of the published companion file, without its constant columns (analyses 7). */
function agreementCsv({ tasks }: MapComparison): string {
  const header = [
    'release_panel',
    'task_id',
    'family',
    'rank_spearman',
    'pearson',
    'optimum_set_agreement',
    'original_optimum_count',
    'alternative_optimum_count',
    'original_chance_score',
    'alternative_chance_score',
  ];
  const number = (value: number | null): string => (value === null ? '' : general(value, 10));
  return csvText(
    header,
    tasks.map((task) => [
      task.panel,
      task.id,
      task.family,
      number(task.rank),
      number(task.pearson),
      task.sameOptima ? 'True' : 'False',
      ...task.optima,
      ...task.chance.map(number),
    ]),
  );
}

async function files(
  folder: string,
  comparison: MapComparison,
  names: readonly [string, string],
  theme: Theme,
  { force, json }: CompareFlags,
): Promise<void> {
  const { drawMapAgreement } = await import('../../../tasks/maps-figure.js');
  const { withFont } = await import('../../../draw/encode/font.js');
  const { renderPng } = await import('../../../draw/encode/png.js');
  const svg = drawMapAgreement(comparison, { names, theme, size: 'screen' });
  await writeFiles(
    [
      { path: join(folder, 'agreement.csv'), data: agreementCsv(comparison) },
      { path: join(folder, 'agreement.svg'), data: await withFont(svg) },
      { path: join(folder, 'agreement.png'), data: renderPng(svg) },
    ],
    { replace: force === true },
  );
  if (!json) printLettersWithoutGlyph(await lettersWithoutGlyph([svg]));
}
