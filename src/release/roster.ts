import { sealed } from '../io/canonical.js';
import type { CandidateCells } from './candidates.js';

export const ROSTER_SCHEMA = 'flavourbench-release-models/1';

/** A ranked model as people name it. */
export interface ModelName {
  readonly modelId: string;
  readonly name: string;
  readonly slotId: string | null;
}

interface RouteBlock {
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
  records: number;
}

/** models.json: the ranked models in roster order, and every contract under which each was asked. */
export function rosterDocument(candidates: CandidateCells, names: readonly ModelName[]): object {
  return sealed({
    schema: ROSTER_SCHEMA,
    canonicalization: 'RFC8785',
    models: names.map(({ modelId, name, slotId }) => ({
      model_id: modelId,
      model_name: name,
      slot_id: slotId,
      routes: routesOf(candidates, modelId),
    })),
  });
}

function routesOf(candidates: CandidateCells, model: string): RouteBlock[] {
  const blocks = new Map<string, RouteBlock>();
  for (const { observation, task } of candidates.cells.get(model)?.values() ?? []) {
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
        records: 1,
      });
  }
  return [...blocks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, block]) => block);
}

/** Names from a roster, else from the records, else the id. */
export function modelNames(
  candidates: CandidateCells,
  roster: readonly {
    readonly modelId: string;
    readonly name: string | null;
    readonly slotId: string | null;
  }[],
): ModelName[] {
  const given = new Map(roster.map((entry) => [entry.modelId, entry]));
  return candidates.models.map((modelId) => {
    const [first] = candidates.cells.get(modelId)?.values() ?? [];
    const entry = given.get(modelId);
    const name = entry?.name ?? first?.observation.record?.model_name ?? modelId;
    return { modelId, name, slotId: entry?.slotId ?? null };
  });
}
