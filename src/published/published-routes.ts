import { Fields, type Json } from '../release/board.js';
import type { ReleaseRoute } from '../release/release.js';

/**
 * Routes of the published collection (paper table 9) from its last route manifest: the routes of the second panel, and for the
 * first those that a repair of the second panel alone replaced. Errors: SCHEMA_INVALID with the field.
 */
export function publishedRoutes(manifest: Json): ReleaseRoute[] {
  const document = new Fields('route manifest', '', manifest);
  const repair = document.optional('replication_route_repair_v52');
  const replaced = repair?.object('superseded_exact_tags');
  return document.objects('models').flatMap((entry) => {
    const model = entry.object('model').text('id');
    const tag = entry.object('endpoint').text('tag');
    const route = {
      model,
      transport: entry.object('execution_route').text('selected_backend'),
      requestedModel: model,
      expectedModel: entry.object('model').text('canonical_slug'),
      provider: entry.object('endpoint').text('provider_name'),
    };
    const before = replaced?.value[model] === undefined ? tag : replaced.text(model);
    return [
      { ...route, panel: 'panel_1', tag: before },
      { ...route, panel: 'panel_2', tag },
    ];
  });
}
