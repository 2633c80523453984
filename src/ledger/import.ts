import { PARSER_V3, parseSelection } from '../responses/parser.js';
import { sha256 } from '../util/digest.js';
import { FlavourError } from '../util/error.js';
import { assertInputFile, readInput } from '../util/file.js';
import { parseJson } from '../util/json.js';
import { textLines } from '../util/lines.js';
import { type PyValue, parsePyJson } from '../util/pyjson.js';
import { answerCells, type ImportOptions } from './import-answers.js';
import type { ImportedCell } from './imported.js';
import type { Ledger } from './ledger.js';
import { fromReleased, releasedResponse } from './released.js';

/** True where the first line is a released response or observation. */
function isReleased(file: string): boolean {
  assertInputFile(file);
  for (const { text } of textLines(file)) {
    if (text.trim() === '') continue;
    try {
      return releasedResponse(JSON.parse(text)) !== undefined;
    } catch {
      return false;
    }
  }
  return false;
}

function* releasedCells(options: ImportOptions): Generator<ImportedCell> {
  const { file, tasks } = options;
  for (const { text, line } of textLines(file)) {
    if (text.trim() === '') continue;
    const place = { file, line };
    const row = parseJson(text, place);
    const response = releasedResponse(row);
    if (!response) {
      throw new FlavourError('SCHEMA_INVALID', `${file}:${line}: not a released response`, {
        hint: 'Every line of the file must be of the same kind.',
        where: place,
      });
    }
    const tree = parsePyJson(text, place) as { [key: string]: PyValue };
    const exact = (response === row ? tree : tree.response) as { [key: string]: PyValue };
    yield fromReleased({ response, exact, tasks, place: `${file}:${line}` });
  }
}

/**
 * Enters an existing log: lab responses (any form of collection 2.2) or released response documents, each answer marked with where
 * it came from. The whole file is read and checked before anything is written; importing it again changes nothing.
 */
export async function importLog(
  ledger: Ledger,
  options: ImportOptions,
): Promise<{ readonly written: number; readonly known: number; readonly parseable: number }> {
  const origin = { label: options.label, sha256: sha256(readInput(options.file)) };
  const cells = [...(isReleased(options.file) ? releasedCells(options) : answerCells(options))];
  let parseable = 0;
  const records = cells.map(({ binding, answer, choices, draft }) => {
    const parsed = answer === null ? null : parseSelection(answer, choices);
    if (parsed?.outcome === 'ok') parseable += 1;
    const parse = parsed && { parser: PARSER_V3, outcome: parsed.outcome, selection: parsed.key };
    const known = ledger.has(binding.cell) ? ledger.get(binding.cell) : undefined;
    if (known?.source === 'imported' && known.origin?.sha256 === origin.sha256) return known;
    return ledger.compose(binding, { ...draft, parse, origin });
  });
  const results = await Promise.all(records.map((record) => ledger.putRecord(record)));
  const written = results.filter((result) => result.isNew).length;
  return { written, known: results.length - written, parseable };
}
