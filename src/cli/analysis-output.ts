import { join } from 'node:path';
import type { AnalysisRun } from '../analyses/analysis.js';
import { analysisDocument, type RanAnalysis } from '../analyses/analysis-document.js';
import type { AnyAnalysis } from '../analyses/list.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { columnsCsv } from '../io/csv.js';
import { citation } from '../io/envelope.js';
import type { OutputFile } from '../io/write/outputs.js';
import type { Reading } from '../scores/scores-reading.js';
import { hasPage, withoutPage } from './folder-page.js';
import { type OutForm, type OutTarget, outTarget } from './out-target.js';
import { lettersWithoutGlyph, plain, printLettersWithoutGlyph, printLine, printText, printWords } from './print.js';
import { wrapped } from './table-text.js';
import { textWidth } from './terminal.js';
import { writeFiles } from './write-output.js';

/** Where what an analysis leaves behind goes. */
export interface AnalysisOutputOptions {
  readonly out?: string;
  /** Replace a file of other content that `out` names. */
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What a page of an analysis shows beside its document. */
interface AnalysisPageParts {
  /** The leaderboard behind it, as the document of an inference. */
  readonly inference?: { readonly name: string; readonly text: string };
  /** The scores that it is about; null where cells are missing. */
  readonly matrix?: ScoreMatrix | null;
  /** Words of the call. */
  readonly command: readonly string[];
}

/** An analysis that has run, and what its folder holds beside. */
interface WrittenAnalysis extends RanAnalysis {
  /** Makes what a page shows beside the document; absent where there is nothing. */
  readonly page?: () => AnalysisPageParts;
  /** More files of a folder, by what is added to the name of the analysis. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
}

/** Prints the one line that says what was read, where scores were and words are wanted. */
export function printReading(reading: Reading | undefined, { json, quiet }: AnalysisOutputOptions): void {
  if (reading !== undefined && !json && !quiet) printWords(fittingWords(reading.text));
}

/** The drawing of an analysis, and its picture, which a thread beside this one makes of it; null where none is wanted. */
interface Drawn {
  readonly svg: string;
  readonly png: Promise<Buffer> | null;
}

/** Draws what a target shows; null for one that shows no picture. */
async function drawn({ analysis, outcome }: WrittenAnalysis, target: OutTarget): Promise<Drawn | null> {
  const form = 'file' in target ? target.form : 'png';
  if (form !== 'svg' && form !== 'png') return null;
  const [{ renderPngBeside }, svg] = await Promise.all([
    import('../draw/encode/png.js'),
    analysis.draw(outcome, { theme: 'light', size: 'screen' }),
  ]);
  const png = form === 'png' ? renderPngBeside(svg) : null;
  png?.catch(() => undefined);
  return { svg, png };
}

/** Makes the files of an analysis that a target asks for: one, or every form in a folder. */
async function analysisFiles(
  ran: WrittenAnalysis,
  target: OutTarget,
  picture: Drawn | null,
  written: ReturnType<typeof analysisDocument>,
): Promise<readonly OutputFile[]> {
  const { analysis, outcome } = ran;
  const { name } = analysis;
  const { arrowFile, arrowPieces } = await import('../io/arrow/write-arrow.js');
  const metadata = { results_sha256: written.document.results_sha256 };
  const columns = analysis.columns(outcome);
  const forms: Readonly<Record<OutForm, () => Promise<Exclude<OutputFile['data'], Promise<Uint8Array>>>>> = {
    arrow: async () => arrowFile({ columns, metadata }),
    csv: async () => columnsCsv(columns),
    svg: async () => (await import('../draw/encode/font.js')).withFont(picture!.svg),
    png: () => picture!.png!,
    html: async () => {
      const { inference = null, matrix = null, command = ['flavourbench', name] } = ran.page?.() ?? {};
      const documents = [{ name: `${name}.json`, text: written.text }, ...(inference === null ? [] : [inference])];
      return (await import('./explorer-page.js')).resultPage({ documents, matrix, command });
    },
    json: async () => written.parts,
  };
  if ('file' in target) return [{ path: target.file, data: await forms[target.form]() }];
  const named = (end: string, data: OutputFile['data']): OutputFile => ({
    path: join(target.folder, `${name}${end}`),
    data,
  });
  const tables = Object.entries(outcome.tables ?? {}).map(([about, more]) =>
    named(`-${about}.arrow`, arrowPieces({ columns: more, metadata })),
  );
  const files: OutputFile[] = [];
  for (const form of ['arrow', 'csv', 'svg'] as const) files.push(named(`.${form}`, await forms[form]()));
  // The page is made, and the other files are written, while the picture is rendered.
  if (hasPage(outcome.models.length)) files.push(named('.html', await forms.html()));
  files.push(named('.png', picture!.png!), named('.json', written.parts));
  return [...files, ...tables, ...Object.entries(ran.beside ?? {}).map(([end, data]) => named(`-${end}`, data))];
}

/**
 * Writes what `--out` names, one file or a folder of all, and prints the words, whose parts are plain, or the document under `json`.
 * Returns the digest of the results.
 */
export async function writeAnalysis(
  ran: WrittenAnalysis,
  words: () => string,
  options: AnalysisOutputOptions,
): Promise<string> {
  const target = options.out === undefined ? null : outTarget(options.out);
  // A picture takes the longest: the document and the tables are made while it is rendered.
  const picture = target && (await drawn(ran, target));
  const written = analysisDocument(ran);
  const { results_sha256 } = written.document;
  if (target !== null) {
    const files = await analysisFiles(ran, target, picture, written);
    await writeFiles(files, { replace: 'folder' in target || options.force === true });
    const models = ran.outcome.models.length;
    if ('folder' in target && !hasPage(models))
      withoutPage({ ...options, folder: target.folder, name: `${ran.analysis.name}.html`, models });
    if (!options.json && !options.quiet && picture !== null)
      printLettersWithoutGlyph(await lettersWithoutGlyph([picture.svg]));
  }
  if (options.json) printText(written.text);
  else if (!options.quiet) {
    printWords(words());
    if (options.out !== undefined) printWritten(options.out, results_sha256);
  }
  return results_sha256;
}

/** Says where a result stands and how it is cited. */
export function printWritten(out: string, resultsSha256: string): void {
  printLine(`Written to ${out}`);
  printLine(wrapped(`Cite as ${citation(resultsSha256)}`, textWidth));
}

/** Makes the words of an analysis fit the terminal. */
export const fittingWords = (words: string): string => wrapped(plain(words), textWidth);

/** Gives the words of an outcome, and after them what has to be noted. */
export function notedWords(analysis: AnyAnalysis, outcome: AnalysisRun<object, object>): string {
  return [analysis.words(outcome), ...outcome.warnings.map((warning) => `Note: ${warning}.`)].join(' ');
}
