import { analysisOfSchema } from '../../src/analyses/list.js';
import type { JsonObject } from '../../src/io/json.js';

// biome-ignore lint/suspicious/noExplicitAny: definitions of zod schemas of every kind
type Definition = any;

/** The value with whatever its schema wants and it lacks: zero, no text, false, null where that may be. */
function filled({ def }: Definition, value: unknown): unknown {
  switch (def.type) {
    case 'object': {
      const object = (value ?? {}) as JsonObject;
      const entries = Object.entries(def.shape)
        .map(([key, own]) => [key, filled(own, object[key])] as const)
        .filter(([, made]) => made !== undefined);
      return { ...object, ...Object.fromEntries(entries) };
    }
    case 'record': {
      const keys = def.keyType.def.entries ? Object.values<string>(def.keyType.def.entries) : [];
      const object = (value ?? {}) as JsonObject;
      const all = [...new Set([...keys, ...Object.keys(object)])];
      return Object.fromEntries(all.map((key) => [key, filled(def.valueType, object[key])]));
    }
    case 'array':
      return ((value ?? []) as unknown[]).map((item) => filled(def.element, item));
    case 'tuple':
      return value ?? def.items.map((item: Definition) => filled(item, undefined));
    case 'nullable':
      return value === undefined || value === null ? null : filled(def.innerType, value);
    case 'optional':
      return value === undefined ? undefined : filled(def.innerType, value);
    case 'enum':
      return value ?? Object.values(def.entries)[0];
    case 'number':
      return value ?? 0;
    case 'boolean':
      return value ?? false;
    default:
      return value ?? '';
  }
}

/** A document of an analysis with what its schema wants beside what a test is about. */
export function filledDocument(schema: string, results: unknown, plan: unknown = {}): JsonObject {
  const analysis = analysisOfSchema(schema)!;
  return {
    schema,
    plan: filled(analysis.schema.plan, plan),
    results: filled(analysis.schema.results, results),
  };
}
