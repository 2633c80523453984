import type { Command } from 'commander';
import { explainSurplus } from './surplus-word.js';
import { explainSwallowed } from './swallowed-file.js';
import { explainWord } from './word-without-use.js';
import { explainMissingTasks } from './wrong-kind.js';

/** Explains an error by the call that ran into it: a word that an option takes, a file that an option took, an option of other commands, tasks that are missing. */
export function explained(error: unknown, program: Command, argv: readonly string[]): unknown {
  const worded = explainWord(explainSurplus(error, program, argv), program, argv);
  return explainMissingTasks(explainSwallowed(worded, program, argv), argv);
}
