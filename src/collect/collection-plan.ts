import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { readText } from '../io/file.js';
import { yamlExcess } from '../io/held/yaml-excess.js';
import { fail, shown } from '../util/error.js';
import { pathText, wantedWords } from '../util/schema.js';
import { holdsKnownSecret, looksSecret } from './credential-looks.js';
import { unlistedFields } from './listed-fields.js';
import { decimal, decoding, digest, envName, extraBody, headers, id, panel, price, url } from './plan-fields.js';
import { EFFORTS } from './protocol.js';

export const PLAN_SCHEMA = 'flavourbench-plan/1';

const common = {
  id: id.describe('Name of the model in every matrix and table.'),
  name: z.string().min(1).max(160).optional().describe('Name for people; the id if absent.'),
  protocol: z.enum(['leaderboard', 'bare']).optional().describe("Overrides the plan's protocol."),
  backend: z.string().min(1).max(80).optional().describe('Group that shares one ceiling of concurrency.'),
  timeout_s: z.number().gt(0).max(86_400).default(180),
  concurrency: z.int().min(1).max(64).default(4),
};
const remote = {
  ...common,
  requested_model: z.string().min(1).max(200).optional().describe('Sent as `model`; the id if absent.'),
  expected_model: z.string().min(1).max(200).optional().describe('What the reply must name as its model.'),
  effort: z.enum(EFFORTS).default('provider_fixed'),
  decoding,
  extra_body: extraBody.default({}),
  headers: headers.default({}),
  allow_unlisted: z
    .strictObject({ body: z.array(z.string()).default([]), headers: z.array(z.string()).default([]) })
    .default({ body: [], headers: [] })
    .describe('Members of extra_body and headers with a text that are not listed, and that carry no credential.'),
  price,
  requires_permission: z.boolean().default(false),
  permission: z
    .strictObject({
      provider: z.string().min(1),
      grantee: z.string().min(1),
      scope: z.string().min(1),
      quote_sha256: digest,
    })
    .nullish()
    .describe('A written permission this route depends on, bound by digest; empty until it is yours.'),
};

const model = z.discriminatedUnion('transport', [
  z.strictObject({
    transport: z.literal('openrouter'),
    ...remote,
    base_url: url.default('https://openrouter.ai/api/v1'),
    api_key_env: envName.default('OPENROUTER_API_KEY'),
    provider_tag: z.string().min(1).max(120).optional(),
    expected_provider: z.string().min(1).max(120).optional(),
    zdr: z.boolean().default(false).describe('Ask for zero data retention.'),
  }),
  z.strictObject({
    transport: z.literal('openai'),
    ...remote,
    base_url: url,
    api_key_env: envName.optional(),
    revision: z.string().min(1).max(200).optional().describe('Weights revision of a local server.'),
  }),
  z.strictObject({
    transport: z.literal('anthropic'),
    ...remote,
    base_url: url.default('https://api.anthropic.com'),
    api_key_env: envName.default('ANTHROPIC_API_KEY'),
    auth: z.enum(['x-api-key', 'bearer']).default('x-api-key'),
    effort: z.literal('provider_fixed').default('provider_fixed'),
    decoding: decoding.refine((d) => d.seed === undefined, {
      path: ['seed'],
      error: 'does not exist in the messages protocol',
    }),
  }),
  z.strictObject({
    transport: z.literal('simulated'),
    ...common,
    // No provider to spare: more cells in flight share each flush of the journal.
    concurrency: z.int().min(1).max(64).default(32),
    skill: z.number().min(0).max(1).default(0.5).describe('0 answers at random, 1 always the optimum.'),
    refusal_rate: z.number().min(0).max(1).default(0),
    slip_rate: z.number().min(0).max(1).default(0).describe('Share of answers in a broken format.'),
  }),
]);

const phases = z
  .strictObject({
    pilot: z.strictObject({ per_family: z.int().min(1).default(1) }).optional(),
    primary: z.strictObject({ samples: z.int().min(1).max(100).default(1) }).optional(),
    repeat: z.strictObject({ per_family: z.int().min(1).default(16) }).optional(),
  })
  .refine((named) => Object.values(named).some((phase) => phase !== undefined), {
    error: 'expected at least one of pilot, primary and repeat',
  })
  .default({ primary: { samples: 1 } });

/** Paths of all texts that hold what looks like a provider's key: a plan is written down whole. */
function knownSecretsIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return holdsKnownSecret(value) ? [[...path]] : [];
  if (Array.isArray(value)) return value.flatMap((item, i) => knownSecretsIn(item, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    holdsKnownSecret(name) ? [[...path]] : knownSecretsIn(item, [...path, name]),
  );
}

