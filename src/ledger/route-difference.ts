import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../io/canonical.js';
import { readObject } from '../io/json.js';
import type { KeyDifference } from './explain.js';

type Json = Readonly<Record<string, unknown>>;

/** Key fields that are digests of route fields, and would tell a reader nothing. */
const DIGESTS = ['endpoint_execution_sha256', 'protocol_sha256'] as const;

/** Fields of a manifest's route that those digests are made of. */
const FIELDS = [
  'transport',
  'base_url',
  'requested_model',
  'expected_model',
  'expected_provider',
  'provider_tag',
  'revision',
  'zdr',
  'headers',
  'simulation',
  'protocol',
  'effort',
  'extra_body',
] as const;

/** The route of a stored manifest that has this digest. */
function storedRoute(dir: string, field: string, sha256: string): Json | undefined {
  for (const name of readdirSync(dir)) {
    if (!/^manifest-[0-9a-f]{64}\.json$/.test(name)) continue;
    const { routes } = readObject(join(dir, name));
    if (!Array.isArray(routes)) continue;
    const found = (routes as (Json | null)[]).find((route) => route?.[field] === sha256);
    if (found) return found;
  }
  return undefined;
}

/**
 * Replaces differing digests of a route by the fields that make them differ, read from the manifests in the ledger's folder. A digest
 * whose manifest is not there, as after an import, stays as it is.
 */
export function openDifferences(options: {
  readonly dir: string;
  readonly differs: readonly KeyDifference[];
  /** The planned route: a row of the manifest that asks. */
  readonly asked: object;
}): readonly KeyDifference[] {
  const { dir, differs } = options;
  const asked = options.asked as Json;
  const closed = differs.filter(({ field }) => (DIGESTS as readonly string[]).includes(field));
  const routes = closed.flatMap(({ field, recorded }) => {
    const route = storedRoute(dir, field, JSON.parse(recorded) as string);
    return route ? [{ field, route }] : [];
  });
  const opened = FIELDS.flatMap((field) => {
    const values = routes.map(({ route }) => canonicalJson(route[field] ?? null));
    const now = canonicalJson(asked[field] ?? null);
    const other = values.find((value) => value !== now);
    return other === undefined ? [] : [{ field, asked: now, recorded: other }];
  });
  if (opened.length === 0) return differs;
  const gone = new Set(routes.map(({ field }) => field));
  return [...differs.filter(({ field }) => !gone.has(field)), ...opened];
}
