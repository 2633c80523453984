import { isObject, parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';
import { operate } from './operations/operation.js';
import { OPERATIONS, operationOf } from './operations.js';
import { type RequestLine, requestLines } from './request-lines.js';
import type { Service } from './service.js';
import { type StatedError, statedError } from './stated-error.js';

/** Most bytes of a line. */
const MOST_BYTES = 64 * 2 ** 20;

export interface PipeOptions {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes lines whole, and returns once more may be written. */
  readonly write: (text: string) => Promise<void> | void;
  readonly service: Service;
  /** Of a line; 64 MiB unless given. */
  readonly mostBytes?: number;
}

type Answered = { readonly answer: unknown } | { readonly error: StatedError };

/** Does what a line asks for. Errors: LINE_TOO_LONG, JSON_INVALID, SCHEMA_INVALID; those of the operation. */
async function answered(request: unknown, service: Service): Promise<unknown> {
  if (!isObject(request))
    fail(
      'SCHEMA_INVALID',
      null,
      `an object expected, found ${shown(request)}`,
      'Send {"id": 1, "op": "score", ...} on a line.',
    );
  const { id: _, op, ...asked } = request;
  const operation = operationOf(op);
  if (operation === undefined) {
    const names = OPERATIONS.map(({ name }) => name);
    const near = typeof op === 'string' ? nearestHint(op, names) : undefined;
    fail(
      'SCHEMA_INVALID',
      { path: 'op' },
      `${names.join(', ')} expected, found ${shown(op)}`,
      `Name what is asked for.${near === undefined ? '' : ` ${near}`}`,
    );
  }
  return operate(operation, asked, service);
}

/** The id of a request. Errors: SCHEMA_INVALID for a number that JSON does not keep to its last digit. */
function statedId(id: unknown): unknown {
  if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id))
    fail('SCHEMA_INVALID', { path: 'id' }, 'a number past 2^53', 'Give such an id as text, in quotation marks.');
  return id ?? null;
}

async function answerLine(line: RequestLine, { service, mostBytes = MOST_BYTES }: PipeOptions): Promise<string> {
  let id: unknown = null;
  let said: Answered;
  try {
    if (line === null)
      fail(
        'LINE_TOO_LONG',
        null,
        `a line of more than ${mostBytes} bytes`,
        'Send smaller batches; the next line is read again.',
      );
    const request = parseJson(decodeText('the request', line), { file: 'the request' });
    if (isObject(request)) id = statedId(request.id);
    said = { answer: await answered(request, service) };
  } catch (error) {
    said = { error: statedError(error) };
  }
  return `${JSON.stringify({ id, ...said })}\n`;
}

const isBlank = (line: RequestLine) => line?.every((byte) => byte === 32 || byte === 13 || byte === 9) === true;

/**
 * Answers requests, one JSON object a line, in their order until the input ends: each with its `id` and an `answer` or an `error`, which
 * never ends the session. Blank lines have no answer.
 */
export async function answerPipe(options: PipeOptions): Promise<void> {
  const { input, write, mostBytes = MOST_BYTES } = options;
  for await (const lines of requestLines(input, mostBytes))
    for (const line of lines) if (!isBlank(line)) await write(await answerLine(line, options));
}
