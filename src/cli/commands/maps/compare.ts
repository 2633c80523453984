import { join } from 'node:path';
import type { Command } from 'commander';
import { compareMaps, type MapComparison } from '../../../tasks/maps-compare.js';
import { readMapFile } from '../../../tasks/maps-read.js';
import { csvText } from '../../../util/csv.js';
import { FlavourError, shown } from '../../../util/error.js';
import type { Theme } from '../../../util/figure.js';
import { fixed, general } from '../../../util/format.js';
import { boxedLetters, noteBoxes } from '../../boxes.js';
import { writeResult } from '../../output.js';
import { printJson, printLine, printTable } from '../../print.js';

interface CompareFlags {
  readonly out?: string;
  readonly names?: string;
  readonly theme: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function registerCompare(maps: Command): void {
  maps
    .command('compare <first> <second>')
    .description(
      'Agreement of two sets of maps, task by task: ranks, Pearson, optimum, chance shift.',
    )
    .option('--out <folder>', 'write agreement.csv, agreement.svg and agreement.png here')
    .option('--names <a,b>', 'what the two sides are called in the figure')
    .option('--theme <name>', 'light or dark', 'light')
    .option('--force', 'replace files of other content')
    .option('--json', 'print JSON')
    .action(compare);
}

async function compare(first: string, second: string, flags: CompareFlags): Promise<void> {
  if (flags.theme !== 'light' && flags.theme !== 'dark')
    throw new FlavourError('USAGE', `--theme is ${shown(flags.theme)}; light or dark is expected`);
  const given = flags.names?.split(',');
  if (given !== undefined && given.length !== 2)
    throw new FlavourError('USAGE', `--names is ${shown(flags.names)}; two names with a comma`);
  const [a, b] = [readMapFile(first), readMapFile(second)];
  const comparison = compareMaps(a.rows, b.rows);
  const names = [
    given?.[0] ?? a.checkpoint ?? 'the first file',
    given?.[1] ?? b.checkpoint ?? 'the second file',
  ] as const;
  if (flags.out !== undefined) await files(flags.out, comparison, names, flags.theme, flags);
  const { summary, byFamily, onlyFirst, onlySecond } = comparison;
  if (flags.json) {
    printJson({ summary, families: Object.fromEntries(byFamily), onlyFirst, onlySecond });
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
  const alone = onlyFirst.length + onlySecond.length;
  if (alone > 0) printLine(`${alone} tasks stand on one side only and were left out`);
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
  const { agreementFigure } = await import('../../../tasks/maps-figure.js');
  const { renderPng } = await import('../../../util/figure.js');
  const svg = agreementFigure({ comparison, names, theme });
  const results: [string, string | Uint8Array][] = [
    ['agreement.csv', agreementCsv(comparison)],
    ['agreement.svg', svg],
    ['agreement.png', renderPng(svg)],
  ];
  for (const [name, data] of results)
    writeResult({ path: join(folder, name), name, data, force: force === true });
  if (!json) noteBoxes(await boxedLetters([svg]));
}
