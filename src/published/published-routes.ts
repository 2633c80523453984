import { z } from 'zod';
import type { JsonObject } from '../io/json.js';
import { AS_BUILT } from '../release/release-files.js';
import type { ReleaseRoute } from '../release/released-models.js';
import { checked } from '../util/schema.js';

/** What the table of routes takes from a manifest. */
const routesSchema = z.looseObject({
  replication_route_repair_v52: z.looseObject({ superseded_exact_tags: z.record(z.string(), z.string()) }).nullish(),
  models: z.array(
    z.looseObject({
      model: z.looseObject({ id: z.string(), canonical_slug: z.string() }),
      endpoint: z.looseObject({ tag: z.string(), provider_name: z.string() }),
      execution_route: z.looseObject({ selected_backend: z.string() }),
    }),
  ),
});

/**
 * Lists the routes of the published collection (paper table 9) from its last route manifest: the routes of the second panel, and for
 * the first those that a repair of the second panel alone replaced. Errors: SCHEMA_INVALID with the field.
 */
export function publishedRoutes(manifest: JsonObject, file = 'route manifest'): ReleaseRoute[] {
  const { models, replication_route_repair_v52: repair } = checked(routesSchema, manifest, { file }, AS_BUILT);
  return models.flatMap(({ model, endpoint, execution_route }) => {
    const route = {
      model: model.id,
      transport: execution_route.selected_backend,
      requestedModel: model.id,
      expectedModel: model.canonical_slug,
      provider: endpoint.provider_name,
    };
    const before = repair?.superseded_exact_tags[model.id] ?? endpoint.tag;
    return [
      { ...route, panel: 'panel_1', tag: before },
      { ...route, panel: 'panel_2', tag: endpoint.tag },
    ];
  });
}
