import { readFrozenPlan } from '../../../collect/frozen-plan.js';
import { MANIFEST_SCHEMA } from '../../../collect/manifest.js';
import { PUBLISHED_MANIFEST_SCHEMA, readRouteManifest } from '../../../collect/route-manifest.js';
import { readJson } from '../../../io/json.js';
import { fail, shown } from '../../../util/error.js';
import { plain, printJson, printLine, printTable } from '../../print.js';

interface ManifestFlags {
  readonly expect?: string;
  readonly json?: boolean;
}

/** `plan manifest`: proves a manifest of either kind. Errors: SCHEMA_INVALID for any other document. */
export function manifest(file: string, flags: ManifestFlags): void {
  const document = readJson(file) as {
    readonly schema?: unknown;
    readonly schema_version?: unknown;
  };
  const schema = document?.schema ?? document?.schema_version;
  if (schema === MANIFEST_SCHEMA) showFrozen(file, flags);
  else if (schema === PUBLISHED_MANIFEST_SCHEMA) showPublished(file, flags);
  else
    fail(
      'SCHEMA_INVALID',
      { file, path: 'schema' },
      `schema ${shown(schema)} is no manifest`,
      `Give the manifest that \`plan compile\` wrote (${MANIFEST_SCHEMA}), or the published one (${PUBLISHED_MANIFEST_SCHEMA}).`,
    );
}

function showFrozen(file: string, { expect, json }: ManifestFlags): void {
  const found = readFrozenPlan(file, expect);
  if (json) {
    printJson(found);
    return;
  }
  printTable(
    ['model', 'must answer as', 'transport', 'pinned', 'tag or revision', 'provider', 'execution'],
    found.routes.map((route) => [
      route.model_id,
      route.expected_model ?? '-',
      route.transport,
      route.rank_eligible ? 'yes' : `no: ${route.ineligible_reason}`,
      route.provider_tag ?? route.revision ?? '-',
      route.expected_provider ?? '-',
      route.endpoint_execution_sha256.slice(0, 12),
    ]),
  );
  const pinned = found.routes.filter(({ rank_eligible }) => rank_eligible).length;
  printLine(plain(`OK: ${found.routes.length} routes, ${pinned} pinned, plan ${found.name}, ${found.artifact_sha256}`));
}

function showPublished(file: string, { expect, json }: ManifestFlags): void {
  const found = readRouteManifest(file, expect);
  if (json) {
    printJson(found);
    return;
  }
  printTable(
    ['slot', 'model', 'must answer as', 'backend', 'tag', 'provider', 'execution'],
    found.routes.map((route) => [
      route.slot_id,
      route.model_id,
      route.canonical_model_slug,
      route.backend,
      route.provider_tag,
      route.provider_name,
      route.endpoint_execution_sha256.slice(0, 12),
    ]),
  );
  printLine(plain(`OK: ${found.routes.length} pinned routes, ${found.role}, ${found.sha256}`));
}
