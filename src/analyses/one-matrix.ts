import type { ScoreMatrix } from '../core/matrix.js';
import type { Engine } from '../engine/engine.js';
import { fail } from '../util/error.js';
import type { AnalysisInputs, AuditSource } from './inputs.js';

interface OneMatrix {
  readonly matrix: ScoreMatrix;
  /** The matrix as it was read, where more is known of it. */
  readonly source?: AuditSource;
  readonly engine: Engine;
}

/** Makes the inputs of an analysis, which `name` names in errors, from one matrix; whatever else is asked for fails with INPUT_MISSING. */
export function oneMatrix(name: string, { matrix, source, engine }: OneMatrix): AnalysisInputs {
  const absent = async () => fail('INPUT_MISSING', null, `${name} has one matrix`, undefined, { exit: 3 });
  return {
    matrix: async () => matrix,
    familyMeans: async () => ({ matrix, stated: false }),
    matrixWarnings: async () => [],
    audited: async () => source ?? { matrix, dropped: 0, warnings: [], readings: [], kind: 'matrix' },
    engine: async () => engine,
    ...{ resolved: absent, answers: absent, candidates: absent, core: absent, tasks: absent },
    ...{ otherMaps: absent, environments: absent, substitutions: absent, completions: absent },
  };
}
