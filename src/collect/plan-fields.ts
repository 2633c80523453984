import { z } from 'zod';
import { isSecretName, looksOpaque, looksSecret } from './credential-looks.js';
import { isDecimal } from './money.js';

const DECIMAL_EXPECTED = 'expected a non-negative decimal, for example "2.50"';

/** Past this many USD, micro-USD no longer fit an exact integer. */
const MOST_USD = 1_000_000_000;

/** A decimal from zero to `most`, kept as it was written. */
function decimalTo(most: number) {
  return z
    .union([z.string(), z.number()], { error: DECIMAL_EXPECTED })
    .refine(isDecimal, { error: DECIMAL_EXPECTED })
    .refine((value) => Number(value) <= most, { error: `expected at most ${most}` })
    .transform(String);
}

export const decimal = decimalTo(MOST_USD);
/** A dollar a token. */
const tokenPrice = decimalTo(1_000_000);

export const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$/, {
  error: 'expected letters, digits and . _ : / @ + - (at most 128)',
});
export const envName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, {
    error: 'expected the name of an environment variable, not its value',
  })
  .refine((name) => !looksOpaque(name), {
    error: 'looks like a credential itself; expected the name of the environment variable that holds it',
  });
export { sha256Text as digest } from '../util/schema.js';
export const panel = z.string().regex(/^[a-z0-9][a-z0-9_]{0,63}$/, {
  error: 'expected lower-case letters, digits and _',
});

export const decoding = z
  .strictObject({
    temperature: z.number().min(0).max(2).optional(),
    top_p: z.number().gt(0).max(1).optional(),
    seed: z.int().min(0).optional(),
    max_tokens: z.int().min(1).max(1_000_000).optional(),
    max_completion_tokens: z.int().min(1).max(1_000_000).optional(),
  })
  .refine((d) => (d.max_tokens === undefined) !== (d.max_completion_tokens === undefined), {
    error: 'expected exactly one of max_tokens and max_completion_tokens: a cost ceiling needs an output ceiling',
  })
  .describe('Only what the endpoint supports; what is left out is fixed by the provider.');

export const price = z
  .strictObject({ prompt: tokenPrice, completion: tokenPrice, request: decimal.default('0') })
  .describe('USD per million prompt tokens, completion tokens and requests.');

/** Body members that are ours to set, so that a plan cannot unpin a route or start a stream. */
const OWN_BODY = [
  'model',
  'messages',
  'system',
  'provider',
  'reasoning',
  'reasoning_effort',
  'models',
  'route',
  'stream',
  'n',
  'temperature',
  'top_p',
  'seed',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'transforms',
];
export const extraBody = z.record(z.string(), z.json()).superRefine((body, context) => {
  for (const name of OWN_BODY) {
    if (Object.hasOwn(body, name)) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is set by the plan itself and cannot stand in extra_body',
      });
    }
  }
  for (const path of secretsIn(body))
    context.addIssue({
      code: 'custom',
      path,
      message:
        'looks like a credential, and extra_body is written down; send it as a header: headers: {NAME: {env: VARIABLE}}',
    });
});

/** Tells whether something is in a value: a text, a number, or a list or an object with such. */
function holdsSomething(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return Object.values(value).some(holdsSomething);
}

/** The members of a value by name. Pairs count as members: lists of two texts each, and what has a name and a value. */
function membersOf(value: object): [name: string, item: unknown][] {
  const isPair = (item: unknown): item is [string, unknown] =>
    Array.isArray(item) && item.length === 2 && typeof item[0] === 'string';
  if (Array.isArray(value) && value.every(isPair)) return value;
  const {
    name,
    key,
    value: held,
  } = value as { readonly name?: unknown; readonly key?: unknown; readonly value?: unknown };
  const named = [name, key].find((each) => typeof each === 'string');
  const pair: [string, unknown][] = typeof named === 'string' && held !== undefined ? [[named, held]] : [];
  return [...pair, ...Object.entries(value)];
}

/** Lists and objects that JSON in a text may open: nobody's settings have more, and none of them is nested past the stack. */
const MOST_OPENED = 1000;

/** The value that a text is JSON of, where it is that of a list or an object. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.split(/[[{]/, MOST_OPENED + 2).length > MOST_OPENED + 1) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Paths of fields that are named like credentials and hold something, whose text looks like one or gives one, as JSON in a text too, or in which one
 * stands as a name: that is not repeated.
 */
function secretsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'string') {
    const inside = parsed(value);
    if (looksSecret(value) || (typeof inside === 'object' && secretsIn(inside).length > 0)) return [[...path]];
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return membersOf(value).flatMap(([name, item]) =>
    looksSecret(name)
      ? [[...path]]
      : isSecretName(name) && holdsSomething(item)
        ? [[...path, name]]
        : secretsIn(item, [...path, name]),
  );
}

/** Headers that frame a request or that keep caches out: a plan cannot undo them. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|content-.*|anthropic-version|x-openrouter-cache|cf-aig-.*)$/i;
/** Visible Latin characters and blanks: what a header can carry. */
const HEADER_TEXT = /^[\t\x20-\x7e\xa0-\xff]*$/;

export const headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
    z.union([
      z.string().max(1024).regex(HEADER_TEXT, {
        error: 'expected one line of Latin characters',
      }),
      z.strictObject({ env: envName }),
    ]),
  )
  .superRefine((map, context) => {
    for (const [name, value] of Object.entries(map)) {
      if (OWN_HEADERS.test(name)) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'is set by this program and cannot stand in headers',
        });
      }
      const credential = typeof value === 'string' && (isSecretName(name) || looksSecret(value));
      if (credential) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'carries a credential; name the variable that holds it instead: {env: VARIABLE}',
        });
      }
    }
  })
  .describe('A value is text, or {env: NAME} for one that must not be written down.');

export const url = z.string().superRefine((text, context) => {
  const bad = urlProblem(text);
  if (bad) context.addIssue({ code: 'custom', message: bad });
});

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'expected an absolute http or https URL';
  const parsed = new URL(text);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'expected http or https';
  if (parsed.username !== '' || parsed.password !== '') return 'must not carry a user or password';
  if (parsed.search !== '' || parsed.hash !== '') return 'must not carry a query or fragment';
  return undefined;
}
