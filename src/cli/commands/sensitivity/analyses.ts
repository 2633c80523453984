import type { Analysis } from './finding.js';

export interface AnalysisEntry {
  readonly name: string;
  readonly summary: string;
  /** Inputs it cannot do without. */
  readonly needs: string;
  /** Options that mean something to it, beside those of the matrix and the output. */
  readonly takes: readonly string[];
  load(): Promise<Analysis>;
}

/** Every analysis, in the order of the paper. */
export const ANALYSES: readonly AnalysisEntry[] = [
  {
    name: 'precision',
    summary: 'How stable the order is with fewer tasks.',
    needs: 'a matrix (--scores, or --responses with --tasks)',
    takes: ['inference', 'rng', 'seed', 'alpha', 'draws', 'sizes'],
    load: async () => (await import('./precision.js')).precisionFinding,
  },
  {
    name: 'generalizability',
    summary: 'Where the variance lies, and tasks needed for a target coefficient.',
    needs: 'a matrix (--scores, or --responses with --tasks)',
    takes: ['target'],
    load: async () => (await import('./generalizability.js')).generalizabilityFinding,
  },
  {
    name: 'roster',
    summary: 'Each model left out, the core selected anew.',
    needs: '--core, and --pool or single answers (--responses or --ledger) with --tasks',
    takes: ['ledger', 'pool'],
    load: async () => (await import('./roster.js')).rosterFinding,
  },
  {
    name: 'filter',
    summary: 'Selected tasks against the rest of their pools.',
    needs: '--core and --tasks, and --pool or single answers (--responses or --ledger)',
    takes: ['ledger', 'pool', 'rng', 'seed', 'alpha', 'draws', 'gate-model'],
    load: async () => (await import('./filter.js')).filterFinding,
  },
  {
    name: 'metrics',
    summary: 'Gain over chance, action percentile, exact optimum.',
    needs: 'single answers (--responses or --ledger) with --tasks',
    takes: ['ledger'],
    load: async () => (await import('./metrics.js')).metricsFinding,
  },
  {
    name: 'weights',
    summary: 'Every weighting of the three families.',
    needs: 'a matrix (--scores, or --responses with --tasks) of three families',
    takes: [],
    load: async () => (await import('./weights.js')).weightsFinding,
  },
  {
    name: 'checkpoints',
    summary: 'The same answers under other reward maps.',
    needs: 'single answers (--responses or --ledger) with --tasks, and --maps',
    takes: ['ledger', 'maps', 'rng', 'seed', 'draws'],
    load: async () => (await import('./checkpoints.js')).checkpointsFinding,
  },
  {
    name: 'substitutions',
    summary: 'Similarity against substitutions that people made.',
    needs: '--env, --substitutions and --substitutions-train',
    takes: ['env', 'substitutions', 'substitutions-train', 'rng', 'seed', 'alpha', 'draws', 'min-group'],
    load: async () => (await import('./substitutions.js')).substitutionsFinding,
  },
];
