import { z } from 'zod';
import type { AnalysisOption } from './declared-options.js';

/** The test of a pair whose errors a simulation counts. */
export const TEST: AnalysisOption = {
  flags: '--test <name>',
  help: 'test of a pair (default: sign-flip, as in infer)',
  kind: 'text',
  choices: ['sign-flip', 'centred'],
};

export const MULTIPLICITY: AnalysisOption = {
  flags: '--multiplicity <name>',
  help: 'control of the familywise error (default: holm, or max-t where Holm could reject nothing)',
  kind: 'text',
  choices: ['holm', 'max-t'],
};

export const INTERVAL: AnalysisOption = {
  flags: '--interval <name>',
  help: 'interval of a score (default: percentile, as in infer)',
  kind: 'text',
  choices: ['percentile', 'student', 'bootstrap-t', 'binomial'],
};

/** How the test in force stands in a plan; documents of version 1 do not name it. */
export const testFields = {
  test: z.enum(['sign-flip', 'centred']).optional(),
  multiplicity: z.enum(['holm', 'max-t']).optional(),
  multiplicity_reason: z.string().optional(),
};
