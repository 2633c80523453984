import { z } from 'zod';
import { FlavourError } from '../util/error.js';
import { asStored } from './stored.js';

/** What came of a part: facts of its command, or what it failed with. An error is never sent as a success. */
const sentFacts = z.looseObject({
  error: z
    .object({
      code: z.string().regex(/^[A-Z][A-Z_]*$/, { error: 'the code of an error expected' }),
      message: z.string(),
      hint: z.string().optional(),
      where: z
        .object({
          ...{ file: z.string().optional(), path: z.string().optional() },
          ...{ line: z.number().optional(), column: z.number().optional(), row: z.number().optional() },
        })
        .nullish(),
      exit: z.literal([2, 3, 4, 5, 6]),
    })
    .optional(),
});

/** Gives the error with which a part failed on a worker, of the facts that it sent; undefined where it did not. Errors: SCHEMA_INVALID. */
export function sentError(facts: unknown, part: string): FlavourError | undefined {
  const { error } = asStored(sentFacts, facts, part);
  if (error === undefined) return undefined;
  const { code, message, where, ...more } = error;
  return new FlavourError(code, message, { ...more, ...(where ? { where } : {}) });
}
