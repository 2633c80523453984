import PDFDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { COLUMN } from '../column-size.js';
import { fontFiles } from '../text.js';

/** Width of a printed column: 84 mm in points. */
const COLUMN_POINTS = 238;

/** A figure as one PDF page, one printed column wide, its fonts embedded, its date pinned: the same bytes every time. */
export async function renderPdf(svg: string, title: string): Promise<Buffer> {
  const height = Number(/ height="([\d.]+)"/.exec(svg)?.[1]);
  const scale = COLUMN_POINTS / COLUMN.width;
  const { regular, semibold } = fontFiles();
  const document = new PDFDocument({
    autoFirstPage: false,
    info: {
      Title: title,
      Producer: 'flavourbench',
      Creator: 'flavourbench',
      CreationDate: new Date(0),
    },
  });
  document.registerFont('regular', regular).registerFont('semibold', semibold);
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve) => {
    document.on('data', (chunk) => chunks.push(chunk)).on('end', resolve);
  });
  document.addPage({ size: [COLUMN_POINTS, height * scale], margin: 0 });
  const sized = svg.replace(
    /^<svg ([^>]*?)width="[\d.]+" height="[\d.]+"/,
    `<svg $1width="${COLUMN_POINTS}" height="${height * scale}"`,
  );
  svgToPdf(document, sized, 0, 0, {
    width: COLUMN_POINTS,
    height: height * scale,
    assumePt: true,
    fontCallback: (_, bold) => (bold ? 'semibold' : 'regular'),
    warningCallback: (warning) => {
      throw new Error(`figure "${title}" cannot become a PDF: ${warning}`);
    },
  });
  document.end();
  await done;
  return Buffer.concat(chunks);
}
