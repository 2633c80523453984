import type { z } from 'zod';
import { shown } from './error.js';

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

/** Of the forms a value may have, the problem of the one that fits furthest. */
function furthest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const [first, ...rest] = issue.errors.flat();
  if (first === undefined) return issue;
  const deepest = rest.reduce((a, b) => (b.path.length > a.path.length ? b : a), first);
  if (deepest.path.length === 0) return issue;
  return furthest({ ...deepest, path: [...issue.path, ...deepest.path] } as Issue);
}

/** What a schema wants where it met a problem, in words, without what was found. */
export function wantedWords(issue: Issue): string {
  if (!/^Invalid (?:input|option)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `${KIND[issue.expected] ?? `a value of kind ${issue.expected}`} expected`;
  if (issue.code === 'invalid_value') return `${issue.values.map((value) => shown(value)).join(' or ')} expected`;
  if (issue.code === 'invalid_union') return 'a value of another form expected';
  return issue.message;
}

/** The first problem of a value that does not fit a schema: its path, what is expected there, and what was found. */
export function firstProblem(error: z.ZodError, value: unknown): { readonly path: string; readonly what: string } {
  const issue = furthest(error.issues[0]!);
  let found = value;
  for (const part of issue.path) found = (found as Record<PropertyKey, unknown> | null)?.[part];
  const wanted = wantedWords(issue);
  const what = issue.code === 'unrecognized_keys' ? wanted : `${wanted}, found ${shown(found)}`;
  return { path: issue.path.map(String).join('.') || 'the document', what };
}
