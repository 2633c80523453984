import type { Analysis } from './finding.js';

export interface AnalysisEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Analysis>;
}

/** Every analysis, in the order of the paper. */
export const ANALYSES: readonly AnalysisEntry[] = [
  {
    name: 'precision',
    summary: 'How stable the order is with fewer tasks.',
    load: async () => (await import('./precision.js')).precisionFinding,
  },
  {
    name: 'generalizability',
    summary: 'Where the variance lies, and tasks needed for a target coefficient.',
    load: async () => (await import('./generalizability.js')).generalizabilityFinding,
  },
  {
    name: 'roster',
    summary: 'Each model left out, the core selected anew.',
    load: async () => (await import('./roster.js')).rosterFinding,
  },
  {
    name: 'filter',
    summary: 'Selected tasks against the rest of their pools.',
    load: async () => (await import('./filter.js')).filterFinding,
  },
  {
    name: 'metrics',
    summary: 'Gain over chance, action percentile, exact optimum.',
    load: async () => (await import('./metrics.js')).metricsFinding,
  },
  {
    name: 'weights',
    summary: 'Every weighting of the three families.',
    load: async () => (await import('./weights.js')).weightsFinding,
  },
  {
    name: 'checkpoints',
    summary: 'The same answers under other reward maps.',
    load: async () => (await import('./checkpoints.js')).checkpointsFinding,
  },
  {
    name: 'substitutions',
    summary: 'Similarity against substitutions that people made.',
    load: async () => (await import('./substitutions.js')).substitutionsFinding,
  },
];
