import type { Command } from 'commander';
import { explainSurplus } from './surplus-word.js';
import { explainSwallowed } from './swallowed-file.js';
import { explainMissingTasks } from './wrong-kind.js';

/** Explains an error by the call that ran into it: a word that an option takes, a file that an option took, tasks that are missing. */
export function explained(error: unknown, program: Command, argv: readonly string[]): unknown {
  return explainMissingTasks(explainSwallowed(explainSurplus(error, program, argv), program, argv), argv);
}
