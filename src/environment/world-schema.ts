import { z } from 'zod';

const number = z.number().refine((value) => Number.isFinite(Math.fround(value)), 'a number in the range of float32');
const weight = z.number().min(-1).max(1).default(0);
/** Words of lower-case letters and digits joined by `_`: what answers and task files can name. */
const name = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, 'lower-case words joined by _');
const label = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'printable text');
const text = z
  .string()
  .min(1)
  .max(2000)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'one printable line');
const key = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, 'lower-case letters, digits and _');
const numbers = z.record(key, number);

const item = z.strictObject({
  name,
  category: label,
  flags: z.array(key).max(50).default([]),
  /** Quantities that utilities and constraints refer to. */
  terms: numbers.default({}),
  vector: z.array(number).min(1).max(4096).optional(),
});

const constraint = z.strictObject({
  flags: z.array(key).max(10).default([]),
  at_most: numbers.default({}),
  at_least: numbers.default({}),
  /** How many choices satisfy it. */
  valid: z.number().int().min(1).max(15).default(4),
  /** Head of the ranked violations the others are spaced over. */
  window: z.number().int().min(1).max(100_000).default(32),
});

const context = z.strictObject({
  name,
  category: label,
  text,
  terms: numbers,
});

const family = z.strictObject({
  id: key,
  /** How the prompt names the family. */
  kind: label,
  question: text,
  /** Categories whose items are anchors; all where left out. */
  anchors: z.array(label).min(1).optional(),
  /** Situations that take the place of an anchor item. */
  contexts: z.array(context).min(1).max(10_000).optional(),
  /** Categories a choice may have, seen from the anchor's. */
  pool: z.union([z.enum(['same', 'other', 'any']), z.record(label, z.array(label).min(1))]).default('any'),
  /** Whether a choice may share a word with the anchor's name. */
  shared_words: z.boolean().default(false),
  keep: z.number().int().min(2).max(100_000).default(40),
  least_pool: z.number().int().min(2).max(100_000).default(8),
  least_spread: z.number().min(0).max(2).default(0),
  constraint: constraint.optional(),
  /** Whether the members of a portfolio must differ in category. */
  distinct_categories: z.boolean().default(false),
  utility: z.strictObject({
    /** Weights: cosine with the anchor, weighted sum of terms, cosine of two choices, stated synergy of two choices. */
    similarity: weight,
    value: weight,
    coherence: weight,
    synergy: weight,
    /** Coefficients of `value`; a context's own are added. */
    terms: numbers.optional(),
  }),
});

/** A world file, version 1. Things to choose from, k of n, and families of tasks. */
export const worldSchema = z
  .strictObject({
    schema: z.literal('flavourbench-world/1'),
    name,
    about: text,
    items: z.array(item).min(4).max(10_000),
    /** Pairs that work together well or badly. */
    synergy: z
      .array(z.tuple([name, name, number]))
      .max(1_000_000)
      .optional(),
    choices: z.number().int().min(2).max(16).default(8),
    select: z.number().int().min(1).max(15).default(3),
    strata: z.number().int().min(1).max(100).default(4),
    tasks_per_stratum: z.number().int().min(1).max(100_000).default(10),
    category_cap: z.number().int().min(1).max(100_000).default(100_000),
    least_categories: z.number().int().min(1).max(1000).default(1),
    least_feasible: z.number().int().min(2).max(100_000).default(4),
    /** First paragraph of every prompt. */
    preamble: text,
    families: z.array(family).min(1).max(50),
  })
  .refine(({ choices, select }) => select < choices, {
    path: ['select'],
    message: 'fewer members than choices',
  });

export type WorldDocument = z.infer<typeof worldSchema>;
export type WorldFamily = WorldDocument['families'][number];
export type WorldConstraint = NonNullable<WorldFamily['constraint']>;