export const planShape = z
  .strictObject({
    schema: z.literal(PLAN_SCHEMA),
    name: z.string().min(1).max(120),
    seed: z
      .union([z.string().min(1).max(200), z.int().min(0)])
      .transform(String)
      .default('20260820'),
    protocol: z.enum(['leaderboard', 'bare']).default('leaderboard'),
    task_sets: z
      .array(
        z.strictObject({
          path: z.string().min(1).describe("Relative to the plan's folder."),
          panel: panel.optional(),
          sha256: digest.optional().describe('Digest of the file; checked when given.'),
        }),
      )
      .min(1),
    phases,
    budget: z
      .strictObject({ usd: decimal, tokens: z.int().min(0).optional() })
      .describe('Hard caps over everything this ledger has spent or may have spent.'),
    concurrency: z
      .strictObject({
        global: z.int().min(1).max(256).default(32),
        backends: z.record(z.string(), z.int().min(1).max(256)).default({}),
      })
      .default({ global: 32, backends: {} }),
    pacing_ms: z
      .record(z.string(), z.int().min(0).max(600_000))
      .default({})
      .describe('Least time between two starts on a backend.'),
    max_attempts: z.int().min(1).max(10).default(2),
    suspend_after: z
      .int()
      .min(1)
      .max(10_000)
      .default(5)
      .describe('Cells in a row without a usable reply after which a route rests for the session.'),
    accounting: z
      .strictObject({
        attempts: z.int().min(1).max(20).default(6),
        delay_s: z.number().min(0).max(60).default(0.5),
      })
      .default({ attempts: 6, delay_s: 0.5 }),
    max_reply_bytes: z.int().min(1024).max(67_108_864).default(4_194_304),
    models: z.array(model).min(1).max(500),
  })
  .superRefine((plan, context) => {
    const indexById = new Map<string, number>();
    for (const [index, entry] of plan.models.entries()) {
      const first = indexById.get(entry.id);
      if (first === undefined) indexById.set(entry.id, index);
      else {
        context.addIssue({
          code: 'custom',
          path: ['models', index, 'id'],
          message: `is already the id of models[${first}]`,
        });
      }
    }
    for (const [index, model] of plan.models.entries()) {
      if (model.transport === 'simulated') continue;
      for (const { path, message } of unlistedFields(model))
        context.addIssue({ code: 'custom', path: ['models', index, ...path], message });
    }
    for (const path of knownSecretsIn(plan))
      context.addIssue({
        code: 'custom',
        path,
        message: 'holds what looks like a key; name the environment variable that holds it: api_key_env: VARIABLE',
      });
  });

export type CollectionPlan = z.infer<typeof planShape>;
export type PlannedModel = CollectionPlan['models'][number];

/** Makes the JSON Schema of a plan file, for editors and other programs. */
export function planJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(planShape, { io: 'input', target: 'draft-2020-12' });
  return { title: 'flavourbench collection plan', ...schema };
}

/** Problems that a message lists besides the first. */
const MOST_OTHERS = 11;

/**
 * Reads a plan in YAML or JSON (JSON is read as the YAML it is) and validates it. Errors: SCHEMA_INVALID with file, line and path of
 * the first problem, the others listed behind it; JSON_DUPLICATE_KEY.
 */
export function parsePlan(text: string, file: string): CollectionPlan {
  const excess = yamlExcess(text);
  if (excess) {
    const line = text.slice(0, excess.offset).split('\n').length;
    fail('SCHEMA_INVALID', { file, line }, excess.what, 'A plan is one YAML or JSON document.');
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) {
    const line = lines.linePos(broken.pos[0]).line;
    const code = broken.code === 'DUPLICATE_KEY' ? 'JSON_DUPLICATE_KEY' : 'SCHEMA_INVALID';
    const what = broken.code === 'MULTIPLE_DOCS' ? 'a second document begins here' : broken.message;
    fail(code, { file, line }, what, 'A plan is one YAML or JSON document.');
  }
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const result = planShape.safeParse(toValue(() => document.toJS({ maxAliasCount: 100 }), file));
  if (result.success) return result.data;
  // A value that stands where a secret may be is not repeated.
  const found = (path: readonly PropertyKey[]): string => {
    const value = valueAt(document.getIn(path));
    const secret =
      (typeof document.getIn(path) === 'string' && looksSecret(String(document.getIn(path)))) ||
      path.some((part) => /key|token|secret|header|url|extra_body/i.test(String(part)));
    return value === undefined || secret ? '' : `; found ${value}`;
  };
  const problems = result.error.issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
    const what = issue.code === 'unrecognized_keys' ? 'is not a field of a plan' : wantedWords(issue);
    // Under a name that nobody knows anything may stand.
    const value = issue.code === 'unrecognized_keys' ? '' : found(path);
    return { line: lineOf(path), path: pathText(path) || 'the plan', what: `${what}${value}` };
  });
  problems.sort((a, b) => a.line - b.line);
  const [first, ...others] = problems as [(typeof problems)[number], ...typeof problems];
  fail(
    'SCHEMA_INVALID',
    { file, line: first.line, path: first.path },
    [
      first.what,
      ...others.slice(0, MOST_OTHERS).map(({ line, path, what }) => `line ${line}: ${path}: ${what}`),
      ...(others.length > MOST_OTHERS ? [`and ${others.length - MOST_OTHERS} more`] : []),
    ].join('; '),
    '`flavourbench plan schema` prints the JSON Schema, `flavourbench plan init` a commented plan.',
  );
}

/** A scalar as it is shown; undefined for anything else. */
function valueAt(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? shown(value) : undefined;
}

function toValue(read: () => unknown, file: string): unknown {
  try {
    return read();
  } catch (cause) {
    fail('SCHEMA_INVALID', { file }, `${(cause as Error).message}`, undefined, { cause });
  }
}

/** Reads and validates a plan file. Errors: those of `parsePlan`; INPUT_NOT_FOUND. */
export function readPlan(file: string): CollectionPlan {
  return parsePlan(readText(file), file);
}
