import { zip } from '../../fixtures/zip.js';

/** A cell, or a number with the code of the format that shows it, or a formula with what is stored as its result. */
export type BookCell =
  | string
  | number
  | null
  | { readonly number: number; readonly format: string }
  | { readonly formula: string; readonly kind?: string; readonly stored: string };

interface BookParts {
  /** A sheet before the one that holds the cells. */
  readonly hidden?: string;
  /** Ranges of cells that are shown as one. */
  readonly merged?: readonly string[];
  readonly date1904?: boolean;
  /** Numbers of rows that a filter hides. */
  readonly filtered?: readonly number[];
  /** What stands before the rows. */
  readonly columns?: string;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A workbook of one sheet, as little of it as the format asks for. */
export function workbook(
  rows: readonly (readonly BookCell[])[],
  { hidden = '', merged = [], date1904 = false, filtered = [], columns = '' }: BookParts = {},
): Uint8Array {
  const formats = ['General'];
  const styleOf = (format: string) => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format);
  };
  const cell = (value: BookCell, at: string) => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'string') return `<c r="${at}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    if ('formula' in value)
      return `<c r="${at}"${value.kind ? ` t="${value.kind}"` : ''}><f>${escaped(value.formula)}</f>${value.stored}</c>`;
    return `<c r="${at}" s="${styleOf(value.format)}"><v>${value.number}</v></c>`;
  };
  const sheet = rows.map(
    (row, r) =>
      `<row r="${r + 1}"${filtered.includes(r + 1) ? ' hidden="1"' : ''}>${row.map((value, c) => cell(value, `${'ABCDEFGH'[c]}${r + 1}`)).join('')}</row>`,
  );
  const own = formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escaped(code)}"/>`);
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${date1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${hidden}<sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map((code, i) => `<xf numFmtId="${/^\d+$/.test(code) ? code : 200 + i}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}">${columns}<sheetData>${sheet.join('')}</sheetData>${merged.length === 0 ? '' : `<mergeCells>${merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`}</worksheet>`,
  };
  return zip(Object.entries(parts).map(([name, text]) => ({ name, data: Buffer.from(text) })));
}
