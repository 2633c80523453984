import { readXml } from './xml.js';

/** How a workbook counts days: from the end of 1899, with a 29 February 1900 that never was, or from 1904. */
export type DaySystem = 1900 | 1904;

/** What a format shows a number as, if not as a number: a day or a time of day, or how long something took. */
export type DateKind = 'day' | 'elapsed';

/** Numbers of the formats that every workbook knows and that show a day or a time (ECMA-376 part 1, 18.8.30); 46 is `[h]:mm:ss`. */
function knownKind(id: number): DateKind | undefined {
  if (id === 46) return 'elapsed';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58)
    ? 'day'
    : undefined;
}

/** What in the code of a format is no letter of a date: texts in quotes, letters that are set or skipped, colours and places in brackets. */
const NO_LETTER = /"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]|general/gi;

/** Most characters of the code of a format, by those who write workbooks. */
const MOST_CODE = 255;

/** Tells what the code of a format shows, by the letters in it; a longer one than there may be shows numbers. */
function kindOf(code: string): DateKind | undefined {
  if (code.length > MOST_CODE) return undefined;
  const letters = code.replace(NO_LETTER, '');
  if (/\[(?:h+|m+|s+)\]/i.test(letters)) return 'elapsed';
  return /[dmyhs]/i.test(letters) ? 'day' : undefined;
}

/** Reads which formats of cells show their number as a day or a time, by their place in the list of styles. */
export function dateStyles(xml: string): ReadonlyMap<number, DateKind> {
  const own = new Map<number, string>();
  const kinds = new Map<number, DateKind>();
  let at = -1;
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'numFmt') own.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
      else if (name === 'cellXfs') at = 0;
      else if (name === 'xf' && at >= 0) {
        const id = Number(attribute('numFmtId') ?? 0);
        const code = own.get(id);
        const kind = code === undefined ? knownKind(id) : kindOf(code);
        if (kind !== undefined) kinds.set(at, kind);
        at += 1;
      }
    },
    close: (name) => {
      if (name === 'cellXfs') at = -1;
    },
  });
  return kinds;
}

const DAY = 86_400;
const two = (value: number) => String(value).padStart(2, '0');

/** The last day of the year 9999, which is the last that is shown. */
const LAST = { 1900: 2_958_465, 1904: 2_957_003 } as const;

/**
 * Writes what a cell shows whose number is formatted so: a day, `2024-06-01`, with ` 13:30:00` behind it where there is a time of day, or that
 * alone below the first day; of what took long the hours, `26:30:00`. Undefined for a number that is neither.
 */
export function dateText(number: number, kind: DateKind, system: DaySystem): string | undefined {
  const seconds = Math.round(number * DAY);
  if (!(seconds >= 0) || number >= LAST[system] + 1) return undefined;
  const [day, rest] = [Math.floor(seconds / DAY), seconds % DAY];
  const clock = (hours: number) => `${two(hours)}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  const hours = Math.floor(rest / 3600);
  if (kind === 'elapsed') return clock(24 * day + hours);
  if (day === 0) return clock(hours);
  return rest === 0 ? dayText(day, system) : `${dayText(day, system)} ${clock(hours)}`;
}

function dayText(day: number, system: DaySystem): string {
  if (system === 1900 && day === 60) return '1900-02-29';
  const first = system === 1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30);
  return new Date(first + day * 1000 * DAY).toISOString().slice(0, 10);
}
