import { basename } from 'node:path';
import type { z } from 'zod';
import { assertDigests } from '../io/document.js';
import { storedFile } from '../io/file.js';
import { readObject } from '../io/read-file.js';
import { fail } from '../util/error.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';

const NEVER_CHANGED = 'A ledger changes no document that it wrote; restore it from a copy.';

/**
 * Reads a document of a ledger (stamp, commitment, frozen plan) whose content has the digest that it states and that its name carries.
 * Errors: INPUT_NOT_FOUND, SCHEMA_INVALID, DIGEST_MISMATCH (exit 4).
 */
export function sealedDocument<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  const document = readObject(storedFile(path));
  const place = { file: path };
  assertDigests(document, place, NEVER_CHANGED);
  const digest = dataText(document.artifact_sha256);
  if (!basename(path).includes(digest))
    fail('DIGEST_MISMATCH', place, `the name does not carry the digest ${digest}`, NEVER_CHANGED, { exit: 4 });
  return checked(schema, document, place, NEVER_CHANGED);
}
