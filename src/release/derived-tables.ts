import type { Protocol } from '../collect/protocol.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { validityColumns } from '../core/validity.js';
import { inferenceTables } from '../inference/columns.js';
import type { Inference } from '../inference/result.js';
import { parserFields } from '../responses/parser-contract.js';
import { MATRIX_SCHEMA } from '../scores/arrow-table.js';
import { matrixColumns } from '../scores/matrix-file.js';
import { type CandidateCells, candidateValidity } from './candidate-cells.js';
import type { TableContent } from './encode.js';
import { observationColumns } from './observation-columns.js';
import type { ReleaseSources } from './release-sources.js';

/** Makes the tables that follow from the answers of a release, by base name. `protocol` is absent where the release does not say. */
export function derivedTables(options: {
  readonly sources: Pick<ReleaseSources, 'phase'>;
  readonly candidates: CandidateCells;
  readonly matrix: ScoreMatrix;
  readonly inference: Inference;
  readonly protocol?: Protocol | null;
  readonly resultsSha256: string;
}): Map<string, TableContent> {
  const { sources, candidates, matrix, inference, protocol, resultsSha256 } = options;
  const { models, pairs, replication } = inferenceTables(inference, resultsSha256);
  return new Map<string, TableContent>([
    [
      'validity',
      {
        columns: validityColumns({
          matrices: candidateValidity(candidates),
          chosen: candidates.cells,
          phase: sources.phase,
        }),
        metadata: { schema: 'flavourbench-validity/1' },
      },
    ],
    ['observations', { columns: observationColumns(candidates.ordered), metadata: {} }],
    [
      'matrix',
      {
        columns: matrixColumns(matrix),
        metadata: {
          schema: MATRIX_SCHEMA,
          scale: String(matrix.scale),
          ...(protocol === undefined
            ? {}
            : {
                sources: JSON.stringify({
                  protocol: protocol?.sha256 ?? 'unstated',
                  ...parserFields(candidates.parser),
                }),
              }),
        },
      },
    ],
    ['models', models],
    ['pairs', pairs],
    ['replication', replication],
  ]);
}
