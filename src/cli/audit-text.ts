import { auditAnswer } from '../analyses/rank-audit/audit-answer.js';
import type { AuditRun, RankAuditResults } from '../analyses/rank-audit/rank-audit.js';
import { byRank, rangeText, rankText } from '../inference/model-ranks.js';
import { counted, coverageText, fixed, general, placesFor } from '../util/format.js';
import { plain, shellWord } from '../util/text.js';
import { intervalBars } from './interval-bars.js';
import { columnsOf, cutNames, tableText, wrapped } from './table-text.js';

/** Lines of an answer at most. */
const LINES = 10;

/** From roomy to narrow: places that a name takes at most, and neighbours that are listed. The last one fits in any case. */
const SIZES: readonly (readonly [names: number, listed: number])[] = [
  ...[3, 2, 1].map((listed) => [48, listed] as const),
  ...[3, 2, 1].map((listed) => [28, listed] as const),
  [18, 2],
  [18, 1],
  [12, 1],
];

/** Places that the names of the columns take at least in the line of what was read. */
const LEAST_FROM = 12;

export interface AuditTextOptions {
  readonly outcome: AuditRun;
  /** What was read, in one line without a full stop. */
  readonly read: string;
  /** How many columns and rows of summaries were left out; none unless given. */
  readonly leftOut?: number;
  readonly paths: readonly string[];
  /** Places in a line. */
  readonly width: number;
  /** Whether the table of all models stands below anyway. */
  readonly tabled: boolean;
}

/** Writes the answer of an audit in at most ten lines: what was read, who leads, what is open, what cannot be shown, what to type next. */
export function auditText({ read, leftOut = 0, ...options }: AuditTextOptions): string {
  // Two lines, wherever they break.
  const short = shortRead(plain(read), leftOut, 2 * options.width - 24);
  for (const [names, listed] of SIZES) {
    const lines = answerLines({ ...options, read: short }, names, listed);
    if (lines.length <= LINES) return lines.join('\n');
  }
  const [names, listed] = SIZES.at(-1)!;
  return answerLines({ ...options, read: shortRead(short, leftOut, options.width - 1) }, names, listed).join('\n');
}

/**
 * The line of what was read in so many places: names of what was left out give way to their number first, then the scale, the word for the file, and
 * what the scores are from last.
 */
function shortRead(read: string, leftOut: number, places: number): string {
  let parts = read.split('; ');
  const isOver = () => columnsOf(parts.join('; ')) > places;
  if (isOver())
    parts = parts.map((part) => (part.startsWith('left out: ') ? `left out: ${counted(leftOut, 'column')}` : part));
  if (isOver())
    parts[0] = parts[0]!.replace(/ \(scale \d+(?:\)|, (.))/, (_, more?: string) => (more ? ` (${more}` : ''));
  if (isOver()) parts = parts.filter((part) => !part.startsWith('read as '));
  const from = parts[0]!.indexOf(', from ') + ', from '.length;
  if (isOver() && from > ', from '.length) {
    const [said, columns] = [parts[0]!.slice(0, from), parts[0]!.slice(from)];
    const over = columnsOf(parts.join('; ')) - places;
    parts[0] = `${said}${cutNames([columns], Math.max(columnsOf(columns) - over, LEAST_FROM))[0]!}`;
  }
  return cutNames([parts.join('; ')], places)[0]!;
}

function answerLines(
  { outcome, read, paths, width, tabled }: AuditTextOptions,
  names: number,
  listed: number,
): string[] {
  const { inference, visible, warnings } = outcome;
  const ordered = byRank(inference.models);
  const short = cutNames(
    ordered.map(({ modelId }) => plain(modelId)),
    names,
  );
  const label = new Map(ordered.map(({ index }, k) => [index, short[k]!]));
  const { leader, steps, cannot } = auditAnswer({ inference, visible, name: ({ index }) => label.get(index)!, listed });
  const sentences = (text: string | null): string[] => (text === null ? [] : wrapped(text, width).split('\n'));
  return [
    ...sentences(read === '' ? null : `${read}.`),
    ...sentences(leader),
    ...sentences(steps?.head ?? null),
    ...(steps?.rows ?? []).flatMap(({ two, needs }) => indented(`${two}: ${needs}`, width)),
    ...sentences(cannot),
    ...sentences(nextWords(outcome, { paths, tabled, width, notes: warnings.length })),
  ];
}

/** A line that is moved in, and the lines that it breaks into a little further. */
function indented(text: string, width: number): string[] {
  const [first = '', ...rest] = wrapped(text, width - 4).split('\n');
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
}

