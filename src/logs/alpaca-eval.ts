import { sha256 } from '../io/digest.js';
import { isObject, type JsonObject } from '../io/json.js';
import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type LogCell, listed, nearest } from './cell.js';
import type { LogFormat, LogOptions, LogRead } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

const HINT = 'Give the annotations.json that `alpaca_eval` writes.';

/**
 * Annotations of alpaca_eval (reading 2.6): a list of comparisons of a model with a reference,
 *
 *     { "instruction": "...", "generator_1": "REFERENCE", "generator_2": "MODEL", "annotator": "...", "preference": 2 }
 *
 * The value is what the model won of the comparison: preference 1 is 0, 2 is 1, 1.5 (and 0, as early versions write a draw) is one half. A
 * comparison without a preference is a missing cell. Different references are different evaluations, the annotator is the metric.
 */
export const ALPACA_EVAL: LogFormat = {
  name: 'alpaca_eval',
  log: 'alpaca_eval annotations',
  recognise: ({ document }) => Array.isArray(document) && isComparison(document[0]),
  read: readAnnotations,
};

const isComparison = (row: unknown): row is JsonObject =>
  isObject(row) && 'generator_2' in row && 'preference' in row && 'instruction' in row;

function readAnnotations(log: OpenedLog, options: LogOptions): LogRead {
  const { file } = log;
  const rows = log.document as readonly unknown[];
  const annotators = [...new Set(rows.map((row) => (isObject(row) ? annotatorOf(row) : '')))];
  const { metric = annotators[0]! } = options;
  if (!annotators.includes(metric))
    fail(
      'SCHEMA_INVALID',
      { file },
      `no annotator ${shown(metric)}; ${listed(annotators)}`,
      `${nearest('--metric', metric, annotators)}${HINT}`,
    );
  const cells = rows.flatMap((row, i): LogCell[] => {
    const place = { file, path: `[${i}]` };
    if (!isComparison(row)) fail('SCHEMA_INVALID', place, 'a comparison with a preference expected', HINT);
    if (annotatorOf(row) !== metric) return [];
    const { instruction, generator_1: reference = 'reference', generator_2: model, dataset } = row;
    if (typeof instruction !== 'string' || typeof model !== 'string' || model === '')
      fail('SCHEMA_INVALID', place, 'an instruction and a generator_2 expected', HINT);
    return [
      {
        model,
        family: `against ${dataText(reference)}`,
        sample: instructionName(instruction, typeof dataset === 'string' ? dataset : ''),
        repeat: 1,
        value: wonOf(row.preference, place),
        metric,
        filter: null,
        place,
      },
    ];
  });
  return { cells, metrics: annotators, filters: [] };
}

const annotatorOf = ({ annotator }: JsonObject) => (typeof annotator === 'string' ? annotator : 'preference');

/** Errors: SCHEMA_INVALID for anything but a number from 1 to 2, 0 for a draw, or none. */
function wonOf(preference: unknown, place: LogCell['place']): number | null {
  if (preference === null || preference === undefined || Number.isNaN(preference)) return null;
  if (preference === 0) return 0.5;
  if (typeof preference === 'number' && preference >= 1 && preference <= 2) return fromOne(preference);
  return fail('SCHEMA_INVALID', place, `a preference from 1 to 2 expected, found ${shown(preference)}`, HINT);
}

/** A preference less one, without digits that its decimals do not have: 1.9 gives 0.9. */
const fromOne = (preference: number) => Number((preference - 1).toPrecision(15));

/** The beginning of an instruction, and what tells it from all others. */
function instructionName(instruction: string, dataset: string): string {
  const start = Array.from(instruction.replace(/\s+/g, ' ').trim()).slice(0, 40).join('').trim();
  return `${start} #${sha256(JSON.stringify([dataset, instruction])).slice(0, 10)}`;
}
