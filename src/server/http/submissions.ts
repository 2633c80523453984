import { z } from 'zod';
import { yieldToEvents } from '../../engine/signals.js';
import { parseJson } from '../../io/json.js';
import { utf8Slice } from '../../io/utf8.js';
import { DEFAULT_PARSER, type SetParser } from '../../responses/parser.js';
import { modelTallies, talliedModel, tallyOf } from '../../responses/tally.js';
import { fail } from '../../util/error.js';
import { scoredRow, scoreRow } from '../operations/score-request.js';
import type { Service } from '../service.js';
import { statedError } from '../stated-error.js';

/** One line of the answer to a submission. */
export const submissionLine = z.union([
  scoredRow.extend({ line: z.int() }),
  z.object({ line: z.int(), error: z.object({ code: z.string(), what: z.string(), hint: z.string().nullable() }) }),
  z.object({
    summary: z.object({
      rows: z.int().describe('Rows that were scored.'),
      errors: z.int().describe('Rows that were not.'),
      tasks: z.int().describe('Tasks that a complete submission answers.'),
      models: z.array(z.looseObject({ model: z.string(), rows: z.int() })).describe('As `rescore` states them.'),
    }),
  }),
]);

/** Characters that are written at once. */
const PIECE = 1 << 16;

/**
 * Scores rows of answers, one JSON object a line, and yields one line for each in their order, in pieces: a score, or an error, which ends
 * nothing; then a summary by model. A second answer of a model to a task is an error. Other work is let in between.
 */
export async function* scoredSubmission(
  bytes: Uint8Array,
  service: Service,
  parser: SetParser = DEFAULT_PARSER,
): AsyncGenerator<string> {
  const tasks = [...service.tasks.values()];
  const places = new Map(tasks.map(({ id }, i) => [id, i]));
  const tally = tallyOf(tasks);
  const models = new Map<string, number>();
  const cells = new Set<string>();
  let piece = '';
  let errors = 0;
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    const text = utf8Slice(bytes, start, end);
    start = end + 1;
    line += 1;
    if (text !== undefined && text.trim() === '') continue;
    let row: object;
    try {
      if (text === undefined) fail('TEXT_INVALID_UTF8', { line }, 'not valid UTF-8', 'Send text in UTF-8.');
      const place = { file: 'the submission', line };
      const { scored, code, model, task } = scoreRow(
        service,
        parseJson(text, { ...place, overflow: true }),
        place,
        parser,
      );
      const cell = JSON.stringify([model, task.id]);
      if (cells.has(cell))
        fail('CELL_DUPLICATE', place, `a second answer to task ${task.id}`, 'Keep one answer a model and task.');
      cells.add(cell);
      if (!models.has(model)) models.set(model, models.size);
      tally.add(models.get(model)!, places.get(task.id)!, code, scored.inline_reasoning);
      row = { line, ...scored };
    } catch (error) {
      errors += 1;
      row = { line, error: statedError(error) };
    }
    piece += `${JSON.stringify(row)}\n`;
    if (piece.length > PIECE) {
      yield piece;
      piece = '';
      await yieldToEvents();
    }
  }
  const summary = {
    rows: cells.size,
    errors,
    tasks: service.ranked.length,
    models: modelTallies(tally.take([...models.keys()])).map((each) => talliedModel(each, parser)),
  };
  yield `${piece}${JSON.stringify({ summary })}\n`;
}
