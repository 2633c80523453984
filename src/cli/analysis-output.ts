import { join } from 'node:path';
import type { DrawOptions } from '../draw/look.js';
import type { ArrowColumn } from '../io/arrow.js';
import { lettersWithoutGlyph, plain, printLettersWithoutGlyph, printLine } from './print.js';
import { writeFiles } from './write-output.js';

/** What every analysis leaves behind: a document, a table, a figure, a paragraph. */
export interface AnalysisOutput {
  /** Base name of the files. */
  readonly name: string;
  /** Text of the result document. */
  readonly text: string;
  readonly resultsSha256: string;
  readonly columns: readonly ArrowColumn[];
  /** Made only when files are written: charts are slow to load. */
  figure(options: DrawOptions): Promise<string>;
  readonly words: string;
}

export interface AnalysisOutputOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Writes NAME.json, .arrow, .svg and .png into the folder, and prints the paragraph, or the document under `json`. */
export async function writeAnalysis(output: AnalysisOutput, options: AnalysisOutputOptions): Promise<void> {
  const { name, text } = output;
  if (options.out !== undefined) {
    const [{ arrowFile }, { renderPng }, { withFont }] = await Promise.all([
      import('../io/arrow.js'),
      import('../draw/encode/png.js'),
      import('../draw/encode/font.js'),
    ]);
    const path = (ending: string) => join(options.out!, `${name}.${ending}`);
    const svg = await output.figure({ theme: 'light', size: 'screen' });
    const metadata = { results_sha256: output.resultsSha256 };
    await writeFiles(
      [
        { path: path('arrow'), data: await arrowFile({ columns: output.columns, metadata }) },
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
    process.stdout.write(`${wrapped(plain(output.words), 100)}\n`);
    if (options.out !== undefined) printLine(`Written to ${options.out}`);
  }
}

/** Text broken at spaces into lines of at most `width` characters; its own line ends are kept. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = [''];
      for (const word of paragraph.split(' ')) {
        const last = lines.at(-1)!;
        if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return lines;
    })
    .join('\n');
}
