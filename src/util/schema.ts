import { z } from 'zod';
import { type ErrorPlace, type FailureMore, fail, shown } from './error.js';

/*
 * Unknown keys: what people write (plans, settings, worlds) is a `z.strictObject`, because a misspelt key that is passed over
 * changes a result without a word. What programs write (results, reports, manifests) is a `z.looseObject` or, where nothing more
 * is kept of it, a `z.object`: later versions may add keys.
 */

/** A lower-case hexadecimal SHA-256. */
export const sha256Text = z.string().regex(/^[0-9a-f]{64}$/, { error: 'a lower-case SHA-256 expected' });

/** A text of at least one character. */
export const nonEmptyText = z.string().min(1, { error: 'a non-empty text expected' });

/** A whole number from 0 on. */
export const count = z.int().min(0, { error: 'a whole number from 0 on expected' });

/** A whole number from 1 on. */
export const positiveCount = z.int().min(1, { error: 'a whole number from 1 on expected' });

type Issue = z.core.$ZodIssue;

const KIND: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
};

/** What the bounds of a text or a list count. */
const UNIT: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** Of the forms a value may have, the problem of the one that fits furthest. */
function furthest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const [first, ...rest] = issue.errors.flat();
  if (first === undefined) return issue;
  const deepest = rest.reduce((a, b) => (b.path.length > a.path.length ? b : a), first);
  if (deepest.path.length === 0) return issue;
  return furthest({ ...deepest, path: [...issue.path, ...deepest.path] } as Issue);
}

/** Says what a schema wants where it met a problem, in words, without what was found. */
export function wantedWords(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'is not a known key';
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big):)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `${KIND[issue.expected] ?? `a value of kind ${issue.expected}`} expected`;
  if (issue.code === 'invalid_value') return `${issue.values.map((value) => shown(value)).join(' or ')} expected`;
  if (issue.code === 'invalid_union') return 'a value of another form expected';
  if (issue.code === 'too_small')
    return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${UNIT[issue.origin] ?? ''} expected`;
  if (issue.code === 'too_big')
    return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${UNIT[issue.origin] ?? ''} expected`;
  return issue.message;
}

/** Writes a path inside a document as messages show it: `tasks[3].choices.A`. */
export function pathText(path: readonly PropertyKey[], base = ''): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text === '' ? '' : '.'}${String(part)}`),
    base,
  );
}

/** The first problem of a value that does not fit a schema: its path, what is expected there, and what was found. */
function firstProblem(
  error: z.ZodError,
  value: unknown,
): { readonly path: readonly PropertyKey[]; readonly what: string } {
  const issue = furthest(error.issues[0]!);
  if (issue.code === 'unrecognized_keys') return { path: [...issue.path, issue.keys[0]!], what: wantedWords(issue) };
  let found = value;
  for (const part of issue.path) found = (found as Record<PropertyKey, unknown> | null)?.[part];
  return { path: issue.path, what: `${wantedWords(issue)}, found ${shown(found)}` };
}

/**
 * Gives a value as a schema reads it. `place.path` is where the value stands in its document; the path of the first problem is
 * joined to it. Errors: `code` (SCHEMA_INVALID) with the path, what is expected there and what was found.
 */
export function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: ErrorPlace,
  hint?: string,
  code = 'SCHEMA_INVALID',
  more: FailureMore = {},
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, what } = firstProblem(parsed.error, value);
  fail(code, { ...place, path: pathText(path, place.path) || 'the document' }, what, hint, more);
}
