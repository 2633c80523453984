import { type ArrowColumn, columnsOf } from '../../io/arrow.js';
import { counted, fixed, general, placesFor } from '../../util/format.js';
import { percent } from '../report.js';
import type { PowerSimulation } from './simulation.js';
import type { PowerPlan } from './tasks-needed.js';

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

const tasksText = (tasks: number | null) => (tasks === null ? 'more than 2^53 tasks' : counted(tasks, 'task'));

/** What the simulation says against the plan; nothing where it reaches the power planned for. */
export function powerWarnings({ plan, simulation, target, alpha }: Omit<PowerWordsOptions, 'difference'>): string[] {
  if (simulation === null || simulation.interval[1] >= target) return [];
  const { clusters, power } = simulation;
  const smallest = 2 ** (1 - clusters);
  return [
    `the simulation contradicts the plan, ${percent(power)} power instead of ${percent(target)}: ${
      smallest > alpha / plan.hypotheses
        ? `over ${counted(clusters, 'cluster')} a sign-flip test gives no p below ${general(smallest, 3)}, and ${general(alpha / plan.hypotheses, 3)} is needed`
        : 'the normal approximation of the plan does not hold for so few tasks'
    }; plan for more tasks than it says`,
  ];
}

/** One paragraph: what the plan says and what it does not. */
export function powerWords(options: PowerWordsOptions): string {
  const { plan, simulation, difference, target, alpha } = options;
  const [, median, largest] = plan.spread;
  if (!median || !largest) return '';
  const reached = plan.shares.filter(({ tasks }) => tasks !== null);
  const places = Math.max(2, placesFor([largest.detectable_now]));
  const points = (value: number) => fixed(value, places);
  const words = [
    `With the pilot's ${counted(plan.tasks_now, 'task')} a median pair of models must differ by ${points(median.detectable_now)} points, the hardest by ${points(largest.detectable_now)}, to be resolved with ${percent(target)} power (familywise ${alpha}, ${counted(plan.hypotheses, 'test')}).`,
    `A difference of ${difference} point${difference === 1 ? '' : 's'} needs ${tasksText(median.tasks_needed)} for the median pair, ${tasksText(largest.tasks_needed)} for the hardest.`,
    reached.length === 0
      ? 'No number of tasks would resolve a quarter of the pairs if the shrunken pilot differences were true.'
      : `Were the shrunken pilot differences true, ${reached.map(({ share, tasks }) => `${percent(share)} of the pairs would take ${tasksText(tasks)}`).join(', ')}.`,
  ];
  if (simulation)
    words.push(
      `Check by simulation for ${simulation.left} and ${simulation.right} at ${counted(simulation.tasks, 'task')}: ${simulation.resolved} of ${counted(simulation.datasets, 'data set')} resolved, power ${percent(simulation.power)} (95% limits ${percent(simulation.interval[0])} to ${percent(simulation.interval[1])}).`,
    );
  words.push(
    'The plan assumes that new tasks are like the pilot tasks and vary as much; it says nothing about differences between models that nobody has tested yet.',
  );
  return words.join(' ');
}
