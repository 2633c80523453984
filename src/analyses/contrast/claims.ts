import { coverageText, fixed } from '../../util/format.js';
import type { StudyResults } from './study.js';

const signed = (x: number) => `${x < 0 ? '-' : '+'}${fixed(Math.abs(x), 2)}`;

/** Words what the study allows to be said, and what it does not. */
export function claims(result: StudyResults, learner: string, alpha = 0.05): { allowed: string; notAllowed: string } {
  const { contrast, training_seeds: seeds } = result;
  const [low, high] = contrast.interval;
  const effect = `${signed(contrast.estimate)} points (${coverageText(alpha)} interval ${fixed(low, 2)} to ${fixed(high, 2)}, sign-flip p ${contrast.sign_flip_p.toPrecision(3)})`;
  const verdict = {
    positive_and_meets_preregistered_practical_threshold:
      'a gain was detected and its estimate reaches the practical threshold',
    positive_but_below_preregistered_practical_threshold:
      'a gain was detected but its estimate is below the practical threshold',
    negative_difference_detected: 'a loss was detected',
    inconclusive_at_preregistered_alpha: 'the data do not settle the sign of the effect',
  }[result.interpretation];
  const paired = contrast.per_seed.filter((x) => x > 0).length;
  return {
    allowed: `On ${result.tasks} ${result.stage === 'primary' ? 'held-out' : 'public'} tasks, ${learner} trained on optimal answers scores ${effect} against its format control, over ${seeds.length} matched seeds of which ${paired} favour training: ${verdict}.`,
    notAllowed:
      'The test is conditional on the training seeds at hand. The effect is about this reward map and this answer format: it says nothing about human taste, cooked food, general ability, other training methods, or environments that were not evaluated. Family rows and comparisons with the untrained model are descriptive.',
  };
}
