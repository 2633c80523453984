import { z } from 'zod';
import { type Asked, askedSchema } from '../collect/asked.js';
import type { RosterEntry } from '../core/model-roster.js';
import { sealed } from '../io/canonical.js';
import type { CandidateCells } from './candidate-cells.js';

export const ROSTER_SCHEMA = 'flavourbench-release-models/1';

/** A ranked model as people name it. */
export interface ModelName {
  readonly modelId: string;
  readonly name: string;
  readonly slotId: string | null;
}

/** A contract under which a model was asked; a type and no interface, so that it fits what `rosterSchema` reads. */
type RouteBlock = {
  readonly panel: string;
  readonly transport: string;
  readonly requested_model: string | null;
  readonly expected_model: string | null;
  readonly expected_provider: string | null;
  readonly provider_tag: string | null;
  readonly contract_sha256: string;
  readonly protocol_sha256: string;
  readonly endpoint_execution_sha256: string;
  readonly decoding: object;
  /** How the model was asked; null where no plan says it, absent in a release of version 0.1.0. */
  readonly asked?: Asked | null;
  records: number;
};

/** A ranked model as models.json names it. */
const named = z.object({ model_id: z.string(), model_name: z.string(), slot_id: z.string().nullable() });

/** A contract of models.json, as far as a proof reads it. */
const contract = z.object({ protocol_sha256: z.string(), asked: askedSchema.nullish() });

/** models.json, as far as a proof reads it. */
export const rosterModels = z.object({ models: z.array(named.extend({ routes: z.array(contract) })) });

/** Collects from models.json how models were asked, by what the keys of their records bind. */
export function rosterAsked({ models }: z.output<typeof rosterModels>): Map<string, Asked> {
  return new Map(
    models.flatMap(({ routes }) =>
      routes.flatMap(({ protocol_sha256, asked }) => (asked ? [[protocol_sha256, asked] as const] : [])),
    ),
  );
}

const route = z.object({
  panel: z.string(),
  transport: z.string().nullish(),
  requested_model: z.string().nullish(),
  expected_model: z.string().nullish(),
  expected_provider: z.string().nullish(),
  provider_tag: z.string().nullish(),
});

/** models.json, as far as a view shows it. */
export const rosterSchema = z.object({ models: z.array(named.extend({ routes: z.array(route) })) });

/** A model's way to its provider, as far as the release says. */
export interface ReleaseRoute {
  readonly model: string;
  readonly panel: string;
  readonly transport: string | null;
  readonly requestedModel: string | null;
  readonly expectedModel: string | null;
  readonly provider: string | null;
  readonly tag: string | null;
}

/** Lists the routes of models.json, model by model. */
export function rosterRoutes({ models }: z.output<typeof rosterSchema>): ReleaseRoute[] {
  return models.flatMap((model) =>
    model.routes.map((own) => ({
      model: model.model_id,
      panel: own.panel,
      transport: own.transport ?? null,
      requestedModel: own.requested_model ?? null,
      expectedModel: own.expected_model ?? null,
      provider: own.expected_provider ?? null,
      tag: own.provider_tag ?? null,
    })),
  );
}

/** Makes models.json: the ranked models in roster order, and every contract under which each was asked; with `says`, how it was asked. */
export function rosterDocument(candidates: CandidateCells, names: readonly ModelName[], says: boolean) {
  return sealed({
    schema: ROSTER_SCHEMA,
    canonicalization: 'RFC8785',
    models: names.map(({ modelId, name, slotId }) => ({
      model_id: modelId,
      model_name: name,
      slot_id: slotId,
      routes: routesOf(candidates, modelId, says),
    })),
  });
}

function routesOf(candidates: CandidateCells, model: string, says: boolean): RouteBlock[] {
  const blocks = new Map<string, RouteBlock>();
  for (const { observation, task, asked } of candidates.cells.get(model)?.values() ?? []) {
    const { record } = observation;
    if (record === null) continue;
    const key = `${task.panel}\0${record.contract_sha256}`;
    const known = blocks.get(key);
    if (known) known.records += 1;
    else
      blocks.set(key, {
        panel: task.panel,
        ...record.route,
        contract_sha256: record.contract_sha256,
        protocol_sha256: record.key.protocol_sha256,
        endpoint_execution_sha256: record.key.endpoint_execution_sha256,
        decoding: record.key.decoding,
        ...(says ? { asked } : {}),
        records: 1,
      });
  }
  return [...blocks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, block]) => block);
}

/** Names the ranked models: from a roster, else from the records, else by id. */
export function modelNames(candidates: CandidateCells, roster: readonly RosterEntry[]): ModelName[] {
  const given = new Map(roster.map((entry) => [entry.modelId, entry]));
  return candidates.models.map((modelId) => {
    const [first] = candidates.cells.get(modelId)?.values() ?? [];
    const entry = given.get(modelId);
    const name = entry?.name ?? first?.observation.record?.model_name ?? modelId;
    return { modelId, name, slotId: entry?.slotId ?? null };
  });
}
