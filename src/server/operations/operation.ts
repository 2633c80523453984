import type { z } from 'zod';
import { checked } from '../../util/schema.js';
import type { Service } from '../service.js';

/** One thing that can be asked for over a pipe or over HTTP: both know no other list than `operations.ts`, and run the same library. */
export interface Operation<Q = unknown, A = unknown> {
  readonly name: string;
  readonly summary: string;
  readonly request: z.ZodType<Q>;
  readonly answer: z.ZodType<A>;
  /** Works for long: a server does it on a thread of its own, which a time limit ends. */
  readonly long?: true;
  /** Errors: those of the library. */
  run(request: Q, service: Service): A | Promise<A>;
}

/** Checks a request and does what it asks for. Errors: SCHEMA_INVALID with the field; those of the operation. */
export function operate<Q, A>(operation: Operation<Q, A>, request: unknown, service: Service): A | Promise<A> {
  const asked = checked(
    operation.request,
    request,
    { path: '' },
    `docs/pipe.md and /openapi.json list the fields of ${operation.name}.`,
  );
  return operation.run(asked, service);
}
