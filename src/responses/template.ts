import { pyCanonical } from '../io/pyjson.js';
import type { Task } from '../tasks/task.js';

/**
 * Writes a response file to fill in: one row a task, in task order, with the prompt and no answer. The answer is null, so that a
 * file sent back unfilled scores as unanswered and never as a guess.
 */
export function responseTemplate(tasks: readonly Task[], model: string): string {
  return tasks
    .map((task) =>
      pyCanonical({
        schema_version: 'flavourbench-lab-response-v1',
        task_id: task.id,
        model,
        prompt: task.prompt,
        response: null,
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}
