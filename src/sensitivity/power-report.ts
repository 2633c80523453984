import { type ArrowColumn, columnsOf } from '../util/arrow.js';
import { fixed } from '../util/format.js';
import type { PowerPlan } from './power.js';
import type { PowerSimulation } from './power-simulation.js';
import { percent } from './report.js';

/** The planned pairs as columns. */
export function powerColumns(plan: PowerPlan): ArrowColumn[] {
  return columnsOf(plan.pairs, {
    left: ['text', (row) => row.left],
    right: ['text', (row) => row.right],
    observed: ['float64', (row) => row.observed],
    sigma: ['float64', (row) => row.sigma],
    tasks_needed: ['float64', (row) => row.tasks_needed],
    detectable_now: ['float64', (row) => row.detectable_now],
  });
}

export interface PowerWordsOptions {
  readonly plan: PowerPlan;
  readonly simulation: PowerSimulation | null;
  readonly difference: number;
  readonly target: number;
  readonly alpha: number;
}

const count = (n: number) => n.toLocaleString('en-US');
const needed = (tasks: number | null) => (tasks === null ? 'more than 2^53' : count(tasks));

/** One paragraph: what the plan says and what it does not. */
export function powerWords(options: PowerWordsOptions): string {
  const { plan, simulation, difference, target, alpha } = options;
  const [, median, largest] = plan.spread;
  if (!median || !largest) return '';
  const reached = plan.shares.filter(({ tasks }) => tasks !== null);
  const words = [
    `With the pilot's ${count(plan.tasks_now)} tasks a median pair of models must differ by ${fixed(median.detectable_now, 2)} points, the hardest by ${fixed(largest.detectable_now, 2)}, to be resolved with ${percent(target)} power (familywise ${alpha}, ${count(plan.hypotheses)} tests).`,
    `A difference of ${difference} points needs ${needed(median.tasks_needed)} tasks for the median pair, ${needed(largest.tasks_needed)} for the hardest.`,
    reached.length === 0
      ? 'No number of tasks would resolve a quarter of the pairs if the shrunken pilot differences were true.'
      : `Were the shrunken pilot differences true, ${reached.map(({ share, tasks }) => `${percent(share)} of the pairs would take ${count(tasks as number)}`).join(', ')} tasks.`,
  ];
  if (simulation)
    words.push(
      `Check by simulation for ${simulation.left} and ${simulation.right} at ${count(simulation.tasks)} tasks: ${simulation.resolved} of ${simulation.datasets} data sets resolved, power ${percent(simulation.power)} (95% limits ${percent(simulation.interval[0])} to ${percent(simulation.interval[1])}).`,
    );
  words.push(
    'The plan assumes that new tasks are like the pilot tasks and vary as much; it says nothing about differences between models that nobody has tested yet.',
  );
  return words.join(' ');
}
