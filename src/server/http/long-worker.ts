import { workerData } from 'node:worker_threads';
import { parseObject } from '../../io/json.js';
import { decodeText } from '../../io/utf8.js';
import { operate } from '../operations/operation.js';
import { operationOf } from '../operations.js';
import { openService, type Service, type ServiceFiles } from '../service.js';
import { statedError } from '../stated-error.js';
import type { LongReply, LongRequest } from './long-work.js';

let service: Service | undefined;

/** The fields of a request: those of its JSON, or a table with its options. Errors: those of JSON. */
export function longFields({ bytes, table }: LongRequest): object {
  if (table === undefined) return parseObject(decodeText('the request', bytes), { file: 'the request' });
  const { options, name } = table;
  return {
    base64: Buffer.from(bytes).toString('base64'),
    ...(name === undefined ? {} : { name }),
    ...(options === undefined ? {} : { options: parseObject(options, { file: 'options' }) }),
  };
}

/** Entry of a thread for long work. */
export async function run(request: LongRequest): Promise<LongReply> {
  try {
    service ??= openService((workerData as ServiceFiles | null) ?? {});
    return { json: JSON.stringify(await operate(operationOf(request.op)!, longFields(request), service)) };
  } catch (error) {
    const { code, what, hint } = statedError(error);
    return { error: { code, message: what, hint: hint ?? undefined } };
  }
}
