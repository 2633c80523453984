import { type Command, Option } from 'commander';
import { type FigureFormat, type Missing, releaseFigures } from '../../../release/figures.js';
import { releaseTables } from '../../../release/tables/release-tables.js';
import { oldSpelling } from '../../old-spelling.js';
import { printJson, printLettersWithoutGlyph, printLine } from '../../print.js';
import { openView, type ViewFlags, viewOptions, writeFlat } from './view.js';

interface DrawFlags extends ViewFlags {
  readonly out: string;
  readonly which?: readonly string[];
  readonly formats: readonly FigureFormat[];
  readonly json?: boolean;
}

const FORMATS = ['svg', 'pdf', 'png', 'csv'];

function tell(
  kind: 'table' | 'figure',
  made: number,
  names: readonly string[],
  missing: readonly Missing[],
  flags: DrawFlags,
  more: object = {},
): void {
  if (flags.json) {
    printJson({ made, files: names, missing, ...more });
    return;
  }
  const count = (n: number) => `${n} ${kind}${n === 1 ? '' : 's'}`;
  printLine(`${count(made)} written to ${flags.out}`);
  if (missing.length > 0) printLine(`${count(missing.length)} left out:`);
  for (const { number, name, needs } of missing) printLine(`  ${number} ${name} needs ${needs}`);
}

const short = (name: string) => name.slice(name.indexOf('/') + 1);

async function tables(path: string, flags: DrawFlags): Promise<void> {
  const made = releaseTables(await openView(path, flags));
  await writeFlat(flags.out, made.files);
  const names = made.files.map(({ name }) => short(name));
  tell('table', made.tables.length, names, made.missing, flags);
}

async function figures(path: string, flags: DrawFlags): Promise<void> {
  const { which: only, formats } = flags;
  const made = await releaseFigures(await openView(path, flags), {
    formats,
    only,
  });
  await writeFlat(flags.out, made.files);
  const names = made.files.map(({ name }) => short(name));
  const drawn = new Set(names.map((name) => name.replace(/(?:-dark)?\.\w+$/, '')));
  tell('figure', drawn.size, names, made.missing, flags, { boxes: made.lettersWithoutGlyph });
  if (!flags.json) printLettersWithoutGlyph(made.lettersWithoutGlyph);
}

/** Adds `release tables` and `release figures` to their group. */
export function registerDraw(release: Command): void {
  viewOptions(
    release.command('tables').description('Tables 1-14 of the paper as LaTeX, CSV and Markdown, and the macros file.'),
  )
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print what was written as JSON')
    .action(tables);
  const drawn = viewOptions(
    release.command('figures').description('Figures 1-11 of the paper, light and dark, with what each draws.'),
  )
    .option('--which <figures...>', 'names or numbers, for example: forest 7')
    .addOption(new Option('--formats <names...>', 'what to write').choices(FORMATS).default(FORMATS))
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print what was written as JSON')
    .action(figures);
  oldSpelling(drawn, '--only <figures...>', 'which');
}
