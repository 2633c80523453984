import { z } from 'zod';
import { MISSING_RULES } from '../../core/gaps.js';
import { type InferencePlan, statedPlanShape } from '../../inference/plan.js';
import { type ScoreOptions, type Scores, scoresOf } from '../../scores/read-scores.js';
import { fail } from '../../util/error.js';

/** What errors call a table that has no name. */
const UNNAMED = 'table';

/** Most draws that a request may ask for: more is work for a machine of one's own. */
const MOST_DRAWS = 1_000_000;

const names = z.array(z.string()).optional();
const column = z.string().optional();

/** Options of the commands that take a table, under the same words. */
const tableShape = {
  metric: column,
  filter: column,
  model_column: column,
  task_column: column,
  value_column: column,
  family_column: column,
  cluster_column: column,
  attempt_column: column,
  drop: names,
  only: names,
  models: names,
  without: names,
  without_tasks: names,
  without_families: names,
  transpose: z.boolean().optional(),
  sheet: column,
  scale: z.int().min(1).optional(),
  quantize: z.int().min(1).optional(),
  attempts: z.int().min(1).optional(),
};

/** Options of the commands that say how an inference is made, under the same words; `--rng numpy` replays and is for the command line. */
const planShape = {
  draws: z.int().min(1).max(MOST_DRAWS).optional(),
  flips: z.int().min(1).max(MOST_DRAWS).optional(),
  seed: z
    .union([z.string().regex(/^\d{1,20}$/), z.int().min(0)])
    .optional()
    .describe('Unsigned 64-bit; as text where a number does not hold it.'),
  alpha: z.number().gt(0).lt(1).optional(),
  strata: statedPlanShape.strata.optional(),
  test: statedPlanShape.test,
  multiplicity: statedPlanShape.multiplicity,
  interval: statedPlanShape.interval,
  margin: z.number().positive().optional(),
  against: z.string().optional(),
  family_weights: z.record(z.string(), z.number().positive()).optional(),
  missing: z.enum(MISSING_RULES).optional(),
};

export const tableOptions = z.strictObject({ ...tableShape, ...planShape });
export type TableRequestOptions = z.infer<typeof tableOptions>;

/** A table as a request holds it: its text, or its bytes in base64. */
export const tableFields = {
  table: z.string().optional().describe('A table as text: CSV, TSV, JSON; any shape that the command line reads.'),
  base64: z
    .base64()
    .optional()
    .describe('The bytes of a file instead: Excel, Arrow, Parquet, NumPy, an evaluation log.'),
  name: z.string().min(1).max(200).optional().describe('What errors call the table.'),
};

interface GivenTable {
  readonly table?: string;
  readonly base64?: string;
  readonly name?: string;
}

const camelCase = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Options of the library by the words of a request. */
const camel = (options: object) =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [camelCase(key), value]));

/** Reads the scores that a request holds (reading 1.15). Errors: USAGE where it holds none, or two; those of `scoresOf`. */
export async function tableScores(
  { table, base64, name = UNNAMED }: GivenTable,
  options: TableRequestOptions = {},
): Promise<Scores> {
  if ((table === undefined) === (base64 === undefined))
    fail('USAGE', null, `${table === undefined ? 'neither' : 'both'} table and base64`, 'Send one of the two.');
  const bytes = table === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(table, 'utf8');
  const asked: ScoreOptions = camel(
    Object.fromEntries(Object.entries(options).filter(([key]) => key in tableShape || key === 'missing')),
  );
  return scoresOf([{ name, bytes }], asked);
}

/** The choices of a plan that a request makes. */
export function planAsked(options: TableRequestOptions = {}): Partial<InferencePlan> {
  const { seed, ...chosen } = options;
  const named = Object.entries(chosen).filter(([key, value]) => key in planShape && value !== undefined);
  return { ...Object.fromEntries(named), ...(seed === undefined ? {} : { seed: BigInt(seed) }) };
}
