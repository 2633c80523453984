import { join } from 'node:path';
import type { About } from '../analyses/about.js';
import type { AnalysisRun } from '../analyses/analysis.js';
import type { AnyAnalysis } from '../analyses/list.js';
import { envelope, type InputFile, type RunFacts } from '../io/envelope.js';
import type { Reading } from '../scores/scores-reading.js';
import { RNG_ID } from '../util/version.js';
import { lettersWithoutGlyph, plain, printLettersWithoutGlyph, printLine, printWords } from './print.js';
import { wrapped } from './table-text.js';
import { textWidth } from './terminal.js';
import { writeFiles } from './write-output.js';

/** Where what an analysis leaves behind goes. */
export interface AnalysisOutputOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** An analysis that has run. */
interface RanAnalysis {
  readonly analysis: AnyAnalysis;
  readonly outcome: AnalysisRun<object, object>;
  readonly files: readonly InputFile[];
  /** What it looked at; absent where others cannot hold it against that. */
  readonly about?: About;
  readonly facts: Omit<RunFacts, 'warnings'>;
}

/** Prints the one line that says what was read, where scores were and words are wanted. */
export function printReading(reading: Reading | undefined, { json, quiet }: AnalysisOutputOptions): void {
  if (reading !== undefined && !json && !quiet) printWords(fittingWords(reading.text));
}

/** Makes the document of an analysis, and its text. */
export function analysisDocument({ analysis, outcome, files, about, facts }: RanAnalysis) {
  const { plan, results, rng, seed, streams, warnings } = outcome;
  return envelope({
    schema: analysis.schema.id,
    plan,
    inputs: files,
    rng: rng && RNG_ID[rng],
    seed,
    streams,
    results,
    about,
    run: { ...facts, warnings },
  });
}

/**
 * Writes NAME.json, .arrow, .svg and .png and any further tables into the folder, and prints the words, whose parts are plain,
 * or the document under `json`. Returns the digest of the results.
 */
export async function writeAnalysis(
  ran: RanAnalysis,
  words: () => string,
  options: AnalysisOutputOptions,
): Promise<string> {
  const { analysis, outcome } = ran;
  const { document, text } = analysisDocument(ran);
  const { results_sha256 } = document;
  if (options.out !== undefined) {
    const [{ arrowFile }, { renderPng }, { withFont }] = await Promise.all([
      import('../io/arrow.js'),
      import('../draw/encode/png.js'),
      import('../draw/encode/font.js'),
    ]);
    const path = (ending: string) => join(options.out!, `${analysis.name}.${ending}`);
    const svg = await analysis.draw(outcome, { theme: 'light', size: 'screen' });
    await writeFiles(
      [
        {
          path: path('arrow'),
          data: await arrowFile({ columns: analysis.columns(outcome), metadata: { results_sha256 } }),
        },
        ...(await Promise.all(
          Object.entries(outcome.tables ?? {}).map(async ([about, columns]) => ({
            path: join(options.out!, `${analysis.name}-${about}.arrow`),
            data: await arrowFile({ columns, metadata: { results_sha256 } }),
          })),
        )),
        { path: path('svg'), data: await withFont(svg) },
        { path: path('png'), data: renderPng(svg) },
        { path: path('json'), data: text },
      ],
      { replace: true },
    );
    if (!options.json && !options.quiet) printLettersWithoutGlyph(await lettersWithoutGlyph([svg]));
  }
  if (options.json) process.stdout.write(text);
  else if (!options.quiet) {
    printWords(words());
    if (options.out !== undefined) printLine(`Written to ${options.out}`);
  }
  return results_sha256;
}

/** Makes the words of an analysis fit the terminal. */
export const fittingWords = (words: string): string => wrapped(plain(words), textWidth);

/** Gives the words of an outcome, and after them what has to be noted. */
export function notedWords(analysis: AnyAnalysis, outcome: AnalysisRun<object, object>): string {
  return [analysis.words(outcome), ...outcome.warnings.map((warning) => `Note: ${warning}.`)].join(' ');
}
