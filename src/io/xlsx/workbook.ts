import { utf8Text } from '#platform';
import { FlavourError, fail, failure, shown } from '../../util/error.js';
import type { ZipMember } from '../zip.js';
import { filledDown } from './filled-down.js';
import { sharedTexts, sheetCells } from './sheet.js';
import { type DaySystem, dateStyles } from './shown-dates.js';
import { readXml } from './xml.js';

/** Most cells of a sheet, from the first column of each row to its last that holds something. */
const MOST_CELLS = 2 ** 25;
/** Most bytes of a part: texts are put together of pieces, each an object of its own. */
const MOST_BYTES = 2 ** 28;

/** The relations of a part: what each id stands for. */
function relations(xml: string): { id: string; kind: string; target: string }[] {
  const found: { id: string; kind: string; target: string }[] = [];
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'Relationship')
        found.push({ id: attribute('Id') ?? '', kind: attribute('Type') ?? '', target: attribute('Target') ?? '' });
    },
  });
  return found;
}

function sheetsOf(xml: string): { name: string; id: string; hidden: boolean }[] {
  const sheets: { name: string; id: string; hidden: boolean }[] = [];
  readXml(xml, {
    open: (name, attribute) => {
      if (name !== 'sheet') return;
      const hidden = ['hidden', 'veryHidden'].includes(attribute('state') ?? '');
      sheets.push({ name: attribute('name') ?? '', id: attribute('r:id') ?? '', hidden });
    },
  });
  return sheets;
}

const WORKBOOK = 'xl/workbook.xml';

/** Tells whether an archive is a workbook of spreadsheets (`.xlsx`). */
export const isWorkbook = (members: readonly ZipMember[]): boolean => members.some(({ name }) => name === WORKBOOK);

/** From which year the days of a workbook count. */
function daySystem(xml: string): DaySystem {
  let system: DaySystem = 1900;
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'workbookPr' && ['1', 'true'].includes(attribute('date1904') ?? '')) system = 1904;
    },
  });
  return system;
}

type WorkbookSheet = ReturnType<typeof sheetCells> & {
  readonly name: string;
  readonly sheets: readonly string[];
  /** Cells that were merged with one above, and hold what it shows. */
  readonly filled: number;
};

/**
 * Reads a sheet of a workbook, the first that is not hidden unless one is named (reading 1.7). Errors: XLSX_INVALID where it is damaged; SCHEMA_INVALID for a sheet that is not
 * there.
 */
export function readSheet(members: readonly ZipMember[], file: string, wanted?: string): WorkbookSheet {
  const part = (name: string): string | undefined => {
    const member = members.find((each) => each.name === name.replace(/^\//, ''));
    if (member && member.size > MOST_BYTES)
      throw new Error(`the part ${shown(name)} has ${member.size} bytes; at most ${MOST_BYTES} are read`);
    return member && utf8Text(member.data());
  };
  try {
    const book = part(WORKBOOK) ?? '';
    const sheets = sheetsOf(book);
    const related = relations(part('xl/_rels/workbook.xml.rels') ?? '');
    const shownFirst = Math.max(
      0,
      sheets.findIndex(({ hidden }) => !hidden),
    );
    const at = wanted === undefined ? shownFirst : sheets.findIndex(({ name }) => name === wanted);
    const sheet = sheets[at];
    if (sheet === undefined)
      fail(
        'SCHEMA_INVALID',
        { file },
        `${wanted === undefined ? 'no sheet' : `no sheet ${shown(wanted)}`}; found ${sheets.map(({ name }) => shown(name)).join(', ') || 'none'}`,
        'Name one of the sheets.',
      );
    const path = (target: string) => (target.startsWith('/') ? target : `xl/${target}`);
    const target = related.find(({ id }) => id === sheet.id)?.target ?? `worksheets/sheet${at + 1}.xml`;
    const xml = part(path(target));
    if (xml === undefined) throw new Error(`the part ${shown(target)} is missing`);
    const beside = (kind: string) => {
      const found = related.find((each) => each.kind.endsWith(kind));
      return found === undefined ? undefined : (part(path(found.target)) ?? '');
    };
    const [texts, styles] = [beside('/sharedStrings'), beside('/styles')];
    const cells = sheetCells(
      xml,
      {
        shared: texts === undefined ? [] : sharedTexts(texts),
        dates: styles === undefined ? new Map() : dateStyles(styles),
        system: daySystem(book),
      },
      MOST_CELLS,
    );
    return { ...cells, ...filledDown(cells), name: sheet.name, sheets: sheets.map(({ name }) => name) };
  } catch (cause) {
    if (cause instanceof FlavourError) throw cause;
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw failure(
      'XLSX_INVALID',
      { file },
      `cannot be read as a workbook: ${why}`,
      'Save the sheet again, or save it as CSV.',
      {
        cause,
      },
    );
  }
}