/** What to type next; the files by name where that fits. */
function nextWords(
  { inference, warnings }: AuditRun,
  { paths, tabled, notes, width }: Pick<AuditTextOptions, 'paths' | 'tabled' | 'width'> & { readonly notes: number },
): string {
  const noted = notes > 0 ? `, ${counted(notes, 'note')}` : '';
  const table = tabled ? '' : `--table (${inference.models.length === 1 ? 'its score' : 'every model'}${noted}); `;
  // Rows that may be tasks make every word above speak of the wrong things.
  const turn = warnings.some((warning) => warning.includes('lies on its side')) ? 'is it turned? --transpose; ' : '';
  // What leaves out tasks that may be none, in the words of the notes about them, where that fits.
  const drops = warnings.flatMap((warning) => /\bno task, (--drop .+)$/.exec(warning)?.[1] ?? []);
  const drop = [...new Set(drops)].join(' ');
  const whether = columnsOf(drop) <= width - 20 ? `if no task, ${drop}` : `does every column count?`;
  const without = warnings.flatMap(
    (warning) => /\b(?:a summary|summaries), (--without .+)$/.exec(warning)?.[1] ?? [],
  )[0];
  const summary = without === undefined || columnsOf(without) > width - 24 ? '' : `if a summary, ${without}; `;
  const alike = warnings.flatMap(
    (warning) => /^models that look alike .*?: (".+?" and ".+?" \([a-z ,]+\))/.exec(warning)?.[1] ?? [],
  )[0];
  const one =
    alike === undefined ? '' : columnsOf(alike) > width - 30 ? 'some names look alike; ' : `are ${alike} one model? `;
  const [, task] =
    warnings
      .map((warning) => /^(?:task|column) "([^"]*)" is called as what is better when it is lower/.exec(warning))
      .find(Boolean) ?? [];
  const isRanked = warnings.some((warning) => warning.includes('if they are ranks'));
  const lower = isRanked
    ? 'are these ranks? the greatest counts as best; '
    : task !== undefined && task.length < 24
      ? `is ${task} better when lower? the greater counts as better; `
      : '';
  const facts = drop === '' ? '' : `${whether}${whether.endsWith('?') ? ' ' : '; '}`;
  const line = (files: string) =>
    `Next: ${turn}${one}${lower}${summary}${facts}${table}--out report.html${inference.models.length < 2 ? '' : `; flavourbench power ${files}`}`;
  const whole = line(paths.map(shellWord).join(' '));
  return columnsOf(whole) <= width ? whole : line('FILE');
}

/** Places that bars of ranks take at most, and at least; and that a name is not cut below for their sake. */
const BAR = { most: 24, least: 'ranks allowed'.length, name: 16 };

/** Writes the models of an audit as a table that fits: ranks allowed, letters, scores with intervals, and bars of ranks over an axis. */
export function auditTable(
  { models }: RankAuditResults,
  { alpha, width }: { readonly alpha: number; readonly width: number },
): string {
  const bounded = models.some(({ score_bounds: ends }) => (ends ?? null) !== null);
  const lettered = models.some(({ letters }) => (letters ?? null) !== null);
  const ranked = models.some(({ rank_set_simultaneous: set }) => (set ?? null) !== null);
  const all = models.flatMap(({ score, low, high }) => [score, low, high]);
  const places = placesFor(all);
  const isOutOfRange = places > 6 || all.some((value) => Math.abs(value) >= 1e6);
  const points = (value: number) => (isOutOfRange ? general(value, 4) : fixed(value, places));
  const head = [
    'rank',
    ...(ranked ? ['ranks\nallowed'] : []),
    ...(lettered ? ['letters'] : []),
    'model',
    bounded ? 'score,\nmiddle' : 'score',
    `${coverageText(alpha)}\ninterval`,
    'told\napart',
  ];
  const cells = models.map((row) => [
    rankText({ rank: row.rank, rankTied: row.rank_tied ?? null }),
    ...(ranked ? [rangeText(row.rank_set_simultaneous ?? null)] : []),
    ...(lettered ? [row.letters ?? ''] : []),
    plain(row.model),
    points(row.score),
    `${points(row.low)} to ${points(row.high)}`,
    String(row.separable_from),
  ]);
  const texts = head.map((title) => title === 'model' || title === 'letters');
  const taken = head.reduce((sum, title, i) => {
    const own = [...title.split('\n'), ...cells.map((row) => row[i]!)].reduce(
      (most, cell) => Math.max(most, columnsOf(cell)),
      0,
    );
    return sum + 2 + (texts[i] ? Math.min(own, BAR.name) : own);
  }, 0);
  const room = Math.min(BAR.most, width - taken);
  const barred = ranked && room >= BAR.least && models.length > 1;
  const bars = intervalBars({ low: 1, high: models.length, width: Math.max(room, 2), label: String });
  const rows = cells.map((row, k) => {
    const { rank, rank_set_simultaneous: set } = models[k]!;
    return barred ? [...row, bars.bar([{ range: set ?? [rank, rank], mark: '─' }], rank)] : row;
  });
  if (barred) for (const line of bars.axis) rows.push([...head.map(() => ''), line]);
  return tableText({
    head: [...head, ...(barred ? ['ranks allowed'] : [])],
    ...{ rows, width, cut: [...texts, false], right: [...texts.map((is) => !is), false] },
  });
}
