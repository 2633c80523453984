import PDFDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { fontWithoutLayout } from './font.js';

/** Width of a printed column: 84 mm in points. */
export const COLUMN_POINTS = 238;

/**
 * Renders a figure as one PDF page, one printed column wide, its fonts embedded, its date pinned, nothing packed (packers differ between
 * machines): the same bytes every time.
 */
export async function renderPdf(svg: string, title: string): Promise<Buffer> {
  const [, width, height] = (/ width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []).map(Number);
  const size = { width: COLUMN_POINTS, height: (COLUMN_POINTS * height!) / width! };
  const document = new PDFDocument({
    autoFirstPage: false,
    compress: false,
    info: {
      Title: title,
      Producer: 'flavourbench',
      Creator: 'flavourbench',
      CreationDate: new Date(0),
    },
  });
  document.registerFont('regular', fontWithoutLayout(400));
  document.registerFont('semibold', fontWithoutLayout(600));
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve) => {
    document.on('data', (chunk) => chunks.push(chunk)).on('end', resolve);
  });
  document.addPage({ size: [size.width, size.height], margin: 0 });
  const sized = svg.replace(
    /^<svg ([^>]*?)width="[\d.]+" height="[\d.]+"/,
    `<svg $1width="${size.width}" height="${size.height}"`,
  );
  svgToPdf(document, sized, 0, 0, {
    ...size,
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
