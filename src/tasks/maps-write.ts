import type { Environment } from '../environment/environment.js';
import { arrowFile } from '../io/arrow/write-arrow.js';
import type { ArrowColumn } from '../io/arrow.js';
import { canonicalJson } from '../io/canonical.js';
import { type Envelope, envelope, type InputFile } from '../io/envelope.js';
import { choicesDigest } from './choices-digest.js';
import type { DenseMap, DenseMaps } from './compile/dense.js';
import { MAPS_SCHEMA, type MapRow } from './maps-read.js';
import type { Rescored } from './maps-rescore.js';

function mapObject({ keys, scores }: Pick<MapRow, 'keys' | 'scores'>): Record<string, number> {
  return Object.fromEntries(keys.map((key, i) => [key, scores[i]!]));
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${canonicalJson(row)}\n`).join('');

/** What a recomputed map says of the task it is of: the digest of its choices (reading 3.5). */
const choicesFact = ({ task }: MapRow): { readonly choices_sha256?: string } =>
  task === null ? {} : { choices_sha256: choicesDigest(task.choices) };

/** Writes rescored maps in the row format of the published companion files (analyses 7), with the digests of their choices. */
export function mapLines(checkpoint: string, rows: readonly MapRow[]): string {
  return lines(
    rows.map((row) => ({
      checkpoint,
      ...choicesFact(row),
      family: row.family,
      release_panel: row.panel,
      selection_scores_bps: mapObject(row),
      task_id: row.id,
    })),
  );
}

interface MapsDocumentRequest {
  readonly environment: Environment;
  readonly rescored: Rescored;
  readonly inputs: readonly InputFile[];
  readonly backend: string;
  /** Digest of the tag table that took the place of the environment's own. */
  readonly tagsSha256?: string;
}

const environmentFacts = ({ identity, names, dims }: Environment, tags: string | undefined) => ({
  kind: identity.kind,
  sha256: identity.sha256,
  ...(tags === undefined ? {} : { tags_sha256: tags }),
  ingredients: names.length,
  dims,
});

/** Makes the document of rescored maps, with the digests of the environment and of the task files, under the common envelope. */
export function mapsDocument(request: MapsDocumentRequest): {
  readonly document: Envelope<unknown, unknown>;
  readonly text: string;
} {
  const { environment, rescored, inputs, backend } = request;
  return envelope({
    schema: MAPS_SCHEMA,
    plan: {
      environment: environmentFacts(environment, request.tagsSha256),
      similarity: 'float64, terms in column order',
      fixed: ['choices', 'constraints', 'labels', 'prompts'],
    },
    inputs,
    rng: null,
    seed: null,
    streams: {},
    results: {
      tasks: rescored.rows.map((row) => ({
        task_id: row.id,
        family: row.family,
        release_panel: row.panel,
        ...choicesFact(row),
        selection_scores_bps: mapObject(row),
      })),
      skipped: rescored.skipped.map((task) => ({ ...task })),
      ingredients: rescored.ingredients,
    },
    run: { backend, threads: 1, reason: 'asked for', warnings: [] },
  });
}

/** Writes dense maps as rows; `maps compare` reads them. */
export function denseLines({ keys, maps }: DenseMaps): string {
  return lines(
    maps.map(({ scores, choices, ...rest }) => ({
      ...rest,
      choices: Object.fromEntries(choices.map((name, i) => [String.fromCharCode(65 + i), name])),
      selection_scores_bps: mapObject({ keys, scores }),
    })),
  );
}

/** Writes dense maps as an Arrow file: one row a map, one int32 column a portfolio. */
export function denseArrow(environment: Environment, { keys, maps }: DenseMaps): Uint8Array {
  const text = (name: string, value: (map: DenseMap) => string | null): ArrowColumn => ({
    name,
    kind: 'text',
    values: maps.map(value),
  });
  const integer = (name: string, value: (map: DenseMap) => number | null): ArrowColumn => ({
    name,
    kind: 'int32',
    values: maps.map(value),
  });
  const choices = maps[0]?.choices.length ?? 0;
  return arrowFile({
    metadata: {
      schema: 'flavourbench-dense-maps/1',
      environment_sha256: environment.identity.sha256,
      ingredients: String(environment.names.length),
    },
    columns: [
      text('task_id', (map) => map.task_id),
      text('family', (map) => map.family),
      text('anchor', (map) => map.anchor_ingredient),
      text('category', (map) => map.primary_category),
      text('constraint_variant', (map) => map.constraint_variant),
      integer('maximum_nova', (map) => map.maximum_nova),
      text('target_region', (map) => map.target_region),
      ...Array.from({ length: choices }, (_, i) =>
        text(`choice_${String.fromCharCode(65 + i)}`, (map) => map.choices[i]!),
      ),
      text('optimal_selection', (map) => map.optimal_selection),
      integer('optima', (map) => map.optima),
      integer('chance_score_bps', (map) => map.chance_score_bps),
      integer('optimal_margin_bps', (map) => map.optimal_margin_bps),
      ...keys.map((key, i) => integer(key, (map) => map.scores[i]!)),
    ],
  });
}
